"""A log that something else cuts off, moves, removes or overwrites during a run: it stops, and the games are kept."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fa_cli.errors import LogError
from fa_cli.replay import log_writer
from fa_cli.replay.log_entry import LogEntry
from fa_cli.replay.log_file import read_log
from fa_cli.tournament.definition import TournamentPaths
from tests.conftest import further, thinned
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import Watcher, define, games, play

GAMES = 6
SHORT = {"games": GAMES, "options": {"turn_limit": "1", "side": "five"}}


def cut(log: Path) -> None:
    os.truncate(log, log.stat().st_size // 2)


def cut_last(log: Path) -> None:
    """The first game's record, with the names, may be more than half."""
    os.truncate(log, log.stat().st_size - 20)


def empty(log: Path) -> None:
    os.truncate(log, 0)


def extend(log: Path) -> None:
    with log.open("ab") as file:
        file.write(bytes(100))


def clear(log: Path) -> None:
    """The same size, all zeros."""
    size = log.stat().st_size
    os.truncate(log, 0)
    os.truncate(log, size)


def move(log: Path) -> None:
    log.rename(log.with_name("elsewhere"))


def move_folder(log: Path) -> None:
    log.parent.rename(log.parent.with_name("elsewhere"))


def replace(log: Path) -> None:
    new = log.with_name("new")
    new.write_bytes(log.read_bytes())
    new.rename(log)


class Spoiler(Watcher):
    """Changes the log after a game."""

    def __init__(self, change: Callable[[Path], None], log: Path, after: int) -> None:
        super().__init__()
        self._change, self._log, self._after = change, log, after

    def played(self, entry: LogEntry) -> None:
        super().played(entry)
        if len(self.records) == self._after:
            self._change(self._log)


CHANGES = (cut, empty, extend, clear, move, move_folder, replace, Path.unlink)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int | None, list[str], str]]:
    """The games of a run whose log nobody touches."""
    folder = tmp_path_factory.mktemp("whole")
    whole, paths = define(folder, dice(folder, "a", "b"), **SHORT)
    play(whole, paths)
    return games(paths)


@pytest.mark.parametrize("after", [GAMES, *further(1)])
@pytest.mark.parametrize("change", thinned(CHANGES, 3), ids=lambda change: change.__name__)
def test_a_run_stops_and_keeps_its_games(
    tmp_path: Path, expected: list[tuple[int | None, list[str], str]], change: Callable[[Path], None], after: int
) -> None:
    definition, paths = define(tmp_path, dice(tmp_path, "a", "b"), **SHORT)
    with pytest.raises(
        LogError, match=r"while it was written; .* to play the rest, move it to .*resume test"
    ) as raised:
        play(definition, paths, 1, spoiler := Spoiler(change, paths.log, after))
    rescued = paths.log.with_name("test.log.rescued")
    assert f"; all {len(spoiler.records)} games played are in {rescued};" in str(raised.value)
    assert rescued.stat().st_mode & 0o077 == 0
    assert games(TournamentPaths(paths.definition, rescued)) == expected[: len(spoiler.records)]
    rescued.rename(paths.log)
    play(definition, paths)
    assert games(paths) == expected


def test_games_of_earlier_runs_that_were_cut_off_are_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read no more; what is left can be resumed."""
    monkeypatch.setattr(log_writer, "MOST_KEPT", 0)
    definition, paths = define(tmp_path, dice(tmp_path, "a", "b"), **SHORT)
    with pytest.raises(LogError, match=f"[1-5] games? of {GAMES} are in"):
        play(definition, paths, 1, Spoiler(cut_last, paths.log, GAMES))
    paths.log.with_name("test.log.rescued").replace(paths.log)
    play(definition, paths)
    assert len(games(paths)) == GAMES


@pytest.mark.slow
def test_nothing_is_overwritten(tmp_path: Path) -> None:
    definition, paths = define(tmp_path, dice(tmp_path, "a", "b"), **SHORT)
    for name in ("test.log.rescued", "test.log.rescued-2", "test.log.rescued-3"):
        with pytest.raises(LogError, match=f"are in {re.escape(str(paths.log.with_name(name)))};"):
            play(definition, paths, 1, Spoiler(empty, paths.log, 2))
        assert len(list(read_log(paths.log.with_name(name)))) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("change", [cut, Path.unlink], ids=lambda change: change.__name__)
def test_the_command_ends_with_a_sentence(tmp_path: Path, change: Callable[[Path], None]) -> None:
    bots = dice(tmp_path, "a", "b", before="time.sleep(0.01)")
    command = ["tournament", "run", *map(str, bots), "--name", "test", "--games", "200", "--jobs", "2", "--seed", "x"]
    log = tmp_path / "logs/test.log"
    with subprocess.Popen(
        [sys.executable, "-m", "fa_cli", "--home", str(tmp_path), *command], stderr=subprocess.PIPE, text=True
    ) as process:
        while not (log.exists() and len(list(read_log(log))) >= 3):
            time.sleep(0.05)
            assert process.poll() is None
        change(log)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "Traceback" not in error
    assert f"{log}: the log was" in error
    rescued = re.search(r"all (\d+) games played are in (\S+rescued);", " ".join(error.split()))
    assert rescued, error
    assert int(rescued[1]) == len(list(read_log(Path(rescued[2])))) >= 3
