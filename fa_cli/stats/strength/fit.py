"""Strengths of bots, fitted to all games at once: no order of the games can matter.

The model is TrueSkill's (Herbrich, Minka and Graepel, 2006) without its drift: a bot performs with its strength and
normal luck of standard deviation `BETA`, so that i ranks ahead of j with the probability

    Phi((strength_i - strength_j) / (sqrt(2) BETA))

whoever else sits at the table (Thurstone, 1927, case V). The fit is that of moments: each bot's comparisons won are
what the model expects of them, with the prior N(mean of the field, `PRIOR`) as a weak pull to the middle. Where all
bots meet equally often the order of strengths is that of mean ranks. Errors come from the spread between blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy

from ..block_means import CONFIDENCE, wilson
from ..distributions import normal_probability, student_quantile
from .equations import NEAR, expected_wins, slopes, solve
from .field_prior import Prior, equal_meetings, field_priors, lacking_meetings
from .pair_sums import AHEAD, Floats, Ints, PairSums, Seats
from .scale import BETA, MEAN, PRIOR

SAME = 1e-6
"""Strengths that differ by less are equal."""
_UNIT = sqrt(2) * BETA
"""The unit of the fit: the standard deviation of the difference of two performances."""
_INFORMATION = 4 / sqrt(2 * pi)
"""The information of a comparison about a difference, per comparison won, between equal bots."""
_PRIOR_PRECISION = (_UNIT / PRIOR) ** 2 / _INFORMATION
"""The precision of the prior, in comparisons won per unit."""
_PRIOR_VARIANCE = (_UNIT / PRIOR) ** 2 / _INFORMATION**2
"""The same as a variance: a fit to nothing has the prior's spread."""
_LEAST_RESIDUAL = 0.1
"""The least value of one minus the leverage of a block: a bot's only block has a leverage of one."""
_NORMAL = NormalDist()
_LEAST_PART = 1e-300
_FAR = 2.0
"""How far a bot counts from the median of the field, in units of the fit: 11.8 as shown. How much farther a bot is that
always loses is hardly known, and would move the strengths of all others."""
_FEW = 10
"""With so many wins and losses the interval of a bot is symmetric."""
_STEP = 0.75
"""Of a win: wins come in steps, and with this Wilson's interval of few of them is about the exact one."""
_RAREST = 1e-5
"""The least share of comparisons that an interval allows for: a bot that always loses may be weaker by any amount."""


class Shares(NamedTuple):
    """The shares of comparisons that bots won."""

    won: Floats
    fitted: Floats
    """What the fit expects of them."""
    slopes: Floats
    """How the expected shares grow with the bots' strengths as shown."""

    def of(self, bots: Sequence[int]) -> Shares:
        """Those of some of the bots, by index."""
        return Shares(self.won[bots], self.fitted[bots], self.slopes[bots])

    def ends(self, bot: int, half: float, quantile: float) -> tuple[float, float]:
        """How far below and above the strength the interval ends: `half`, or farther where wins or losses are few.

        There the end is where the bot wins as much as Wilson's interval of its share allows, with as many trials as
        `half` is worth. Its share follows the normal distribution's curve, with the slope that it has by the fit.
        """
        won, share, slope = float(self.won[bot]), float(self.fitted[bot]), max(NEAR, float(self.slopes[bot]))
        trials = max(1.0, share * (1 - share) / (slope * half / quantile) ** 2)
        start, rare = _NORMAL.inv_cdf(min(1 - _RAREST, max(_RAREST, share))), min(won, 1 - won)
        if rare * trials > _FEW:
            return half, half
        least, _ = wilson(max(0.0, rare - _STEP / trials), trials, quantile)
        outer = max(half, _NORMAL.pdf(start) / slope * (-_NORMAL.inv_cdf(max(_RAREST, least)) - abs(start)))
        return (outer, half) if won < 0.5 else (half, outer)


class FittedStrengths(NamedTuple):
    """Fitted strengths with their covariance, in the units in which they are shown."""

    strengths: Floats
    """The middle of the field, `middle`, is `MEAN`."""
    covariance: Floats
    """The covariance of differences to the middle of the field."""
    degrees: Floats
    """Degrees of freedom of each bot's variance, 0 if its blocks don't tell it, and of what two bots share."""
    shares: Shares

    def interval(self, bot: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
        """The interval of a bot's strength; None if its blocks don't tell it.

        Where the bot nearly always wins or loses, it reaches further to that side: a comparison won more or less then
        means a larger difference.
        """
        if self.degrees[bot, bot] < 1:
            return None
        quantile = student_quantile((1 + confidence) / 2, int(self.degrees[bot, bot]))
        half = quantile * sqrt(self.covariance[bot, bot])
        strength = float(self.strengths[bot])
        below, above = self.shares.ends(bot, half, quantile) if half else (0.0, 0.0)
        return strength - below, strength + above

    def of(self, bots: Sequence[int]) -> FittedStrengths:
        """The same for some of the bots, by index."""
        pairs = numpy.ix_(bots, bots)
        shares = self.shares.of(bots)
        return FittedStrengths(self.strengths[bots], self.covariance[pairs], self.degrees[pairs], shares)

    def reach(self, confidence: float) -> Floats:
        """How far down the interval of each bot's difference to each other reaches; infinite if unknown.

        Up it reaches as far as that of the reverse does down: farther where the interval of one of them does.
        """
        variance = numpy.diag(self.covariance)
        errors = numpy.sqrt(numpy.maximum(0, variance[:, None] + variance - 2 * self.covariance))
        below, above = self._stretch(confidence)
        quantiles = _quantiles(self._degrees_of_differences(), confidence) * numpy.maximum(below[:, None], above)
        found: Floats = numpy.multiply(errors, quantiles, out=numpy.zeros_like(errors), where=errors > 0)
        return found

    def _stretch(self, confidence: float) -> Floats:
        """How many times as far as a symmetric one the interval of each bot reaches down, and up."""
        found: Floats = numpy.ones((2, len(self.strengths)))
        own = numpy.diag(self.degrees)
        errors, quantiles = numpy.sqrt(numpy.diag(self.covariance)), _quantiles(own, confidence)
        for bot in numpy.flatnonzero((own >= 1) & (errors > 0)).tolist():
            half = quantiles[bot] * errors[bot]
            found[:, bot] = numpy.array(self.shares.ends(bot, half, quantiles[bot])) / half
        return found

    def _degrees_of_differences(self) -> Floats:
        """The degrees of freedom of Welch and Satterthwaite, but no more than the blocks of both have together."""
        variance, own = numpy.diag(self.covariance), numpy.diag(self.degrees)
        parts = variance**2 / numpy.maximum(own, NEAR)  # without any degree of freedom the difference has none
        welch = (variance[:, None] + variance) ** 2 / numpy.maximum(parts[:, None] + parts, _LEAST_PART)
        found: Floats = numpy.minimum(welch, own[:, None] + own - self.degrees)
        return found


class _Sums:
    """The comparisons of a field of bots."""

    def __init__(self, bots: int, sums: PairSums) -> None:
        self.bots = bots
        self._loose, self._seats = sums.loose, Seats(sums.loose)
        _, own, rival, met, ahead = sums.comparisons()
        self.met = self._square(own, rival, met)
        """How often two bots were compared."""
        self.won: Floats = numpy.bincount(own, ahead, bots) / AHEAD
        pairs = sums.totals.own, sums.totals.rival
        self.covariance = self._square(*pairs, sums.totals.spread)
        """The covariance of `won`, without that of loose blocks until the fit is known."""
        loose = self._square(sums.loose.own, sums.loose.rival, numpy.ones_like(sums.loose.met))
        loose += numpy.diag(numpy.bincount(self._seats.own, minlength=bots))
        self.degrees = self._square(*pairs, sums.totals.blocks - sums.totals.strata) + numpy.maximum(0, loose - 1)
        """Degrees of freedom of the variance of each bot, and of that which two share: blocks less strata."""

    def add_loose(self, expected: Floats) -> None:
        """Add the covariance of loose blocks: that of their residuals, corrected for their leverage on the fit."""
        rows, seats = self._loose, self._seats
        residuals = seats.sums(rows.ahead / AHEAD - rows.met * expected[rows.own, rows.rival])
        leverage = seats.sums(rows.met) / numpy.maximum(1, self.met.sum(axis=1)[seats.own])
        residuals /= numpy.sqrt(numpy.maximum(_LEAST_RESIDUAL, 1 - leverage))
        self.covariance += self._square(rows.own, rows.rival, residuals[seats.of_row] * residuals[seats.of_rival])
        self.covariance += numpy.diag(numpy.bincount(seats.own, residuals * residuals, self.bots))

    def _square(self, own: Ints, rival: Ints, values: Ints | Floats) -> Floats:
        """The sums of the values by bot and rival."""
        sums = numpy.bincount(own * self.bots + rival, values, self.bots**2)
        return sums.astype(numpy.float64, copy=False).reshape(self.bots, self.bots)


def fit(bots: int, comparisons: PairSums) -> FittedStrengths:
    """Fit the strengths of bots numbered from 0."""
    sums = _Sums(bots, comparisons)
    identity = numpy.eye(bots)
    weak = Prior(_PRIOR_PRECISION * identity, _PRIOR_VARIANCE * identity)
    offsets = solve(sums.won, sums.met, weak.precision, numpy.zeros(bots))
    expected = normal_probability(offsets[:, None] - offsets)
    sums.add_loose(expected)
    sums.covariance += numpy.diag(_least_variance(sums, expected))
    lacking, priors = lacking_meetings(sums.met, equal_meetings(comparisons, bots)), [(1.0, weak)]
    if lacking.any():
        tied = field_priors(sums.won, sums.met, sums.covariance, offsets, lacking)
        priors = [(weight, Prior(*map(numpy.add, weak, prior))) for weight, prior in tied]
    return _mixture(sums, [(weight, *_fit_with(prior, sums, offsets)) for weight, prior in priors])


def _mixture(sums: _Sums, fits: Sequence[tuple[float, Floats, Floats]]) -> FittedStrengths:
    """The strengths by several fits: their weights, offsets and covariances."""
    offsets, errors = numpy.zeros(sums.bots), numpy.zeros_like(sums.met)
    for weight, each, _ in fits:
        offsets += weight * each
    for weight, each, covariance in fits:
        errors += weight * (covariance + numpy.outer(each - offsets, each - offsets))
    center, weights = middle(offsets)
    offsets -= center
    met = numpy.maximum(1, sums.met.sum(axis=1))
    growth = numpy.diag(slopes(sums.met, offsets)) / met / (_UNIT * numpy.maximum(NEAR, 1 - weights))
    shares = Shares(sums.won / met, expected_wins(sums.met, offsets) / met, growth)
    return FittedStrengths(MEAN + _UNIT * offsets, _UNIT**2 * errors, sums.degrees, shares)


def _fit_with(prior: Prior, sums: _Sums, start: Floats) -> tuple[Floats, Floats]:
    """The offsets from the middle of the field, and their covariance."""
    offsets = solve(sums.won, sums.met, prior.precision, start)
    inverse = numpy.linalg.inv(slopes(sums.met, offsets) + prior.precision)
    center, weights = middle(offsets)
    inverse -= weights @ inverse
    return offsets - center, inverse @ (sums.covariance + prior.variance) @ inverse.T


def middle(offsets: Floats) -> tuple[float, Floats]:
    """The mean of a field, with bots farther than `_FAR` from its median as if they were there.

    Also how it moves with each of them.
    """
    bots = len(offsets)
    if not bots:
        return 0.0, offsets
    order = numpy.argsort(offsets, kind="stable")
    between = order[[(bots - 1) // 2, bots // 2]]  # the same one twice if their number is odd
    median = float(offsets[between].sum()) / 2
    near = numpy.abs(offsets - median) <= _FAR
    weights = near / bots
    for place in between:
        weights[place] += (1 - near.mean()) / 2
    return float(numpy.clip(offsets, median - _FAR, median + _FAR).mean()), weights


def _least_variance(sums: _Sums, expected: Floats) -> Floats:
    """What variances lack to half a comparison's where all blocks are alike, as those of a bot that always loses."""
    chance = (sums.met * expected * (1 - expected)).sum(axis=1)
    lacking: Floats = numpy.maximum(0, chance / (2 * chance + 1) - numpy.diag(sums.covariance))
    return lacking


def _quantiles(degrees: Floats, confidence: float) -> Floats:
    found, place = numpy.unique(numpy.floor(degrees + NEAR), return_inverse=True)
    known = [student_quantile((1 + confidence) / 2, int(one)) if one >= 1 else numpy.inf for one in found]
    return numpy.array(known)[place].reshape(degrees.shape)
