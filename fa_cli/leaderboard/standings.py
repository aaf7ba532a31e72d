"""Results to rows: how each bot stands, over all games and by side, variant, number of players or game.

The fold takes a log's entries in order and remembers a few numbers per bot, however many games there are.
"""

from __future__ import annotations

import enum
import zlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..replay.files import read_log
from ..results import Fault, FaultKind, GameResult
from ..stats.block_means import BlockMean, BlockSums
from .labels import bots_of, describe_side, describe_variant
from .ratings import Ratings

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
    """The part of the standings that a result belongs to."""
    if by is By.PLAYERS:
        return f"{len(result.players)} players"
    if by is By.GAME:
        return result.game
    if by is By.SIDE:
        return describe_side(result.game, result.options)
    return describe_variant(result.game, result.options, len(result.players))


class BotFaults:
    """What went wrong with one bot, and the first time in full."""

    def __init__(self, first: str, details: dict[str, Any]) -> None:
        self.kinds: Counter[FaultKind] = Counter()
        self.first = first
        """Where it was."""
        self.details = details
        """What the record's meta says of it, maybe nothing: `detail`, a sentence; `stderr`, the bot's last words."""


OUTCOMES = 3
"""Kinds of values that a seat's outcome has."""


def outcome(result: GameResult, seat: int, faulted: bool) -> tuple[float, float, float]:
    """What a game came to for a seat: its win, its points and its rank.

    A win is 1; a first place shared by n is 1/n each; who had a fault wins nothing. Those who tie have the mean of the
    ranks that they take up, so that the mean over a table never differs.
    """
    ranks = result.ranks
    won = 1 / ranks.count(1) if ranks[seat] == 1 and not faulted else 0.0
    return won, result.scores[seat], shared_rank(ranks, seat)


def means(sums: BlockSums) -> tuple[BlockMean, BlockMean, BlockMean]:
    """Those of wins, points and ranks, by the sums of outcomes."""
    return BlockMean(sums, 0), BlockMean(sums, 1), BlockMean(sums, 2)


class Standing:
    """One bot in one part of the standings."""

    __slots__ = ("asked", "faults", "most", "sums", "time_us")

    def __init__(self) -> None:
        self.sums = BlockSums(OUTCOMES)
        """Of outcomes, one for each seat."""
        self.most = 1
        """Players at the biggest table."""
        self.faults = 0
        self.asked = 0
        self.time_us = 0


class Board:
    """The standings of all bots in one part, with their ratings."""

    def __init__(self) -> None:
        self.ratings = Ratings()
        self.bots: dict[str, Standing] = {}

    def add(self, result: Result, block: Hashable) -> None:
        """Fold in one game of the block."""
        names = bots_of(result.players)
        self.ratings.add(names, result.result.ranks, {fault.seat for fault in result.faults})
        self.tally(result, names, block, range(len(names)))

    def tally(self, result: Result, names: Sequence[str], block: Hashable, seats: Iterable[int]) -> None:
        """Count what the bots in these seats did, without rating them."""
        faulted = {fault.seat for fault in result.faults}
        asked, times = _counts(result.meta, "asked", len(names)), _counts(result.meta, "time_us", len(names))
        stratum = stratum_of(result, names)
        for seat in seats:
            standing = self.bots.get(names[seat])
            if standing is None:
                standing = self.bots[names[seat]] = Standing()
            standing.most = max(standing.most, len(names))
            standing.sums.add(outcome(result.result, seat, seat in faulted), block, stratum)
            standing.faults += seat in faulted
            standing.asked += asked[seat]
            standing.time_us += times[seat]

    def rows(self) -> list[dict[str, Any]]:
        """A row per bot, the best first: see `FIELDS`."""
        return ranked([self.row(name) for name in self.bots])

    def row(self, name: str) -> dict[str, Any]:
        """The row of this bot, still without a rank."""
        standing, rating = self.bots[name], self.ratings[name]
        wins, points, ranks = means(standing.sums)
        return {
            "bot": name,
            "games": standing.sums.count,
            "rating": rating.shown,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "wins": wins.mean,
            "wins_interval": list(wins.share_interval()),
            "points": points.mean,
            "points_interval": ends(points.interval()),
            "mean_rank": ranks.mean,
            "mean_rank_interval": ends(ranks.bounded_interval(1, standing.most)),
            "faults": standing.faults,
            "ms": standing.time_us / standing.asked / 1000 if standing.asked else None,
        }


FIELDS = (
    *("games", "rating", "mu", "sigma", "wins", "wins_interval", "points", "points_interval"),
    *("mean_rank", "mean_rank_interval", "faults", "ms"),
)
"""What a row has beside `rank` and `bot`."""


def ranked(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a board in order, each with its rank."""
    rows.sort(key=lambda row: (-row["rating"], -row["mu"], row["bot"]))
    rank, last = 0, None
    for place, row in enumerate(rows, 1):
        if row["rating"] != last:
            rank, last = place, row["rating"]
        row["rank"] = rank
    return rows


def side_by_side(rows: list[dict[str, Any]], parts: Mapping[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The overall rows, each with the fields of every part, as `side=five rating`."""
    for part, its_rows in parts.items():
        of_bot = {row["bot"]: row for row in its_rows}
        for row in rows:
            its = of_bot.get(row["bot"], {})
            row.update({f"{part} {field}": its.get(field) for field in FIELDS})
    return rows


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


def stratum_of(result: Result, names: Sequence[str]) -> int:
    """What a schedule plans and does not leave to chance: the setting, and who sits at the table; as a short number."""
    return zlib.crc32(repr((result.game, sorted(result.options.items()), sorted(names))).encode())


def shared_rank(ranks: Sequence[int], seat: int) -> float:
    """The seat's rank; in a tie the mean of the ranks that it takes up (1, 2.5, 2.5)."""
    return ranks[seat] + (ranks.count(ranks[seat]) - 1) / 2


def ends(interval: tuple[float, float] | None) -> list[float] | None:
    """An interval as rows have it."""
    return None if interval is None else list(interval)


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
        """The overall rows; told apart, each also has the fields of every part: see `side_by_side`."""
        return side_by_side(self.boards[OVERALL].rows(), {part: self.boards[part].rows() for part in self.parts()})

    def parts(self) -> list[str]:
        """The names of the parts, in order."""
        return sorted(part for part in self.boards if part != OVERALL)


class Fold(Protocol):
    """What takes results one after another."""

    def add(self, result: Result, log: str, index: int) -> None:
        """Fold in game `index` of this log; games in their logs' order."""


def stand(logs: Iterable[Path], by: By | None = None, game: str | None = None) -> Standings:
    """The standings over these logs, in order of their beginning; only of one game, if one is named."""
    standings = Standings(by)
    fold(logs, [standings], game)
    return standings


def fold(logs: Iterable[Path], into: Sequence[Fold], game: str | None = None) -> None:
    """Put these logs' games, in order of their beginning, into each; only those of one game, if one is named."""
    for path in sorted(logs, key=lambda path: (beginning(path) or "", path.name)):
        for entry in read_log(path):
            if game is None or entry.game == game:
                for one in into:
                    one.add(entry, path.stem, entry.index)


def beginning(path: Path) -> str | None:
    """When the log's tournament was begun, by its first game: logs have an order that does not depend on their files.

    None for a log that is not of a tournament. Raises LogError for what is no log.
    """
    first = next(read_log(path), None)
    source = first.meta.get("tournament") if first else None
    if not isinstance(source, dict) or "started" not in source:
        return None
    return source["started"] if isinstance(source["started"], str) else ""
