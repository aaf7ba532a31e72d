"""What bots did beyond what their strengths expect, by pair, with the covariance of these residuals."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from math import pi, sqrt
from typing import NamedTuple

import numpy

from ..distributions import normal_probability, student_p
from ..strength.pair_sums import AHEAD, Floats, Ints
from ..strength.scale import BETA, MEAN
from .fit_sums import FitSums, PairFits, SharedBlocks, joined

_OWN_VARIANCE = 20
"""After so many blocks of a pair its own variance counts as much as what all pairs have in common."""
_ENOUGH = 20
"""With fewer degrees of freedom within pairs the spread is that around the fit, which includes any misfit."""
_MOST_SHARED = 0.45
"""Two comparisons of one bot are correlated by less than 1/2: no circle has a negative variance."""
_CURVE = 0.5
"""The spread of the coefficients by which chances may follow another curve than the normal one."""
_POWERS = (1, 3, 5)
"""The powers of a lead, from -1 to 1, that make up such a curve."""
_STEADY = 0.1
"""The spread of the part of its lead by which a bot whose luck is larger or smaller may miss its chances."""
_SURE = 0.05
"""The error rate at which a bot of a circle is ahead of the next."""
_SLIGHT = 0.01
"""How far the lead of one bot of a pair may be from that of strengths and still fit, in parts of it."""


class Field:
    """Bots with fitted strengths, and their pairs in order: of two bots the first has the smaller number."""

    def __init__(self, strengths: Floats) -> None:
        self.bots = len(strengths)
        self.own, self.rival = numpy.triu_indices(self.bots, 1)
        offsets = (strengths - MEAN) / (sqrt(2) * BETA)
        self.lead: Floats = offsets[:, None] - offsets
        self.expected: Floats = normal_probability(self.lead)
        """The chance of each bot against each other."""
        self.density: Floats = numpy.exp(-(self.lead[self.own, self.rival] ** 2) / 2) / sqrt(2 * pi)
        """How fast that of each pair grows with the difference."""
        self.sides: Floats = numpy.zeros((len(self.own), self.bots))
        """Of each pair 1 for the first bot and -1 for the second."""
        places = numpy.arange(len(self.own))
        self.sides[places, self.own], self.sides[places, self.rival] = 1, -1
        margin = 2 * self.expected[self.own, self.rival, None] - 1
        self.slight: Floats = _SLIGHT * margin[:, 0]
        """How far the chance of each pair may be off in any way."""
        self.curves: Floats = _CURVE * numpy.hstack([margin**power for power in _POWERS])
        """How the chance of each pair may be off by another curve: a row for each pair, one spread a column."""
        self.tolerated: Floats = numpy.hstack([self.curves, _STEADY * margin * numpy.abs(self.sides)])
        """The same, and how it may be off by luck that is not the same for all bots: a column for each bot."""

    def likeness(self, own: Ints, first: Ints, second: Ints) -> Floats:
        """The correlation of a bot's comparisons with two rivals in a game, if their luck is alike.

        A series of the normal distribution of two leads, with a correlation of 1/2, up to its third power.
        """
        lead, other = self.lead[own, first], self.lead[own, second]
        chance, rest = self.expected[own, first], self.expected[own, second]
        series = 1 / 2 + lead * other / 8 + (lead**2 - 1) * (other**2 - 1) / 48
        both = numpy.exp(-(lead**2 + other**2) / 2) / (2 * pi)
        variance = numpy.maximum(1e-24, chance * (1 - chance) * rest * (1 - rest))  # of a bot that is beyond reach
        found: Floats = series * both / numpy.sqrt(variance)
        return found

    def place(self, own: Ints, rival: Ints) -> Ints:
        """The number of each pair."""
        found: Ints = own * (2 * self.bots - own - 1) // 2 + rival - own - 1
        return found

    def places(self, own: Ints, rival: Ints) -> tuple[Ints, Ints]:
        """The numbers of pairs in any order, and 1 for those in order, else -1."""
        return self.place(numpy.minimum(own, rival), numpy.maximum(own, rival)), numpy.where(own < rival, 1, -1)


class Residuals(NamedTuple):
    """Comparisons won less those expected, by pair, of the games of a part."""

    values: Floats
    covariance: Floats
    won: Floats
    """Comparisons won by the first bot of each pair."""
    met: Floats
    slopes: Floats
    """How fast expected comparisons grow with the difference of a pair."""
    degrees: float
    """Degrees of freedom of the covariance."""

    def tolerant(self, field: Field) -> Floats:
        """The covariance, with that of chances that are off by so little that it does not matter."""
        found: Floats = self.covariance + numpy.diag((field.slight * self.met) ** 2)
        return found

    def is_ahead(self, pair: int, sign: int) -> bool:
        """Whether the first bot of the pair (sign 1), or the second (-1), is surely ahead of the other."""
        lead, error = sign * (self.won[pair] - self.met[pair] / 2), sqrt(self.covariance[pair, pair])
        return lead > 0 and student_p(lead / error, self.degrees) < 2 * _SURE if error else False


def added(parts: Sequence[Residuals]) -> Residuals:
    """The residuals of several parts together."""
    columns = zip(*parts, strict=True)
    return Residuals(*(functools.reduce(operator.add, column) for column in columns))


def residuals(field: Field, early: FitSums, late: FitSums, players: int) -> tuple[Residuals, Residuals]:
    """The residuals of games with so many seats: those of the earlier and of the later half."""
    pairs, shared = joined([early, late])
    place = field.place(pairs.own, pairs.rival)
    expected = field.expected[pairs.own, pairs.rival]
    squares = pairs.ahead_ahead / AHEAD**2 - expected * (pairs.ahead_met / (AHEAD / 2)) + expected**2 * pairs.met_met
    total = pairs.ahead / AHEAD - expected * pairs.met
    chance = pairs.met * expected * (1 - expected)
    variance, degrees = _variance(total, squares, pairs.blocks.astype(numpy.float64), chance, field.bots, players)
    covariance, repeats = _covariance(field, place, variance, pairs.blocks, shared)
    blocks = numpy.bincount(place, pairs.blocks, len(field.own)).astype(numpy.float64)
    halves = [_half(field, half.pairs, covariance, blocks, degrees / repeats / 2) for half in (early, late)]
    return halves[0], halves[1]


def _half(field: Field, pairs: PairFits, covariance: Floats, blocks: Floats, degrees: float) -> Residuals:
    """The residuals of half of the blocks, given the covariance of those of all."""
    place, count = field.place(pairs.own, pairs.rival), len(field.own)
    met, won, own_blocks = (
        numpy.bincount(place, column, count).astype(numpy.float64) for column in (pairs.met, pairs.ahead, pairs.blocks)
    )
    part = numpy.sqrt(own_blocks / numpy.maximum(1, blocks))
    won /= AHEAD
    values: Floats = won - field.expected[field.own, field.rival] * met
    return Residuals(values, covariance * part[:, None] * part, won, met, field.density * met, degrees)


def _variance(
    total: Floats, squares: Floats, blocks: Floats, chance: Floats, bots: int, players: int
) -> tuple[Floats, float]:
    """The variance of a block's residual for each pair, drawn to what all pairs have in common; its degrees of freedom.

    It is the spread around the pair's own mean, so that a misfit does not hide itself, unless pairs have few blocks.
    """
    known = numpy.maximum(1, blocks)
    within, freedom = numpy.maximum(0, squares - total**2 / known), numpy.maximum(0, blocks - 1)  # but for rounding
    if freedom.sum() * 2 / players < _ENOUGH:  # the comparisons of a block with n seats tell of n - 1 seats
        left = max(0.1, 1 - (bots - 1) * players / 2 / max(1.0, float(blocks.sum())))
        within, freedom = numpy.maximum(0, squares), blocks * left
    ratio = float(within.sum()) / max(1e-9, float((chance / known * freedom).sum()))
    return (_OWN_VARIANCE * ratio * chance / known + within) / (_OWN_VARIANCE + freedom), float(freedom.sum())


def _covariance(
    field: Field, place: Ints, variance: Floats, blocks: Ints, shared: SharedBlocks
) -> tuple[Floats, float]:
    """The covariance of the pairs' residuals, those of two rivals of one bot too; what degrees of freedom it divides.

    By Satterthwaite's rule these are fewer, as the squares of the comparisons in one block go together.
    """
    found = numpy.zeros((len(field.own), len(field.own)))
    deviation = numpy.zeros(len(field.own))
    deviation[place] = numpy.sqrt(variance)
    found[place, place] = blocks * variance
    (left, one), (right, other) = (field.places(shared.own, rival) for rival in (shared.first, shared.second))
    likeness, spread = field.likeness(*shared[:3]), shared.blocks * deviation[left] * deviation[right]
    first, second = field.expected[shared.own, shared.first], field.expected[shared.own, shared.second]
    products = shared.ahead_ahead / AHEAD**2 + first * second * shared.met_met
    products -= (second * shared.ahead_met + first * shared.met_ahead) / AHEAD
    factor = float(products.sum()) / max(1e-9, float((likeness * spread).sum()))
    correlation = numpy.clip(factor * likeness, -0.2, _MOST_SHARED)
    found[left, right] = found[right, left] = one * other * spread * correlation
    return found, 1 + 2 * float((shared.blocks * correlation**2).sum()) / max(1, int(blocks.sum()))
