"""Logs that are given by their paths have their index in the cache; tables are the same with and without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fa_cli.leaderboard import index as index_file
from fa_cli.leaderboard import index_paths
from fa_cli.leaderboard.index import NAME, Index
from fa_cli.leaderboard.labels import OptionFilter
from fa_cli.leaderboard.leaderboards import Selection, leaderboard
from fa_cli.leaderboard.standings import Leaderboard
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.tournament.versions import by_version
from tests.bench.bench_ratings import bot_names, write_log


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(index_paths, "_SMALLEST", 0)
    return tmp_path / "cache" / "fa" / "indexes"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "downloads" / "some.log"
    path.parent.mkdir()
    write_log(path, 20, bot_names(4))
    return path


def board(log: Path, **fields: object) -> Leaderboard:
    return leaderboard(Selection(log.parent.parent / "logs", pytest.fail, [log])._replace(**fields))


def without_index(log: Path) -> Leaderboard:
    """From a temporary index, as that of several logs."""
    return leaderboard(Selection(log.parent.parent / "logs", pytest.fail, [log, log]))


def test_a_log_is_read_once(cache: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = without_index(log)
    first = board(log)
    assert first == expected
    monkeypatch.setattr(index_file, "played_game", pytest.fail)
    assert board(log) == first
    monkeypatch.chdir(log.parent)
    assert board(Path("some.log")) == first
    assert len(list(cache.glob("*.sqlite"))) == 1
    assert list(log.parent.iterdir()) == [log]
    assert cache.stat().st_mode & 0o077 == 0


def test_a_log_that_grows_or_is_replaced(cache: Path, log: Path) -> None:
    board(log)
    entries = list(read_log(log))
    with LogWriter(log) as writer:
        for entry in entries[:4]:
            writer.append_entry(entry)
    assert board(log) == without_index(log)
    log.unlink()
    write_log(log, 8, bot_names(5))
    assert board(log) == without_index(log)
    assert board(log).games == 8


def test_an_index_beside_the_log_is_not_believed(cache: Path, log: Path) -> None:
    """It came with the log, from somebody else."""
    expected = without_index(log)
    leaderboard(Selection(log.parent, pytest.fail, [log]))
    with Index(log.parent / NAME) as index, index.writing():
        for name, value in index.values(b"value ").items():
            index.put(b"value " + name, value.replace(b"bot1", b"bot2"))
    assert board(log) == expected


@pytest.mark.parametrize("home", ["a file", "/dev/null/missing"])
def test_no_cache_can_be_written(
    cache: Path, log: Path, tmp_path: Path, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / home))
    assert board(log) == without_index(log)


def test_a_damaged_index_in_the_cache_is_rebuilt(cache: Path, log: Path) -> None:
    expected = without_index(log)
    board(log)
    (path,) = cache.glob("*.sqlite")
    path.write_bytes(b"not a database" * 99)
    warnings: list[str] = []
    assert board(log, warn=warnings.append) == expected
    assert warnings == [f"{path} was damaged; it is rebuilt from the logs"]


def test_games_selected_or_renamed_by_a_rule_are_read_once(
    cache: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a home, too; another rule has another index, and new games are added."""
    some: list[dict[str, object]] = [
        {"options": OptionFilter({"side": "five"})},
        {"options": OptionFilter({"side": "six"})},
        {"options": OptionFilter({"side": "five"}, "fifth-avenue"), "game": "fifth-avenue"},
        {"renaming": by_version([log])},
    ]
    homes = [Selection(log.parent, pytest.fail, logs)._replace(**fields) for fields in some for logs in (None, [log])]
    first = [leaderboard(home) for home in homes]
    assert [board.games for board in first] == [20, 20, 0, 0, 20, 20, 20, 20]
    assert {row.bot for row in first[-1].rows} == {f"bot{number}@unknown" for number in range(4)}
    with monkeypatch.context() as reading:
        reading.setattr(index_file, "played_game", pytest.fail)
        assert [leaderboard(home) for home in homes] == first
    entries = list(read_log(log))
    with LogWriter(log) as writer:
        for entry in entries[:4]:
            writer.append_entry(entry)
    assert [leaderboard(home).games for home in homes] == [24, 24, 0, 0, 24, 24, 24, 24]


def test_a_small_log_has_no_index(cache: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parent.parent))
    assert board(log) == without_index(log)
    assert not cache.exists()


def test_old_indexes_are_deleted(cache: Path, log: Path) -> None:
    cache.mkdir(parents=True)
    for name, age in {"old.sqlite": 40, "new.sqlite": 2}.items():
        (cache / name).touch()
        seconds = (cache / name).stat().st_mtime - 24 * 3600 * age
        os.utime(cache / name, (seconds, seconds))
    board(log)
    assert {path.name for path in cache.glob("*.sqlite")} > {"new.sqlite"}
    assert not (cache / "old.sqlite").exists()
