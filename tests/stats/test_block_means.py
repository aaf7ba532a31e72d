"""Intervals: known figures, and coverage in simulated leagues."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.stats.block_means import ENOUGH_BLOCKS, BlockMean, SummedMean, skewed_ends, student_quantile, wilson
from fa_cli.stats.outcomes import add_up


def filled(blocks: list[list[float]]) -> BlockMean:
    mean = BlockMean()
    for block in blocks:
        mean.add_block(sum(block), len(block))
    return mean


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    [
        (0.0, 10, 0.0, 0.2775328),  # figures from scipy 1.17, binomtest(...).proportion_ci(method="wilson")
        (0.5, 10, 0.2365931, 0.7634069),
        (0.81, 100, 0.7222115, 0.8748525),
        (1.0, 3, 0.4385030, 1.0),
    ],
)
def test_wilson(share: float, count: int, low: float, high: float) -> None:
    assert wilson(share, count) == pytest.approx((low, high), abs=1e-6)


def test_wilson_ends_at_0_and_1_exactly() -> None:
    """Elsewhere an interval of Elo differences would have an end of 6,000 instead of none."""
    for count, quantile in itertools.product((1, 2.5, 6, 17, 1000), (1.96, 2.2, 2.571, 2.776445105197793, 12.7)):
        assert wilson(0.0, count, quantile)[0] == 0
        assert wilson(1.0, count, quantile)[1] == 1


def test_without_values() -> None:
    empty = BlockMean()
    assert (empty.mean, empty.variance, empty.share_interval()) == (0.0, None, (0.0, 1.0))


def test_blocks_of_one_value_give_the_ordinary_variance() -> None:
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0]
    mean = filled([[value] for value in values])
    average = sum(values) / 6
    assert mean.mean == average
    assert mean.variance == pytest.approx(sum((value - average) ** 2 for value in values) / 5 / 6)


def test_repeated_values_in_a_block_add_no_information() -> None:
    once = filled([[float(n % 3 == 0)] for n in range(60)])
    four_times = filled([[float(n % 3 == 0)] * 4 for n in range(60)])
    assert four_times.count == 4 * once.count
    assert four_times.variance == pytest.approx(once.variance)
    assert four_times.share_interval() == pytest.approx(once.share_interval(), abs=0.01)


def test_values_that_cancel_within_a_block_narrow_the_interval() -> None:
    """Rotations: the bot in the good seat wins, so each block has one win in four games."""
    generator = random.Random(1)
    blocks = [[1.0, 0.0, 0.0, 0.0] if generator.random() < 0.9 else [0.0] * 4 for _ in range(40)]
    low, high = filled(blocks).share_interval()
    assert high - low < 0.5 * (wilson(0.225, 160)[1] - wilson(0.225, 160)[0])


class Plain:
    """The strata of one kind of value, computed without a limit on memory."""

    def __init__(self) -> None:
        self.blocks: list[tuple[int, list[float]]] = []

    def parts(self) -> list[tuple[float, ...]]:
        strata: dict[int | None, list[float]] = {}
        for stratum, values in self.blocks:
            place: int | None = stratum
            if stratum not in strata and len(strata) == 64 and None not in strata:
                single = [strata.pop(key) for key in list(strata) if strata[key][0] == 1]
                strata[None] = [add_up(column) for column in zip(*single, strict=True)] or [0.0] * 10
            if stratum not in strata and None in strata:
                place = None
            size, total = len(values), 0.0
            for value in values:
                total += value
            news = [1, size, size * size, total, total * total, total * size]
            news += [size**3, total**3, total * total * size, total * size * size]
            strata[place] = [old + new for old, new in zip(strata.get(place, [0.0] * 10), news, strict=True)]
        parts = [tuple(sums) for sums in strata.values() if sums[0] > 1]
        rest = [tuple(sums) for sums in strata.values() if sums[0] == 1]
        if len(rest) == 1 and parts:
            rest.append(parts.pop())
        return [*parts, tuple(add_up(column) for column in zip(*rest, strict=True))] if rest else parts


@pytest.mark.parametrize("tables", [3, 40, 64, 70, 1000])
def test_strata_equal_a_plain_computation(tables: int) -> None:
    """To the last digit, with few strata and with more than are kept."""
    generator = random.Random(tables)
    plain, sums = Plain(), BlockMean()
    for block in range(200):
        stratum = generator.randrange(tables) << 20
        values = [generator.gauss(30, 10) for _ in range(generator.randint(1, 4))]
        total = 0.0
        for value in values:
            total += value
        sums.add_block(total, len(values), stratum)
        plain.blocks.append((stratum, values))
        if block % 10 == 0 or block > 190:
            assert list(map(tuple, sums.strata())) == plain.parts()


def test_stratum_sums_equal_block_sums() -> None:
    """With several kinds of values in smaller units, the means and intervals are the same."""
    generator = random.Random(5)
    strata: dict[int, list[float]] = {}
    means = BlockMean(), BlockMean()
    for _ in range(60):
        stratum, size = generator.randrange(20), generator.randint(1, 4)
        halves, whole = generator.randrange(9), generator.randrange(100)
        means[0].add_block(halves / 2, size, stratum)
        means[1].add_block(whole, size, stratum)
        row = [1.0, size, size * size]
        for total in (halves, whole):
            row += total, total * total, total * size
        for total in (halves, whole):
            row += size**3, total**3, total * total * size, total * size * size
        strata[stratum] = [old + new for old, new in zip(strata.get(stratum, [0.0] * 17), row, strict=True)]
    for kind, unit in enumerate((2.0, 1.0)):
        summed = SummedMean(list(strata.values()), kind, unit, cubes=9 + 4 * kind)
        assert (summed.count, summed.blocks, summed.mean) == (means[kind].count, 60, means[kind].mean)
        assert summed.interval() == pytest.approx(means[kind].interval())


@given(st.floats(-100, 100), st.integers(ENOUGH_BLOCKS, 1000))
def test_an_end_never_runs_away(skewness: float, blocks: int) -> None:
    """However skewed a few wild blocks look; without the bound an end was eleven standard errors away."""
    quantile = student_quantile(0.975, blocks - 1)
    low, high = skewed_ends(quantile, skewness, blocks)
    assert -2.4 * quantile <= low < 0 < high <= 2.4 * quantile
