"""Strengths over the games: fits to growing numbers of games, in the order in which they were scheduled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
import numpy

from ...printing.columns import KEY, Interval, interval, number, text
from ...stats.strength.fit import fit
from ...stats.strength.pair_sums import PairRows, PairSums, StratumPairs, joined, pair_sums, stratum_pairs
from ..index import Index
from ..standings import StandingRow

_POINTS = 20
"""The number of fits, the last one included."""
_COUNTED = "counted CROSS JOIN results AS x ON x.log = counted.log"
_BLOCKS = f"""
SELECT position, x.setting, x.stratum, x.block, COUNT(*) FROM {_COUNTED} WHERE x.seat = 0 AND {{where}}
GROUP BY 1, 2, 3, 4 ORDER BY position, MIN(x.game_index)
"""
_PAIRS = f"""
SELECT position, x.setting, x.stratum, x.block, x.bot, y.bot, COUNT(*), SUM((x.rank <= y.rank) + (x.rank < y.rank))
FROM {_COUNTED} JOIN results AS y ON y.log = x.log AND y.game_index = x.game_index AND y.bot <> x.bot
WHERE {{where}} GROUP BY 1, 2, 3, 4, x.bot, y.bot
"""


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
    blocks = index.rows(_BLOCKS.format(where=where), values)
    ends = _ends([block[4] for block in blocks])
    chunk_of = _chunks([tuple(block[:4]) for block in blocks], [blocks_before for blocks_before, _ in ends])
    chunks = _read_chunks(index, _PAIRS.format(where=where), values, chunk_of, len(ends))
    found: list[HistoryRow] = []
    for (_, games), sums in zip(ends[:-1], _growing(chunks), strict=False):
        found += _fit(games, sums, bots) if sums else []
    total = ends[-1][1] if ends else 0
    return found + [
        HistoryRow(total, row.bot, row.strength, row.strength_interval) for row in rows if row.strength is not None
    ]


def _ends(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Where to fit: the numbers of blocks and of games, of about equally many games each."""
    total, games, ends = sum(sizes), 0, list[tuple[int, int]]()
    for blocks, size in enumerate(sizes, 1):
        games += size
        if games * _POINTS >= total * (len(ends) + 1):
            ends.append((blocks, games))
    return ends


def _chunks(blocks: Sequence[tuple[int, ...]], ends: Sequence[int]) -> dict[tuple[int, ...], int]:
    """The number of the chunk of each block; a chunk ends before the block with the number in `ends`."""
    found, chunk = dict[tuple[int, ...], int](), 0
    for place, block in enumerate(blocks):
        chunk += place >= ends[chunk]
        found[block] = chunk
    return found


def _read_chunks(
    index: Index, query: str, values: Sequence[str], chunk_of: dict[tuple[int, ...], int], count: int
) -> list[list[tuple[int, ...]]]:
    """The rows of pairs of each chunk, their logs, settings and strata as one number."""
    chunks: list[list[tuple[int, ...]]] = [[] for _ in range(count)]
    strata: dict[tuple[int, ...], int] = {}
    for row in index.each(query, values):
        stratum = strata.setdefault(row[:3], len(strata))
        chunks[chunk_of[row[:4]]].append((stratum, *row[3:]))
    return chunks


def _growing(chunks: Sequence[Sequence[tuple[int, ...]]]) -> Iterator[StratumPairs | None]:
    """The sums over the first chunk, over the first two, and so on; None while no two bots have met."""
    sums: list[StratumPairs] = []
    for chunk in chunks:
        if chunk:
            sums = [joined([*sums, stratum_pairs(PairRows(*numpy.array(chunk, dtype=numpy.int64).T))])]
        yield sums[0] if sums else None


def _fit(games: int, sums: StratumPairs, bots: Sequence[tuple[int, str]]) -> list[HistoryRow]:
    """The rows of the bots that have met others in these games."""
    played = set(numpy.unique(sums.own).tolist())
    present = [(id, name) for id, name in bots if id in played]
    numbers = numpy.zeros(max(id for id, _ in present) + 1, dtype=numpy.int64)
    numbers[[id for id, _ in present]] = numpy.arange(len(present))
    totals, loose = pair_sums(sums)  # in the order of ids, so numbered only now
    totals = totals._replace(own=numbers[totals.own], rival=numbers[totals.rival])
    loose = loose._replace(own=numbers[loose.own], rival=numbers[loose.rival])
    field = fit(len(present), lambda: [PairSums(totals, loose)])
    return [
        HistoryRow(games, name, float(field.strengths[place]), field.interval(place))
        for place, (_, name) in enumerate(present)
    ]
