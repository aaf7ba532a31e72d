"""Strengths over the games: fits to growing numbers of games, in the order in which they were scheduled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import numpy

from ...printing.columns import KEY, Interval, interval, number, text
from ...stats.strength.fit import fit
from ...stats.strength.pair_sums import Ints, StratumPairs, compare_seats, joined, pair_sums, stratum_pairs
from ..standings import StandingRow
from ..sums.game_rows import Games

_POINTS = 20
"""The number of fits, the last one included."""
_MOST_SUMS = 8
"""As many sums of one part are joined at once."""


class HistoryRow(msgspec.Struct):
    """A bot's strength after some of the games."""

    games: Annotated[int, number("games", "the games counted: the first ones of the logs", importance=KEY)]
    bot: Annotated[str, text("bot", "its name", importance=KEY)]
    strength: Annotated[float, number("strength", "fitted to these games", 2)]
    strength_interval: Annotated[Interval | None, interval("interval of `strength`; none for fewer than two blocks", 2)]


class History:
    """The comparisons of all pairs, summed up to about 20 numbers of games, each with whole blocks."""

    def __init__(self, total: int) -> None:
        """`total`: the number of all games."""
        self.deals = 0
        self._total = total
        self._sums: dict[int, list[StratumPairs]] = {}
        self._starts: dict[int, tuple[int, int, int]] = {}
        self._strata: dict[tuple[int, int, int], int] = {}

    def add(self, games: Games) -> None:
        """Add the next games."""
        self.deals += len(numpy.unique(games.before))
        tables, parts = games.tables, _POINTS * games.before // self._total
        for part in numpy.unique(parts).tolist():
            chosen = parts == part
            start = games.position, int(tables.game[chosen].min()), int(games.before[chosen].min())
            self._starts[part] = min(start, self._starts.get(part, start))
            strata = self._numbers(games.position, tables.setting, tables.stratum[chosen])
            pairs = compare_seats(strata, tables.block[chosen], tables.bot[chosen], tables.rank[chosen])
            sums = self._sums.setdefault(part, [])
            if len(pairs.own):  # none if a bot plays itself
                sums.append(stratum_pairs(pairs))
            if len(sums) >= _MOST_SUMS:
                self._sums[part] = [joined(sums)]

    def _numbers(self, position: int, setting: int, strata: Ints) -> Ints:
        """A log, setting and stratum together as one number."""
        digests, inverse = numpy.unique(strata, return_inverse=True)
        keys = [(position, setting, digest) for digest in digests.tolist()]
        return numpy.array([self._strata.setdefault(key, len(self._strata)) for key in keys])[inverse]

    @property
    def starts(self) -> list[tuple[int, int, int]]:
        """Where each part but the first begins: the log's position, the game's index, the number of games before."""
        return [start for _, start in sorted(self._starts.items())][1:]

    def rows(self, bots: Sequence[tuple[int, str]], standings: Sequence[StandingRow]) -> list[HistoryRow]:
        """The strengths after each part; the last are those of the leaderboard. `bots`: the ids and names of all."""
        found: list[HistoryRow] = []
        sums: list[StratumPairs] = []
        for (_, added), (_, _, games) in zip(sorted(self._sums.items()), self.starts, strict=False):
            sums = [joined([*sums, *added])] if sums or added else []
            found += _fit(games, sums[0], bots) if sums else []
        return found + [
            HistoryRow(self._total, row.bot, row.strength, row.strength_interval)
            for row in standings
            if row.strength is not None
        ]


def _fit(games: int, sums: StratumPairs, bots: Sequence[tuple[int, str]]) -> list[HistoryRow]:
    """The rows of the bots that have met others in these games."""
    played = set(numpy.unique(sums.own).tolist())
    present = [(id, name) for id, name in bots if id in played]
    numbers = numpy.zeros(max(id for id, _ in present) + 1, dtype=numpy.int64)
    numbers[[id for id, _ in present]] = numpy.arange(len(present))
    field = fit(len(present), pair_sums(sums).numbered(numbers))  # in the order of ids, so numbered only now
    return [
        HistoryRow(games, name, float(field.strengths[place]), field.interval(place))
        for place, (_, name) in enumerate(present)
    ]
