"""Pair comparisons summed over blocks: all that a fit of strengths needs to know of the games.

A game at a table of n is taken as the comparisons of each seat with each other one: ahead counts 1, a tie 1/2. A
comparison with a seat that failed counts for that seat alone, so that nobody gains by a neighbour's fault.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

Ints = NDArray[numpy.int64]
Floats = NDArray[numpy.float64]
AHEAD = 2
"""The unit of `PairRows.ahead`: ranking ahead counts two, a tie one."""


class PairRows(NamedTuple):
    """The comparisons of blocks, a row for each block, bot and rival in it; columns of equal length.

    A block has a row for either bot of a pair, also where none of their comparisons counts for that bot. The bots of a
    stratum are the same in all of its blocks.
    """

    stratum: Ints
    block: Ints
    """A number in its stratum; in `PairSums.loose` no two blocks share one."""
    own: Ints
    """The bot for which the comparisons count, as a number from 0."""
    rival: Ints
    met: Ints
    """The comparisons that count for `own`."""
    ahead: Ints
    """How they ended for it, in parts of `AHEAD`."""


class PairTotals(NamedTuple):
    """Sums over all blocks of repeated strata, a row for each bot and rival, and one for each bot with itself."""

    own: Ints
    rival: Ints
    met: Ints
    ahead: Ints
    spread: Floats
    """The covariance of the two bots' sums of comparisons won, from the spread between blocks within strata."""
    blocks: Ints
    """The blocks of the bot; 0 for a pair."""
    degrees: Ints
    """The degrees of freedom of the bot's spread: blocks less strata; 0 for a pair."""


class PairSums(NamedTuple):
    """What a fit needs: strata with several blocks as sums, those with a single block as they are."""

    totals: PairTotals
    loose: PairRows


def sum_blocks(rows: PairRows) -> PairSums:
    """The sums of these blocks; all blocks of a stratum must be among them."""
    blocks = _ids(rows.stratum, rows.block)
    first = numpy.unique(blocks, return_index=True)[1]
    strata, stratum_of_block = numpy.unique(rows.stratum[first], return_inverse=True)
    size = numpy.bincount(stratum_of_block, minlength=len(strata))[stratum_of_block][blocks]
    loose = size == 1
    kept = PairRows(*(column[loose] for column in rows))._replace(block=blocks[loose])
    return PairSums(_totals(PairRows(*(column[~loose] for column in rows)), size[~loose]), kept)


def _totals(rows: PairRows, size: Ints) -> PairTotals:
    """`size`: for each row how many blocks its stratum has."""
    seats = Seats(_ids(rows.stratum, rows.block), rows.own, rows.rival)
    of_stratum = _ids(rows.stratum, rows.own)
    won = numpy.bincount(of_stratum, rows.ahead) / AHEAD / numpy.maximum(1, numpy.bincount(of_stratum, rows.met))
    off = seats.sums(rows.ahead / AHEAD - rows.met * won[of_stratum])
    count = size[seats.first]
    factor = count / (count - 1)
    own = numpy.concatenate([rows.own, seats.own])
    rival = numpy.concatenate([rows.rival, seats.own])
    products = numpy.concatenate([off[seats.of_row] * off[seats.of_rival] * factor[seats.of_row], off * off * factor])
    empty = numpy.zeros(len(seats.own), dtype=numpy.int64)
    pairs = _ids(own, rival)
    first = numpy.unique(pairs, return_index=True)[1]
    itself = own[first] == rival[first]
    blocks, degrees = numpy.zeros_like(first), numpy.zeros_like(first)
    blocks[itself] = numpy.bincount(_ids(seats.own))
    degrees[itself] = blocks[itself] - numpy.rint(numpy.bincount(_ids(seats.own), 1 / count)).astype(numpy.int64)
    return PairTotals(
        own[first],
        rival[first],
        _whole(pairs, numpy.concatenate([rows.met, empty])),
        _whole(pairs, numpy.concatenate([rows.ahead, empty])),
        _sums(pairs, products),
        blocks,
        degrees,
    )


class Seats:
    """The bots of each block, found in rows of pairs: a seat is a block and a bot."""

    def __init__(self, block: Ints, own: Ints, rival: Ints) -> None:
        base = int(max(own.max(initial=0), rival.max(initial=0))) + 1
        seats, self.first, self.of_row = numpy.unique(block * base + own, return_index=True, return_inverse=True)
        self.own: Ints = own[self.first]
        """The bot of each seat."""
        self.of_rival: Ints = numpy.searchsorted(seats, block * base + rival)
        """The rival's seat of each row."""

    def sums(self, values: NDArray[Any]) -> Floats:
        """The sum of the rows' values for each seat."""
        return _sums(self.of_row, values, len(self.own))


def _ids(*columns: Ints) -> Ints:
    """A number from 0 for each row, equal where all columns are, in order of the columns."""
    found = numpy.unique(columns[0], return_inverse=True)[1]
    for column in columns[1:]:
        values, place = numpy.unique(column, return_inverse=True)
        found = numpy.unique(found * max(1, len(values)) + place, return_inverse=True)[1]
    return found


def _sums(ids: Ints, values: NDArray[Any], least: int = 0) -> Floats:
    """The sum of the values with each id."""
    return numpy.bincount(ids, values, least).astype(numpy.float64)


def _whole(ids: Ints, values: Ints) -> Ints:
    return numpy.rint(_sums(ids, values)).astype(numpy.int64)
