"""`fa match`: the narrated game, the messages of each bot, and the log."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Fa, assert_refused
from tests.fakes import FAKE
from tests.inside import fa as fa

BOTS = Path(__file__).parent.parent.parent.parent / "bots"


VAIN = """
from fa_cli.bot import run
def choose(decide, start):
    return decide["legal"][len("".join(start["players"])) % len(decide["legal"])]
run(choose)
"""


def bot(folder: Path, name: str, *behaviour: str) -> str:
    """A folder with a bot that misbehaves at its second decision."""
    (folder / name).mkdir()
    (folder / name / "bot.toml").write_text(f"command = {json.dumps(['python', 'fake.py', *behaviour])}\n")
    (folder / name / "fake.py").write_text(FAKE.read_text(encoding="utf-8"), encoding="utf-8")
    return name


def test_the_story_is_that_of_the_log(fa: Fa, tmp_path: Path) -> None:
    done = fa("match", BOTS / "random", BOTS / "greedy.py", "--game", "manhattan", "--seed", "a", "--boards", "turns")
    assert done.returncode == 0, done.stderr
    story, _, result = done.stdout.partition("The end: all rounds were played\n")
    again = fa("replay", "show", "logs/match-1.log", "--game", "1", "--boards", "turns")
    assert again.stdout.startswith(story)
    assert [line.split()[2] for line in result.splitlines()[2:]] == ["greedy", "random"]
    assert "log: logs/match-1.log" in done.stderr
    assert fa("replay", "verify", "logs/match-1.log").returncode == 0
    assert fa("match", BOTS / "random", BOTS / "random", "--game", "manhattan", "--quiet").returncode == 0
    assert (tmp_path / "logs/match-2.log").exists()
    assert "greedy" not in fa("leaderboard").stdout
    assert "greedy" in fa("leaderboard", "match-1").stdout


def test_all_that_is_said(fa: Fa, tmp_path: Path) -> None:
    loud = bot(tmp_path, "loud", "speaks-in-colours")
    done = fa("match", loud, loud, "--game", "manhattan", "--seed", "a", "--verbose", "--boards", "end")
    assert done.returncode == 0, done.stderr
    said = [line[11:] for line in done.stdout.splitlines() if line.startswith("[")]
    assert said[0] == 'loud#1 > {"type":"hello","protocol":"fa/1"}'
    assert said[1] == 'loud#1 < {"type": "ready"}'
    decide = next(line for line in said if '"decide"' in line)
    assert '"legal":["select 1 1 1 1"' in decide
    assert "\x1b" not in done.stdout
    at = next(place for place, line in enumerate(said) if line.startswith("loud#1 ! "))
    assert '"decide"' in said[at - 1]
    assert "\\x1b]0;owned" in said[at]


def test_anonymous(fa: Fa, tmp_path: Path) -> None:
    """Bots learn no names, also in `fa bot replay`; the narration and the log have them."""
    (tmp_path / "vain.py").write_text(VAIN)
    seats = ("a=vain.py", "b=vain.py", "--game", "manhattan", "--seed", "a", "--sandbox", "none")
    done = fa("match", *seats, "--anonymous", "--verbose")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"players":["seat-0","seat-1"]') == 2
    assert "a selects" in done.stdout
    assert "warning: without the sandbox bots can look for each other" in done.stderr
    named = fa("match", *seats, "--verbose")
    assert named.stdout.count('"players":["a","b"]') == 2
    assert "look for each other" not in named.stderr
    plays = []
    for number in (1, 2):
        record = json.loads(fa("replay", "export", f"logs/match-{number}.log").stdout)
        assert (record["players"], record["meta"].get("anonymous", False)) == (["a", "b"], number == 1)
        plays.append(record["actions"])
        args = ("--game", "1", "--seat", "1", "vain.py", "--sandbox", "none")
        assert fa("bot", "replay", f"logs/match-{number}.log", *args).returncode == 0
    assert plays[0] != plays[1]


def test_whole_messages(fa: Fa, tmp_path: Path) -> None:
    args = ("match", BOTS / "greedy.py", BOTS / "greedy.py", "--game", "manhattan", "--verbose", "--whole", "--quiet")
    done = fa(*args)
    assert done.returncode == 0, done.stderr
    decides = [line.partition(" > ")[2] for line in done.stdout.splitlines() if '"decide"' in line]
    assert all(json.loads(line)["observation"]["phase"] for line in decides)
    assert "Round 1" not in done.stdout


def test_a_bot_that_fails(fa: Fa, tmp_path: Path) -> None:
    done = fa("match", bot(tmp_path, "gone", "exit-at-hello"), BOTS / "greedy.py", "--game", "manhattan", "-o", "a.log")
    assert done.returncode == 0, done.stderr
    assert "! gone is out of the game: start: exited with status 7 without an answer (asked: hello)" in done.stdout
    assert done.stdout.splitlines()[-1].split()[-4:] == ["start", "at", "ply", "0"]
    assert "all good" in fa("replay", "verify", "a.log").stdout


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["a.py"], "fifth-avenue is for 2, 3 or 4 players, not 1"),
        (["a.py", "b.py"], "b.py: no such file or folder; fa bots lists the shipped bots"),
        (["a.py", "x/a.py"], "two bots are called a: a.py and x/a.py; give one another name: other=x/a.py"),
        (["a.py", "a.txt"], "a.txt is not a bot: unknown extension and no #! line"),
        (["a.py", "a.py", "--game", "chess"], "no game 'chess'; the games are fifth-avenue, manhattan, new-york"),
        (["a.py", "a.py", "--option", "side=seven"], "fifth-avenue: option side is five or six, not 'seven'"),
        (["a.py", "a.py", "-o", "a.txt"], "a.txt: it exists already and is not overwritten"),
        (["a.py", "a.py", "-o", "y/a.log"], "cannot write y/a.log: y is not a folder"),
        (
            ["a.py", "a.py", "--boards", "often"],
            "invalid --boards 'often': use all, turns, rounds or end (see fa match --help)",
        ),
    ],
)
def test_used_wrongly(fa: Fa, tmp_path: Path, args: list[str], sentence: str) -> None:
    (tmp_path / "x").mkdir()
    for name in ("a.py", "x/a.py", "a.txt"):
        (tmp_path / name).touch()
    done = fa("match", *args)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"fa: {sentence}\n")


def with_model(folder: Path, program: str) -> str:
    """A folder with a bot that has a language model and never asks it."""
    (folder / "talker").mkdir()
    (folder / "talker/bot.py").write_text(program)
    model = '[model]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "none"\n'
    (folder / "talker/bot.toml").write_text(f'command = "python bot.py"\n{model}')
    return "talker"


def test_exchanges_of_a_match_that_was_stopped_stay(fa: Fa, tmp_path: Path) -> None:
    talker, stopped = with_model(tmp_path, VAIN), tmp_path / "logs/match-1.exchanges"
    stopped.parent.mkdir()
    stopped.write_text("paid")
    for bots in ((talker, "greedy"), ("greedy", "greedy")):
        done = fa("match", *bots, "--game", "manhattan", "--sandbox", "none")
        assert done.returncode == 0, done.stderr
    assert stopped.read_text() == "paid"
    names = sorted(path.name for path in stopped.parent.iterdir())
    assert names == ["match-1.exchanges", "match-2.exchanges", "match-2.log", "match-3.log"]
    done = fa("match", talker, "greedy", "-o", "logs/match-1.log")
    assert_refused(done, "logs/match-1.exchanges: there is an unfinished game, and it is not overwritten")
    assert_refused(done, within="; remove the file, or give another --output\n")


@pytest.mark.slow
@pytest.mark.parametrize("has_model", [False, True])
def test_matches_at_once_each_keep_their_game(tmp_path: Path, has_model: bool) -> None:
    """Their bots start slowly, so that all have begun before the first one ends."""
    slow = with_model(tmp_path, f"import time\ntime.sleep(1.5)\n{VAIN}") + ("" if has_model else "/bot.py")
    words = [sys.executable, "-m", "fa_cli", "match", f"a={slow}", f"b={slow}"]
    words += ["--game", "manhattan", "--sandbox", "none"]
    matches = [subprocess.Popen([*words, "-q"], cwd=tmp_path, stderr=subprocess.PIPE) for _ in range(3)]
    errors = [match.communicate(timeout=60)[1] for match in matches]
    assert [match.returncode for match in matches] == [0, 0, 0], errors
    assert sorted(path.name for path in (tmp_path / "logs").glob("*.log")) == [f"match-{n}.log" for n in (1, 2, 3)]
    kept = sorted(path.name for path in (tmp_path / "logs").glob("*.exchanges"))
    assert kept == [f"match-{n}.exchanges" for n in (1, 2, 3) if has_model]
