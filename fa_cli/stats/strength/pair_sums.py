"""Pair comparisons summed over blocks: all that a fit of strengths needs.

A game compares each seat with each other seat: ranking ahead counts 1, a tie 1/2. A seat that failed ranks behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy
from numpy.typing import NDArray

Ints = NDArray[numpy.int64]
Floats = NDArray[numpy.float64]
Rows = TypeVar("Rows", bound=tuple[Any, ...])
"""A table: a tuple of columns, mostly a NamedTuple."""
AHEAD = 2
"""The unit of `PairRows.ahead`: ranking ahead counts two, a tie one."""


class PairRows(NamedTuple):
    """The comparisons of blocks, as columns: a row for each block and each two of its bots, in either order."""

    stratum: Ints
    block: Ints
    """A number in its stratum."""
    own: Ints
    """The bot whose comparisons these are, as a number from 0."""
    rival: Ints
    met: Ints
    """The number of comparisons."""
    ahead: Ints
    """The comparisons won by `own`, in parts of `AHEAD`."""


class StratumPairs(NamedTuple):
    """Whole numbers summed over the blocks of strata: a row for each stratum, bot and rival, and each bot with itself.

    `won` are a bot's comparisons won in a block, in parts of `AHEAD`, and `all` all of its comparisons there.
    """

    stratum: Ints
    own: Ints
    rival: Ints
    blocks: Ints
    met: Ints
    """The numbers of `PairRows`; for the bot itself those with all rivals."""
    ahead: Ints
    won_won: Ints
    """Sums over blocks of products: the first factor is the bot's, the second the rival's."""
    won_all: Ints
    all_all: Ints


class PairTotals(NamedTuple):
    """Sums over strata with several blocks, a row for each bot and rival, and one for each bot with itself."""

    own: Ints
    rival: Ints
    met: Ints
    ahead: Ints
    spread: Floats
    """The covariance of the two bots' sums of comparisons won, from the spread between blocks within strata."""
    blocks: Ints
    """The blocks with both."""
    strata: Ints
    """The strata with both."""


class PairSums(NamedTuple):
    """What a fit needs: strata with several blocks as sums, those with a single block as they are."""

    totals: PairTotals
    loose: PairRows
    tournament: Ints
    """The tournament and setting of each row of `totals`, numbered from 0; for a row of `loose` its `block` is that."""

    def comparisons(self) -> list[Ints]:
        """Tournament, bot, rival, comparisons, and those won in parts of `AHEAD`, of each row about two bots."""
        totals, loose = self.totals, self.loose
        other = totals.own != totals.rival
        summed = (self.tournament, totals.own, totals.rival, totals.met, totals.ahead)
        single = (loose.block, loose.own, loose.rival, loose.met, loose.ahead)
        return [numpy.concatenate([left[other], right]) for left, right in zip(summed, single, strict=True)]

    def numbered(self, numbers: Ints) -> PairSums:
        """The same with other numbers for the bots, `numbers[bot]`, without those of bots whose number is -1."""
        is_in = numbers[self.totals.own] >= 0
        totals, loose = rows_at(self.totals, is_in), rows_at(self.loose, numbers[self.loose.own] >= 0)
        return PairSums(
            totals._replace(own=numbers[totals.own], rival=numbers[totals.rival]),
            loose._replace(own=numbers[loose.own], rival=numbers[loose.rival]),
            self.tournament[is_in],
        )

    def apart(self, place: int, of: int = 1) -> PairSums:
        """The same as one of several: its tournaments' numbers are multiplied by `of`, and `place` is added."""
        loose = self.loose._replace(block=self.loose.block * of + place)
        return self._replace(loose=loose, tournament=self.tournament * of + place)


def compare_seats(stratum: Ints, block: Ints, bots: Ints, ranks: Ints) -> PairRows:
    """The comparisons of games with equally many seats, summed for each block.

    `stratum` and `block` have a number for each game; `bots` and `ranks` a row for each game and a column for each
    seat. Two seats of one bot are not compared.
    """
    left, right = numpy.nonzero(~numpy.eye(bots.shape[1], dtype=bool))
    own, rival, own_rank, rival_rank = bots[:, left], bots[:, right], ranks[:, left], ranks[:, right]
    ahead = (own_rank <= rival_rank).astype(numpy.int64) + (own_rank < rival_rank)
    apart = own != rival
    games = (numpy.broadcast_to(column[:, None], apart.shape) for column in (stratum, block))
    columns = ordered([column[apart] for column in (*games, own, rival, ahead)], 4)
    starts = starts_of(runs(*columns[:4]))
    met = numpy.diff(starts, append=len(columns[4]))
    stratum, block, own, rival = (column[starts] for column in columns[:4])
    return PairRows(stratum, block, own, rival, met, summed(columns[4:], starts)[0])


def stratum_pairs(rows: PairRows) -> StratumPairs:
    """The sums of whole blocks, in any order, that can be joined with those of further ones."""
    rows = PairRows(*ordered(rows, 4))
    seats = Seats(rows)
    won, of_all = summed([rows.ahead, rows.met], seats.starts)
    left, right = seats.of_row, seats.of_rival
    stratum = _with_bots(rows.stratum, seats)
    pairs = (stratum, rows.own, rows.rival, numpy.ones_like(left), rows.met, rows.ahead)
    products = (won[left] * won[right], won[left] * of_all[right], of_all[left] * of_all[right])
    itself = (stratum[seats.starts], seats.own, seats.own, numpy.ones_like(won), of_all, won)
    squares = (won * won, won * of_all, of_all * of_all)
    return joined([StratumPairs(*pairs, *products), StratumPairs(*itself, *squares)])


def joined(parts: Sequence[StratumPairs]) -> StratumPairs:
    """The sums of several together, in order of stratum, bot and rival."""
    return summed_by(3, stacked(parts))


def pair_sums(pairs: StratumPairs) -> PairSums:
    """What a fit needs of them, as those of one tournament."""
    single = pairs.blocks == 1
    loose = single & (pairs.own != pairs.rival)
    stratum, own, rival, blocks, met, ahead, *_ = rows_at(pairs, loose)
    totals = _totals(rows_at(pairs, ~single))
    rows = PairRows(stratum, numpy.zeros_like(blocks), own, rival, met, ahead)
    return PairSums(totals, rows, numpy.zeros_like(totals.own))


def _totals(pairs: StratumPairs) -> PairTotals:
    """The sums over strata. The spread is around the comparisons that a bot's share in the stratum makes it win."""
    itself = numpy.flatnonzero(pairs.own == pairs.rival)
    left = itself[runs(pairs.stratum, pairs.own)]
    mirrored = numpy.lexsort((_joint_key(pairs.rival, pairs.own), pairs.stratum))
    share = pairs.ahead / numpy.maximum(1, pairs.met)
    own, rival = share[left], share[left[mirrored]]
    off = pairs.won_won - rival * pairs.won_all - own * pairs.won_all[mirrored] + own * rival * pairs.all_all
    spread = off / AHEAD**2 * pairs.blocks / (pairs.blocks - 1)
    columns = (pairs.own, pairs.rival, pairs.met, pairs.ahead, spread, pairs.blocks, numpy.ones_like(pairs.blocks))
    return summed_by(2, PairTotals(*columns))


class Seats:
    """The bots of each block, found in rows of pairs in order of stratum, block, bot and rival.

    A seat is a bot in a block. Raises ValueError if a block lacks pairs.
    """

    def __init__(self, rows: PairRows) -> None:
        self.block: Ints = runs(rows.stratum, rows.block)
        """The block of each row, from 0."""
        self.of_row: Ints = runs(self.block, rows.own)
        """The seat of each row, from 0."""
        self.starts: Ints = starts_of(self.of_row)
        """The first row of each seat."""
        self.own: Ints = rows.own[self.starts]
        """The bot of each seat."""
        first_seat = starts_of(self.block[self.starts])[self.block]
        place = numpy.arange(len(self.block)) - self.starts[self.of_row] + first_seat
        self.of_rival: Ints = place + (place >= self.of_row)
        """The rival's seat of each row: a bot's rivals are in the order of seats, and it is not among them."""
        if not numpy.array_equal(self.own[numpy.minimum(self.of_rival, len(self.own) - 1)], rows.rival):
            raise ValueError("a block lacks pairs of its bots")

    def sums(self, values: NDArray[Any]) -> Floats:
        """The sum of the rows' values for each seat."""
        return numpy.bincount(self.of_row, values, len(self.own)).astype(numpy.float64, copy=False)


def _with_bots(stratum: Ints, seats: Seats) -> Ints:
    """The stratum of each row, mixed with its bots: strata are digests of 32 bits, which may coincide."""
    mixed = (seats.own.astype(numpy.uint64) + numpy.uint64(1)) * numpy.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> numpy.uint64(29))) * numpy.uint64(0xBF58476D1CE4E5B9)
    blocks = seats.block[seats.starts]
    of_block = summed([mixed ^ (mixed >> numpy.uint64(32))], starts_of(blocks))[0]
    return of_block.view(numpy.int64)[seats.block] ^ stratum


def ordered(columns: Sequence[NDArray[Any]], keys: int) -> list[NDArray[Any]]:
    """The rows, sorted by the first `keys` columns, the last two of which are bots."""
    first, bots = columns[: keys - 2], _joint_key(*columns[keys - 2 : keys])
    if _are_ordered(*first, bots):
        return list(columns)
    order = numpy.lexsort((bots, *reversed(first)))
    return [column.take(order) for column in columns]


def _joint_key(left: Ints, right: Ints) -> Ints:
    """A number for each row that sorts like two bots: one key is sorted in half the time."""
    return (left << 32) | right


def _are_ordered(*keys: Ints) -> bool:
    """Whether rows are sorted by these columns: most are, and looking takes a fraction of sorting."""
    equal = numpy.ones(max(0, len(keys[0]) - 1), dtype=bool)
    for key in keys:
        if (equal & (key[1:] < key[:-1])).any():
            return False
        equal &= key[1:] == key[:-1]
    return True


def summed_by(keys: int, rows: Rows) -> Rows:
    """The rows in order of the first `keys` columns, the last two of them bots, with one row for each of these."""
    columns = ordered(rows, keys)
    starts = starts_of(runs(*columns[:keys]))
    return _like(rows, [*(column[starts] for column in columns[:keys]), *summed(columns[keys:], starts)])


def grouped(rows: Rows, keys: int, kept: int) -> Rows:
    """The sums of rows with the same first columns; of those before `kept` that are no keys the least."""
    columns = rows_at(rows, numpy.lexsort(rows[:kept][::-1]))
    starts = starts_of(runs(*columns[:keys]))
    return _like(rows, [*(column[starts] for column in columns[:kept]), *summed(columns[kept:], starts)])


def rows_at(rows: Rows, which: NDArray[Any]) -> Rows:
    """Some of the rows, in this order."""
    return _like(rows, (column[which] for column in rows))


def stacked(parts: Sequence[Rows]) -> Rows:
    """The rows of several tables of one kind, or of tables in these, one after the other."""
    columns: Any = zip(*parts, strict=True)
    return _like(
        parts[0], (stacked(each) if isinstance(each[0], tuple) else numpy.concatenate(each) for each in columns)
    )


def none(kind: type[Rows]) -> Rows:
    """A table without rows."""
    make: Any = kind
    found: Rows = make(*[numpy.zeros(0, dtype=numpy.int64)] * len(make._fields))
    return found


def _like(rows: Rows, columns: Iterable[Any]) -> Rows:
    make: Any = getattr(rows, "_make", type(rows))
    found: Rows = make(columns)
    return found


def turned(rows: Rows, numbers: Ints) -> Rows:
    """Sums over the meetings of two bots with other numbers for the bots, `numbers[bot]`: the smaller one is `own`."""
    table: Any = rows
    own, rival = numbers[table.own], numbers[table.rival]
    is_turned, most = own > rival, AHEAD * table.met_met
    found: Rows = table._replace(
        own=numpy.minimum(own, rival),
        rival=numpy.maximum(own, rival),
        ahead=numpy.where(is_turned, AHEAD * table.met - table.ahead, table.ahead),
        ahead_ahead=table.ahead_ahead + numpy.where(is_turned, AHEAD * (most - 2 * table.ahead_met), 0),
        ahead_met=numpy.where(is_turned, most - table.ahead_met, table.ahead_met),
    )
    return found


def runs(*columns: Ints) -> Ints:
    """A number from 0 for each row, which grows where a column changes."""
    changes = numpy.zeros(len(columns[0]), dtype=bool)
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return numpy.cumsum(changes)


def starts_of(runs: Ints) -> Ints:
    """The first row of each number."""
    return numpy.flatnonzero(numpy.diff(runs, prepend=-1))


def summed(columns: Sequence[NDArray[Any]], starts: Ints) -> list[NDArray[Any]]:
    """The sums of each run of rows."""
    return [numpy.add.reduceat(column, starts) if len(starts) else column for column in columns]
