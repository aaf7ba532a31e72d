"""Results to rows: how each bot stands, over all games and by side, variant, number of players or game.

The fold takes a log's entries in order and remembers a few numbers per bot, however many games there are.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from ..games import GAMES
from ..ratings import Ratings
from ..replay.files import read_log
from ..results import Fault, FaultKind, GameResult
from .config import bots_of, describe_variant
from .stats import BlockMean

OVERALL = ""


class Result(Protocol):
    """What standings read of a game: a record or a log's entry."""

    @property
    def game(self) -> str: ...
    @property
    def options(self) -> dict[str, int | str]: ...
    @property
    def players(self) -> list[str]: ...
    @property
    def faults(self) -> list[Fault]: ...
    @property
    def result(self) -> GameResult: ...
    @property
    def meta(self) -> dict[str, Any]: ...


class By(enum.Enum):
    """What results can be told apart by."""

    SIDE = "side"
    VARIANT = "variant"
    PLAYERS = "players"
    GAME = "game"


def label(result: Result, by: By) -> str:
    """The part of the standings that a result belongs to.

    By side: the options that a game is rated apart by (`side=five`), the game's name where it has none.
    """
    if by is By.PLAYERS:
        return f"{len(result.players)} players"
    if by is By.GAME:
        return result.game
    if by is By.SIDE:
        apart = next((game.variant_options for game in GAMES if game.name == result.game), ())
        return " ".join(f"{name}={result.options.get(name)}" for name in apart) or result.game
    return describe_variant(result.game, result.options, len(result.players))


class BotFaults:
    """What went wrong with one bot, and the first time in full."""

    def __init__(self, first: str, details: dict[str, Any]) -> None:
        self.kinds: Counter[FaultKind] = Counter()
        self.first = first
        """Where it was."""
        self.details = details
        """What the record's meta says of it, maybe nothing: `detail`, a sentence; `stderr`, the bot's last words."""


class Standing:
    """One bot in one part of the standings."""

    __slots__ = ("asked", "faults", "points", "time_us", "wins")

    def __init__(self) -> None:
        self.wins = BlockMean()
        """A win is 1; a first place shared by n is 1/n each; who had a fault wins nothing."""
        self.points = BlockMean()
        self.faults = 0
        self.asked = 0
        self.time_us = 0

    @property
    def games(self) -> int:
        """Games played, one for each seat."""
        return self.points.count


class Board:
    """The standings of all bots in one part, with their ratings."""

    def __init__(self) -> None:
        self.ratings = Ratings()
        self.bots: dict[str, Standing] = {}

    def add(self, result: Result, block: Hashable) -> None:
        """Fold in one game of the block."""
        names = bots_of(result.players)
        faulted = {fault.seat for fault in result.faults}
        ranks, meta = result.result.ranks, result.meta
        self.ratings.add(names, ranks, faulted)
        first = [seat for seat, rank in enumerate(ranks) if rank == 1]
        asked, times = _counts(meta, "asked", len(names)), _counts(meta, "time_us", len(names))
        for seat, name in enumerate(names):
            standing = self.bots.setdefault(name, Standing())
            standing.wins.add(1 / len(first) if seat in first and seat not in faulted else 0.0, block)
            standing.points.add(result.result.scores[seat], block)
            standing.faults += seat in faulted
            standing.asked += asked[seat]
            standing.time_us += times[seat]

    def rows(self) -> list[dict[str, Any]]:
        """A row per bot, the best first: see `FIELDS`."""
        rows = [self._row(name, standing) for name, standing in self.bots.items()]
        rows.sort(key=lambda row: (-row["rating"], -row["mu"], row["bot"]))
        rank, last = 0, None
        for place, row in enumerate(rows, 1):
            if row["rating"] != last:
                rank, last = place, row["rating"]
            row["rank"] = rank
        return rows

    def _row(self, name: str, standing: Standing) -> dict[str, Any]:
        rating = self.ratings[name]
        return {
            "bot": name,
            "games": standing.games,
            "rating": rating.shown,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "wins": standing.wins.mean,
            "wins_interval": list(standing.wins.share_interval()),
            "points": standing.points.mean,
            "faults": standing.faults,
            "ms": standing.time_us / standing.asked / 1000 if standing.asked else None,
        }


FIELDS = ("games", "rating", "mu", "sigma", "wins", "wins_interval", "points", "faults", "ms")
"""What a row has beside `rank` and `bot`."""


def _counts(meta: dict[str, Any], name: str, seats: int) -> list[int]:
    """A number per seat that a record's meta may have; it is free, so it may be anything."""
    found = meta.get(name)
    if isinstance(found, list) and len(found) == seats and all(isinstance(count, int) for count in found):
        return found
    return [0] * seats


def _details(meta: dict[str, Any], fault: Fault) -> dict[str, Any]:
    details = meta.get("fault_details")
    for one in details if isinstance(details, list) else ():
        if isinstance(one, dict) and (one.get("seat"), one.get("ply")) == (fault.seat, fault.ply):
            return one
    return {}


def block_of(result: Result, log: str, index: int) -> tuple[str, int | str]:
    """The block that game `index` of this log is in: that of its deal; or it is alone."""
    number = result.meta.get("number")
    return log, number if isinstance(number, int) else f"game {index}"


def add_faults(faults: dict[str, BotFaults], result: Result, log: str, index: int) -> None:
    """Count the faults of game `index` of this log for their bots."""
    for fault in result.faults:
        bot = bots_of(result.players)[fault.seat]
        if bot not in faults:
            where = f"{log}, game {index + 1}, seat {fault.seat}, ply {fault.ply}"
            faults[bot] = BotFaults(where, _details(result.meta, fault))
        faults[bot].kinds[fault.kind] += 1


class Standings:
    """The overall board, and one for each part if results are told apart."""

    def __init__(self, by: By | None = None) -> None:
        self.by = by
        self.games = 0
        self.boards: dict[str, Board] = {OVERALL: Board()}
        self.faults: dict[str, BotFaults] = {}

    def add(self, result: Result, log: str, index: int) -> None:
        """Fold in game `index` of this log; games in their logs' order."""
        block = block_of(result, log, index)
        self.games += 1
        self.boards[OVERALL].add(result, block)
        add_faults(self.faults, result, log, index)
        if self.by:
            self.boards.setdefault(label(result, self.by), Board()).add(result, block)

    def rows(self) -> list[dict[str, Any]]:
        """The overall rows; told apart, each also has the fields of every part, as `side=five rating`."""
        rows = self.boards[OVERALL].rows()
        for part in self.parts():
            of_bot = {row["bot"]: row for row in self.boards[part].rows()}
            for row in rows:
                its = of_bot.get(row["bot"], {})
                row.update({f"{part} {field}": its.get(field) for field in FIELDS})
        return rows

    def parts(self) -> list[str]:
        """The names of the parts, in order."""
        return sorted(part for part in self.boards if part != OVERALL)


def stand(logs: Iterable[Path], by: By | None = None, game: str | None = None) -> Standings:
    """The standings over these logs, in order of their beginning; only of one game, if one is named."""
    standings = Standings(by)
    for path in sorted(logs, key=_beginning):
        for entry in read_log(path):
            if game is None or entry.game == game:
                standings.add(entry, path.stem, entry.index)
    return standings


def is_of_tournament(path: Path) -> bool:
    """Whether the log is that of a tournament, by its first game. Raises LogError for what is no log."""
    first = next(_entries(path), None)
    source = first.meta.get("tournament") if first else None
    return isinstance(source, dict) and "started" in source


def _beginning(path: Path) -> tuple[str, str]:
    """When a log's tournament was begun, and its name: the order does not depend on how files came here."""
    first = next(_entries(path), None)
    source = first.meta.get("tournament") if first else None
    started = source.get("started") if isinstance(source, dict) else None
    return (started if isinstance(started, str) else "", path.name)


def _entries(path: Path) -> Iterator[Any]:
    yield from read_log(path)
