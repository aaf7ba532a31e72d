"""Probabilities and quantiles of the normal, Student's and Fisher's distributions.

SciPy has them too, but importing it takes longer than most commands; the tests compare with it.
"""

from __future__ import annotations

import functools
import itertools
from math import erfc, exp, inf, lgamma, log, log1p, nan, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import bool_, float64
    from numpy.typing import NDArray

_SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
"""Stirling's series for the logarithm of the gamma function: exact to the last digit from `_LARGE` on."""
_LARGE = 15.0
_NEAR = 1e-15
_ENOUGH = 1e-8
"""Newton's method squares the error at each step: after a step this long it is that of rounding."""
_STEPS = 100


@functools.lru_cache(maxsize=1 << 12)
def student_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t distribution with `freedom` degrees of freedom; NaN unless that is positive."""
    if not (freedom > 0 and 0 <= probability <= 1):
        return nan
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    if probability == 0.5:
        return 0.0
    return _upper_quantile(1 - probability, freedom)


def _upper_quantile(tail: float, freedom: float) -> float:
    """The value that is exceeded with the probability `tail`, which is less than a half.

    By Newton's method: the logarithm of the tail is a concave function of that of the value, so it cannot diverge.
    """
    if tail == 0:
        return inf
    value, density = NormalDist().inv_cdf(1 - tail), _student_density(freedom)
    for _ in range(_STEPS):
        found = student_tail(value, freedom)
        slope = value * exp(density - (freedom + 1) / 2 * log1p(value * value / freedom))
        step = log(found / tail) * found / slope
        value *= exp(step)
        if abs(step) < _ENOUGH:
            break
    return value


def _student_density(freedom: float) -> float:
    """The logarithm of the density of Student's distribution at 0."""
    return _gamma_ratio(freedom / 2, 0.5) - log(freedom * pi) / 2


def student_tail(value: float, freedom: float) -> float:
    """How likely Student's distribution exceeds a value that is not negative."""
    square = value * value
    return _beta_share(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square)) / 2


def student_p(statistic: float, freedom: float) -> float:
    """The two-sided p-value of a t statistic; 1 for fewer than one degree of freedom."""
    return 1.0 if freedom < 1 else 2 * student_tail(abs(statistic), freedom)


def fisher_p(statistic: float, numerator: int, denominator: int) -> float:
    """The p-value of an F statistic with these degrees of freedom."""
    whole = denominator + numerator * statistic
    return _beta_share(denominator / 2, numerator / 2, denominator / whole, numerator * statistic / whole)


def normal_probability(values: NDArray[float64], where: NDArray[bool_] | None = None) -> NDArray[float64]:
    """How likely a standard normal figure is below each of the values. Elsewhere than `where` it says 0."""
    import numpy

    asked = numpy.ones(values.shape, bool) if where is None else where
    flat = (values[asked] / -sqrt(2)).tolist()
    found = numpy.zeros(values.shape)
    found[asked] = numpy.fromiter(map(erfc, flat), float, len(flat)) / 2
    return found


def _beta_share(a: float, b: float, share: float, rest: float) -> float:
    """The regularized incomplete beta function of `share` with parameters `a` and `b`; `rest` is 1 - share."""
    if share <= 0 or rest <= 0:
        return 0.0 if share <= 0 else 1.0
    if share > (a + 1) / (a + b + 2):
        return 1 - _beta_share(b, a, rest, share)
    return exp(a * _log(share, rest) + b * _log(rest, share) - _log_beta(a, b)) / a / _continued_fraction(a, b, share)


def _log(share: float, rest: float) -> float:
    """The logarithm of `share`, exact near 1 too."""
    return log(share) if share < 0.5 else log1p(-rest)


def _log_beta(a: float, b: float) -> float:
    """The logarithm of the beta function."""
    return lgamma(min(a, b)) - _gamma_ratio(max(a, b), min(a, b))


def _gamma_ratio(x: float, more: float) -> float:
    """The logarithm of gamma(x + more) / gamma(x), exact for large x too."""
    if x < _LARGE:
        return lgamma(x + more) - lgamma(x)
    return (x - 0.5) * log1p(more / x) + more * (log(x + more) - 1) + _stirling(x + more) - _stirling(x)


def _stirling(x: float) -> float:
    found = 0.0
    for factor in reversed(_SERIES):
        found = found / (x * x) + factor
    return found / x


def _continued_fraction(a: float, b: float, share: float) -> float:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    value, above, below = 1.0, 1.0, 0.0
    for step in itertools.count(1):
        half = step // 2
        factor = -(a + half) * (a + b + half) if step % 2 else half * (b - half)
        term = factor * share / ((a + step - 1) * (a + step))
        below = 1 / (1 + term * below)
        above = 1 + term / above
        value *= above * below
        if not abs(above * below - 1) > _NEAR:  # or NaN
            break
    return value
