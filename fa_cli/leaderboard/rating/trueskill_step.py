"""TrueSkill's update after one game between single players, on plain floats.

These are the operations of the package `trueskill` 0.4.5 with its own approximation of the normal distribution, in the
same order, without its objects (Herbrich, Minka and Graepel, 2006, with its factor graph and its schedule). So results
equal the package's to the last bit, whether this module is compiled or not. Where its approximation is too coarse, as
for an upset over hundreds of points, `rate` with `exact` does the same with accurate tails. A normal distribution is
(pi, tau): its precision, and the precision times the mean.
"""

from __future__ import annotations

import math
from typing import Final

from ...stats.strength.scale import BETA, MEAN, PRIOR

MU: Final = MEAN
SIGMA: Final = PRIOR
TAU: Final = SIGMA / 100
DRAW_PROBABILITY: Final = 0.02
"""About the share of ties between random players and between the shipped bots. It is fixed, because a rating must not
depend on how often others tie."""

_ROUNDS: Final = 10
_ENOUGH: Final = 1e-4
"""Messages are repeated until they change by no more than this, at most `_ROUNDS` times."""
_TAIL: Final = 6.0
"""Standard deviations from which Mills' ratio is a continued fraction, and its terms: all digits of a float."""
_TERMS: Final = 60
# Not Final: with a constant exponent a C compiler would multiply, which rounds otherwise than Python's `**`.
_square: float = 2.0
_inverse_square: float = -2.0
_TAU_SQUARED: Final = math.pow(TAU, 2.0)
_BETA_SQUARED: Final = math.pow(BETA, 2.0)
_ROOT_2: Final = math.sqrt(2.0)
_DENSITY: Final = 1 / math.sqrt(2 * math.pi)


class _Chain:
    """The performances of a game's players, the best first, and what comparing neighbours reveals about them."""

    def __init__(self, performances: list[tuple[float, float]], ties: list[bool], exact: bool) -> None:
        """`ties`: whether each player but the last tied with the next one."""
        self._ties = ties
        self._exact = exact
        self.pi = [pi for pi, _ in performances]
        self.tau = [tau for _, tau in performances]
        # The message to the better and to the worse of each two neighbours from their difference.
        self._better_pi, self._better_tau = [0.0] * len(ties), [0.0] * len(ties)
        self._worse_pi, self._worse_tau = [0.0] * len(ties), [0.0] * len(ties)
        # The difference, and the messages to it: from the two performances, and from the result.
        self._gap_pi, self._gap_tau = [0.0] * len(ties), [0.0] * len(ties)
        self._sum_pi, self._sum_tau = [0.0] * len(ties), [0.0] * len(ties)
        self._cut_pi, self._cut_tau = [0.0] * len(ties), [0.0] * len(ties)

    def run(self) -> None:
        """Send messages down and up the ranks until they hardly change."""
        last = len(self._ties) - 1
        for _ in range(_ROUNDS):
            change = self._compare(0) if last == 0 else 0.0
            for pair in range(last):
                change = max(change, self._compare(pair))
                self._tell_worse(pair)
            for pair in range(last, 0, -1):
                change = max(change, self._compare(pair))
                self._tell_better(pair)
            if change <= _ENOUGH:
                break
        self._tell_better(0)
        self._tell_worse(last)

    def _compare(self, pair: int) -> float:
        """Update the difference of two neighbours by their performances and by the result; returns the change."""
        pi, tau = _combined(
            self.pi[pair] - self._better_pi[pair],
            self.tau[pair] - self._better_tau[pair],
            self.pi[pair + 1] - self._worse_pi[pair],
            self.tau[pair + 1] - self._worse_tau[pair],
            -1.0,
        )
        old_pi = self._gap_pi[pair] - self._sum_pi[pair] + pi
        old_tau = self._gap_tau[pair] - self._sum_tau[pair] + tau
        self._sum_pi[pair], self._sum_tau[pair] = pi, tau
        cut_pi, cut_tau = self._cut_pi[pair], self._cut_tau[pair]
        pi, tau = _truncated(old_pi - cut_pi, old_tau - cut_tau, self._ties[pair], self._exact)
        self._cut_pi[pair], self._cut_tau[pair] = pi + cut_pi - old_pi, tau + cut_tau - old_tau
        self._gap_pi[pair], self._gap_tau[pair] = pi, tau
        return max(abs(old_tau - tau), math.sqrt(abs(old_pi - pi)))

    def _tell_worse(self, pair: int) -> None:
        """Update the performance of the worse of two neighbours by their difference and the better one."""
        pi, tau = _combined(
            self.pi[pair] - self._better_pi[pair],
            self.tau[pair] - self._better_tau[pair],
            self._gap_pi[pair] - self._sum_pi[pair],
            self._gap_tau[pair] - self._sum_tau[pair],
            -1.0,
        )
        self.pi[pair + 1] = self.pi[pair + 1] - self._worse_pi[pair] + pi
        self.tau[pair + 1] = self.tau[pair + 1] - self._worse_tau[pair] + tau
        self._worse_pi[pair], self._worse_tau[pair] = pi, tau

    def _tell_better(self, pair: int) -> None:
        """Update the performance of the better of two neighbours by their difference and the worse one."""
        pi, tau = _combined(
            self._gap_pi[pair] - self._sum_pi[pair],
            self._gap_tau[pair] - self._sum_tau[pair],
            self.pi[pair + 1] - self._worse_pi[pair],
            self.tau[pair + 1] - self._worse_tau[pair],
            1.0,
        )
        self.pi[pair] = self.pi[pair] - self._better_pi[pair] + pi
        self.tau[pair] = self.tau[pair] - self._better_tau[pair] + tau
        self._better_pi[pair], self._better_tau[pair] = pi, tau


def rate(ratings: list[tuple[float, float]], ranks: list[float], exact: bool = False) -> list[tuple[float, float]]:
    """The (mu, sigma) of each of two or more players after a game, from those before and the ranks (lower is better).

    Raises ArithmeticError or ValueError where the package's approximation is too coarse, unless `exact`.
    """
    order = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    priors = [_prior(ratings[seat][0], ratings[seat][1]) for seat in order]
    performances = [_performance(pi, tau) for pi, tau in priors]
    ties = [ranks[order[place]] == ranks[order[place + 1]] for place in range(len(order) - 1)]
    chain = _Chain([_sole(pi, tau) for pi, tau in performances], ties, exact)
    before_pi, before_tau = chain.pi[:], chain.tau[:]
    chain.run()
    after = ratings[:]
    for place in range(len(order)):
        pi, tau = _sole(chain.pi[place] - before_pi[place], chain.tau[place] - before_tau[place])
        own_pi, own_tau = performances[place]
        pi, tau = _performance(own_pi + pi - own_pi, own_tau + tau - own_tau)
        prior_pi, prior_tau = priors[place]
        after[order[place]] = _rounded(prior_pi + pi, prior_tau + tau)
    return after


def _prior(mu: float, sigma: float) -> tuple[float, float]:
    """The strength before a game: a little less certain than after the last one."""
    pi = math.pow(sigma, _inverse_square)
    mean = pi * mu / pi
    spread = math.sqrt(math.pow(math.sqrt(1 / pi), _square) + _TAU_SQUARED)
    pi = math.pow(spread, _inverse_square)
    return pi, pi * mean


def _performance(pi: float, tau: float) -> tuple[float, float]:
    """A performance given the strength, or the strength given the performance: luck makes it less certain."""
    share = 1.0 / (1.0 + _BETA_SQUARED * pi)
    return share * pi, share * tau


def _sole(pi: float, tau: float) -> tuple[float, float]:
    """The sum of one performance: a team of one, as the package rounds it."""
    if pi == 0.0:
        return 0.0, 0.0
    rounded = 1.0 / (1.0 / pi)
    return rounded, rounded * (tau / pi)


def _combined(pi: float, tau: float, further_pi: float, further_tau: float, sign: float) -> tuple[float, float]:
    """The sum of two variables, or their difference if `sign` is -1."""
    if pi == 0.0 or further_pi == 0.0:
        return 0.0, 0.0
    sum_pi = 1.0 / (1.0 / pi + 1.0 / further_pi)
    return sum_pi, sum_pi * (tau / pi + sign * (further_tau / further_pi))


def _rounded(pi: float, tau: float) -> tuple[float, float]:
    """Mean and standard deviation."""
    mu, sigma = tau / pi, math.sqrt(1 / pi)
    pi = math.pow(sigma, _inverse_square)
    return pi * mu / pi, math.sqrt(1 / pi)


def _truncated(pi: float, tau: float, is_tie: bool, exact: bool) -> tuple[float, float]:
    """The difference of two performances, given that the better one won or that they tied."""
    root = math.sqrt(pi)
    x, margin = tau / root, _MARGIN * root
    if is_tie:
        v, w = _exact_tie_factors(x, margin) if exact else _tie_factors(x, margin)
    else:
        v, w = _exact_win_factors(x - margin) if exact else _win_factors(x - margin)
    return pi / (1.0 - w), (tau + root * v) / (1.0 - w)


def _win_factors(x: float) -> tuple[float, float]:
    """V and W for a win, at the difference less the margin of draws."""
    below = _cdf(x)
    v = _pdf(x) / below if below else -x
    w = v * (v + x)
    if not 0 < w < 1:
        raise FloatingPointError("the result is too surprising for floats")
    return v, w


def _tie_factors(difference: float, margin: float) -> tuple[float, float]:
    """V and W for a tie."""
    a, b = margin - abs(difference), -margin - abs(difference)
    chance = _cdf(a) - _cdf(b)
    if not chance:
        raise FloatingPointError("the tie is too surprising for floats")
    density_a, density_b = _pdf(a), _pdf(b)
    v = (density_b - density_a) / chance
    w = math.pow(v, _square) + (a * density_a - b * density_b) / chance
    return -v if difference < 0 else v, w


def _exact_win_factors(x: float) -> tuple[float, float]:
    """The same without an approximation."""
    v = 2.0 * _pdf(x) / math.erfc(-x / _ROOT_2) if x > -_TAIL else 1.0 / _tail_ratio(-x)
    return v, v * (v + x)


def _exact_tie_factors(difference: float, margin: float) -> tuple[float, float]:
    """The same without an approximation: all is divided by the density at the nearer end."""
    near, far = abs(difference) - margin, abs(difference) + margin
    density = math.exp((near - far) * (near + far) / 2.0)  # at the farther end
    chance = _tail_ratio(near) - density * _tail_ratio(far)
    v = (density - 1.0) / chance
    w = v * v + (far * density - near) / chance
    return -v if difference < 0 else v, w


def _tail_ratio(x: float) -> float:
    """The chance to be above x by the density at x (Mills' ratio)."""
    if x < _TAIL:
        return 0.5 * math.erfc(x / _ROOT_2) / _pdf(x)
    fraction = 0.0
    for term in range(_TERMS, 0, -1):
        fraction = term / (x + fraction)
    return 1.0 / (x + fraction)


def _pdf(x: float) -> float:
    return _DENSITY * math.exp(-(math.pow(x, _square) / 2))


def _cdf(x: float) -> float:
    return 0.5 * _erfc(-x / _ROOT_2)


def _erfc(x: float) -> float:
    """The complementary error function to 1.2e-7 (Numerical Recipes, `erfcc`), as the package has it."""
    z = abs(x)
    t = 1.0 / (1.0 + z / 2.0)
    series = -0.82215223 + t * 0.17087277
    series = -1.13520398 + t * (1.48851587 + t * series)
    series = -0.18628806 + t * (0.27886807 + t * series)
    series = 0.37409196 + t * (0.09678418 + t * series)
    r = t * math.exp(-z * z - 1.26551223 + t * (1.00002368 + t * series))
    return 2.0 - r if x < 0 else r


def _draw_margin() -> float:
    """How far apart two performances that tie may be, so that equal players tie with `DRAW_PROBABILITY`."""
    y = 2 * ((DRAW_PROBABILITY + 1) / 2.0)
    y = 2 - y
    t = math.sqrt(-2 * math.log(y / 2.0))
    x = -0.70711 * ((2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)) - t)
    for _ in range(2):
        error = _erfc(x) - y
        x += error / (1.12837916709551257 * math.exp(-(x**2)) - x * error)
    return math.sqrt(2) * x * math.sqrt(2) * BETA


_MARGIN: Final = _draw_margin()
