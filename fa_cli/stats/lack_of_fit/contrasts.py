"""Whether any of many contrasts differs from 0: their largest and the sum of their squares, by drawn null results."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..distributions import student_p
from ..strength.pair_sums import Floats

_LEAST_DRAWS, _MOST_DRAWS, _MOST_FIGURES = 1_000, 8_000, 1_200_000
_NEAR = 1e-6
"""A smaller part of an error is nothing but rounding, of the roots of eigenvalues too."""
_NUISANCE = 1.0
"""What a nuisance may add in a direction and stay, in standard errors."""


class Found(NamedTuple):
    """What a test of contrasts says."""

    p: float
    standardised: Floats
    """The contrasts in standard errors; 0 for those that games cannot tell."""


def cleared(values: Floats, root: Floats, nuisance: Floats) -> tuple[Floats, Floats]:
    """The values and their root without what the nuisance may add: a column for each of its parts, of one spread.

    Only directions in which it may move the values by more than their errors are cleared: others cost only power.
    """
    errors = numpy.sqrt((root**2).sum(axis=1))
    known = errors > _NEAR * max(1.0, float(errors.max(initial=0.0)))
    weights = numpy.divide(1, errors, out=numpy.zeros_like(errors), where=known)
    directions, sizes, _ = numpy.linalg.svd(weights[:, None] * nuisance, full_matrices=False)
    directions = directions[:, sizes > _NUISANCE]
    back, forth = errors[:, None] * directions, directions.T * weights
    left = root - back @ (forth @ root)
    is_left = numpy.sqrt((left**2).sum(axis=1)) > _NEAR * errors
    return numpy.where(is_left, values - back @ (forth @ values), 0), left * is_left[:, None]


def judge_contrasts(values: Floats, root: Floats, degrees: float) -> Found:
    """Test contrasts with the covariance `root @ root.T`, estimated with so many degrees of freedom.

    The p-value is that of the smaller of two: of the largest contrast and of the sum of squares. Both are compared with
    the same for draws from a normal distribution, whose seed is fixed.
    """
    errors = numpy.sqrt((root**2).sum(axis=1))
    known = errors > _NEAR * max(1.0, float(errors.max(initial=0.0)))
    standardised = numpy.divide(values, errors, out=numpy.zeros_like(values), where=known)
    if not known.any():
        return Found(1.0, standardised)
    if known.sum() == 1:
        return Found(student_p(float(standardised[known][0]), degrees), standardised)
    count = max(_LEAST_DRAWS, min(_MOST_DRAWS, _MOST_FIGURES // int(known.sum())))
    scaled = (root[known] / errors[known][:, None]).astype(numpy.float32)
    normal, scale = _draws(count, scaled.shape[1], max(1, int(degrees)))
    drawn = (normal @ scaled.T) ** 2
    observed = standardised[known] ** 2
    largest = _tails(drawn.max(axis=1) * scale, float(observed.max()))
    squares = _tails(drawn.sum(axis=1) * scale, float(observed.sum()))
    least = numpy.minimum(largest[:-1], squares[:-1])
    return Found(float((1 + (least <= min(largest[-1], squares[-1])).sum()) / (1 + count)), standardised)


@functools.lru_cache(maxsize=4)
def _draws(count: int, size: int, degrees: int) -> tuple[NDArray[numpy.float32], Floats]:
    """Normal figures, and the factors that make their squares those of Student's distribution."""
    draw = numpy.random.default_rng(size)
    scale = degrees / draw.chisquare(degrees, count)
    return draw.standard_normal((count, size), dtype=numpy.float32), scale


def _tails(drawn: Floats, observed: float) -> Floats:
    """The share of drawn figures that are at least as large as each of them, and at the end as the observed one."""
    above = numpy.searchsorted(numpy.sort(drawn), numpy.append(drawn, observed))
    found: Floats = 1 - above / len(drawn)
    return found
