"""The equations of a fit: what bots won is what their strengths make one expect, less the pull of a prior.

Offsets are strengths from the middle of the field, in units of the difference of two performances.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy

from ..distributions import normal_probability
from .pair_sums import Floats

NEAR = 1e-12
_ENOUGH = 1e-7
"""Newton's method squares the error at each step: after a step this long it is that of rounding."""
_STEPS, _LONGEST = 100, 2.0


def solve(won: Floats, met: Floats, precision: Floats, start: Floats) -> Floats:
    """The offsets, by Newton's method: comparisons won, less those expected, are `precision` times the offsets.

    `met` and `precision` have a row and a column for each bot.
    """
    offsets = start
    for _ in range(_STEPS):
        missing = won - expected_wins(met, offsets) - precision @ offsets
        step = numpy.linalg.solve(slopes(met, offsets) + precision, missing)
        largest = float(numpy.abs(step).max(initial=0.0))
        offsets = offsets + step * min(1.0, _LONGEST / max(largest, _LONGEST))
        if largest < _ENOUGH:
            break
    return offsets


def expected_wins(met: Floats, offsets: Floats) -> Floats:
    """The comparisons that each bot is expected to win."""
    found: Floats = (met * normal_probability(offsets[:, None] - offsets, met > 0)).sum(axis=1)
    return found


def slopes(met: Floats, offsets: Floats) -> Floats:
    """How the comparisons that a bot is expected to win grow with the offset of each bot."""
    density = met * _density(offsets[:, None] - offsets)
    found: Floats = -density
    found.flat[:: len(offsets) + 1] += density.sum(axis=1)
    return found


def log_likelihood(won: Floats, met: Floats, offsets: Floats) -> float:
    """The quasi-likelihood of which the equations are the derivative (Wedderburn, 1974), for a dispersion of 1."""
    ahead = offsets[:, None] - offsets
    chances = ahead * normal_probability(ahead, met > 0) + _density(ahead) + offsets
    return float(won @ offsets - (met * chances).sum() / 2)


def _density(ahead: Floats) -> Floats:
    density: Floats = numpy.exp(-(ahead**2) / 2) / sqrt(2 * pi)
    return density
