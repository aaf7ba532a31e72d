"""Broken bots: a tournament skips them, and reports that wherever its results are shown."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import UNSANDBOXED, Fa, assert_refused
from tests.inside import fa as fa
from tests.tournament.helpers import dice

SHORT = ("--option", "turn_limit=2")
RUN = ("tournament", "run", "--sandbox", "none", "--games", "6", "--players", "2", *SHORT, "--name", "x")


@pytest.fixture
def bots(tmp_path: Path) -> list[Path]:
    """Three that play, one that does not start, one that does not build, one whose bot.toml can't be read."""
    folder = tmp_path / "bots"
    good = dice(folder, "a", "b", "c")
    (folder / "dead.py").write_text("import sys; sys.exit('no more of this')")
    for name, text in (("unbuilt", 'command = "./x"\nbuild = "false"\n'), ("unread", "command = \n")):
        (folder / name).mkdir()
        (folder / name / "bot.toml").write_text(text)
    return [*good, folder / "dead.py", folder / "unbuilt", folder / "unread"]


REASONS = {
    "unbuilt": "unbuilt: its build failed with status 1",
    "unread": "unread/bot.toml: invalid TOML: Invalid value",
    "dead": "dead.py does not start: it exited with status 1 without an answer (asked: hello); its last words: no more",
}


def test_broken_bots_are_skipped_and_listed(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    done = fa(*RUN, *bots, "--quiet", "--format", "json")
    assert done.returncode == 0, done.stderr
    rows = {row["bot"]: row for row in json.loads(done.stdout)}
    assert {name for name, row in rows.items() if row["games"]} == {"a", "b", "c"}
    for shown in (
        done,
        fa("tournament", "show", "x", "--format", "json"),
        *(fa("leaderboard", name, "--format", "json") for name in ("x", "logs/x.log", "tournaments/x.json")),
        fa("tournament", "show", "x"),
    ):
        for name, reason in REASONS.items():
            assert re.search(f"^warning: {name} is skipped: .*{re.escape(reason)}", shown.stderr, re.MULTILINE)
        if shown.stdout.startswith("["):
            skipped = {row["bot"]: row["skipped"] for row in json.loads(shown.stdout) if row["skipped"]}
            assert set(skipped) == set(REASONS)
            assert all(reason in skipped[name] for name, reason in REASONS.items())
    assert fa("tournament", "verify", "x").returncode == 0
    (tmp_path / "tournaments/x.json").write_text("{")
    for command in ("leaderboard",), ("report", "--format", "markdown"):
        done = fa(*command, "x")
        assert (done.returncode, "\n" in done.stdout) == (0, True)
        assert "warning: no skipped bots: " in done.stderr


def test_a_report_names_them(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    assert fa(*RUN, *bots).returncode == 0
    assert fa("report", "x", "-o", "report.html").returncode == 0
    for text in (fa("report", "logs/x.log", "--format", "markdown").stdout, (tmp_path / "report.html").read_text()):
        assert all(f"{name} is skipped: " in text for name in REASONS)


def test_what_a_compiler_printed_is_shown_where_the_bot_is_named(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    *good, _, unbuilt, _ = bots
    (unbuilt / "bot.toml").write_text(
        'command = "./x"\nbuild = "echo x.c:7: error: no semicolon; echo 1 error; exit 1"\n'
    )
    printed = "  | x.c:7: error: no semicolon\n  | 1 error\n"
    done = fa(*RUN, *good, unbuilt)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(printed) == done.stderr.count("  | ") // 2 == 1
    (skipped,) = json.loads((tmp_path / "tournaments/x.json").read_text())["skipped"]
    assert set(skipped) == {"name", "reason"}
    for command in (
        ("bot", "check", unbuilt),
        ("match", good[0], unbuilt, "--game", "manhattan", "--sandbox", "none"),
        (*RUN, *good, unbuilt, "--strict", "--name", "y"),
    ):
        done = fa(*command)
        assert done.returncode == 2
        assert "its build failed with status 1: x.c:7: error: no semicolon (full output: /" in done.stderr
        assert done.stderr.endswith(f"\n{printed}")


def test_a_bot_is_named_before_it_is_built(
    fa: Fa, bots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (bots[4] / "bot.toml").write_text("command = 'true'\nbuild = 'true'\n")
    check = ("bot", "check", "bots/unbuilt", "--sandbox", "none")
    assert "building bots/unbuilt ...\n" in fa(*check).stderr
    assert "building" not in fa(*check).stderr
    shutil.rmtree(tmp_path / "cache")
    assert "building" not in fa(*check, "--quiet").stderr


def test_strict_refuses(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    for bot, reason in zip(bots[3:], ("dead", "unbuilt", "unread"), strict=True):
        done = fa(*RUN, *bots[:3], bot, "--strict")
        assert done.returncode == 2
        assert REASONS[reason] in done.stderr
        assert done.stderr.endswith(" (without --strict it is skipped)\n")
    assert not list(tmp_path.glob("tournaments/*"))


@pytest.mark.parametrize(("good", "left"), [(1, "only 1 other bot is left"), (0, "no other bot is left")])
def test_too_few_are_left(fa: Fa, bots: list[Path], tmp_path: Path, good: int, left: str) -> None:
    done = fa(*RUN, *bots[:good], bots[3])
    done.stderr = done.stderr.removeprefix(UNSANDBOXED)
    assert_refused(done, within=f"; {left}, too few to skip it\n")
    assert not list(tmp_path.glob("tournaments/*"))


def test_two_bots_play_without_a_third(fa: Fa, bots: list[Path]) -> None:
    done = fa(*RUN, *bots[:2], bots[3])
    assert done.returncode == 0, done.stderr
    assert "warning: dead is skipped: " in done.stderr


def test_no_bot_is_missed_after_the_last_game(fa: Fa, bots: list[Path]) -> None:
    assert fa(*RUN, *bots[:3]).returncode == 0
    bots[0].write_text("changed")
    bots[1].unlink()
    done = fa("tournament", "resume", "x")
    assert done.returncode == 0, done.stderr
    assert "skipped" not in done.stderr and "lost" not in done.stderr
    assert fa("tournament", "resume", "x", "--more", "1").returncode == 2


@pytest.mark.slow
def test_a_bot_that_does_not_start_at_resume(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    moody = tmp_path / "bots/moody.py"
    flag = tmp_path / "flag"
    moody.write_text(f"import os, sys\nos.path.exists({str(flag)!r}) and sys.exit('not today')\n{bots[0].read_text()}")
    assert fa(*RUN, *bots[:3], moody).returncode == 0
    flag.touch()
    done = fa("tournament", "resume", "x", "--more", "6", "--strict")
    assert (done.returncode, "not today" in done.stderr) == (2, True)
    done = fa("tournament", "resume", "x", "--more", "6")
    assert done.returncode == 0, done.stderr
    assert re.search(
        "^warning: moody is skipped: .* does not start: .*not today.*; its games are lost by a fault until the "
        "tournament is resumed with it",
        done.stderr,
        re.M,
    )
    records = [json.loads(line) for line in fa("replay", "export", "logs/x.log").stdout.splitlines()]
    assert len(records) == 12
    assert not any(record["faults"] for record in records[:6])
    faults = {record["players"][fault["seat"]]: fault["kind"] for record in records[6:] for fault in record["faults"]}
    assert faults == {"moody": "start"}
    flag.unlink()
    assert fa("tournament", "resume", "x", "--more", "6").returncode == 0
    records = [json.loads(line) for line in fa("replay", "export", "logs/x.log").stdout.splitlines()]
    assert not any(record["faults"] for record in records[12:])
    assert fa("tournament", "verify", "x").returncode == 0


SHORTAGE = {
    "space": "sys.exit('OSError: [Errno 28] No space left on device')",
    "processes": "(os.kill(os.getppid(), 9), __import__('time').sleep(60))",
    "time": "__import__('time').sleep(60)",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", ["space", "processes", "time"])
def test_what_may_be_a_shortage_at_resume(fa: Fa, bots: list[Path], tmp_path: Path, what: str) -> None:
    """What a bot lacks for a moment it has at the second attempt. Who fails alone too does not hold up others."""
    moody, once, lasting = tmp_path / "bots/moody.py", tmp_path / "once", tmp_path / "lasting"
    fails = f"if os.path.exists({str(once)!r}): os.unlink({str(once)!r}) or {SHORTAGE[what]}"
    always = f"if os.path.exists({str(lasting)!r}): {SHORTAGE[what]}"
    moody.write_text(f"import os, sys\n{fails}\n{always}\n{bots[0].read_text()}")
    assert fa(*RUN, *bots[:3], moody, "--start-time", "1s").returncode == 0
    once.touch()
    check_resumed(fa, {}, 12)
    assert not once.exists()
    assert fa("tournament", "resume", "x", "--more", "1", "--strict").returncode == 0
    lasting.touch()
    assert fa("tournament", "resume", "x", "--more", "6", "--strict").returncode == 2
    check_resumed(fa, {"moody": "start"}, 19)


def check_resumed(fa: Fa, faults: dict[str, str], games: int) -> str:
    """Play six more games: in all there are so many, with these faults, and bots with faults are reported as skipped.

    Returns what was said."""
    done = fa("tournament", "resume", "x", "--more", "6")
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^warning: (\w+) is skipped: ", done.stderr, re.MULTILINE) == list(faults)
    records = [json.loads(line) for line in fa("replay", "export", "logs/x.log").stdout.splitlines()]
    found = {record["players"][fault["seat"]]: fault["kind"] for record in records for fault in record["faults"]}
    assert (len(records), found) == (games, faults)
    return done.stderr


@pytest.mark.slow
def test_a_build_without_space_at_resume(
    fa: Fa, bots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder, once, lasting = tmp_path / "bots/built", tmp_path / "once", tmp_path / "lasting"
    folder.mkdir()
    (folder / "bot.py").write_bytes(bots[0].read_bytes())
    full = f"test ! -e {lasting} && ! rm {once} 2> /dev/null || {{ echo cc: error: No space left on device; exit 1; }}"
    (folder / "bot.toml").write_text(f"command = 'python3 bot.py'\nbuild = '{full}'\n")
    assert fa(*RUN, *bots[:3], folder).returncode == 0
    shutil.rmtree(tmp_path / "cache")
    once.touch()
    assert "No space left on device" not in check_resumed(fa, {}, 12)
    assert not once.exists()
    shutil.rmtree(tmp_path / "cache")
    lasting.touch()
    assert "No space left on device" in check_resumed(fa, {"built": "start"}, 18)


def test_too_few_are_left_at_resume(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    assert fa(*RUN, *bots[:3]).returncode == 0
    for name in "bc":
        (tmp_path / f"bots/{name}.py").unlink()
    done = fa("tournament", "resume", "x", "--more", "6")
    assert done.returncode == 2
    missing = f"{tmp_path}/bots/b.py is not a bot: no such file or folder"
    assert done.stderr.endswith(f"fa: {missing}; only 1 other bot is left, too few to skip it\n")


def test_a_broken_bot_that_is_to_join(fa: Fa, bots: list[Path], tmp_path: Path) -> None:
    assert fa(*RUN, *bots[:2], "--schedule", "ladder").returncode == 0
    done = fa("tournament", "resume", "x", "--add", bots[3], "--add", bots[2], "--more", "4")
    assert done.returncode == 0, done.stderr
    assert "warning: dead is skipped: " in done.stderr
    definition = json.loads((tmp_path / "tournaments/x.json").read_text())
    assert [bot["name"] for bot in definition["bots"]] == ["a", "b", "c"]
    assert [bot["name"] for bot in definition["skipped"]] == ["dead"]
    assert fa("tournament", "resume", "x", "--add", bots[3]).returncode == 2


def plays_only_manhattan(folder: Path) -> Path:
    """A bot that works and plays one game."""
    bot = folder / "narrow"
    bot.mkdir(parents=True)
    (bot / "bot.toml").write_text('command = "python bot.py"\ngames = ["manhattan"]\n')
    dice(bot, "bot")
    return bot


def test_a_bot_named_by_itself_that_plays_another_game_is_an_error(fa: Fa, tmp_path: Path) -> None:
    narrow = plays_only_manhattan(tmp_path / "mine")
    done = fa(*RUN, narrow, "greedy", "planner", "--quiet")
    assert done.returncode == 2
    assert done.stderr.endswith(f"fa: {narrow} plays only manhattan, not fifth-avenue\n")
    assert not list(tmp_path.glob("tournaments/*"))


def test_a_bot_of_a_pattern_that_plays_another_game_is_in_the_results(fa: Fa, bots: list[Path]) -> None:
    narrow = plays_only_manhattan(bots[0].parent)
    done = fa(*RUN, *bots[:3], narrow, "--quiet", "--format", "json")
    assert done.returncode == 0, done.stderr
    skipped = {row["bot"]: row["skipped"] for row in json.loads(done.stdout) if row["skipped"]}
    assert skipped == {"narrow": f"{narrow} plays only manhattan, not fifth-avenue"}


@pytest.mark.parametrize("broken", [3, 4, 5])
def test_a_broken_bot_named_by_itself_is_an_error(fa: Fa, bots: list[Path], broken: int) -> None:
    done = fa(*RUN, *bots[:3], f"mine={bots[broken]}")
    assert done.returncode == 2
    assert REASONS[bots[broken].stem] in done.stderr


def test_the_last_line_of_a_traceback_says_why(fa: Fa, bots: list[Path]) -> None:
    bots[3].write_text("def f():\n    raise ValueError('no weights')\nf()\n")
    done = fa(*RUN, *bots[:4], "--quiet", "--format", "markdown")
    assert done.returncode == 0, done.stderr
    for text in (done.stdout, done.stderr):
        assert "its last words: ValueError: no weights" in text
        assert "module" not in text and "\\n" not in text


def test_a_bot_that_is_away_for_too_long_is_suspended_with_a_warning(fa: Fa, bots: list[Path]) -> None:
    """From then on it would not help to resume with it."""
    assert fa(*RUN, *bots[:3], "--max-faults", "2").returncode == 0
    bots[2].unlink()
    done = fa("tournament", "resume", "x", "--more", "12")
    assert done.returncode == 0, done.stderr
    assert "until the tournament is resumed with it; these faults count for --max-faults\n" in done.stderr
    assert re.search("^warning: c is suspended after [23] faults in", done.stderr, re.MULTILINE)
