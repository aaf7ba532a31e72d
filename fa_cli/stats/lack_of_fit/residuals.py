"""What bots did beyond what their strengths expect, by pair, with the covariance of these residuals."""

from __future__ import annotations

from math import pi, sqrt
from typing import NamedTuple

import numpy

from ..distributions import normal_probability
from ..strength.pair_sums import AHEAD, Floats, Ints, runs, starts_of, summed
from ..strength.scale import BETA, MEAN
from .fit_sums import FitSums

_OWN_VARIANCE = 20
"""After so many blocks of a pair its own variance counts as much as what all pairs have in common."""
_ENOUGH = 20
"""With fewer degrees of freedom within pairs the spread is that around the fit, which includes any misfit."""
_MOST_SHARED = 0.45
"""Two comparisons of one bot are correlated by less than 1/2: no circle has a negative variance."""


class Field:
    """Bots with fitted strengths, and their pairs in order: of two bots the first has the smaller number."""

    def __init__(self, strengths: Floats) -> None:
        self.bots = len(strengths)
        self.own, self.rival = numpy.triu_indices(self.bots, 1)
        offsets = (strengths - MEAN) / (sqrt(2) * BETA)
        difference = offsets[:, None] - offsets
        self.expected: Floats = normal_probability(difference)
        """The chance of each bot against each other."""
        self.density: Floats = numpy.exp(-(difference[self.own, self.rival] ** 2) / 2) / sqrt(2 * pi)
        """How fast that of each pair grows with the difference."""
        self.sides: Floats = numpy.zeros((len(self.own), self.bots))
        """Of each pair 1 for the first bot and -1 for the second."""
        places = numpy.arange(len(self.own))
        self.sides[places, self.own], self.sides[places, self.rival] = 1, -1

    def place(self, own: Ints, rival: Ints) -> Ints:
        """The number of each pair."""
        found: Ints = own * (2 * self.bots - own - 1) // 2 + rival - own - 1
        return found


class Residuals(NamedTuple):
    """Comparisons won less those expected, by pair, of the games of a part."""

    values: Floats
    covariance: Floats
    slopes: Floats
    """How fast expected comparisons grow with the difference of a pair."""
    degrees: float
    """Degrees of freedom of the covariance."""


def residuals(field: Field, sums: FitSums, players: int) -> tuple[Residuals, Residuals]:
    """The residuals of games with so many seats: those of the earlier and of the later half."""
    pair = sums.own < sums.rival
    pairs, itself = (FitSums(*(column[chosen] for column in sums)) for chosen in (pair, ~pair))
    place = field.place(pairs.own, pairs.rival)
    count = len(field.own)
    columns = (pairs.blocks, pairs.met, pairs.late_blocks, pairs.late_met)
    blocks, met, late, late_met = (numpy.bincount(place, column, count).astype(numpy.float64) for column in columns)
    expected = field.expected[field.own, field.rival]
    won, late_won = (numpy.bincount(place, column, count) / AHEAD for column in (pairs.ahead, pairs.late_ahead))
    total: Floats = won - expected * met
    later: Floats = late_won - expected * late_met
    squares: Floats = numpy.bincount(place, _squares(pairs, expected[place]), count).astype(numpy.float64)
    variance, degrees = _variance(total, squares, blocks, met * expected * (1 - expected), field.bots, players)
    share = _shared(pairs, itself, field, float(squares.sum()), players)
    covariance = _covariance(field, pairs, place, variance, share)
    part = numpy.sqrt(late / numpy.maximum(1, blocks)), numpy.sqrt(1 - late / numpy.maximum(1, blocks))
    halves = [covariance * one[:, None] * one for one in part]
    slopes = field.density * met, field.density * late_met
    earlier = Residuals(total - later, halves[1], slopes[0] - slopes[1], degrees / 2)
    return earlier, Residuals(later, halves[0], slopes[1], degrees / 2)


def _squares(sums: FitSums, expected: Floats) -> Floats:
    """The sum over blocks of squared residuals, of each row."""
    found: Floats = sums.ahead_ahead / AHEAD**2 - expected * (sums.ahead_met / (AHEAD / 2)) + expected**2 * sums.met_met
    return found


def _variance(
    total: Floats, squares: Floats, blocks: Floats, chance: Floats, bots: int, players: int
) -> tuple[Floats, float]:
    """The variance of a block's residual for each pair, drawn to what all pairs have in common; degrees of freedom.

    It is the spread around the pair's own mean, so that a misfit does not hide itself, unless pairs have few blocks.
    """
    known = numpy.maximum(1, blocks)
    within, freedom = squares - total**2 / known, numpy.maximum(0, blocks - 1)
    rows = float(freedom.sum())
    degrees = rows * 2 / players  # the comparisons of a block with n seats tell of n - 1 seats
    if degrees < _ENOUGH:
        left = max(0.1, 1 - (bots - 1) * players / 2 / max(1.0, float(blocks.sum())))
        within, freedom = squares, blocks * left
        degrees = float(freedom.sum()) * 2 / players
    ratio = float(within.sum()) / max(1e-9, float((chance / known * freedom).sum()))
    return (_OWN_VARIANCE * ratio * chance / known + within) / (_OWN_VARIANCE + freedom), degrees


def _shared(pairs: FitSums, itself: FitSums, field: Field, squares: float, players: int) -> float:
    """The correlation of a bot's comparisons with two rivals in one block."""
    if players < 3 or squares <= 0:
        return 0.0
    both = numpy.concatenate([pairs.stratum, pairs.stratum]), numpy.concatenate([pairs.own, pairs.rival])
    chance = field.expected[pairs.own, pairs.rival]
    met = numpy.concatenate([pairs.met, pairs.met])
    expects = numpy.concatenate([pairs.met * chance, pairs.met * (1 - chance)])
    order = numpy.lexsort(both[::-1])
    starts = starts_of(runs(*(column[order] for column in both)))
    of_all, expected = summed([met[order], expects[order]], starts)
    own = float(_squares(itself, expected / of_all).sum())
    return float(numpy.clip((own / (2 * squares) - 1) / (players - 2), -0.2, _MOST_SHARED))


def _covariance(field: Field, pairs: FitSums, place: Ints, variance: Floats, share: float) -> Floats:
    """The covariance of the pairs' residuals, from their variance and how often both pairs of two were in a block."""
    together = numpy.zeros((len(field.own), len(field.own)))
    starts = starts_of(runs(pairs.stratum))
    sizes = numpy.diff(starts, append=len(place))
    for size in numpy.unique(sizes).tolist():
        rows = place[starts[sizes == size][:, None] + numpy.arange(size)]
        blocks = pairs.blocks[starts[sizes == size]][:, None, None]
        numpy.add.at(together, (rows[:, :, None], rows[:, None, :]), blocks)
    signs = field.sides @ field.sides.T
    numpy.fill_diagonal(signs, 1 / share if share else 1.0)
    deviation = numpy.sqrt(variance)
    found: Floats = together * signs * (share or 1.0) * deviation[:, None] * deviation
    return found if share else numpy.diag(numpy.diag(found))
