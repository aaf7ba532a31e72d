"""Pairs of bots, summed for each log and setting: comparisons, to which strengths are fitted, meetings, and what the
test of the fit needs.

They are stored as bytes, rows of fixed size, which NumPy reads without a loop.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any

import numpy
from numpy.typing import NDArray

from ..stats import meetings
from ..stats.head_to_head import HeadToHead, PairMeetings
from ..stats.lack_of_fit import fit_sums
from ..stats.lack_of_fit.fit_sums import FitSums, PairFits, SharedBlocks
from ..stats.meetings import Meetings, meetings_of
from ..stats.strength.pair_sums import (
    Ints,
    PairRows,
    PairSums,
    PairTotals,
    StratumPairs,
    compare_seats,
    joined,
    pair_sums,
    runs,
    starts_of,
    stratum_pairs,
)
from . import parts
from .index import Index

_SEATS = (
    "SELECT setting, stratum, block, bot, rank, points, game_index FROM results WHERE log = ? "
    "ORDER BY setting, stratum, block, game_index"
)
_ROWS = 12_000
"""The number of rows that are summed at once."""
_BYTES = 1 << 23
"""The size of the sums that are read at once."""
_TOTALS = numpy.dtype([(name, "<f8" if name == "spread" else "<i8") for name in PairTotals._fields])
_LOOSE = numpy.dtype([(name, "<i4") for name in ("stratum", "own", "rival", "met", "ahead")])
"""Rows of blocks that are alone in their stratum, which stands for the block."""


def sum_log(index: Index, log: int) -> None:
    """Sum the results of a log. Call it in a transaction."""
    for setting, sums_of_parts in _read_pairs(index, log).items():
        pairs, met, early, late = zip(*sums_of_parts, strict=True)
        index.write("INSERT INTO meetings VALUES (?, ?, ?)", [(log, setting, _squeezed(meetings.joined(met)))])
        for is_late, half in enumerate((early, late)):
            rows = map(_squeezed, fit_sums.joined(half))
            index.write("INSERT INTO fit_sums VALUES (?, ?, ?, ?, ?)", [(log, setting, *rows, is_late)])
        totals, loose, _ = pair_sums(joined(pairs))
        strata = numpy.unique(loose.stratum, return_inverse=True)[1]  # small numbers
        columns = (strata, loose.own, loose.rival, loose.met, loose.ahead)
        sums = _packed(totals, _TOTALS), _packed(columns, _LOOSE)
        index.write("INSERT INTO comparisons VALUES (?, ?, ?, ?)", [(log, setting, *sums)])


def _read_pairs(index: Index, log: int) -> dict[int, list[tuple[StratumPairs, Meetings, FitSums, FitSums]]]:
    """The sums by setting, in parts: the last two are of the earlier and later half of the log's games.

    Raises ValueError if a game lacks seats.
    """
    found: dict[int, list[tuple[StratumPairs, Meetings, FitSums, FitSums]]] = {}
    known, middle = parts.settings(index), index.value("SELECT MAX(game_index) / 2 FROM results WHERE log = ?", (log,))
    for seats in _whole_blocks(index.each(_SEATS, (log,))):
        starts = numpy.flatnonzero(numpy.diff(seats[:, 0], prepend=-1))
        for rows in numpy.split(seats, starts[1:]):
            setting = int(rows[0, 0])
            table = rows[:, 1:].reshape(-1, known[setting].players, 6).transpose(2, 0, 1)
            stratum, block, bots, ranks, points, games = table
            pairs = compare_seats(stratum[:, 0], block[:, 0], bots, ranks)
            if len(pairs.own):  # none if a bot plays itself
                met = meetings_of(stratum[:, 0], block[:, 0], games[:, 0], bots, ranks, points)
                early, late = _halves(pairs, stratum[:, 0], block[:, 0], games[:, 0] > middle)
                sums = stratum_pairs(pairs), met, fit_sums.fit_sums(early), fit_sums.fit_sums(late)
                found.setdefault(setting, []).append(sums)
    return found


def _halves(pairs: PairRows, stratum: Ints, block: Ints, is_late: NDArray[numpy.bool_]) -> tuple[PairRows, PairRows]:
    """The comparisons of blocks that begin early, and those of the others, given the games in the order of blocks."""
    starts = starts_of(runs(stratum, block))
    late = set(zip(stratum[starts][is_late[starts]].tolist(), block[starts][is_late[starts]].tolist(), strict=True))
    first = starts_of(runs(pairs.stratum, pairs.block))
    of_block = [key in late for key in zip(pairs.stratum[first].tolist(), pairs.block[first].tolist(), strict=True)]
    row_is_late = numpy.array(of_block, dtype=bool)[runs(pairs.stratum, pairs.block)]
    early, later = (PairRows(*(column[chosen] for column in pairs)) for chosen in (~row_is_late, row_is_late))
    return early, later


def _squeezed(rows: Sequence[Ints]) -> bytes:
    """Columns of whole numbers as compressed bytes."""
    return zlib.compress(numpy.stack(rows).astype("<i8").tobytes(), 1)


def _columns(packed: bytes, count: int) -> NDArray[numpy.int64]:
    """The columns. Raises ValueError if the bytes are not that many of them."""
    return numpy.frombuffer(zlib.decompress(packed), "<i8").astype(numpy.int64).reshape(count, -1)


def fit_sums_of(index: Index, setting: int, bots: Sequence[int], is_late: bool) -> FitSums:
    """The sums for the test of the fit of the selected logs. Bots are numbered by their position in `bots`."""
    query = (
        "SELECT pairs, shared FROM counted CROSS JOIN fit_sums AS x ON x.log = counted.log "
        "WHERE setting = ? AND is_late = ?"
    )
    found = [
        FitSums(
            PairFits(*_columns(pairs, len(PairFits._fields))),
            SharedBlocks(*_columns(shared, len(SharedBlocks._fields))),
        )
        for pairs, shared in index.each(query, (setting, is_late))
    ]
    sums, positions = fit_sums.joined([fit_sums.NONE, *found]), _positions(bots)
    _positioned(positions, numpy.concatenate([sums.pairs.own, sums.pairs.rival]))
    return fit_sums.renumbered(sums, positions)


def _whole_blocks(rows: Iterator[Sequence[int]]) -> Iterator[NDArray[numpy.int64]]:
    """The rows in parts; those of a block stay together."""
    rest: NDArray[numpy.int64] | None = None
    while chunk := list(itertools.islice(rows, _ROWS)):
        read = numpy.array(chunk, dtype=numpy.int64)
        read = read if rest is None else numpy.concatenate([rest, read])
        starts = numpy.flatnonzero((numpy.diff(read[:, :3], axis=0) != 0).any(axis=1)) + 1
        last = int(starts[-1]) if len(starts) else 0
        if last:
            yield read[:last]
        rest = read[last:]
    if rest is not None:
        yield rest


def head_to_head(index: Index, game: str | None) -> HeadToHead:
    """How often each bot ranks ahead of each other in the selected logs, in one game or in all."""
    index.check("bots", "settings")
    index.check_selected("meetings")
    query = (
        "SELECT position, meetings FROM counted CROSS JOIN meetings ON meetings.log = counted.log "
        "JOIN settings ON settings.id = setting WHERE ?1 IS NULL OR game = ?1"
    )
    parts = [_meetings(position, packed) for position, packed in index.each(query, (game,))]
    bots = index.rows("SELECT id, name FROM bots ORDER BY name")
    table, positions = HeadToHead(), _positions([id for id, _ in bots] or [0])
    rows = meetings.singles_pooled(meetings.joined([part.numbered(positions) for part in parts])) if parts else ()
    for (own, rival), strata in itertools.groupby(
        zip(*(column.tolist() for column in rows), strict=True), itemgetter(0, 1)
    ):
        own_rows = [row[4:] for row in strata]
        ties, points = sum(row[6] for row in own_rows), float(sum(row[7] for row in own_rows))
        table.meetings[bots[own][1], bots[rival][1]] = PairMeetings([row[:6] for row in own_rows], ties, points)
    return table


def _meetings(position: int, packed: bytes) -> Meetings:
    """The meetings of the log at this position. Raises ValueError if the bytes are not their rows."""
    rows = Meetings(*_columns(packed, len(Meetings._fields)))
    return rows._replace(first=rows.first + (position << 40))


def sums_of(index: Index, settings: Collection[int], bots: Sequence[int]) -> Iterator[PairSums]:
    """The sums of the selected logs over these settings. Bots are numbered by their position in `bots`."""
    query = (
        "SELECT totals, loose FROM counted CROSS JOIN comparisons AS x ON x.log = counted.log "
        f"WHERE setting IN ({', '.join('?' * len(settings))}) ORDER BY position, setting"
    )
    positions = _positions(bots)
    for batch in _batches(index.each(query, tuple(settings))):
        totals = PairTotals(*_unpacked(batch, 0, _TOTALS))
        stratum, own, rival, met, ahead = _unpacked(batch, 1, _LOOSE)
        number = numpy.arange(len(batch))
        tournament = numpy.repeat(number, [len(rows) // _TOTALS.itemsize for rows, _ in batch])
        log = numpy.repeat(number, [len(rows) // _LOOSE.itemsize for _, rows in batch])
        yield PairSums(
            totals._replace(own=_positioned(positions, totals.own), rival=_positioned(positions, totals.rival)),
            PairRows(stratum, log, _positioned(positions, own), _positioned(positions, rival), met, ahead),
            tournament,
        )


def _batches(rows: Iterator[tuple[bytes, bytes]]) -> Iterator[list[tuple[bytes, bytes]]]:
    """The sums of several logs at a time."""
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
    """The rows as bytes, which can be concatenated."""
    rows = numpy.empty(len(columns[0]), kind)
    for name, column in zip(kind.names or (), columns, strict=True):
        rows[name] = column
    return rows.tobytes()


def _unpacked(batch: Sequence[Sequence[bytes]], column: int, kind: numpy.dtype[Any]) -> list[NDArray[Any]]:
    """The columns of all rows together. Raises ValueError if the bytes are not rows of this kind."""
    rows = numpy.frombuffer(b"".join(row[column] for row in batch), kind)
    return [rows[name].astype(kind[name].str[:2] + "8") for name in kind.names or ()]


def _positions(bots: Sequence[int]) -> NDArray[numpy.int64]:
    """The position of each bot by its id; -1 for other ids."""
    positions = numpy.full(max(bots) + 1, -1)
    positions[bots] = numpy.arange(len(bots))
    return positions


def _positioned(positions: NDArray[numpy.int64], bots: NDArray[Any]) -> NDArray[Any]:
    """The positions of bots. Raises ValueError for an unknown bot."""
    found: NDArray[Any] = positions.take(bots, mode="clip")
    if ((bots < 0) | (bots >= len(positions)) | (found < 0)).any():
        raise ValueError("unknown bot")
    return found
