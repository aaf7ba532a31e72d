"""Results to rows: how each bot stands, over all games and by side, variant, number of players or game.

The fold takes a log's entries in order and remembers a few numbers per bot, however many games there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..results import By, FaultKind, PlayedGame
from ..stats.block_means import BlockSums, ends
from ..stats.outcomes import OUTCOMES, means, outcome
from .played import games_of
from .ratings import Ratings

OVERALL = ""


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

    def add(self, game: PlayedGame) -> None:
        """Fold in one game."""
        self.ratings.add(game.bots, game.ranks, game.faulted)
        self.tally(game, range(len(game.bots)))

    def tally(self, game: PlayedGame, seats: Iterable[int]) -> None:
        """Count what the bots in these seats did, without rating them."""
        names, faulted = game.bots, game.faulted
        for seat in seats:
            standing = self.bots.get(names[seat])
            if standing is None:
                standing = self.bots[names[seat]] = Standing()
            standing.most = max(standing.most, len(names))
            standing.sums.add(outcome(game, seat), game.deal, game.stratum)
            standing.faults += seat in faulted
            standing.asked += game.decisions[seat]
            standing.time_us += game.time_us[seat]

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


def add_faults(faults: dict[str, BotFaults], game: PlayedGame) -> None:
    """Count the faults of this game for their bots."""
    for fault, details in zip(game.faults, game.fault_details, strict=True):
        bot = game.bots[fault.seat]
        if bot not in faults:
            where = f"{game.log}, game {game.index + 1}, seat {fault.seat}, ply {fault.ply}"
            faults[bot] = BotFaults(where, dict(details))
        faults[bot].kinds[fault.kind] += 1


class Standings:
    """The overall board, and one for each part if results are told apart."""

    def __init__(self, by: By | None = None) -> None:
        self.by = by
        self.games = 0
        self.boards: dict[str, Board] = {OVERALL: Board()}
        self.faults: dict[str, BotFaults] = {}

    def add(self, game: PlayedGame) -> None:
        """Fold in one game; games in their logs' order."""
        self.games += 1
        self.boards[OVERALL].add(game)
        add_faults(self.faults, game)
        if self.by:
            self.boards.setdefault(game.label(self.by), Board()).add(game)

    def rows(self) -> list[dict[str, Any]]:
        """The overall rows; told apart, each also has the fields of every part: see `side_by_side`."""
        return side_by_side(self.boards[OVERALL].rows(), {part: self.boards[part].rows() for part in self.parts()})

    def parts(self) -> list[str]:
        """The names of the parts, in order."""
        return sorted(part for part in self.boards if part != OVERALL)


def stand(logs: Iterable[Path], by: By | None = None, game: str | None = None) -> Standings:
    """The standings over these logs, in order of their beginning; only of one game, if one is named."""
    standings = Standings(by)
    for one in games_of(logs, game):
        standings.add(one)
    return standings
