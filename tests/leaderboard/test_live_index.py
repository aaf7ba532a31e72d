"""Games added to the index while a log grows: leaderboards equal those computed from the log alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from fa_cli.leaderboard import index as index_file
from fa_cli.leaderboard import leaderboards, live_index
from fa_cli.leaderboard.index import NAME, Index
from fa_cli.leaderboard.leaderboards import Selection
from fa_cli.leaderboard.live_index import LiveIndex
from fa_cli.leaderboard.parts import Kind
from fa_cli.leaderboard.rating.rating_states import RatingStates
from fa_cli.leaderboard.selected_results import SelectedResults
from fa_cli.leaderboard.standings import Leaderboard
from fa_cli.replay.log_entry import LogEntry
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from tests.bench.bench_ratings import bot_names, write_log

GAMES = 60


@pytest.fixture
def entries(tmp_path: Path) -> list[LogEntry]:
    path = tmp_path / "source.log"
    write_log(path, GAMES, bot_names(6))
    return list(read_log(path))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder / "live.log"


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_index, "_CHUNK", 10)
    monkeypatch.setattr(live_index, "_MOST_WAITING", 30)
    monkeypatch.setattr(live_index, "_SHARE", 0)


def play(log: Path, entries: list[LogEntry], rated: bool = True) -> LiveIndex:
    """Append games to the log, and to the index when they are due."""
    with LogWriter(log) as writer:
        live = LiveIndex(log, writer.position, rated)
        for entry in entries:
            writer.append_entry(entry)
            live.add(entry, writer.position)
            if live.is_due:
                live.update()
    return live


def indexed(log: Path) -> tuple[int, int]:
    """The number of games in the index, and of those with ratings."""
    with Index(log.parent / NAME) as index:
        known = index.log_at(log)
        if known is None:
            return 0, 0
        states = RatingStates(SelectedResults(index, [known], known.name), Kind.BOTS)
        return known.games, known.games - states.behind()


def is_summed(log: Path) -> bool:
    """Whether the rows of the leaderboard are those of all games in the index."""
    with Index(log.parent / NAME) as index:
        (known,) = index.logs().values()
        results = SelectedResults(index, [known], known.name)
        return results.kept("leaderboard", results.digest) is not None


def leaderboard(log: Path) -> Leaderboard:
    return leaderboards.leaderboard(Selection(log.parent, pytest.fail, [log]))


def from_the_log_alone(log: Path) -> Leaderboard:
    """A small log elsewhere has no index."""
    return leaderboards.leaderboard(Selection(log.parent.parent / "elsewhere", pytest.fail, [log]))


def assert_as_from_the_log_alone(log: Path) -> None:
    assert leaderboard(log) == from_the_log_alone(log)
    assert indexed(log) == (GAMES, GAMES)


def test_all_games_are_added_and_none_is_read_again(
    log: Path, entries: list[LogEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(log, entries).close()
    assert indexed(log) == (GAMES, GAMES)
    monkeypatch.setattr(index_file, "played_game", pytest.fail)
    shown = leaderboard(log)
    monkeypatch.undo()
    assert shown == from_the_log_alone(log)


@pytest.mark.parametrize("rated", [True, False])
def test_the_leaderboard_is_ready_at_the_end(
    log: Path, entries: list[LogEntry], rated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the last games are no whole chunk."""
    live = play(log, entries[:-3], rated)
    assert indexed(log)[0] == 50
    assert not is_summed(log)
    with LogWriter(log) as writer:
        for entry in entries[-3:]:
            writer.append_entry(entry)
            live.add(entry, writer.position)
    live.finish()
    live.close()
    assert indexed(log) == (GAMES, GAMES if rated else 0)
    assert is_summed(log)
    with monkeypatch.context() as patched:
        patched.setattr(SelectedResults, "summary", pytest.fail)
        shown = leaderboards.leaderboard(Selection(log.parent, pytest.fail, [log]), rated=rated)
    if rated:
        assert shown == from_the_log_alone(log)
    assert_as_from_the_log_alone(log)


def test_a_log_that_somebody_else_has_extended_is_read(log: Path, entries: list[LogEntry]) -> None:
    live = play(log, entries[:30])
    with LogWriter(log) as writer:
        writer.append_entry(entries[30])
    live.finish()
    live.close()
    shown = leaderboard(log)
    assert shown.games == 31
    assert shown == from_the_log_alone(log)


def test_sums_of_many_games_are_left_to_the_leaderboard(
    log: Path, entries: list[LogEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows its progress."""
    monkeypatch.setattr(live_index, "_MOST_SUMMED", GAMES - 1)
    play(log, entries).finish()
    assert not is_summed(log)
    assert_as_from_the_log_alone(log)


def test_without_ratings(log: Path, entries: list[LogEntry]) -> None:
    play(log, entries, rated=False).close()
    assert indexed(log) == (GAMES, 0)
    assert_as_from_the_log_alone(log)


def test_what_is_left_is_read_by_the_next_leaderboard(log: Path, entries: list[LogEntry]) -> None:
    play(log, entries[:25]).close()
    assert indexed(log) == (20, 20)
    with LogWriter(log) as writer:
        for entry in entries[25:]:
            writer.append_entry(entry)
    assert_as_from_the_log_alone(log)


@pytest.mark.parametrize(("before", "most_read", "expected"), [(25, 30, 55), (45, 30, 0)])
def test_a_resumed_run_reads_the_games_that_the_index_lacks_unless_they_are_many(
    log: Path, entries: list[LogEntry], before: int, most_read: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_index, "_MOST_READ", most_read)
    with LogWriter(log) as writer:
        for entry in entries[:before]:
            writer.append_entry(entry)
    play(log, entries[before:]).close()
    assert indexed(log)[0] == expected
    assert_as_from_the_log_alone(log)


def test_another_process_adds_the_same_games(log: Path, entries: list[LogEntry]) -> None:
    with LogWriter(log) as writer:
        live = LiveIndex(log, writer.position, rated=True)
        for number, entry in enumerate(entries):
            writer.append_entry(entry)
            live.add(entry, writer.position)
            if number % 25 == 5:
                leaderboard(log)
            if live.is_due:
                live.update()
    assert indexed(log) == (GAMES, GAMES)
    assert_as_from_the_log_alone(log)


@pytest.mark.parametrize("games", [15, 45])
def test_games_wait_while_another_process_writes(log: Path, entries: list[LogEntry], games: int) -> None:
    """Until they are too many: then the next leaderboard reads them."""
    play(log, entries[:10]).close()
    other = sqlite3.connect(log.parent / NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    live = play(log, entries[10 : 10 + games])
    assert indexed(log) == (10, 10)
    other.execute("COMMIT")
    other.close()
    live.update()
    assert indexed(log)[0] == (10 + games if games < 30 else 10)
    live.close()
    with LogWriter(log) as writer:
        for entry in entries[10 + games :]:
            writer.append_entry(entry)
    assert_as_from_the_log_alone(log)


def test_an_index_of_another_log_of_this_name(log: Path, entries: list[LogEntry]) -> None:
    play(log, entries[30:]).close()
    log.unlink()
    play(log, entries).close()
    assert_as_from_the_log_alone(log)


def test_an_index_that_is_deleted_meanwhile(log: Path, entries: list[LogEntry]) -> None:
    live = play(log, entries[:20])
    leaderboards.remove(log.parent / NAME)
    live.close()
    play(log, entries[20:]).close()
    assert_as_from_the_log_alone(log)


@pytest.mark.parametrize("content", [b"not a database" * 99, b""])
def test_a_damaged_index(log: Path, entries: list[LogEntry], content: bytes) -> None:
    (log.parent / NAME).write_bytes(content)
    play(log, entries).close()
    warnings: list[str] = []
    shown = leaderboards.leaderboard(Selection(log.parent, warnings.append, [log]))
    assert shown == from_the_log_alone(log)
    assert len(warnings) == (1 if content else 0)


def test_no_index_can_be_written(log: Path, entries: list[LogEntry]) -> None:
    (log.parent / NAME).mkdir()
    play(log, entries).close()
    assert leaderboard(log) == from_the_log_alone(log)
