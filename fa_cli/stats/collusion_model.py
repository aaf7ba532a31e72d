"""What a bot's presence does: whether another one then ranks ahead of third bots more often than without it.

The same two bots are compared at tables with and without a third one, so it does not matter how strong they are, or how
well the one does against the other. A bot may also level the differences at its tables, or widen them, for everybody;
that part is taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]
Places = NDArray[numpy.intp]
_MOST = 4.0
_MEAN = 0.9205
"""Of squares of normal figures of variance 1, those above `_MOST` counted as that."""
_STEPS = 50


class Comparisons(NamedTuple):
    """A row for each block and each two of its bots, both ways round."""

    block: Places
    bot: Places
    rival: Places
    stratum: Places
    """The setting and the two bots, as a number; rows of one are compared with each other."""
    ahead: Floats
    """In which share of the block's games the bot was ahead of the rival, as if all seats were alike."""


class Gain(NamedTuple):
    """How much more often a bot is ahead of third ones when another is there, from 0 to 1, and how sure that is."""

    mean: float
    variance: float
    freedom: float


class Gains:
    """The gain of each bot from the presence of each other one."""

    def __init__(self, rows: Comparisons, present: NDArray[numpy.bool_]) -> None:
        """`present`: for each block, which bots are at its table."""
        self._present = present
        self._blocks = [numpy.flatnonzero(present[:, bot]) for bot in range(present.shape[1])]
        self._shares = [numpy.zeros((len(blocks), present.shape[1])) for blocks in self._blocks]
        self._weights = numpy.zeros((present.shape[1], present.shape[1]))
        order = numpy.argsort(rows.stratum, kind="stable")
        ends = numpy.flatnonzero(numpy.diff(rows.stratum[order])) + 1
        strata = [stratum for stratum in numpy.split(order, ends) if len(stratum) > 1]
        levels = self._levels(rows, strata)
        for stratum in strata:
            self._compare(rows, stratum, levels)

    def _levels(self, rows: Comparisons, strata: list[Places]) -> Floats:
        """For each bot, by which part it widens the differences between others."""
        above, below = numpy.zeros((2, self._present.shape[1]))
        for stratum in strata:
            ahead, there = rows.ahead[stratum], self._centred(rows.block[stratum])
            slope = _slope(ahead.mean())
            above += slope * (ahead - ahead.mean()) @ there
            below += slope**2 * (there**2).sum(axis=0)
        return numpy.divide(above, below, out=numpy.zeros_like(above), where=below > 0)

    def _compare(self, rows: Comparisons, stratum: Places, levels: Floats) -> None:
        """Put what the blocks of a stratum say into the shares of its bot."""
        bot, blocks, ahead = rows.bot[stratum[0]], rows.block[stratum], rows.ahead[stratum]
        there = self._centred(blocks)
        off = (ahead - ahead.mean())[:, None] - _slope(ahead.mean()) * levels * there
        at = numpy.searchsorted(self._blocks[bot], blocks)
        self._shares[bot][at] += there * off
        self._weights[bot] += (there**2).sum(axis=0)

    def _centred(self, blocks: Places) -> Floats:
        """Who was there, less how often in the mean; 0 for who was always or never there."""
        there = self._present[blocks].astype(float)
        return numpy.asarray(there - there.mean(axis=0))

    def of(self, bot: int, helper: int) -> Gain | None:
        """The bot's from this helper; None where tables with and without the helper can't be compared."""
        shares = self._share(bot, helper)
        return None if shares is None else _gain(shares)

    def together(self, bot: int, other: int) -> Gain | None:
        """The mean of what each gains from the other."""
        one, two = self._share(bot, other), self._share(other, bot)
        if one is None or two is None:
            return None
        shares = numpy.zeros(len(self._present))
        shares[self._blocks[bot]] += one / 2
        shares[self._blocks[other]] += two / 2
        return _gain(shares)

    def _share(self, bot: int, helper: int) -> Floats | None:
        weight = self._weights[bot, helper]
        return self._shares[bot][:, helper] / weight if weight > 1e-9 else None


def _slope(share: float) -> float:
    """By how much a share of games won changes, with normal luck, as the luck becomes smaller: by so much of that."""
    if not 0 < share < 1:
        return 0.0
    deviate = NormalDist().inv_cdf(share)
    return deviate * NormalDist().pdf(deviate)


def _gain(shares: Floats) -> Gain | None:
    """A sum of what blocks that are independent of each other give to it."""
    squares = shares**2
    total, spread = float(shares.sum()), float(squares.sum())
    count = int(numpy.count_nonzero(shares))
    if count < 2 or not spread:
        return None
    variance = (spread - total**2 / count) * count / (count - 1)
    return Gain(total, max(variance, spread / count), max(1.0, float(spread**2 / (squares**2).sum()) - 1))


class TypicalScores(NamedTuple):
    """How much the true gains of a pool differ: their variance, and its degrees of freedom."""

    variance: float
    freedom: int


def typical_scores(gains: Sequence[Gain]) -> TypicalScores:
    """So much that the squares of the gains, over their variances, are in the mean as large as those of normal figures.

    Squares above `_MOST` count as that (Huber's second proposal), so that a few gains of another kind hardly matter.
    """
    means, variances = numpy.array([(gain.mean, gain.variance) for gain in gains]).T
    low, high = 0.0, float((means**2).max()) / _MEAN
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if numpy.minimum(means**2 / (variances + middle), _MOST).mean() > _MEAN:
            low = middle
        else:
            high = middle
    return TypicalScores(high if low else 0.0, len(gains))
