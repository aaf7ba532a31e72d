"""Checks for a bot's author: a good bot passes all, and each fault fails the check that is about it."""

from __future__ import annotations

import itertools
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import fa_cli.games
from fa_cli.isolation.discovery import Bot
from fa_cli.isolation.limits import Limits
from fa_cli.match.check import check_game, compliance
from fa_cli.match.check.compliance import Check, check_bot
from fa_cli.match.recording import with_unknown
from fa_cli.protocol.messages import Clock
from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa
from tests.needed import needs_sandbox

from ..fakes import assert_none_left

# What it does wrong stands in FAULT; else it plays by the game's seed.
BOT = """
import hashlib, json, os, sys, time
FAULT = "{fault}"
HERE = "{folder}"
if FAULT == "greets": print("welcome", flush=True)
if FAULT == "once":
    os.mkdir(HERE + "/lock")
if FAULT == "crowd":
    count = len(os.listdir(HERE))
    open(f"{{HERE}}/process{{os.getpid()}}", "w").close()
    if count > 3: sys.exit("too many of me")
def say(message):
    print(json.dumps(message), flush=True)
games = asked = 0
begun = HERE + "/begun"  # a byte for each game, of whichever process
is_late = os.path.exists(begun) and os.path.getsize(begun) >= 3
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if FAULT == "strict" and len(message) > {{"hello": 2, "start": 8, "decide": 6, "end": 6, "quit": 1}}[kind]:
        sys.exit("unknown field")
    if kind == "hello":
        say({{"type": "ready", "games": ["chess"] if FAULT == "chess" else ["toy"]}})
    elif kind == "start":
        asked, games, seed = 0, games + 1, message["bot_seed"]
        if FAULT == "leaves" and games == 2: sys.exit("no more games")
        if FAULT == "babbles" and games == 2: print("hello", flush=True); continue
        if FAULT == "tires" and is_late: sys.exit("no more games")
        if FAULT in ("moody", "tires"):
            with open(begun, "a") as file: file.write(".")
        say({{"type": "ready"}})
    elif kind == "decide":
        asked += 1
        if FAULT == "slow": time.sleep(1.5)
        if FAULT == "meets":
            os.makedirs(f"{{HERE}}/met/{{os.getpid()}}", exist_ok=True)
            while len(os.listdir(HERE + "/met")) < 2: time.sleep(0.01)
        if FAULT == "loud": print("thinking", file=sys.stderr)
        word = f"{{seed}} {{asked}} {{games if FAULT == 'remembers' else ''}}"
        pick = hashlib.sha256(word.encode()).digest()[0] % len(message["legal"])
        if FAULT == "moody": pick = -1 if is_late else 0
        say({{"action": "castle" if FAULT == "illegal" else message["legal"][pick]}})
    elif kind == "end":
        if FAULT == "proud": print("good game", flush=True)
    elif kind == "quit":
        if FAULT == "stays": time.sleep(60)
        if FAULT == "crowd": os.remove(f"{{HERE}}/process{{os.getpid()}}")
        sys.exit(3 if FAULT == "rude" else 0)
if FAULT == "lingers": time.sleep(60)
"""
ALL = range(1, 10)


@pytest.fixture(autouse=True)
def toy_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fa_cli.games.MODULES, "toy", "tests.toy_game")


def checks(folder: Path, fault: str, only: Sequence[int] = ALL, each: int = 3, move_ms: int = 5000) -> list[Check]:
    path = folder / "bot.py"
    path.write_text(BOT.format(fault=fault, folder=folder))
    bot = Bot("mine", str(path), (sys.executable, "-S", str(path)), str(folder))
    skipped = [number for number in ALL if number not in only]
    end = 0.5 if fault in ("stays", "lingers") else 10.0
    found = list(check_bot(bot, Limits(end=end), Clock(move_ms), each, skipped))
    assert_none_left(folder)
    return found


def test_a_good_bot_passes_all(tmp_path: Path) -> None:
    found = checks(tmp_path, "", each=10)
    assert [check.number for check in found if check.passed] == list(ALL)
    assert "plays 10 games of toy" in found[2].what
    assert all(check.dialogue == [] and check.found for check in found)


@pytest.mark.parametrize(
    ("fault", "number", "words"),
    [
        ("once", 2, "exited with status 1"),
        ("illegal", 3, "answered 'castle', which is not an action of toy"),
        ("slow", 4, "it was too slow: slowest "),
        ("strict", 5, "exited with status 1"),
        ("moody", 6, "a new process chose"),
        ("remembers", 6, "a new process chose"),
        ("crowd", 7, "exited with status 1"),
        ("proud", 8, "after `end` it wrote without being asked: 'good game\\n'"),
        ("stays", 9, "after `quit` it did not exit within 0.5 seconds"),
        ("rude", 9, "after `quit` it exited with status 3"),
        ("lingers", 9, "after the end of its input it did not exit"),
    ],
)
def test_a_fault_is_found(tmp_path: Path, fault: str, number: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "proud":
        monkeypatch.setattr(compliance, "_STILL", 1.0)  # on a busy machine it speaks late
    only = {4: [3, 4], 6: [3, 6]}.get(number, [number])
    found = checks(tmp_path, fault, only, move_ms=1000 if fault == "slow" else 5000)
    wrong = [check for check in found if not check.passed]
    assert [check.number for check in wrong] == ([3, 4] if fault == "slow" else [number])
    assert [check.number for check in wrong if check.warning] == ([6] if number == 6 else [])
    assert words in wrong[-1].found
    assert wrong[-1].dialogue, "what was said is shown"


@pytest.mark.parametrize("only", [[3, 4], [4]])
def test_a_time_near_the_limit_may_be_too_long_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, only: list[int]
) -> None:
    """Also if no check before plays a game."""
    monkeypatch.setattr(compliance, "_SLOW", 0.0)
    found = checks(tmp_path, "", only)[-1]
    assert found.passed and found.found.endswith("; on a slower or less busy machine it could be too slow")


def test_the_time_of_its_start_is_what_the_clock_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not what passes: on a busy machine that can be more than is allowed."""
    monkeypatch.setattr(compliance, "monotonic", itertools.count(step=1000).__next__)
    ready = re.match(r"ready after ([0-9.]+) of 10 seconds; ", checks(tmp_path, "", [])[0].found)
    assert ready and 0 < float(ready[1]) < 10


@pytest.mark.parametrize(("fault", "words"), [("greets", "'welcome"), ("chess", "an unknown game: no game 'chess'")])
def test_without_a_start_there_is_nothing_else_to_check(tmp_path: Path, fault: str, words: str) -> None:
    (only,) = checks(tmp_path, fault)
    assert (only.number, only.passed) == (1, False)
    assert words in only.found


@pytest.mark.parametrize("fault", ["", "moody"])
def test_a_slow_bot_plays_one_more_game_only_so_far(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compliance, "_ENOUGH", 0.0)
    monkeypatch.setattr(check_game, "_MIN_ACTIONS", 6)
    found = checks(tmp_path, fault, [3, 5, 6, 7])
    assert [check.number for check in found if not check.passed] == ([6] if fault else [])
    for check in found[2:] if not fault else [found[2], found[4]]:
        assert re.match(r"6 decisions of a game of each.*; it is slow: cut short after 0 s$", check.found)
    assert "no fault in" in found[1].found


def test_a_game_that_it_can_not_play_is_held_against_it_once(tmp_path: Path) -> None:
    found = checks(tmp_path, "illegal", [3, 8])
    assert [check.number for check in found if not check.passed] == [3]


@pytest.mark.parametrize("cores", [1, 2, 4])
def test_on_how_ever_many_cores(cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are the same, and what it does wrong in one is found whoever plays it."""
    monkeypatch.setattr(compliance, "cores", lambda: cores)
    found = checks(tmp_path, "remembers", [3, 6], each=4)
    assert [check.number for check in found if not check.passed] == [6]
    found = checks(tmp_path, "", [3, 6], each=4)
    assert found[1].found == "no fault in 60 decisions, its opponents' included"
    assert [check.number for check in found if not check.passed] == []


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("proud", "after `end` it wrote without being asked"),
        ("leaves", "at the `start` after a game it exited with status 1 without an answer"),
        ("babbles", "at the `start` after a game it gave an answer to start that can't be read"),
    ],
)
def test_what_it_does_after_the_games_that_it_plays(
    fault: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compliance, "_STILL", 1.0)  # on a busy machine it speaks late
    found = checks(tmp_path, fault, [3, 8], each=4)
    assert [check.number for check in found if not check.passed] == [8]
    assert words in found[-1].found
    assert found[-1].dialogue
    assert ("no more games" in found[-1].stderr) == (fault == "leaves")


def test_two_think_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of these answers before another one is asked."""
    monkeypatch.setattr(compliance, "cores", lambda: 2)
    found = checks(tmp_path, "meets", [3], move_ms=20_000)
    assert [check.number for check in found if check.passed] == [1, 3]


def test_what_was_said_and_its_stderr_are_shown(tmp_path: Path) -> None:
    found = checks(tmp_path, "strict", [5])[-1]
    assert found.dialogue[-1].startswith('> {"type":"hello","fa_first":[]')
    assert found.stderr == "unknown field\n"


def test_messages_with_more_in_them() -> None:
    message = json.loads(with_unknown(b'{"type":"decide","id":1,"clock":{"move_ms":5},"observation":{"seat":0}}\n'))
    assert message["type"] == "decide"
    assert message["clock"].keys() > {"move_ms"}
    assert message["observation"].keys() > {"seat"}
    assert message.keys() > {"type", "id", "clock", "observation"}


def test_the_command(fa: Fa, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT.format(fault="rude", folder=folder).replace('"toy"', '"manhattan"'))
    (folder / "bot.toml").write_text('command = "python -S bot.py"\n')
    done = fa("bot", "check", folder, "--games", "1", "--skip", "5", "--skip", "7", "--format", "json")
    assert done.returncode == 1
    rows = json.loads(done.stdout)
    assert [row["number"] for row in rows if not row["passed"]] == [9]
    assert done.stderr.endswith("mine: failed check 9\n")
    done = fa("bot", "check", folder, *(word for number in range(2, 10) for word in ("--skip", str(number))))
    assert done.returncode == 0, done.stdout
    assert " 1 ok   starts" in done.stdout
    assert done.stdout.endswith("passed: 1 check\n")


def test_what_a_bot_need_not_do_is_a_warning(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOT.format(fault="remembers", folder=tmp_path).replace('"toy"', '"manhattan"'))
    skips = [word for number in (2, 4, 5, 7, 8, 9) for word in ("--skip", str(number))]
    done = fa("bot", "check", "mine.py", "--games", "2", *skips)
    assert done.returncode == 0, done.stderr
    assert " 6 warn plays the same game again" in done.stdout
    assert done.stdout.endswith("passed: 2 checks, 1 warning\n")
    done = fa("bot", "check", "mine.py", "--games", "2", *skips, "--format", "json")
    assert done.returncode == 0, done.stderr
    assert {row["number"]: (row["passed"], row["warning"]) for row in json.loads(done.stdout)} == {
        1: (True, False),
        3: (True, False),
        6: (False, True),
    }


def test_a_fault_in_a_repeated_game_is_no_warning(tmp_path: Path) -> None:
    found = checks(tmp_path, "tires", [3, 6])
    assert [(check.number, check.warning) for check in found if not check.passed] == [(6, False)]


@pytest.mark.slow
@needs_sandbox
def test_one_game_only(fa: Fa, tmp_path: Path) -> None:
    only = ("--game", "manhattan", "--games", "1", "--sandbox", "none")
    done = fa("bot", "check", "random", *only)
    assert (done.returncode, "plays manhattan;" in done.stdout, "new-york" in done.stdout) == (0, True, False), (
        done.stdout
    )
    (tmp_path / "bot.py").write_text("from fa_cli.bot import run\nrun(print, games=['new-york', 'fifth-avenue'])\n")
    done = fa("bot", "check", "bot.py", *only)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("fa: bot plays new-york and fifth-avenue, and not manhattan\n")
    assert_refused(fa("bot", "check", "bot.py", "--game", "chess"), start="no game 'chess'")


def test_in_the_sandbox_or_not(fa: Fa, tmp_path: Path) -> None:
    """A bot that reads a file of its author's passes without it, and learns that it won't be there in a contest."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "notes.txt").touch()
    reads = f"open({str(tmp_path / 'notes.txt')!r})\n"
    (tmp_path / "mine" / "bot.py").write_text(reads + BOT.format(fault="", folder="").replace('"toy"', '"manhattan"'))
    (tmp_path / "mine" / "bot.toml").write_text('command = "python -S bot.py"\n')
    skips = [word for number in range(3, 10) for word in ("--skip", str(number))]
    assert fa("bot", "check", "mine", *skips, "--sandbox", "none").returncode == 0
    for choice in ("auto", "bwrap"):
        done = fa("bot", "check", "mine", *skips, "--sandbox", choice)
        assert done.returncode == 1
        assert " 1 FAIL starts" in done.stdout
        assert "No such file or directory" in done.stdout
    done = fa("bot", "check", "mine", "--sandbox", "bwrap", PATH="/nowhere")
    assert_refused(done, within="bots can't be sandboxed here: bubblewrap is not installed")


@pytest.mark.slow
def test_with_the_limits_of_a_contest(fa: Fa, tmp_path: Path) -> None:
    """An author learns beforehand that a bot takes more than it may."""
    (tmp_path / "mine.py").write_text(
        "taken = bytearray(100 << 20)\n" + BOT.format(fault="", folder="").replace('"toy"', '"manhattan"')
    )
    skips = [word for number in range(3, 10) for word in ("--skip", str(number))]
    assert fa("bot", "check", "mine.py", *skips).returncode == 0
    done = fa("bot", "check", "mine.py", *skips, "--memory", "50MiB")
    assert done.returncode == 1
    assert "MemoryError" in done.stdout
    done = fa("bot", "check", "mine.py", "--memory", "much")
    assert_refused(done, within="invalid size 'much': use e.g. 1GB, 500MB or 64KiB")


def test_a_bot_that_is_not_there(fa: Fa) -> None:
    done = fa("bot", "check", "nowhere.py")
    assert_refused(done, within="no such file or folder")


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["silent", "flood-stderr"])
def test_one_ctrl_c_ends_it(behaviour: str, tmp_path: Path) -> None:
    """Whatever its bots have still to think, and in whichever thread they are waited for."""
    act = "time.sleep(600)" if behaviour == "silent" else "[os.write(2, b'x') for _ in iter(int, 1)]"
    text = BOT.format(fault="", folder=tmp_path).replace('"toy"', '"manhattan"')
    begun = tmp_path / "asked"
    kind = 'kind = message["type"]\n'
    act = f'    if kind == "decide": open({str(begun)!r}, "w"); {act}\n'
    (tmp_path / "mine.py").write_text(text.replace(kind, kind + act))
    command = [sys.executable, "-m", "fa_cli", "bot", "check", str(tmp_path / "mine.py")]
    words = ["--move-time", "10m", "--sandbox", "none", "--output-size", "1000GB"]
    process = subprocess.Popen([*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 30
        while not begun.exists() and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert "interrupted" in process.communicate(timeout=10)[1]
        assert process.returncode == 3
    finally:
        process.kill()
    assert_none_left(tmp_path, 2.0)
