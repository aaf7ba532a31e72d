"""95% intervals cover the true value in 95% of 2,000 simulated leagues, within one percentage point."""

from __future__ import annotations

from collections.abc import Callable

import numpy
import pytest

from fa_cli.stats.block_means import (
    BlockMean,
    SummedMean,
    caveats_of,
    satterthwaite,
    skewed_ends,
    student_quantile,
    wilson,
)
from tests.conftest import further

from . import middle_bot, real_points

LEAGUES = 2000
GROUPS = [[0.8, -0.6, 0.0], [0.2, -1.0, 0.5], [0.8, 0.0, -0.6], [-0.6, -1.0, 0.5]]
"""Strengths of a bot's rivals, group by group; its own is 0.3."""
Games = dict[str, numpy.ndarray]


def leagues(count: int, blocks: int, groups: int, seats: float, luck: float, seed: int) -> Games:
    """Results of one bot: for each kind an array over leagues, blocks and the four rotations of a table."""
    generator = numpy.random.default_rng(seed)
    strengths = numpy.array([[0.3, *GROUPS[block % groups]] for block in range(blocks)])
    deal = generator.gumbel(size=(count, blocks, 4)) * luck  # what each hand of the deal is worth
    seat = numpy.array([seats, 0.0, 0.0, -seats])
    plays = []
    for turn in range(4):
        places = (numpy.arange(4) + turn) % 4
        plays.append(strengths + seat[places] + deal[:, :, places] + generator.gumbel(size=(count, blocks, 4)))
    play = numpy.stack(plays, axis=2)
    own = play[..., :1]
    return {
        "wins": (play <= own).all(axis=3).astype(float),
        "ranks": 1.0 + (play > own).sum(axis=3),
        "points": 10 * own[..., 0],
    }


INTERVALS: dict[str, Callable[[BlockMean], tuple[float, float] | None]] = {
    "wins": BlockMean.share_interval,
    "ranks": lambda mean: mean.bounded_interval(1, 4),
    "points": BlockMean.interval,
}


def coverage(blocks: int, groups: int, seats: float = 0.5, luck: float = 1.0, times: int = 1) -> dict[str, float]:
    """For each kind of result the share of the same leagues whose interval holds its true mean."""
    truth = leagues(20 * LEAGUES, groups, groups, seats, luck, seed=1)
    results = leagues(times * LEAGUES, blocks, groups, seats, luck, seed=2)
    return {kind: held(kind, values.sum(axis=2), groups, truth[kind].mean()) for kind, values in results.items()}


def held(kind: str, totals: numpy.ndarray, groups: int, truth: float) -> float:
    """The share of leagues whose interval holds the truth, from the sums of their blocks of four games."""
    strata = [totals[:, group::groups] for group in range(groups)]
    rows = numpy.stack([real_points.stratum_sums(each, numpy.full_like(each, 4)) for each in strata], axis=1)
    ends = (INTERVALS[kind](SummedMean(row, cubes=6)) or (0.0, 0.0) for row in rows.tolist())
    return sum(bool(low <= truth <= high) for low, high in ends) / len(totals)


@pytest.mark.parametrize(("blocks", "groups"), [(40, 1), (40, 4)], ids=["one-table", "four-tables"])
def test_within_a_point(blocks: int, groups: int) -> None:
    assert coverage(blocks, groups) == pytest.approx(dict.fromkeys(INTERVALS, 0.95), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("deal", "single"), [(0.0, False), (0.5, False), (0.0, True)])
def test_a_bot_that_only_one_rival_can_beat(deal: float, single: bool) -> None:
    """At tables of two: its other rivals always win or lose, and so tell nothing of the spread."""
    of_wins, of_ranks = middle_bot.coverage(middle_bot.FIELDS["six far rivals, one near"], 60, deal, 1500, single)
    assert of_wins >= 0.94 - 0.01
    assert of_ranks >= 0.94 - 0.01


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "luck"), [(0.0, 0.0), (3.0, 3.0)], ids=["no-luck", "all-luck"])
def test_with_any_effects_of_seats_and_luck(seats: float, luck: float) -> None:
    assert coverage(40, 2, seats, luck, times=4) == pytest.approx(dict.fromkeys(INTERVALS, 0.95), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("blocks", "groups", "seats", "luck"), [(60, 1, 0.5, 1.0), (60, 4, 0.5, 1.0), (60, 2, 3.0, 3.0)]
)
def test_with_more_blocks(blocks: int, groups: int, seats: float, luck: float) -> None:
    """Over 6,000 leagues, because chance alone makes half a point of difference over 2,000."""
    found = coverage(blocks, groups, seats, luck, times=3)
    assert found == pytest.approx(dict.fromkeys(INTERVALS, 0.95), abs=0.01)


def test_also_with_few_blocks() -> None:
    """But for intervals of shares, which are rather too wide."""
    found = coverage(8, 2)
    assert 0.94 <= found.pop("wins") <= 0.995
    assert found == pytest.approx({"ranks": 0.95, "points": 0.95}, abs=0.01)


def test_planned_differences_do_not_widen_the_interval() -> None:
    """Two tables, one of which is always won: as two strata they leave no uncertainty of the mean."""
    apart, together = BlockMean(), BlockMean()
    for number in range(40):
        apart.add_block(4 * (number % 2), 4, number % 2)
        together.add_block(4 * (number % 2), 4)
    assert apart.variance == 0.0
    assert together.variance > 0.005
    assert (apart.freedom, together.freedom) == (38, 39)


def test_strata_with_one_block_are_pooled() -> None:
    mean = BlockMean()
    for number in range(200):
        mean.add_block(number % 2, 1, number)
    assert mean.freedom == 199
    assert mean.variance == pytest.approx(0.25 / 199)


def test_a_single_stratum_with_one_block() -> None:
    """A stratum with one block has no spread of its own and joins another one."""
    mean = BlockMean()
    for value, stratum in [(0.0, 0), (1.0, 0), (1.0, 1)]:
        mean.add_block(value, 1, stratum)
    assert mean.freedom == 2
    assert mean.variance == pytest.approx(2 / 3 / 2 / 3)


@pytest.mark.slow
@pytest.mark.parametrize("single", [False, True], ids=["rotations", "single-games"])
@pytest.mark.parametrize(("count", "least"), [(28, 0.93), (60, 0.94)])
@pytest.mark.parametrize("setting", sorted(real_points.pools()), ids=str)
def test_points_of_real_games(setting: tuple[str, int], count: int, least: float, single: bool) -> None:
    """Student's interval alone holds in 90% of leagues of 28 games of Fifth Avenue for two."""
    assert real_points.mean_coverage(setting, count, 10_000, single) >= least


@pytest.mark.parametrize("spread", [1.0, 10.0, *further(0.1, 3.0, 100.0)])
@pytest.mark.parametrize("few", [0, 9], ids=["three-blocks", "two-blocks"])
def test_one_wild_stratum_among_ten(few: int, spread: float) -> None:
    """24 blocks; the wild stratum has three or two of them."""
    assert real_points.wild_coverage((numpy.arange(24) + few) % 10, spread, LEAGUES) >= 0.94


@pytest.mark.parametrize("spread", [3.0, *further(1.0, 10.0)])
def test_one_wild_stratum_with_a_quarter_of_the_blocks(spread: float) -> None:
    assert real_points.wild_coverage(numpy.repeat(numpy.arange(10), [6, *[2] * 9]), spread, LEAGUES) >= 0.94


def normal_rows(counts: list[int], spreads: list[float]) -> list[list[float]]:
    """Sums of strata of blocks with one value, evenly spread around 0."""
    rows = []
    for count, spread in zip(counts, spreads, strict=True):
        values = numpy.linspace(-spread, spread, count)[None, :]
        rows.append(real_points.stratum_sums(values, numpy.ones_like(values))[0].tolist())
    return rows


def test_degrees_of_freedom_of_satterthwaite() -> None:
    assert satterthwaite(normal_rows([12], [3.0])) == pytest.approx(11)
    assert satterthwaite(normal_rows([8] * 10, [1.0] * 10)) == 70
    assert 6.9 < satterthwaite(normal_rows([8] * 10, [1000.0, *[1.0] * 9])) < 7.1
    assert satterthwaite(normal_rows([8, 8], [0.0, 0.0])) == 14


def test_the_ends_of_an_interval_of_a_skewed_mean() -> None:
    assert skewed_ends(2.0, 0.0, 30) == (-2.0, 2.0)
    assert skewed_ends(2.0, 1e-5, 30) == pytest.approx((-2.0, 2.0), abs=1e-4)
    low, high = skewed_ends(2.0, 0.3, 30)
    assert high > 2.3 > 2.0 > -low > 1.5
    assert skewed_ends(2.0, -0.3, 30) == pytest.approx((-high, -low))
    assert all(abs(end) < 60 for end in skewed_ends(12.7, 1e9, 2))


def test_few_blocks_are_not_corrected_for_skewness() -> None:
    mean = BlockMean()
    for value in [1.0, 1.0, 1.0, 1.0, 9.0]:
        mean.add_block(value, 1)
    low, high = mean.interval() or (0.0, 0.0)
    assert high - mean.mean == pytest.approx(mean.mean - low)
    mean.add_block(1.0, 1)
    low, high = mean.interval() or (0.0, 0.0)
    assert high - mean.mean > 1.5 * (mean.mean - low) > 0


def test_shares_and_ranks_have_the_intervals_of_student_and_wilson() -> None:
    """Bounded values can't be wild: their strata are kept and their degrees of freedom whole."""
    mean = BlockMean()
    for number in range(24):
        mean.add_block(number % 4, 4, number % 10)
    expected = wilson(mean.mean, mean.effective_trials(), student_quantile(0.975, 24 - 10))
    assert mean.share_interval() == expected
    assert (mean.freedom, mean.quantile()) == (14, student_quantile(0.975, 14))


@pytest.mark.parametrize(
    ("values", "caveats"),
    [
        ([5.0, 6.0, 7.0, 8.0, 9.0, 10.0], []),
        ([5.0, 6.0, 7.0, 8.0, 9.0], ["few-blocks"]),
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], []),
        ([0.0, 9.0], ["few-blocks", "out-of-range"]),
        ([0.0, 9.0, 0.0, 9.0, 0.0, 0.0, 0.0], ["out-of-range"]),
        ([1.0], ["few-blocks"]),
    ],
)
def test_caveats(values: list[float], caveats: list[str]) -> None:
    mean = BlockMean()
    for value in values:
        mean.add_block(value, 1)
    assert caveats_of(mean.blocks, mean.interval()) == caveats
