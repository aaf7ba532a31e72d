"""Tournaments of very many bots: most are started only for their first game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fa_cli.tournament import setup
from tests.conftest import Fa
from tests.inside import fa as fa
from tests.tournament.helpers import dice

RUN = ("tournament", "run", "--sandbox", "none", "--players", "2", "--name", "x", "--quiet")


def noting_bots(folder: Path, count: int) -> tuple[list[Path], Path]:
    """Bots that write a line to a file when they start; and that file."""
    bots, starts = dice(folder / "bots", *(f"b{number:03}" for number in range(count))), folder / "starts"
    starts.touch()
    for bot in bots:
        bot.write_text(f"print({bot.stem!r}, file=open({str(starts)!r}, 'a'))\n{bot.read_text()}")
    return bots, starts


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[list[Path], Path]:
    """Twelve bots, and the file of their starts, where twelve are very many."""
    monkeypatch.setattr(setup, "MOST_STARTED", 11)
    return noting_bots(tmp_path, 12)


@pytest.mark.slow
def test_of_very_many_bots_few_are_started_before_the_first_game(fa: Fa, tmp_path: Path) -> None:
    bots, starts = noting_bots(tmp_path, setup.MOST_STARTED + 1)
    for command in ((*RUN, *bots, "--games", "2"), ("tournament", "resume", "x", "--more", "2", "--quiet")):
        starts.write_text("")
        done = fa(*command)
        assert done.returncode == 0, done.stderr
        assert 2 <= len(starts.read_text().split()) <= 20
    assert fa("tournament", "verify", "x").returncode == 0


def test_it_is_said_that_most_are_not_started(fa: Fa, few: tuple[list[Path], Path]) -> None:
    done = fa(*RUN[:-1], *few[0], "--games", "2")
    assert "of 12 bots most are started only for their first game (--strict starts all of them before)\n" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--strict"], ["--game", "all"], ["--game", "fifth-avenue"]])
def test_what_needs_all_bots_starts_them_first(fa: Fa, few: tuple[list[Path], Path], options: list[str]) -> None:
    """With several games, each bot reports which of them it plays."""
    bots, starts = few
    done = fa(*RUN, *bots, "--games", "2", *options)
    assert done.returncode == 0, done.stderr
    assert (len(set(starts.read_text().split())) == 12) == ("fifth-avenue" not in options)


@pytest.mark.slow
def test_a_broken_one_among_very_many_loses_its_games(fa: Fa, few: tuple[list[Path], Path]) -> None:
    bots, _ = few
    bots[11].write_text("import sys; sys.exit('no more of this')")
    done = fa(*RUN, *bots, "--games", "132", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "b011 is suspended after 10 faults" in done.stderr
    rows = {row["bot"]: row for row in json.loads(done.stdout)}
    assert rows["b011"]["wins"] == 0 < rows["b011"]["faults"]
    assert not any(row["faults"] for name, row in rows.items() if name != "b011")
    assert "no more of this" in fa("tournament", "show", "x").stderr
    assert fa("tournament", "verify", "x").returncode == 0


def test_a_broken_one_named_by_itself_is_an_error_among_very_many(
    fa: Fa, few: tuple[list[Path], Path], tmp_path: Path
) -> None:
    bots, _ = few
    mine = tmp_path / "mine.py"
    mine.write_text("import sys; sys.exit('no more of this')")
    done = fa(*RUN, *bots, mine)
    assert done.returncode == 2
    assert f"{mine} does not start: it exited with status 1" in done.stderr
    assert not list(tmp_path.glob("tournaments/*"))


@pytest.mark.parametrize("good", [0, 1, 2])
def test_the_first_two_that_start_are_found_before_the_games(
    fa: Fa, few: tuple[list[Path], Path], tmp_path: Path, good: int
) -> None:
    bots, _ = few
    for bot in bots[: len(bots) - good]:
        bot.write_text("import sys; sys.exit('no more of this')")
    done = fa(*RUN, *bots, "--games", "2")
    assert (done.returncode, "too few to skip it" in done.stderr) == ((0, False) if good == 2 else (2, True))
    assert done.stderr.count("is skipped: ") == (10 if good == 2 else 0)
    assert bool(list(tmp_path.glob("tournaments/*"))) == (good == 2)
