"""How points, ranks and times are distributed, by bot."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable
from typing import Annotated, TypeVar

import msgspec
import numpy

from ...printing.columns import KEY, number, percent, text
from .. import queries
from ..parts import Setting
from ..selected_results import SelectedResults

Group = TypeVar("Group", int, str)


class PointsRow(msgspec.Struct):
    """A bot's points in one game."""

    game: Annotated[str, text("game", "the game", importance=KEY)]
    bot: Annotated[str, text("bot", "its name", importance=KEY)]
    games: Annotated[int, number("games", "games played")]
    least: Annotated[int, number("least", "the fewest points")]
    first_quartile: Annotated[float, number("25%", "a quarter of the results have at most these points", 1)]
    median: Annotated[float, number("median", "half of the results have at most these points", 1)]
    third_quartile: Annotated[float, number("75%", "three quarters of the results have at most these points", 1)]
    most: Annotated[int, number("most", "the most points")]


class RankRow(msgspec.Struct):
    """How often a bot had a rank at tables of one size."""

    players: Annotated[int, number("players", "seats at the table", importance=KEY)]
    bot: Annotated[str, text("bot", "its name", importance=KEY)]
    rank: Annotated[int, number("rank", "1 + the number of seats ahead")]
    games: Annotated[int, number("games", "games with this rank")]
    total: Annotated[int, number("total", "the bot's games at such tables")]
    share: Annotated[float, percent("share", "`games` of `total`")]


class TimeRow(msgspec.Struct):
    """A bot's times per decision."""

    bot: Annotated[str, text("bot", "its name", importance=KEY)]
    decisions: Annotated[int, number("decisions", "how many decisions the bot was asked for")]
    ms: Annotated[float, number("ms", "mean time for a decision, in milliseconds", 2)]
    slowest: Annotated[float, number("slowest game", "the mean in the game in which it was slowest", 2)]


def points(results: SelectedResults) -> list[PointsRow]:
    """The quartiles of each bot's points in each game."""
    counts = _counts(results, lambda setting: setting.game, "points")
    return [_points_row(name, bot, counter) for (name, bot), counter in counts.items()]


def _points_row(game: str, bot: str, counter: Counter[int]) -> PointsRow:
    values = sorted(counter.elements())
    low, middle, high = statistics.quantiles(values * 2 if len(values) == 1 else values, method="inclusive")
    return PointsRow(game, bot, len(values), values[0], low, middle, high, values[-1])


def ranks(results: SelectedResults) -> list[RankRow]:
    """How often each bot had each rank, by the size of the table; ranks that it never had are missing."""
    counts = _counts(results, lambda setting: setting.players, "rank")
    return [
        RankRow(players, bot, rank, games, counter.total(), games / counter.total())
        for (players, bot), counter in counts.items()
        for rank, games in sorted(counter.items())
    ]


def times(results: SelectedResults) -> list[TimeRow]:
    """The times of each bot whose times were measured."""
    found: dict[str, tuple[int, int, float]] = {}
    for _, part in queries.parts_of(results):
        asked = part.decisions > 0
        bots, decisions, times = (column[asked] for column in (part.bot, part.decisions, part.time_us))
        sums = [numpy.bincount(bots, column, len(part.bots)).tolist() for column in (decisions, times)]
        slowest = numpy.zeros(len(part.bots))
        numpy.maximum.at(slowest, bots, times / decisions)
        for bot, *values in zip(part.bots, *sums, slowest.tolist(), strict=True):
            before = found.get(bot, (0, 0, 0.0))
            found[bot] = (before[0] + int(values[0]), before[1] + int(values[1]), max(before[2], values[2]))
    return [
        TimeRow(bot, decisions, time_us / decisions / 1000, slowest / 1000)
        for bot, (decisions, time_us, slowest) in sorted(found.items())
        if decisions
    ]


def _counts(
    results: SelectedResults, group: Callable[[Setting], Group], column: str
) -> dict[tuple[Group, str], Counter[int]]:
    """How often a value occurs, by group and bot."""
    found: dict[tuple[Group, str], Counter[int]] = {}
    for _, part in queries.parts_of(results):
        values, place = numpy.unique(getattr(part, column), return_inverse=True)
        cells = numpy.repeat(part.setting, part.seats).astype(numpy.int64) * len(part.bots) + part.bot
        known, times = numpy.unique(cells * len(values) + place, return_counts=True)
        for cell, count in zip(known.tolist(), times.tolist(), strict=True):
            (setting, bot), value = divmod(cell // len(values), len(part.bots)), values[cell % len(values)]
            counter = found.setdefault((group(part.settings[setting]), part.bots[bot]), Counter())
            counter[int(value)] += count
    return dict(sorted(found.items()))
