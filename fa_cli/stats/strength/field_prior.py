"""A prior for bots that met much less often than others, as where results decide who meets whom.

In a ladder or a swiss bots meet that did equally well before. A bot that was lucky then meets others that were lucky,
and hardly ever those that were not: luck lasts, and the games that would put it right are not played. So differences
come out too large, and the spread between blocks does not show by how much. But the likelihood of the results does not
depend on why two bots met, and so a posterior does not either (Rubin, *Inference and missing data*, 1976). The prior:
strengths of a field are normal, with a spread that follows from its results. It ties two bots as far as they lack
meetings to four fifths of what others of their tournaments had. Where all meet about equally often there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, inf, log
from typing import NamedTuple

import numpy

from ..outcomes import add_up
from .equations import log_likelihood, slopes, solve
from .pair_sums import Floats, PairSums

SPREADS = [4.0 * 0.72**step for step in range(16)]
"""The spreads of a field that are weighed, in units of a difference: from 24 down to 0.2 as shown."""
_ENOUGH = 0.8
"""Schedules that do not look at results let some bots meet a little less often than others, too."""
_HOPELESS = 7.0
"""A spread with a weight so much below the largest, as logarithms, does not count, nor do smaller ones."""


class Prior(NamedTuple):
    """A normal prior of offsets, bots by bots."""

    precision: Floats
    """In comparisons won per unit."""
    variance: Floats
    """The variance that it adds to that of comparisons won."""


def equal_meetings(sums: PairSums, bots: int) -> Floats:
    """How often any two bots would have met if all bots of a tournament had met equally often; 0 if they share none."""
    tournament, own, _, compared, _ = sums.comparisons()
    plays = numpy.zeros((int(tournament.max(initial=-1)) + 1, bots))
    plays[tournament, own] = 1
    met = numpy.bincount(tournament, compared)
    count = plays.sum(axis=1)
    each = met / numpy.maximum(1, count * (count - 1))
    expected: Floats = (plays.T * each) @ plays
    return expected


def lacking_meetings(met: Floats, equal: Floats) -> Floats:
    """What two bots lack to `_ENOUGH` of the meetings that others had: from 0 for nothing to 1 if they never met."""
    lacking: Floats = 1 - numpy.divide(met, _ENOUGH * equal, out=numpy.ones_like(met), where=equal > 0)
    numpy.fill_diagonal(lacking, 0)
    return lacking.clip(0)


def field_priors(
    won: Floats, met: Floats, covariance: Floats, offsets: Floats, lacking: Floats
) -> list[tuple[float, Prior]]:
    """Priors with their weights, which add up to 1: one for each spread that the field may have.

    `covariance` is that of `won`, `offsets` those of a fit without such a prior.
    """
    ties = (numpy.diag(lacking.sum(axis=1)) - lacking) / len(won)
    dispersion = float(numpy.trace(covariance) / numpy.trace(slopes(met, offsets)))
    found = dict(_log_weights(won, met, dispersion, offsets))
    best = max(found.values())
    weights = {spread: exp(weight - best) for spread, weight in found.items() if weight > best - _HOPELESS}
    total = add_up(weights.values())
    return [
        (weight / total, Prior(dispersion / spread**2 * ties, (dispersion / spread) ** 2 * ties))
        for spread, weight in weights.items()
    ]


def _log_weights(won: Floats, met: Floats, dispersion: float, offsets: Floats) -> Iterator[tuple[float, float]]:
    """The spreads that the field may have, each with the logarithm of its weight.

    That is the posterior by Laplace's method, with all spreads equally likely beforehand. The quasi-likelihood is
    divided by the dispersion of comparisons, which come in blocks.
    """
    best, identity = -inf, numpy.eye(len(won))
    for spread in SPREADS:
        precision = dispersion / spread**2
        offsets = solve(won, met, precision * identity, offsets)
        fits = log_likelihood(won, met, offsets) / dispersion - float(offsets @ offsets) / (2 * spread**2)
        _, determinant = numpy.linalg.slogdet(slopes(met, offsets) / precision + identity)
        weight = fits - float(determinant) / 2 + log(spread)  # as neighbours differ by a factor
        yield spread, weight
        best = max(best, weight)
        if weight < best - _HOPELESS:
            return
