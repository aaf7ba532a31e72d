"""Leaderboards by the index are those of a fold over the logs alone, to the last digit, whatever happens in between."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fa_cli.errors import LogError
from fa_cli.leaderboard import leaderboards, ratings, standings
from fa_cli.leaderboard.boards import Boards, Change
from fa_cli.leaderboard.index import NAME, Index
from fa_cli.leaderboard.leaderboards import Request, games_in, leaderboard, rebuild, tournament_logs
from fa_cli.leaderboard.played import games_of, played_game
from fa_cli.leaderboard.ratings import Rating
from fa_cli.leaderboard.seat_boards import BotsInSeats, SeatBoards
from fa_cli.leaderboard.standings import stand
from fa_cli.replay import codec
from fa_cli.replay.log_file import LogWriter, read_log
from fa_cli.replay.record import Record, make_record, seat_names
from fa_cli.results import By, Fault, FaultKind, GameResult, PlayedGame
from fa_cli.stats.seat_values import Seats

VIEWS = [*((by, None) for by in (None, *By)), (None, "chess"), (By.PLAYERS, "fifth-avenue"), (By.SIDE, "manhattan")]
BOTS = ["ann", "bob", "cat", "dan", "eve", "fay"]


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "BLOCK", 8)


@pytest.fixture(autouse=True)
def quick_ratings(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """TrueSkill takes a millisecond; these are as dependent on everything that came before."""

    def answer(before: tuple[Rating, ...], ranks: tuple[float, ...]) -> list[Rating]:
        mean = sum(rating.mu for rating in before) / len(before)
        return [
            Rating(rating.mu + (mean - rating.mu) / 7 - rank / 3, rating.sigma * 0.99)
            for rating, rank in zip(before, ranks, strict=True)
        ]

    if request.node.originalname != "test_the_same_as_from_the_logs_alone":
        monkeypatch.setattr(ratings, "_answer", answer)


def game(rng: random.Random, number: int, source: dict[str, str] | None) -> Record:
    """A game as a tournament would have it, of either game, with ties, faults and repeated bots now and then."""
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
        [
            ("fifth-avenue", FifthAvenue()),
            ("fifth-avenue", FifthAvenue(side="six")),
            ("manhattan", Manhattan()),
        ]
    )
    result = GameResult([rng.randrange(100) for _ in ranks], ranks, "end")
    return make_record(name, options, seat_names(players), rng.randbytes(32), [], faults, result, meta)


class Home:
    """A folder of logs that are written to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rng = random.Random(7)
        self.told: list[str] = []
        self.folded = 0

    def play(self, name: str, day: int | None, games: int) -> Path:
        """Add games to the log of the tournament of this day; of none."""
        path = self.folder / f"{name}.log"
        source = {"name": name, "seed": "00" * 32, "started": f"2026-01-{day:02}T00:00:00Z"} if day else None
        with LogWriter(path) as log:
            for _ in range(games):
                log.append(game(self.rng, len(log), source))
        return path

    def check(self, games: int | None = None) -> None:
        """All leaderboards are those of the logs alone; `games`: so many were folded for them."""
        self.folded = 0
        for log in (None, *tournament_logs(self.folder)):
            logs = tournament_logs(self.folder) if log is None else [log]
            for by, name in VIEWS if log is None else VIEWS[1:2]:
                shown = leaderboard(Request(self.folder, log, by, name, seats=True), self.told.append)
                pure = stand(logs, by, name)
                assert shown.games == pure.games
                assert shown.parts() == pure.parts()
                assert shown.rows() == pure.rows()
                seats = Seats()
                for one in games_of(logs, name):
                    seats.add(one)
                assert shown.seats == seats.rows()
                assert {bot: vars(faults) for bot, faults in shown.faults.items()} == {
                    bot: vars(faults) for bot, faults in pure.faults.items()
                }
        if games is not None:
            assert self.folded == games


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = Home(tmp_path)
    add: Callable[..., None] = Boards.add

    def counted(self: Boards, *args: Any) -> None:
        made.folded += 1
        add(self, *args)

    monkeypatch.setattr(Boards, "add", counted)
    return made


def test_the_same_as_from_the_logs_alone(home: Home) -> None:
    home.play("one", 1, 30)
    home.play("two", 2, 5)
    home.play("random", None, 3)
    home.check(2 * 35)
    home.check(0)
    assert home.told == []
    assert (home.folder / NAME).exists()


def test_by_seat_from_the_index(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots in their seats are those of a fold over the logs alone, also where it goes on; nothing is folded twice."""
    folded: list[int] = []
    add: Callable[..., None] = SeatBoards.add
    monkeypatch.setattr(SeatBoards, "add", lambda self, *args: (folded.append(1), add(self, *args)))
    for name, day, games in (("two", 2, 30), ("two", 2, 7), ("one", 1, 9), ("two", 2, 1)):
        home.play(name, day, games)
        for log in (None, home.folder / "two.log"):
            logs = tournament_logs(home.folder) if log is None else [log]
            for which in (None, "manhattan", "chess"):
                pure = BotsInSeats()
                for one in games_of(logs, which):
                    pure.add(one)
                shown = leaderboard(Request(home.folder, log, None, which, in_seats=True), home.told.append)
                assert (shown.games, shown.parts(), shown.rows()) == (pure.games, pure.parts(), pure.rows())
    assert len(folded) == 30 + 7 + (9 + 37) + 1 + 30 + 7 + 1


def test_only_what_is_new_is_folded(home: Home) -> None:
    home.play("one", 1, 30)
    home.check(2 * 30)
    for games in (1, 7, 8, 9):
        home.play("one", 1, games)
        home.check(2 * games)


def test_a_log_that_comes_later_in_the_order(home: Home) -> None:
    home.play("one", 1, 10)
    home.check()
    home.play("two", 2, 6)
    home.check(2 * 6)


def test_a_log_that_comes_in_between(home: Home) -> None:
    """Ladders are folds: what was folded after it is folded again, what was before it is not."""
    home.play("one", 1, 10)
    home.play("three", 3, 5)
    home.check()
    home.play("two", 2, 4)
    home.check(4 + (4 + 5))


def test_an_older_log_that_grows(home: Home) -> None:
    home.play("one", 1, 10)
    home.play("two", 2, 6)
    home.play("three", 3, 5)
    home.check()
    home.play("two", 2, 3)
    home.check(3 + (3 + 5))
    home.play("one", 1, 1)
    home.check(1 + (1 + 9 + 5))


def test_a_log_that_goes_away(home: Home) -> None:
    home.play("one", 1, 10)
    home.play("two", 2, 6).rename(home.folder / "two.gone")
    home.play("three", 3, 5)
    home.check()
    (home.folder / "two.gone").rename(home.folder / "two.log")
    home.check(6 + 11)
    (home.folder / "two.log").unlink()
    home.check(5)


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
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
    with pytest.raises(LogError, match="record"):
        leaderboard(Request(home.folder), home.told.append)
    content[100] ^= 1
    path.write_bytes(content)
    home.check()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_any_story(home: Home, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs begin, grow and go in any order; a fold is saved after any game."""
    monkeypatch.setattr(leaderboards, "_SAVE_SECONDS", 0.0)
    monkeypatch.setattr(leaderboards, "_LOOK", 1)
    rng = home.rng = random.Random(seed)
    days = {f"t{number}": rng.randint(1, 4) for number in range(5)}
    for _ in range(5):
        for _ in range(rng.randint(1, 3)):
            name = rng.choice(list(days))
            if rng.random() < 0.15:
                (home.folder / f"{name}.log").unlink(missing_ok=True)
            else:
                home.play(name, days[name], rng.randint(1, 12))
        home.check()


def test_without_the_index(home: Home) -> None:
    home.play("one", 1, 10)
    home.check()
    (home.folder / NAME).unlink()
    home.check(20)
    assert home.told == []


@pytest.mark.parametrize("content", [b"", b"this is no database" * 300, None])
def test_a_damaged_index_is_made_anew(home: Home, content: bytes | None) -> None:
    home.play("one", 1, 10)
    home.check()
    path = home.folder / NAME
    path.write_bytes(path.read_bytes()[:6000] if content is None else content)
    home.check(20)
    assert len(home.told) == (content != b"")
    assert all("was damaged; it is made anew from the logs" in line for line in home.told)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE held SET row = CAST(substr(row, 1, 20) || 'x' || substr(row, 22) AS BLOB) WHERE length(row)",
        "UPDATE held SET state = CAST(state || 'x' AS BLOB)",
        "UPDATE held SET state = state || 'x'",
        "UPDATE held SET row = (SELECT row FROM held WHERE bot = 'bob' AND ladder = '') WHERE bot = 'ann'",
        "UPDATE folded SET progress = x'0011223344'",
        "UPDATE logs SET known = x''",
        "DROP TABLE folded",
    ],
)
def test_a_changed_value_is_noticed(home: Home, change: str) -> None:
    home.play("one", 1, 20)
    home.check()
    file = sqlite3.connect(home.folder / NAME)
    with file:
        file.execute(change)
    file.close()
    home.check()
    assert len(home.told) == 1


def test_a_changed_state_is_noticed_when_the_fold_goes_on(home: Home) -> None:
    home.play("one", 1, 20)
    home.check()
    file = sqlite3.connect(home.folder / NAME)
    with file:
        changed = "CAST(substr(state, 1, 20) || 'x' || substr(state, 22) AS BLOB)"
        file.execute(f"UPDATE held SET state = {changed} WHERE bot = 'ann' AND part = ?", ('["","",""]',))
        assert file.execute("SELECT changes()").fetchone()[0] > 0
    file.close()
    home.play("one", 1, 2)
    home.check(2 * 22)
    assert len(home.told) == 1


def test_any_flipped_bit_does_no_harm_beyond_the_index(home: Home) -> None:
    home.play("one", 1, 4)
    leaderboard(Request(home.folder), home.told.append)
    path = home.folder / NAME
    whole = path.read_bytes()
    for place in home.rng.sample(range(len(whole)), 40):
        content = bytearray(whole)
        content[place] ^= 1 << home.rng.randrange(8)
        path.write_bytes(content)
        leaderboard(Request(home.folder), home.told.append)
    path.unlink()
    home.check()


def test_tables_of_another_version_are_dropped(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.play("one", 1, 5)
    home.check()
    with sqlite3.connect(home.folder / NAME) as file:
        file.execute("PRAGMA user_version = 1")
        file.execute("DELETE FROM held")
    file.close()
    home.check(10)
    assert home.told == []


def test_where_no_index_can_be_it_goes_without(home: Home) -> None:
    home.play("one", 1, 5)
    (home.folder / NAME).mkdir()
    home.check()
    assert home.folded == (len(VIEWS) + 1) * 5
    with pytest.raises(LogError, match="can't be written"):
        rebuild(home.folder, home.told.append)


def test_who_else_writes_is_not_waited_for_for_ever(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.play("one", 1, 5)
    home.check()
    monkeypatch.setattr("fa_cli.leaderboard.index._WAIT", 0)
    other = sqlite3.connect(home.folder / NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    home.check(0)  # readers don't mind
    home.play("one", 1, 3)
    home.check()
    other.close()
    home.check(6)


def test_who_waits_is_told_why(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.play("one", 1, 5)
    home.check()
    assert capsys.readouterr().err == ""
    home.play("one", 1, 3)
    other = sqlite3.connect(home.folder / NAME, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(2.0, other.rollback)
    release.start()
    leaderboard(Request(home.folder), home.told.append)
    release.join()
    other.close()
    assert capsys.readouterr().err == f"waiting for another fa process that writes {home.folder / NAME} ...\n"
    with Index(home.folder / NAME) as index:
        assert index.generation("") > 1


def test_a_log_that_only_its_owner_may_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read all, so the system is asked in the name of somebody else."""
    home.play("one", 1, 5)
    home.play("two", 2, 4)
    hidden = home.folder / "two.log"
    monkeypatch.setattr(os, "access", lambda path, mode: path != hidden)
    told: list[str] = []
    assert leaderboard(Request(home.folder), told.append).games == 5
    assert told == [
        f"warning: {hidden} is skipped: only its owner may read it, as long as its tournament is unfinished"
    ]
    assert tournament_logs(home.folder) == [home.folder / "one.log"]


def test_parts_that_had_the_same_games_share_a_board(home: Home) -> None:
    """With ever more settings the parts come apart, also after they were put in; each is as if it were alone."""
    settings = [("fifth-avenue", "five", 4), ("fifth-avenue", "five", 3), ("fifth-avenue", "six", 3), ("chess", "", 3)]
    boards, results, held = Boards(), list[Any](), dict[object, Change]()
    for known, different in enumerate([1, 3, 6, 9], 1):
        for setting in [*home.rng.choices(settings[:known], k=6), *settings[:known]]:
            results.append(result(home.rng, *setting))
            boards.add(played_game(results[-1], "log", len(results)))
        assert len(set(map(id, boards._boards.values()))) == different
        for by, name in VIEWS:
            pure = standings.Standings(by)
            for index, one in enumerate(results, 1):
                if name in (None, one.game):
                    pure.add(played_game(one, "log", index))
            shown = boards.show(by, name)
            assert (shown.games, shown.parts(), shown.rows()) == (pure.games, pure.parts(), pure.rows())
        held |= {change[:2]: change for change in boards.take_changes()}
        boards = Boards()
        boards.fill(held.values())
        assert len(set(map(id, boards._boards.values()))) == different


def result(rng: random.Random, game: str, side: str, players: int, bots: list[str] = BOTS) -> SimpleNamespace:
    """What boards take of a game of so many."""
    ranks = rng.sample(range(1, players + 1), players)
    ended = GameResult([rng.randrange(9) for _ in ranks], ranks, "end")
    table = rng.sample(bots, players)
    return SimpleNamespace(game=game, options={"side": side}, players=table, faults=[], result=ended, meta={})


def test_what_boards_remember_of_a_bot_is_little() -> None:
    """Seven parts have had the same games, so there is one board; there a bot's sums over 60 tables are 6 kB."""
    rng, boards, bots = random.Random(1), Boards(), [f"bot{number}" for number in range(20)]
    boards.add(played_game(result(rng, "fifth-avenue", "five", 4, bots), "log", 0))
    tracemalloc.start()
    for index in range(1, 300):
        boards.add(played_game(result(rng, "fifth-avenue", "five", 4, bots), "log", index))
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert taken / len(bots) < 12_000


def test_rebuilding(home: Home) -> None:
    home.play("one", 1, 10)
    home.play("two", 2, 6)
    home.play("random", None, 2)
    home.check()
    with Index(home.folder / NAME) as index:
        before = [list(index._file.execute("SELECT * FROM held")), index.progress(""), index.snapshots("")]
    home.folded = 0
    assert rebuild(home.folder, home.told.append) == (16, 2)
    assert home.folded == 32
    with Index(home.folder / NAME) as index:
        assert [list(index._file.execute("SELECT * FROM held")), index.progress(""), index.snapshots("")] == before
    home.check(0)


def test_a_fold_that_is_stopped_goes_on(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.play("one", 1, 40)
    monkeypatch.setattr(leaderboards, "_SAVE_SECONDS", 0.0)
    monkeypatch.setattr(leaderboards, "_LOOK", 1)
    add = Boards.add

    def stop(self: Boards, game: PlayedGame) -> None:
        if game.index == 29:
            raise KeyboardInterrupt
        add(self, game)

    with monkeypatch.context() as stopped, pytest.raises(KeyboardInterrupt):
        stopped.setattr(Boards, "add", stop)
        leaderboard(Request(home.folder), home.told.append)
    home.check(11 + 40)


def test_many_at_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sees right numbers while the log grows and others write the index."""
    monkeypatch.setattr(leaderboards, "_SAVE_SECONDS", 0.0)
    monkeypatch.setattr(leaderboards, "_LOOK", 1)
    path = home.play("one", 1, 5)
    done = threading.Event()
    wrong: list[object] = []

    def look() -> None:
        try:
            while not done.is_set():
                shown = leaderboard(Request(home.folder), wrong.append)
                pure = standings.Standings()
                for entry in _first(path, shown.games):
                    pure.add(played_game(entry, "one", entry.index))
                if shown.rows() != pure.rows():
                    wrong.append(shown.games)
        except BaseException as error:
            wrong.append(error)

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for thread in lookers:
        thread.start()
    for _ in range(8):
        home.play("one", 1, 3)
    done.set()
    for thread in lookers:
        thread.join()
    assert wrong == []
    home.check()


def _first(path: Path, games: int) -> Iterator[Any]:
    return (entry for entry in read_log(path) if entry.index < games)


def test_how_many_games_a_log_holds(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the index where it knows the log as it is, else by reading it."""
    log = home.play("one", 1, 9)
    assert games_in(log) == 9
    home.check()
    monkeypatch.setattr(leaderboards, "read_log", lambda path: pytest.fail("it was read"))
    assert games_in(log) == 9
    monkeypatch.undo()
    home.play("one", 1, 3)
    assert games_in(log) == 12
