"""Leaderboards from the index equal those computed from the logs alone, whatever happens to logs and index."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.errors import LogError
from fa_cli.game_result import By, Fault, FaultKind, GameResult, PlayedGame
from fa_cli.leaderboard import index as index_file
from fa_cli.leaderboard import leaderboards, queries, sealed_file
from fa_cli.leaderboard.index import NAME, Index
from fa_cli.leaderboard.leaderboards import (
    Selection,
    games_in,
    head_to_head,
    leaderboard,
    read_games,
    read_selection,
    rebuild,
    tournament_logs,
)
from fa_cli.leaderboard.rating import rating_states, ratings
from fa_cli.leaderboard.rating.rating_fold import RatingFold
from fa_cli.leaderboard.rating.ratings import Rating
from fa_cli.leaderboard.standings import Leaderboard, StandingRow
from fa_cli.leaderboard.sums import game_columns
from fa_cli.replay import codec
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import Record, make_record, seat_names
from tests.conftest import further
from tests.damage import flip_bit

from . import reference
from .reference import games_of
from .tables import in_seats

VIEWS = [*((by, None) for by in (None, *By)), (None, "chess"), (By.PLAYERS, "fifth-avenue"), (By.SIDE, "manhattan")]
BOTS = ["ann", "bob", "cat", "dan", "eve", "fay"]
EXPECTED: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
"""What the reference has computed: most tests begin with the same games, and check them several times."""


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", 8)


@pytest.fixture(autouse=True)
def quick_ratings(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace TrueSkill, which takes a millisecond, by a fold that depends on earlier games in the same way."""

    def answer(before: Sequence[Rating], ranks: Sequence[float]) -> list[Rating]:
        mean = sum(rating.mu for rating in before) / len(before)
        return [
            Rating(rating.mu + (mean - rating.mu) / 7 - rank / 3, rating.sigma * 0.99)
            for rating, rank in zip(before, ranks, strict=True)
        ]

    if request.node.originalname != "test_the_same_as_from_the_logs_alone":
        monkeypatch.setattr(ratings, "rate", answer)


def game(rng: random.Random, number: int, source: dict[str, str] | None) -> Record:
    """A tournament game of one of two games, sometimes with ties, faults or repeated bots."""
    from fa_cli.games.fifth_avenue.options import Options as FifthAvenue
    from fa_cli.games.manhattan.options import Options as Manhattan

    count = rng.randint(2, 4)
    players = rng.choices(BOTS, k=count) if rng.random() < 0.2 else rng.sample(BOTS, count)
    ranks = sorted(rng.choice([1, rank]) for rank in range(1, count + 1))
    rng.shuffle(ranks)
    faults = [Fault(rng.randrange(count), 0, rng.choice(list(FaultKind)))] if rng.random() < 0.1 else []
    meta: dict[str, Any] = {"asked": [rng.randrange(90)] * count, "time_us": [rng.randrange(10**6)] * count}
    if source:
        meta = {"tournament": source, "number": number // 2, **meta}
    name, options = rng.choice(
        [("fifth-avenue", FifthAvenue()), ("fifth-avenue", FifthAvenue(side="six")), ("manhattan", Manhattan())]
    )
    result = GameResult([rng.randrange(100) for _ in ranks], ranks, "end")
    return make_record(name, options, seat_names(players), rng.randbytes(32), [], faults, result, meta)


class Home:
    """A folder of logs, and the warnings about its index."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rng = random.Random(7)
        self.warnings: list[str] = []
        self.rated = 0
        self.indexed = 0
        self.checks = 0

    def play(self, name: str, day: int | None, games: int) -> Path:
        """Add games to a log, of a tournament that started on this day of the month or of no tournament."""
        path = self.folder / f"{name}.log"
        source = {"name": name, "seed": "00" * 32, "started": f"2026-01-{day:02}T00:00:00Z"} if day else None
        with LogWriter(path) as log:
            for _ in range(games):
                log.append(game(self.rng, len(log), source))
        return path

    def selection(self, log: Path | None = None, game: str | None = None) -> Selection:
        return Selection(self.folder, self.warnings.append, None if log is None else [log], game)

    def check(self, rated: int | None = None, indexed: int | None = None, every: bool = False) -> None:
        """Check leaderboards against the logs, and the numbers of games that were rated and indexed for them.

        These are that of all games and one other, each time the next; with `every`, all of them.
        """
        self.rated = self.indexed = 0
        views = VIEWS if every else [VIEWS[0], VIEWS[1 + self.checks % (len(VIEWS) - 1)]]
        self.checks += 1
        for log in (None, *tournament_logs(self.folder)):
            games = list(games_of(tournament_logs(self.folder) if log is None else [log]))
            for by, name in views if log is None else VIEWS[1:2]:
                same(leaderboard(self.selection(log, name), by), games, by, name)
            faults = read_selection(self.selection(log), queries.bot_faults)
            assert {bot: sum(one.kinds.values()) for bot, one in faults.items()} == faults_in(games)
        if rated is not None:
            assert self.rated == rated
        if indexed is not None:
            assert self.indexed == indexed


def same(shown: Leaderboard, games: list[PlayedGame], by: By | None, name: str | None) -> None:
    """Check a leaderboard against the games of the logs."""
    key = msgspec.json.encode(games), by, name, ratings.rate.__qualname__
    if key not in EXPECTED:
        EXPECTED[key] = reference.rows(games, by, name)
    expected = EXPECTED[key]
    parts = {label: rows for label, rows in expected.items() if label}
    assert shown.games == sum(name in (None, one.game) for one in games)
    assert list(shown.parts) == sorted(parts)
    assert_rows({row.bot: row for row in shown.rows}, expected[""])
    for label, rows in shown.parts.items():
        assert_rows(rows, expected[label])


def assert_rows(shown: Mapping[str, StandingRow], expected: Mapping[str, Mapping[str, Any]]) -> None:
    """Check the rows: in order of strength, by seat in order of mean rank, those without a rank last."""
    assert shown.keys() == expected.keys()
    for bot, row in shown.items():
        for field, value in expected[bot].items():
            found = getattr(row, field)
            if found != value:  # most are equal to the bit
                assert value is not None and field != "caveats", field
                assert found == pytest.approx(value, rel=1e-9, abs=1e-9), field
    for group in dict.fromkeys(row.group for row in shown.values()):
        assert_order([row for row in shown.values() if row.group == group])
    groups = [row.group or 0 for row in shown.values()]
    assert groups == sorted(groups)


def assert_order(shown: list[StandingRow]) -> None:
    """Check the order and the ranks of the rows of a group."""
    rows = [row for row in shown if row.rank is not None]
    assert shown[: len(rows)] == rows
    levels = [-row.mean_rank if row.strength is None else row.strength for row in rows]
    assert levels == pytest.approx(sorted(levels, reverse=True), abs=1e-9)
    assert [row.rank for row in rows] == [1 + sum(one > level + 1e-6 for one in levels) for level in levels]


def faults_in(games: list[PlayedGame]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in games:
        for fault in one.faults:
            counts[one.bots[fault.seat]] = counts.get(one.bots[fault.seat], 0) + 1
    return counts


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = Home(tmp_path)
    rate, keep = RatingFold.add, game_columns.columns_of

    def counted_rate(self: RatingFold, *args: Any) -> None:
        made.rated += 1
        rate(self, *args)

    def counted_keep(games: Sequence[PlayedGame], first: int) -> game_columns.GameColumns:
        made.indexed += len(games)
        return keep(games, first)

    monkeypatch.setattr(RatingFold, "add", counted_rate)
    monkeypatch.setattr(game_columns, "columns_of", counted_keep)
    return made


def test_the_same_as_from_the_logs_alone(home: Home) -> None:
    home.play("one", 1, 30)
    home.play("two", 2, 5)
    home.play("random", None, 3)
    home.check(2 * 35, every=True)
    home.check(0, every=True)
    assert home.warnings == []
    assert (home.folder / NAME).exists()


@pytest.mark.slow
def test_by_seat_from_the_index(home: Home) -> None:
    """The ratings by seat equal those computed from the logs alone, also after a log has grown."""
    for name, day, games in (("two", 2, 30), ("two", 2, 7), ("one", 1, 9), ("two", 2, 1)):
        home.play(name, day, games)
        for log in (None, home.folder / "two.log"):
            logs = tournament_logs(home.folder) if log is None else [log]
            for which in (None, "manhattan", "chess"):
                shown = read_selection(home.selection(log, which), in_seats)
                expected = reference.rows_in_seats(games_of(logs), which)
                assert list(shown.parts) == sorted(expected)
                for label, rows in shown.parts.items():
                    assert_rows(rows, expected[label])
                assert_rows({row.bot: row for row in shown.rows}, reference.rows(games_of(logs), None, which)[""])


def test_ranks_by_seat_need_no_ratings(home: Home) -> None:
    home.play("one", 1, 30)
    rated = read_selection(home.selection(), in_seats).parts
    home.rated = 0
    (home.folder / NAME).unlink()
    shown = read_selection(home.selection(), partial(in_seats, rated=False)).parts
    assert home.rated == 0
    of = {label: {bot: row.rank for bot, row in rows.items()} for label, rows in shown.items()}
    assert of == {label: {bot: row.rank for bot, row in rows.items()} for label, rows in rated.items()}


def test_only_new_games_are_read_and_rated(home: Home) -> None:
    home.play("one", 1, 30)
    home.check(2 * 30)
    for games in (1, 7, 8, 9):
        home.play("one", 1, games)
        home.check(2 * games, indexed=games)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("known", "added"),
    [
        ({"one": 10}, [("two", 6, 2 * 6)]),
        ({"one": 10, "three": 5}, [("two", 4, 4 + (4 + 5))]),
        ({"one": 10, "two": 6, "three": 5}, [("two", 3, 3 + (3 + 5)), ("one", 1, 1 + (1 + 9 + 5))]),
    ],
    ids=["a later log", "a log in between", "older logs grow"],
)
def test_games_after_new_ones_are_rated_again(
    home: Home, known: dict[str, int], added: list[tuple[str, int, int]]
) -> None:
    """Those before them in the order of the logs are not."""
    days = {"one": 1, "two": 2, "three": 3}
    for name, games in known.items():
        home.play(name, days[name], games)
    home.check()
    for name, games, rated in added:
        home.play(name, days[name], games)
        home.check(rated)


def test_a_log_that_is_deleted(home: Home) -> None:
    home.play("one", 1, 10)
    home.play("two", 2, 6).rename(home.folder / "two.gone")
    home.play("three", 3, 5)
    home.check()
    (home.folder / "two.gone").rename(home.folder / "two.log")
    home.check(6 + 11)
    (home.folder / "two.log").unlink()
    home.check(5)


def test_a_copy_of_a_log_counts_once(home: Home) -> None:
    path = home.play("one", 1, 10)
    copy = home.folder / "one-before.log"
    shutil.copy(path, copy)
    home.play("one", 1, 3)
    home.play("two", 1, 5)
    elsewhere = home.folder / "elsewhere" / "one.log"
    elsewhere.parent.mkdir()
    shutil.copy(path, elsewhere)
    assert leaderboard(home.selection()).games == 13 + 5
    assert home.warnings == [f"warning: {copy} is skipped: its games are in {path}, too"]
    for logs in ([elsewhere, path], [copy, path, elsewhere]):
        assert leaderboard(home.selection()._replace(logs=logs)).games == 13
    assert leaderboard(home.selection(copy)).games == 10


def test_a_log_of_the_same_name_with_other_games(home: Home) -> None:
    path = home.play("one", 1, 10)
    home.play("two", 2, 3)
    home.check()
    path.unlink()
    home.play("one", 1, 14)
    home.check(14 + 17)
    path.unlink()
    home.play("one", 1, 4)
    home.check(4 + 7)


def test_a_log_that_was_only_touched(home: Home) -> None:
    path = home.play("one", 1, 10)
    home.play("two", 2, 3)
    home.check()
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)
    os.utime(path, (1, 1))
    home.check(0)
    home.play("one", 1, 2)
    home.check(2 + 5)


def test_a_torn_end(home: Home) -> None:
    path = home.play("one", 1, 10)
    whole = path.read_bytes()
    home.play("one", 1, 1)
    path.write_bytes(path.read_bytes()[:-3])
    home.check(20)
    home.check(0)
    path.write_bytes(whole)
    home.check(0)
    home.play("one", 1, 2)
    home.check(4)


def test_a_changed_byte_is_an_error_as_without_an_index(home: Home) -> None:
    path = home.play("one", 1, 10)
    home.check()
    flip_bit(path, 100)
    with pytest.raises(LogError, match="record"):
        leaderboard(home.selection())
    flip_bit(path, 100)
    home.check()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_any_sequence_of_events(home: Home, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs are created, grow and are deleted in any order; ratings are saved after every game."""
    save_often(monkeypatch)
    rng = home.rng = random.Random(seed)
    days = {f"t{number}": rng.randint(1, 4) for number in range(5)}
    for _ in range(5):
        for _ in range(rng.randint(1, 3)):
            name = rng.choice(list(days))
            if rng.random() < 0.15:
                (home.folder / f"{name}.log").unlink(missing_ok=True)
            else:
                home.play(name, days[name], rng.randint(1, 12))
        home.check(every=True)


def test_without_the_index(home: Home) -> None:
    home.play("one", 1, 10)
    home.check()
    (home.folder / NAME).unlink()
    home.check(20)
    assert home.warnings == []


@pytest.mark.parametrize("content", [b"this is no database" * 300, *further(b"", None)])
def test_a_damaged_index_is_rebuilt(home: Home, content: bytes | None) -> None:
    home.play("one", 1, 10)
    home.check()
    path = home.folder / NAME
    path.write_bytes(path.read_bytes()[:6000] if content is None else content)
    home.check(20)
    assert len(home.warnings) == (content != b"")
    assert all("was damaged; it is rebuilt from the logs" in line for line in home.warnings)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE sealed SET value = 'half' WHERE CAST(name AS TEXT) LIKE 'value %'",
        "DROP TABLE sealed",
        "ALTER TABLE sealed DROP COLUMN value",
    ],
)
def test_an_invalid_value_is_detected(home: Home, change: str) -> None:
    home.play("one", 1, 20)
    home.check()
    with closing(sqlite3.connect(home.folder / NAME)) as file:
        file.executescript(change)
    home.check()
    home.play("one", 1, 1)
    home.check()
    assert len(home.warnings) == 1


def test_comparisons_are_summed_in_parts_of_whole_blocks(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_columns, "_GAMES", 3)
    home.play("a", 1, 40)
    home.play("b", None, 1)
    home.check()


def test_meetings_are_shown_without_reading_results(home: Home) -> None:
    """The table of a million games takes no longer than that of a thousand."""
    home.play("one", 1, 40)
    home.play("two", 2, 40)
    shown = head_to_head(home.selection())[0].rows()
    assert shown
    with closing(sqlite3.connect(home.folder / NAME)) as file, file:
        file.execute("DELETE FROM sealed WHERE CAST(name AS TEXT) LIKE 'results %'")
    assert head_to_head(home.selection())[0].rows() == shown
    assert not home.warnings


def test_who_needs_the_first_games_reads_no_others(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_file, "_CHUNK_GAMES", 4)
    home.play("one", 1, 40)
    expected = read_games(home.selection(), list)
    with closing(sqlite3.connect(home.folder / NAME)) as file, file:
        file.execute("DELETE FROM sealed WHERE CAST(name AS TEXT) LIKE 'results %' AND SUBSTR(name, -1) >= x'04'")
    assert read_games(home.selection(), next) == expected[0]
    assert not home.warnings
    assert read_games(home.selection(), list) == expected
    assert "was damaged" in home.warnings[0]


def test_a_database_of_another_program_is_replaced(home: Home) -> None:
    home.play("one", 1, 5)
    with sqlite3.connect(home.folder / NAME) as file:
        file.execute("CREATE TABLE results (something TEXT)")
        file.execute("INSERT INTO results VALUES ('else')")
    file.close()
    home.check(10)


def test_a_log_that_was_changed_in_the_middle_and_has_grown(home: Home) -> None:
    """Its last tag alone would not show the change; the whole chain is checked, and the log is indexed again."""
    path, other = home.play("one", 1, 10), home.play("two", 2, 3)
    home.check()
    before = path.read_bytes()
    path.unlink()
    home.rng = random.Random(8)
    home.play("one", 1, 14)
    assert path.read_bytes()[: len(before)] != before
    home.check(2 * 14 + 3, indexed=14)
    assert other.exists()


def test_a_flipped_bit_damages_at_most_the_index(home: Home) -> None:
    home.play("one", 1, 4)
    leaderboard(home.selection())
    path = home.folder / NAME
    whole = path.read_bytes()
    for place in home.rng.sample(range(len(whole)), 40):
        content = bytearray(whole)
        content[place] ^= 1 << home.rng.randrange(8)
        path.write_bytes(content)
        leaderboard(home.selection())
    path.unlink()
    home.check()


def test_tables_of_another_version_are_dropped(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.play("one", 1, 5)
    home.check()
    with sqlite3.connect(home.folder / NAME) as file:
        file.execute("PRAGMA user_version = 1")
        file.execute("DELETE FROM sealed")
    file.close()
    home.check(10)
    assert home.warnings == []


def test_leaderboards_work_where_no_index_can_be_written(home: Home) -> None:
    home.play("one", 1, 5)
    (home.folder / NAME).mkdir()
    home.check(rated=(len(VIEWS) + 1) * 5, every=True)
    with pytest.raises(LogError, match="cannot write"):
        rebuild(home.folder, home.warnings.append)


def test_waiting_for_another_writer_ends(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.play("one", 1, 5)
    home.check()
    monkeypatch.setattr(sealed_file, "_MAX_WAIT", 0)
    other = sqlite3.connect(home.folder / NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    home.check(0)  # readers don't mind
    home.play("one", 1, 3)
    home.check()
    other.close()
    home.check(6)


def test_a_message_explains_waiting(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.play("one", 1, 5)
    home.check()
    assert capsys.readouterr().err == ""
    home.play("one", 1, 3)
    other = sqlite3.connect(home.folder / NAME, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(2.0, other.rollback)
    release.start()
    assert leaderboard(home.selection()).games == 8
    release.join()
    other.close()
    assert capsys.readouterr().err == f"waiting for another fa process that writes {home.folder / NAME} ...\n"
    with Index(home.folder / NAME) as index:
        assert index.logs()["one.log"].games == 8


def test_a_log_that_only_its_owner_may_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read every file, so `os.access` is replaced."""
    home.play("one", 1, 5)
    home.play("two", 2, 4)
    hidden = home.folder / "two.log"
    monkeypatch.setattr(os, "access", lambda path, mode: path != hidden)
    assert leaderboard(home.selection()).games == 5
    assert home.warnings == [
        f"warning: {hidden} is skipped: only its owner may read it, as long as its tournament is unfinished"
    ]
    assert tournament_logs(home.folder) == [home.folder / "one.log"]


@pytest.mark.slow
def test_rebuilding(home: Home) -> None:
    home.play("one", 1, 10)
    home.play("three", 3, 6)
    home.check()
    home.play("two", 2, 6)
    home.play("one", 1, 3)
    home.play("random", None, 2)
    home.check()
    logs = [None, *tournament_logs(home.folder)]
    before = [leaderboard(home.selection(log)) for log in logs]
    home.rated = home.indexed = 0
    assert rebuild(home.folder, home.warnings.append) == (25, 3)
    assert (home.rated, home.indexed) == (50, 25)
    assert [leaderboard(home.selection(log)) for log in logs] == before
    home.check(0, indexed=0, every=True)


def test_interrupted_work_is_resumed(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.play("one", 1, 40)
    save_often(monkeypatch)
    add, seen = RatingFold.add, []

    def stop(self: RatingFold, *game: Any) -> None:
        seen.append(game)
        if len(seen) == 30:
            raise KeyboardInterrupt
        add(self, *game)

    with monkeypatch.context() as stopped, pytest.raises(KeyboardInterrupt):
        stopped.setattr(RatingFold, "add", stop)
        leaderboard(home.selection())
    home.check(11 + 40, indexed=0)


def save_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is written after each game."""
    monkeypatch.setattr(index_file, "_CHUNK_GAMES", 1)
    monkeypatch.setattr(rating_states, "CHUNK_SECONDS", 0.0)
    monkeypatch.setattr(rating_states, "_CLOCK_INTERVAL", 1)


def test_many_at_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reader sees correct numbers while the log grows and others write the index."""
    save_often(monkeypatch)
    path = home.play("one", 1, 5)
    done = threading.Event()
    wrong: list[object] = []

    def look() -> None:
        try:
            while not done.is_set():
                shown = leaderboard(Selection(home.folder, wrong.append))
                expected = reference.rows(_first(path, shown.games))
                assert_rows({row.bot: row for row in shown.rows}, expected[""])
        except BaseException as error:
            wrong.append(error)

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for thread in lookers:
        thread.start()
    try:
        for _ in range(8):
            home.play("one", 1, 3)
    finally:
        done.set()
    for thread in lookers:
        thread.join()
    assert wrong == []
    home.check()


def _first(path: Path, games: int) -> Iterator[PlayedGame]:
    return (game for game in games_of([path]) if game.index < games)


def test_points_that_no_game_gives(home: Home) -> None:
    """Numbers in a log may have any size; very large ones are clamped."""
    path = home.folder / "one.log"
    source = {"name": "one", "seed": "00" * 32, "started": "2026-01-01T00:00:00Z"}
    with LogWriter(path) as log:
        for points in (10**30, -(10**30), 7):
            record = game(home.rng, len(log), source)
            result = msgspec.structs.replace(record.result, scores=[points] * len(record.players))
            log.append(msgspec.structs.replace(record, result=result))
    shown = leaderboard(home.selection(path))
    assert shown.games == 3
    assert all(abs(row.points) <= 2**40 for row in shown.rows)


def test_how_many_games_a_log_holds(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the index if it has the whole log, otherwise by reading the log."""
    log = home.play("one", 1, 9)
    assert games_in(log) == 9
    home.check()
    with monkeypatch.context() as patch:
        patch.setattr(leaderboards, "read_log", lambda path: pytest.fail("it was read"))
        assert games_in(log) == 9
    home.play("one", 1, 3)
    assert games_in(log) == 12
