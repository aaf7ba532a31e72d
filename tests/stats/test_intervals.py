"""95% intervals cover the true value in 95% of 2,000 simulated leagues, within one percentage point."""

from __future__ import annotations

import numpy
import pytest

from fa_cli.stats.block_means import BlockMean

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


def coverage(kind: str, blocks: int, groups: int, seats: float = 0.5, luck: float = 1.0, times: int = 1) -> float:
    truth = leagues(20 * LEAGUES, groups, groups, seats, luck, seed=1)[kind].mean()
    held = 0
    for league in leagues(times * LEAGUES, blocks, groups, seats, luck, seed=2)[kind].tolist():
        mean = BlockMean()
        for number, values in enumerate(league):
            mean.add_block(sum(values), 4, number % groups)
        if kind == "points":
            low, high = mean.interval() or (0.0, 0.0)
        else:
            low, high = mean.share_interval() if kind == "wins" else mean.bounded_interval(1, 4)
        held += low <= truth <= high
    return held / LEAGUES / times


@pytest.mark.parametrize("kind", ["wins", "ranks", "points"])
@pytest.mark.parametrize(("blocks", "groups"), [(40, 1), (40, 4)], ids=["one-table", "four-tables"])
def test_within_a_point(kind: str, blocks: int, groups: int) -> None:
    assert coverage(kind, blocks, groups) == pytest.approx(0.95, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wins", "ranks", "points"])
@pytest.mark.parametrize(("seats", "luck"), [(0.0, 0.0), (3.0, 3.0)], ids=["no-luck", "all-luck"])
def test_with_any_effects_of_seats_and_luck(kind: str, seats: float, luck: float) -> None:
    assert coverage(kind, 40, 2, seats, luck, times=4) == pytest.approx(0.95, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wins", "ranks", "points"])
@pytest.mark.parametrize(
    ("blocks", "groups", "seats", "luck"), [(60, 1, 0.5, 1.0), (60, 4, 0.5, 1.0), (60, 2, 3.0, 3.0)]
)
def test_with_more_blocks(kind: str, blocks: int, groups: int, seats: float, luck: float) -> None:
    """Over 6,000 leagues, because chance alone makes half a point of difference over 2,000."""
    assert coverage(kind, blocks, groups, seats, luck, times=3) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("kind", ["ranks", "points"])
def test_also_with_few_blocks(kind: str) -> None:
    assert coverage(kind, 8, 2) == pytest.approx(0.95, abs=0.01)


def test_shares_of_few_blocks_rather_too_wide() -> None:
    assert 0.94 <= coverage("wins", 8, 2) <= 0.995


def test_planned_differences_do_not_widen_the_interval() -> None:
    """Two tables, one of which is always won: as two strata they leave no uncertainty of the mean."""
    apart, together = BlockMean(), BlockMean()
    for number in range(40):
        for _ in range(4):
            apart.add(float(number % 2), number, number % 2)
            together.add(float(number % 2), number)
    assert apart.variance == 0.0
    assert together.variance > 0.005
    assert (apart.freedom, together.freedom) == (38, 39)


def test_strata_with_one_block_are_pooled() -> None:
    mean = BlockMean()
    for number in range(200):
        mean.add(float(number % 2), number, number)
    assert mean.freedom == 199
    assert mean.variance == pytest.approx(0.25 / 199)


def test_a_single_stratum_with_one_block() -> None:
    """A stratum with one block has no spread of its own and joins another one."""
    mean = BlockMean()
    for number, (value, stratum) in enumerate([(0.0, 0), (1.0, 0), (1.0, 1)]):
        mean.add(value, number, stratum)
    assert mean.freedom == 2
    assert mean.variance == pytest.approx(2 / 3 / 2 / 3)
