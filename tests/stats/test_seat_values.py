"""The joint test of seats rejects 5% of fair leagues; values are recovered; unbalanced seats are found."""

from __future__ import annotations

import numpy
import pytest

from fa_cli.stats.luck.seat_values import SeatBalance, SeatSums, seat_values

BOTS, SEATS, SET = 8, 4, 4
STRENGTHS = numpy.linspace(-1, 1, BOTS)
Array = numpy.ndarray


def leagues(count: int, sets: int, first: float, rotations: bool, seed: int) -> Array:
    """Ranks of simulated leagues: leagues, sets, games, and per game the seat of each of the four bots of its table.

    Bots play with normal luck; in half of it deals favour seats, one deal for each set if `rotations`. Seat 0 is worth
    `first`. Returns `(place scores less those of the bots' means)` by league, block and seat.
    """
    generator = numpy.random.default_rng(seed)
    groups = numpy.array([generator.permutation(BOTS)[:SEATS] for _ in range(sets)])
    shape = (count, sets, SET, SEATS)
    luck = generator.normal(size=(count, sets, 1 if rotations else SET, SEATS))
    bots = numpy.stack([numpy.roll(groups, turn, axis=1) for turn in range(SET)], axis=1)  # sets, games, seats
    play = STRENGTHS[bots] + luck + generator.normal(size=shape) + first * (numpy.arange(SEATS) == 0)
    scores = (play[..., :, None] > play[..., None, :]).sum(axis=-1) / (SEATS - 1)
    means = numpy.stack([scores[:, bots == bot].mean(axis=1) for bot in range(BOTS)], axis=1)
    residuals = scores - means[:, bots]
    return residuals.sum(axis=2) if rotations else residuals.reshape(count, sets * SET, SEATS)


def sums_of(blocks: Array, games: int) -> SeatSums:
    """The sums of blocks of one stratum, which have `games` games each."""
    number, totals = len(blocks), blocks.sum(axis=0)
    return SeatSums(number, number * games, number * games**2, totals, totals * games, blocks.T @ blocks)


def rejected(first: float, sets: int, rotations: bool, count: int, seed: int = 1) -> float:
    """The share of leagues whose joint p-value is below 5%."""
    games = SET if rotations else 1
    found = [seat_values([sums_of(league, games)]) for league in leagues(count, sets, first, rotations, seed)]
    return sum(each.p_value < 0.05 for each in found) / count


@pytest.mark.slow
@pytest.mark.parametrize("rotations", [True, False], ids=["rotations", "fresh"])
def test_fair_seats_are_called_different_in_5_percent_of_leagues(rotations: bool) -> None:
    assert rejected(0.0, 56, rotations, 2000) == pytest.approx(0.05, abs=0.012)


@pytest.mark.parametrize("sets", [14, 28])
def test_also_with_few_blocks(sets: int) -> None:
    assert rejected(0.0, sets, True, 1000) == pytest.approx(0.05, abs=0.02)


def test_a_planted_seat_is_found() -> None:
    assert rejected(0.4, 112, True, 200) > 0.5
    truth = leagues(200, 400, 0.4, True, seed=2).mean(axis=(0, 1)) / SET
    covered = 0
    for league in leagues(1000, 56, 0.4, True, seed=3):
        interval = seat_values([sums_of(league, SET)]).intervals[0]
        covered += interval is not None and interval[0] <= truth[0] <= interval[1]
    assert covered / 1000 == pytest.approx(0.95, abs=0.02)


def test_values_add_up_to_nothing() -> None:
    (league,) = leagues(1, 30, 0.4, False, seed=4)
    found = seat_values([sums_of(league + 0.3, 1)])
    assert sum(found.values) == pytest.approx(0, abs=1e-12)
    assert found.p_value == pytest.approx(seat_values([sums_of(league, 1)]).p_value)


def test_strata_of_one_block_are_pooled() -> None:
    blocks = leagues(1, 20, 0.0, True, seed=5)[0]
    singles = [sums_of(blocks[index : index + 1], SET) for index in range(20)]
    together = seat_values([sums_of(blocks, SET)])
    assert seat_values(singles).p_value == pytest.approx(together.p_value)
    assert seat_values(singles).values == pytest.approx(together.values)
    halves = [sums_of(blocks[:10], SET), sums_of(blocks[10:], SET)]
    assert seat_values(halves).values == pytest.approx(together.values)


def test_a_seat_that_always_wins() -> None:
    always = numpy.tile([0.5, -0.5], (10, 1))
    found = seat_values([sums_of(always, 1)])
    assert found.values == [0.5, -0.5]
    assert found.intervals == [None, None]  # of width 0 they would claim too much
    assert found.p_value == 2.0**-9
    assert seat_values([sums_of(0 * always, 1)]).p_value == 1.0


def test_too_little_to_say() -> None:
    assert seat_values([sums_of(numpy.array([[0.5, -0.5]]), 1)]) == ([0.5, -0.5], [None, None], 1.0)
    assert seat_values([sums_of(numpy.zeros((5, 1)), 1)]).p_value == 1.0
    two_blocks = numpy.array([[1.0, -0.5, 0.0, -0.5], [0.5, 0.0, -0.5, 0.0]])
    assert seat_values([sums_of(two_blocks, SET)]).p_value == 1.0


def balance(*counts: int) -> SeatBalance:
    found = SeatBalance()
    for seat, games in enumerate(counts):
        found.add("game", len(counts), "a", seat, games)
        found.add("game", len(counts), "b", seat, 10)
    return found


def test_unbalanced_seats() -> None:
    (found,) = balance(25, 5, 5, 5).imbalances()
    assert (found.bot, found.seat, found.share, found.games) == ("a", 0, 0.625, 40)
    assert found.moved == pytest.approx(0.375)
    assert str(found) == "a had seat 0 in 62% of its 40 games of game with 4 players (balanced: 25%)"


@pytest.mark.parametrize("counts", [(10, 10, 10, 10), (2, 1, 1, 1), (1, 0), (105, 100, 98, 97)])
def test_balanced_seats(counts: tuple[int, ...]) -> None:
    assert balance(*counts).imbalances() == []
