"""Strengths over the games: fits to growing numbers of games, in the order in which they were scheduled."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Annotated

import msgspec
import numpy

from ...printing.columns import KEY, Interval, interval, number, text
from ...stats.strength.fit import fit
from ...stats.strength.pair_sums import PairRows, PairSums, StratumPairs, joined, pair_sums, stratum_pairs
from ..index import Index
from ..standings import StandingRow, games_of

_POINTS = 20
"""The number of fits, the last one included."""
_COUNTED = "counted CROSS JOIN results AS x ON x.log = counted.log"
_BLOCKS = f"""
SELECT position, MIN(x.game_index), COUNT(*) FROM {_COUNTED} WHERE x.seat = 0 AND {{where}}
GROUP BY position, x.setting, x.stratum, x.block ORDER BY 1, 2
"""
_PAIRS = f"""
SELECT position, x.setting, x.stratum, x.block, x.bot, y.bot, COUNT(*), SUM((x.rank <= y.rank) + (x.rank < y.rank)),
    MIN(x.game_index)
FROM {_COUNTED} JOIN results AS y ON y.log = x.log AND y.game_index = x.game_index AND y.bot <> x.bot
WHERE {{where}} GROUP BY 1, 2, 3, 4, x.bot, y.bot
"""
_ROWS = 20_000
"""The number of rows that are summed at once."""


class HistoryRow(msgspec.Struct):
    """A bot's strength after some of the games."""

    games: Annotated[int, number("games", "the games counted: the first ones of the logs", importance=KEY)]
    bot: Annotated[str, text("bot", "its name", importance=KEY)]
    strength: Annotated[float, number("strength", "fitted to these games", 2)]
    strength_interval: Annotated[Interval | None, interval("interval of `strength`; none for fewer than two blocks", 2)]


def strengths_over_games(index: Index, game: str | None, rows: Sequence[StandingRow]) -> list[HistoryRow]:
    """The strengths after about 20 numbers of games, each with whole blocks; the last are those of `rows`."""
    where, values = ("TRUE", ()) if game is None else ("x.setting IN (SELECT id FROM settings WHERE game = ?)", (game,))
    names = {row.bot for row in rows}
    bots = [(id, name) for id, name in index.rows("SELECT id, name FROM bots ORDER BY name") if name in names]
    total = games_of(index, game)
    ends = _ends(index.each(_BLOCKS.format(where=where), values), total)
    chunks = _read_chunks(index, _PAIRS.format(where=where), values, [end for end, _ in ends])
    found: list[HistoryRow] = []
    sums: list[StratumPairs] = []
    for (_, games), chunk in zip(ends[:-1], chunks, strict=False):
        sums = [joined([*sums, *chunk.sums()])] if sums or chunk.sums() else []
        found += _fit(games, sums[0], bots) if sums else []
    return found + [
        HistoryRow(total, row.bot, row.strength, row.strength_interval) for row in rows if row.strength is not None
    ]


def _ends(blocks: Iterable[tuple[int, int, int]], total: int) -> list[tuple[tuple[int, int], int]]:
    """Where to fit: the log and the first game of a block, and the games up to its end, of about equally many each."""
    games, ends = 0, list[tuple[tuple[int, int], int]]()
    for position, first, size in blocks:
        games += size
        if games * _POINTS >= total * (len(ends) + 1):
            ends.append(((position, first), games))
    return ends


class _Chunk:
    """The pairs of some blocks."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, ...]] = []
        self._sums: list[StratumPairs] = []

    def add(self, block: Iterable[tuple[int, ...]]) -> None:
        """Add the rows of a whole block."""
        self._rows.extend(block)
        if len(self._rows) >= _ROWS:
            self._sums = self.sums()

    def sums(self) -> list[StratumPairs]:
        """The sums of all blocks, as a list of one; empty if no two bots have met."""
        if self._rows:
            rows = stratum_pairs(PairRows(*numpy.array(self._rows, dtype=numpy.int64).T))
            self._sums, self._rows = [joined([*self._sums, rows])], []
        return self._sums


def _read_chunks(index: Index, query: str, values: Sequence[str], ends: Sequence[tuple[int, int]]) -> list[_Chunk]:
    """The pairs of each chunk, which ends with a block; a log, setting and stratum together are one number."""
    chunks = [_Chunk() for _ in ends]
    strata: dict[tuple[int, ...], int] = {}
    for (position, *key, _), rows in groupby(index.each(query, values), key=itemgetter(0, 1, 2, 3)):
        block = list(rows)
        stratum = strata.setdefault((position, *key), len(strata))
        first = min(row[-1] for row in block)
        chunks[bisect_left(ends, (position, first))].add((stratum, *row[3:-1]) for row in block)
    return chunks


def _fit(games: int, sums: StratumPairs, bots: Sequence[tuple[int, str]]) -> list[HistoryRow]:
    """The rows of the bots that have met others in these games."""
    played = set(numpy.unique(sums.own).tolist())
    present = [(id, name) for id, name in bots if id in played]
    numbers = numpy.zeros(max(id for id, _ in present) + 1, dtype=numpy.int64)
    numbers[[id for id, _ in present]] = numpy.arange(len(present))
    totals, loose, tournament = pair_sums(sums)  # in the order of ids, so numbered only now
    totals = totals._replace(own=numbers[totals.own], rival=numbers[totals.rival])
    loose = loose._replace(own=numbers[loose.own], rival=numbers[loose.rival])
    field = fit(len(present), lambda: [PairSums(totals, loose, tournament)])
    return [
        HistoryRow(games, name, float(field.strengths[place]), field.interval(place))
        for place, (_, name) in enumerate(present)
    ]
