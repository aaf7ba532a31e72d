"""Meetings of pairs of bots, summed over blocks: all that head-to-head tables need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from .strength.pair_sums import Ints, grouped, ordered, rows_at, runs, stacked, starts_of, summed, turned


class Meetings(NamedTuple):
    """Games with both of two bots, as columns: a row for each two bots and stratum, with sums over its blocks."""

    own: Ints
    """The bot as whose these results count; its number is the smaller one."""
    rival: Ints
    stratum: Ints
    first: Ints
    """The first game."""
    blocks: Ints
    met: Ints
    """The number of games; if a bot sits twice, that of pairs of their seats."""
    met_met: Ints
    """Sums over blocks of products."""
    ahead: Ints
    """2 for each game in which `own` ranks ahead, 1 for each tie."""
    ahead_ahead: Ints
    ahead_met: Ints
    ties: Ints
    points: Ints
    """The sum of the differences of points."""

    def numbered(self, numbers: Ints) -> Meetings:
        """The same with other numbers for the bots: `numbers[bot]`."""
        is_turned = numbers[self.own] > numbers[self.rival]
        return turned(self, numbers)._replace(points=numpy.where(is_turned, -self.points, self.points))


def meetings_of(stratum: Ints, block: Ints, game: Ints, bots: Ints, ranks: Ints, points: Ints) -> Meetings:
    """The meetings in games with equally many seats; of each block all games must be among them.

    The first three have a number for each game, the others a row for each game and a column for each seat.
    """
    left, right = numpy.nonzero(~numpy.eye(bots.shape[1], dtype=bool))
    met = bots[:, left] < bots[:, right]
    ahead = (ranks[:, left] <= ranks[:, right]).astype(numpy.int64) + (ranks[:, left] < ranks[:, right])
    games = (numpy.broadcast_to(column[:, None], met.shape) for column in (stratum, block, game))
    seats = (bots[:, left], bots[:, right], ahead, ahead == 1, points[:, left] - points[:, right])
    stratum, block, game, own, rival, ahead, ties, points = (column[met] for column in (*games, *seats))
    rows = ordered([stratum, block, own, rival, game, ahead, ties.astype(numpy.int64), points], 4)
    starts = starts_of(runs(*rows[:4]))
    counts = numpy.diff(starts, append=len(rows[0]))
    ahead, ties, points = summed(rows[5:], starts)
    stratum, _, own, rival, game = (column[starts] for column in rows[:5])
    sums = (numpy.ones_like(counts), counts, counts**2, ahead, ahead**2, ahead * counts, ties, points)
    return joined([Meetings(own, rival, stratum, game, *sums)])


def joined(parts: Sequence[Meetings]) -> Meetings:
    """The sums of several together, in order of bots and stratum."""
    return grouped(stacked(parts), 3, 4)


def singles_pooled(meetings: Meetings) -> Meetings:
    """The rows of each two bots in the order of their first games, at the end one for all strata of one block."""
    single = meetings.blocks == 1
    rows = joined([meetings._replace(stratum=numpy.where(single, -1, meetings.stratum))])
    return rows_at(rows, numpy.lexsort((rows.first, rows.stratum == -1, rows.rival, rows.own)))
