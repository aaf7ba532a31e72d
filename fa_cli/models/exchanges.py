"""What models were asked and answered, in an SQLite file beside the log: kept, found again, paid within a budget.

Several processes use the file at once. An answer is written before the bot gets it, so no answer that was received is
ever paid twice, whatever is killed. A request whose outcome is unknown counts with the most that it can have cost.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from ..decoding import built
from ..errors import LogError
from ..game_result import base_name
from ..system import is_running
from .model import IN_MEMORY, ModelRun
from .sending import SETTLING_SECONDS

_WAIT_SECONDS = 60.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS exchanges (
    id INTEGER PRIMARY KEY, game INT, seat INT, place INT, decision INT, key TEXT, model TEXT, request TEXT,
    answer TEXT, tokens_in INT, tokens_out INT, cost REAL, ms INT, finish TEXT, problem TEXT, random INT, bot TEXT);
CREATE INDEX IF NOT EXISTS exchanges_by_seat ON exchanges (game, seat, place);
CREATE TABLE IF NOT EXISTS unsettled (
    id INTEGER PRIMARY KEY, cost REAL, game INT, seat INT, key TEXT, pid INT, since REAL, bot TEXT);
"""
_PLACED = "WHERE game = ? AND seat = ? AND place IS NOT NULL ORDER BY place"
META = "models"
"""The name in a record's `meta` of the totals by seat."""


class Exchange(msgspec.Struct, array_like=True):
    """One request and its answer. The digest covers the fields in this order."""

    decision: int
    """The seat's decision in this game, from 1."""
    model: str
    request: str
    """JSON, as sent."""
    answer: str
    """JSON, as received; the bot gets the same."""
    tokens_in: int
    tokens_out: int
    cost: float
    ms: int
    """Milliseconds from the first attempt to the answer, rounded."""
    finish: str
    """Why the model stopped, as the provider says."""
    problem: str = ""
    """Why the answer was not accepted, as the bot says; empty if it was."""
    random: int = 0
    """1 if the bot then chose at random."""


class SeatTotals(msgspec.Struct, frozen=True):
    """The exchanges of one seat in one game, as the record's `meta` has them."""

    exchanges: int
    tokens_in: int
    tokens_out: int
    cost: float
    illegal: int
    """Answers that were illegal or unreadable."""
    random: int
    """Decisions that were then made at random."""
    digest: str
    """SHA-256, in hex, of the exchanges as JSON."""


_FIELDS = ", ".join(Exchange.__struct_fields__)


class BudgetSpent(Exception):
    """A request could cost more than is left; the text says how much that is, and what gives a larger budget."""


class Exchanges:
    """The open file, for one bot with a budget of its own. Any thread may use it; `close` must be called.

    Methods raise LogError if it can't be written.
    """

    def __init__(self, run: ModelRun, bot: str, budget: float | None) -> None:
        self._path, self._bot = run.exchanges, bot
        self._budgets = {None: run.budget, bot: budget}
        """By bot, None for all together: what may be spent."""
        self._lock = threading.Lock()
        try:
            if run.exchanges != IN_MEMORY:
                Path(run.exchanges).touch(0o600)  # prompts have the cards of games that are being played
            self._file = sqlite3.connect(
                run.exchanges, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._file.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise LogError(f"{run.exchanges}: it can't be used to keep what models answer: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def begin_game(self, game: int, seat: int) -> None:
        """The game begins, perhaps again: none of the answers kept for it is used yet."""
        with self._change() as file:
            file.execute("UPDATE exchanges SET place = NULL WHERE game = ? AND seat = ?", (game, seat))

    def find(self, game: int, seat: int, decision: int, key: str) -> Exchange | None:
        """Use an answer to the same request that this play of the game has not used yet; None if there is none."""
        with self._change() as file:
            found = file.execute(
                f"SELECT id, {_FIELDS} FROM exchanges "
                "WHERE game = ? AND seat = ? AND key = ? AND place IS NULL ORDER BY id LIMIT 1",
                (game, seat, key),
            ).fetchone()
            if found is None:
                return None
            self._place(file, found[0], game, seat)
            file.execute(
                "UPDATE exchanges SET decision = ?, problem = '', random = 0 WHERE id = ?", (decision, found[0])
            )
            return Exchange(*found[1:])

    def is_awaited(self, game: int, seat: int, key: str) -> bool:
        """Whether a process of an earlier run, which was killed, still waits for the answer to this request."""
        with self._lock:
            rows = self._file.execute(
                "SELECT pid FROM unsettled WHERE game = ? AND seat = ? AND key = ? AND since > ?",
                (game, seat, key, time.time() - SETTLING_SECONDS),
            ).fetchall()
        return any(pid != os.getpid() and is_running(pid) for (pid,) in rows)

    def reserve(self, game: int, seat: int, key: str, most: float) -> int:
        """Set aside the most that a request can cost; returns a number for `release`. Raises BudgetSpent."""
        with self._change() as file:
            for bot, budget in self._budgets.items():
                if budget is not None and (spent := _spent(file, bot)) + most > budget:
                    whose = f" of {bot}" if bot else ""
                    setting = "budget in its bot.toml, and resume with --update," if bot else "--budget"
                    raise BudgetSpent(
                        f"{spent:.4f} of the budget{whose} of {budget:.2f} is spent, and the next request may cost "
                        f"{most:.4f}; give a larger {setting} to go on"
                    )
            row = (most, game, seat, key, os.getpid(), time.time(), self._bot)
            insert = "INSERT INTO unsettled (cost, game, seat, key, pid, since, bot) VALUES (?, ?, ?, ?, ?, ?, ?)"
            return file.execute(insert, row).lastrowid or 0

    def release(self, reserved: int) -> None:
        """The request certainly cost nothing."""
        with self._change() as file:
            file.execute("DELETE FROM unsettled WHERE id = ?", (reserved,))

    def keep(self, game: int, seat: int, key: str, exchange: Exchange, reserved: int, used: bool) -> None:
        """Keep an answer, which settles what was reserved for it. `used`: whether the bot gets it now."""
        with self._change() as file:
            file.execute("DELETE FROM unsettled WHERE id = ?", (reserved,))
            row = file.execute(
                f"INSERT INTO exchanges (game, seat, key, bot, {_FIELDS}) "
                f"VALUES (?, ?, ?, ?{', ?' * len(_FIELDS.split(','))})",
                (game, seat, key, self._bot, *msgspec.structs.astuple(exchange)),
            ).lastrowid
            if used and row is not None:
                self._place(file, row, game, seat)

    def judge(self, game: int, seat: int, decision: int, problem: str, random: bool) -> None:
        """Note what the bot says about the last answer that it got, if it was for this decision."""
        with self._change() as file:
            file.execute(
                "UPDATE exchanges SET problem = ?, random = ? WHERE decision = ? AND id = "
                f"(SELECT id FROM exchanges {_PLACED} DESC LIMIT 1)",
                (problem, int(random), decision, game, seat),
            )

    def of_seat(self, game: int, seat: int) -> list[Exchange]:
        """The exchanges that the last play of a game used, in order."""
        with self._lock:
            rows = self._file.execute(f"SELECT {_FIELDS} FROM exchanges {_PLACED}", (game, seat)).fetchall()
        return [Exchange(*row) for row in rows]

    def _place(self, file: sqlite3.Connection, row: int, game: int, seat: int) -> None:
        file.execute(
            "UPDATE exchanges SET place = 1 + "
            "(SELECT coalesce(max(place), 0) FROM exchanges WHERE game = ? AND seat = ?) WHERE id = ?",
            (game, seat, row),
        )

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """One transaction, in which no other process writes."""
        with self._lock:
            try:
                with self._file:  # commits, or rolls back after an exception
                    self._file.execute("BEGIN IMMEDIATE")
                    yield self._file
            except sqlite3.Error as error:
                raise LogError(f"{self._path}: what models answer can't be kept: {error}") from None


def _spent(file: sqlite3.Connection, bot: str | None) -> float:
    """What the exchanges of a bot in all its versions, or of all bots, cost, with the most of unsettled requests."""
    base = base_name(bot or "")
    wanted, values = ("WHERE bot = ? OR bot GLOB ?", (base, f"{base}+[0-9]*")) if bot else ("", ())
    selects = (f"SELECT coalesce(sum(cost), 0) FROM {table} {wanted}" for table in ("exchanges", "unsettled"))
    return float(sum(file.execute(select, values).fetchone()[0] for select in selects))


def totals(exchanges: Sequence[Exchange]) -> SeatTotals:
    """The totals of a seat's exchanges, with their digest."""
    return SeatTotals(
        exchanges=len(exchanges),
        tokens_in=sum(each.tokens_in for each in exchanges),
        tokens_out=sum(each.tokens_out for each in exchanges),
        cost=sum(each.cost for each in exchanges),
        illegal=sum(bool(each.problem) for each in exchanges),
        random=sum(each.random for each in exchanges),
        digest=hashlib.sha256(msgspec.json.encode(list(exchanges))).hexdigest(),
    )


def add_totals(meta: dict[str, Any], by_seat: Iterable[SeatTotals | None]) -> None:
    """Add the totals of each seat to a record's `meta`, None for seats without a model; nothing if none has one."""
    stated = [each and msgspec.structs.asdict(each) for each in by_seat]
    if any(stated):
        meta[META] = stated


def stated_totals(meta: Mapping[str, Any]) -> list[SeatTotals | None]:
    """The totals by seat that a record's `meta` states; empty if it has none, or none of this form."""
    try:
        return msgspec.convert(meta.get(META, []), built(list[SeatTotals | None]))
    except msgspec.ValidationError:
        return []


def read_exchanges(path: Path, games: Mapping[int, Mapping[str, Any]]) -> dict[int, dict[int, list[Exchange]]]:
    """The exchanges of these games of a log by game and seat; checked against the games' `meta`.

    Raises LogError if the file is missing or damaged, or if its exchanges are not those of the records.
    """
    wanted = {game: stated for game, meta in games.items() if any(stated := stated_totals(meta))}
    if not wanted:
        return {}
    if not path.exists():
        raise LogError(f"{path}: the exchanges with models are missing, and game {min(wanted) + 1} had some")
    found: dict[int, dict[int, list[Exchange]]] = {}
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            for game, stated in wanted.items():
                for seat, expected in enumerate(stated):
                    rows = file.execute(f"SELECT {_FIELDS} FROM exchanges {_PLACED}", (game, seat)).fetchall()
                    exchanges = [Exchange(*row) for row in rows]
                    if expected and totals(exchanges) != expected:
                        raise LogError(
                            f"{path}: game {game + 1}, seat {seat}: not the exchanges that the record states"
                        )
                    if expected:
                        found.setdefault(game, {})[seat] = exchanges
    except (sqlite3.Error, msgspec.MsgspecError, TypeError) as error:
        raise LogError(f"{path}: it can't be read: {error}") from None
    return found
