"""Our distributions are those of SciPy."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy
import pytest
from scipy import special

from fa_cli.stats.distributions import fisher_p, normal_probability, student_p, student_quantile

CASES = 2_000


def freedoms(dice: random.Random) -> float:
    return dice.choice([dice.randint(1, 40), dice.randint(1, 5_000), 10 ** dice.uniform(0, 5)])


def tails(dice: random.Random) -> float:
    return dice.choice([0.025, dice.random() / 2, 10 ** dice.uniform(-10, -1)])


def test_student_quantile() -> None:
    dice = random.Random(1)
    for _ in range(CASES):
        probability, freedom = 1 - tails(dice), freedoms(dice)
        expected = float(special.stdtrit(freedom, probability))
        assert student_quantile(probability, freedom) == pytest.approx(expected, rel=1e-10), (probability, freedom)


def test_student_p() -> None:
    dice = random.Random(2)
    for _ in range(CASES):
        statistic, freedom = dice.choice([dice.gauss(0, 2), 10 ** dice.uniform(-5, 2)]), freedoms(dice)
        expected = float(2 * special.stdtr(freedom, -abs(statistic)))
        assert student_p(statistic, freedom) == pytest.approx(expected, rel=1e-10, abs=1e-290), (statistic, freedom)


def test_fisher_p() -> None:
    dice = random.Random(3)
    for _ in range(CASES):
        numerator, denominator = dice.randint(1, 40), int(freedoms(dice))
        statistic = dice.choice([5 * dice.random(), 10 ** dice.uniform(-4, 2)])
        expected = float(special.fdtrc(numerator, denominator, statistic))
        found = fisher_p(statistic, numerator, denominator)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-250), (statistic, numerator, denominator)


def test_normal_probability() -> None:
    values = numpy.linspace(-30, 9, 10_001).reshape(73, 137)
    numpy.testing.assert_allclose(normal_probability(values), special.ndtr(values), rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: student_quantile(1.0, 5), math.inf),
        (lambda: student_quantile(0.0, 5), -math.inf),
        (lambda: student_quantile(0.5, 5), 0.0),
        (lambda: student_quantile(0.975, 0), math.nan),
        (lambda: student_quantile(math.nan, 5), math.nan),
        (lambda: student_quantile(0.25, 1), -1.0),
        (lambda: student_p(0.0, 5), 1.0),
        (lambda: student_p(math.inf, 5), 0.0),
        (lambda: student_p(math.nan, 5), math.nan),
        (lambda: student_p(3.0, 0.5), 1.0),
        (lambda: fisher_p(0.0, 3, 4), 1.0),
        (lambda: fisher_p(math.nan, 3, 4), math.nan),
    ],
)
def test_ends(call: Callable[[], float], expected: float) -> None:
    assert call() == pytest.approx(expected, rel=1e-14, nan_ok=True)
