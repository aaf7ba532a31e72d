"""How points, ranks and times are distributed, by bot."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import msgspec

from ...printing.columns import KEY, number, percent, text
from ..index import Index

_COUNTED = "counted CROSS JOIN results AS x ON x.log = counted.log JOIN bots ON bots.id = x.bot"
_VALUES = "SELECT {group}, bots.name, {value}, COUNT(*) FROM {counted} JOIN settings ON settings.id = x.setting"


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


def points(index: Index, game: str | None) -> list[PointsRow]:
    """The quartiles of each bot's points in each game, or in one game."""
    counts = _counts(index, "settings.game", "x.points", game)
    return [_points_row(name, bot, counter) for (name, bot), counter in counts.items()]


def _points_row(game: str, bot: str, counter: Counter[int]) -> PointsRow:
    values = sorted(counter.elements())
    low, middle, high = statistics.quantiles(values * 2 if len(values) == 1 else values, method="inclusive")
    return PointsRow(game, bot, len(values), values[0], low, middle, high, values[-1])


def ranks(index: Index, game: str | None) -> list[RankRow]:
    """How often each bot had each rank, by the size of the table; ranks that it never had are missing."""
    counts = _counts(index, "settings.players", "x.rank", game)
    return [
        RankRow(int(players), bot, rank, games, counter.total(), games / counter.total())
        for (players, bot), counter in counts.items()
        for rank, games in sorted(counter.items())
    ]


def times(index: Index, game: str | None) -> list[TimeRow]:
    """The times of each bot whose times were measured."""
    query = (
        "SELECT bots.name, SUM(decisions), TOTAL(time_us) / SUM(decisions) / 1000, "
        f"MAX(1.0 * time_us / decisions) / 1000 FROM {_COUNTED} JOIN settings ON settings.id = x.setting "
        "WHERE decisions > 0 AND (?1 IS NULL OR settings.game = ?1) GROUP BY bots.name ORDER BY bots.name"
    )
    return [TimeRow(*row) for row in index.rows(query, (game,))]


def _counts(index: Index, group: str, value: str, game: str | None) -> dict[tuple[str, str], Counter[int]]:
    """How often a value occurs, by group and bot."""
    query = _VALUES.format(group=group, value=value, counted=_COUNTED)
    rows: Sequence[tuple[str, str, int, int]] = index.rows(
        f"{query} WHERE ?1 IS NULL OR settings.game = ?1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3", (game,)
    )
    found: dict[tuple[str, str], Counter[int]] = {}
    for name, bot, each, times in rows:
        found.setdefault((name, bot), Counter())[each] = times
    return found
