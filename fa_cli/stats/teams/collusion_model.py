"""The effect of a bot's presence: how much more often another bot ranks ahead of third bots with it than without it.

Each comparison is between tables with and without the helper, for the same bot and rival, so their strengths cancel.
A bot may also widen or level the differences between all others at its tables; that common effect is removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..strength.pair_sums import Floats

Indexes = NDArray[numpy.intp]
_CLIP = 4.0
_CLIPPED_MEAN = 0.9205
"""The mean of the squares of standard normal values, clipped at `_CLIP`."""
_STEPS = 50
"""The steps of the bisection."""


class Comparisons(NamedTuple):
    """One row for each block and each ordered pair of its bots, as columns."""

    block: Indexes
    bot: Indexes
    rival: Indexes
    stratum: Indexes
    """A number for the setting and the two bots; rows of the same stratum are compared with each other."""
    ahead: Floats
    """The share of the block's games in which the bot ranked ahead of the rival, adjusted for the seats."""


class Gain(NamedTuple):
    """How much more often a bot ranks ahead of third bots if another is present, from -1 to 1, and its variance."""

    mean: float
    variance: float
    freedom: float


class Gains:
    """The gain of each bot from the presence of each other bot."""

    def __init__(self, rows: Comparisons, present: NDArray[numpy.bool_]) -> None:
        """`present`: for each block, which bots are at its table."""
        self._present = present
        self._blocks = [numpy.flatnonzero(present[:, bot]) for bot in range(present.shape[1])]
        self._shares = [numpy.zeros((len(blocks), present.shape[1])) for blocks in self._blocks]
        self._weights = numpy.zeros((present.shape[1], present.shape[1]))
        order = numpy.argsort(rows.stratum, kind="stable")
        ends = numpy.flatnonzero(numpy.diff(rows.stratum[order])) + 1
        strata = [stratum for stratum in numpy.split(order, ends) if len(stratum) > 1]
        levels = self._levelling(rows, strata)
        for stratum in strata:
            self._compare(rows, stratum, levels)

    def _levelling(self, rows: Comparisons, strata: list[Indexes]) -> Floats:
        """For each bot, by which factor its presence widens the differences between others."""
        numerator, denominator = numpy.zeros((2, self._present.shape[1]))
        for stratum in strata:
            ahead, presence = rows.ahead[stratum], self._centred(rows.block[stratum])
            slope = _slope(ahead.mean())
            numerator += slope * (ahead - ahead.mean()) @ presence
            denominator += slope**2 * (presence**2).sum(axis=0)
        return numpy.divide(numerator, denominator, out=numpy.zeros_like(numerator), where=denominator > 0)

    def _compare(self, rows: Comparisons, stratum: Indexes, levels: Floats) -> None:
        """Add the blocks of a stratum to the shares of its bot."""
        bot, blocks, ahead = rows.bot[stratum[0]], rows.block[stratum], rows.ahead[stratum]
        presence = self._centred(blocks)
        residuals = (ahead - ahead.mean())[:, None] - _slope(ahead.mean()) * levels * presence
        self._shares[bot][numpy.searchsorted(self._blocks[bot], blocks)] += presence * residuals
        self._weights[bot] += (presence**2).sum(axis=0)

    def _centred(self, blocks: Indexes) -> Floats:
        """Presence (0 or 1) by block and bot, minus its mean over the blocks; 0 for bots always or never present."""
        presence = self._present[blocks].astype(float)
        return numpy.asarray(presence - presence.mean(axis=0))

    def gain(self, bot: int, helper: int) -> Gain | None:
        """The bot's gain from this helper; None if no tables with and without the helper can be compared."""
        shares = self._share(bot, helper)
        return None if shares is None else _gain(shares)

    def together(self, bot: int, other: int) -> Gain | None:
        """The mean of the gains of two bots from each other; None if either is unknown."""
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
    """The derivative of a share by the relative reduction of luck, if luck is normally distributed."""
    if not 0 < share < 1:
        return 0.0
    deviate = NormalDist().inv_cdf(share)
    return deviate * NormalDist().pdf(deviate)


def _gain(shares: Floats) -> Gain | None:
    """The gain as a sum of contributions of independent blocks; None if its variance is unknown."""
    squares = shares**2
    total, spread = float(shares.sum()), float(squares.sum())
    count = int(numpy.count_nonzero(shares))
    if count < 2 or not spread:
        return None
    variance = (spread - total**2 / count) * count / (count - 1)
    return Gain(total, max(variance, spread / count), max(1.0, float(spread**2 / (squares**2).sum()) - 1))


class GainSpread(NamedTuple):
    """How much the true gains in a pool vary: their variance, and its degrees of freedom."""

    variance: float
    freedom: int


def gain_spread(gains: Sequence[Gain]) -> GainSpread:
    """The variance of true gains at which standardised gains have the clipped mean square of standard normal values.

    Squares are clipped at `_CLIP` (Huber's proposal 2), so a few outliers hardly matter.
    """
    means, variances = numpy.array([(gain.mean, gain.variance) for gain in gains]).T
    low, high = 0.0, float((means**2).max()) / _CLIPPED_MEAN
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if numpy.minimum(means**2 / (variances + middle), _CLIP).mean() > _CLIPPED_MEAN:
            low = middle
        else:
            high = middle
    return GainSpread(high if low else 0.0, len(gains))
