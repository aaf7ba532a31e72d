"""Comparisons of pairs of bots, summed for each log and setting: what strengths are fitted to.

They are kept as bytes, rows of fixed size, so that a million games are read at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any

import numpy
from numpy.typing import NDArray

from ..stats.strength.pair_sums import (
    PairRows,
    PairSums,
    PairTotals,
    StratumPairs,
    joined,
    pair_sums,
    stratum_pairs,
)
from .index import Index

_PAIRS = """
SELECT setting, stratum, block, own, rival, SUM(counts), SUM(counts * ahead)
FROM (
    SELECT x.setting AS setting, x.stratum AS stratum, x.block AS block, x.bot AS own, y.bot AS rival,
        x.fault IS NOT NULL OR y.fault IS NULL AS counts, (x.rank <= y.rank) + (x.rank < y.rank) AS ahead
    FROM results AS x JOIN results AS y ON y.log = x.log AND y.game_index = x.game_index AND y.bot <> x.bot
    WHERE x.log = ?
)
GROUP BY setting, stratum, block, own, rival
"""
"""With a seat that failed only this seat itself is compared: nobody gains by a neighbour's fault."""
_ROWS = 50_000
"""Those of a log that are summed at once."""
_BYTES = 1 << 21
"""What is fitted at once."""
_TOTALS = numpy.dtype([(name, "<f8" if name == "spread" else "<i8") for name in PairTotals._fields])
_LOOSE = numpy.dtype([(name, "<i4") for name in ("stratum", "own", "rival", "met", "ahead")])
"""Each block is alone in its stratum."""


def sum_log(index: Index, log: int) -> None:
    """Write the sums of a log, from its results. To be called in a transaction."""
    for setting, pairs in _read_pairs(index, log).items():
        totals, loose = pair_sums(joined(pairs))
        strata = numpy.unique(loose.stratum, return_inverse=True)[1]  # numbers that fit
        columns = (strata, loose.own, loose.rival, loose.met, loose.ahead)
        packed = _packed(totals, _TOTALS), _packed(columns, _LOOSE)
        index.write("INSERT INTO comparisons VALUES (?, ?, ?, ?)", [(log, setting, *packed)])


def _read_pairs(index: Index, log: int) -> dict[int, list[StratumPairs]]:
    """The sums by setting, in parts."""
    found: dict[int, list[StratumPairs]] = {}
    for setting, rows in itertools.groupby(index.each(_PAIRS, (log,)), itemgetter(0)):
        for chunk in _whole_blocks(rows):
            columns = numpy.array(chunk, dtype=numpy.int64).T
            found.setdefault(setting, []).append(stratum_pairs(PairRows(*columns[1:])))
    return found


def _whole_blocks(rows: Iterator[Sequence[int]]) -> Iterator[list[Sequence[int]]]:
    """Some rows at a time; all of a block stay together."""
    chunk: list[Sequence[int]] = []
    for _, block in itertools.groupby(rows, itemgetter(1, 2)):
        chunk.extend(block)
        if len(chunk) >= _ROWS:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def sums_of(index: Index, settings: Collection[int], bots: Sequence[int]) -> Iterator[PairSums]:
    """The sums of the logs that count over these settings; each bot is its place among `bots`, which has all."""
    query = (
        "SELECT totals, loose FROM counted CROSS JOIN comparisons AS x ON x.log = counted.log "
        f"WHERE setting IN ({', '.join('?' * len(settings))}) ORDER BY position, setting"
    )
    places = _places(bots)
    for batch in _batches(index.each(query, tuple(settings))):
        totals = PairTotals(*_unpacked(batch, 0, _TOTALS))
        stratum, own, rival, met, ahead = _unpacked(batch, 1, _LOOSE)
        log = numpy.repeat(numpy.arange(len(batch)), [len(found) // _LOOSE.itemsize for _, found in batch])
        yield PairSums(
            totals._replace(own=_placed(places, totals.own), rival=_placed(places, totals.rival)),
            PairRows(stratum, log, _placed(places, own), _placed(places, rival), met, ahead),
        )


def _batches(rows: Iterator[tuple[bytes, bytes]]) -> Iterator[list[tuple[bytes, bytes]]]:
    """Several at a time."""
    size, batch = 0, []
    for row in rows:
        batch.append(row)
        size += sum(map(len, row))
        if size >= _BYTES:
            yield batch
            size, batch = 0, []
    if batch:
        yield batch


def _packed(columns: Sequence[NDArray[Any]], kind: numpy.dtype[Any]) -> bytes:
    """The rows as bytes; those of several logs can be put together."""
    rows = numpy.empty(len(columns[0]), kind)
    for name, column in zip(kind.names or (), columns, strict=True):
        rows[name] = column
    return rows.tobytes()


def _unpacked(batch: Sequence[Sequence[bytes]], place: int, kind: numpy.dtype[Any]) -> list[NDArray[Any]]:
    """The columns of all. Raises ValueError if they are no rows of the kind."""
    rows = numpy.frombuffer(b"".join(found[place] for found in batch), kind)
    return [rows[name].astype(kind[name].str[:2] + "8") for name in kind.names or ()]


def _places(bots: Sequence[int]) -> NDArray[numpy.int64]:
    """The place of each bot by its id, -1 for ids of no bot."""
    places = numpy.full(max(bots) + 1, -1)
    places[bots] = numpy.arange(len(bots))
    return places


def _placed(places: NDArray[numpy.int64], bots: NDArray[Any]) -> NDArray[Any]:
    """The places of bots. Raises ValueError if one has none."""
    found: NDArray[Any] = places.take(bots, mode="clip")
    if ((bots < 0) | (bots >= len(places)) | (found < 0)).any():
        raise ValueError("a bot without results")
    return found
