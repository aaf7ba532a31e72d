"""The step equals the package `trueskill`, to the last bit."""

from __future__ import annotations

import random

import mpmath  # type: ignore[import-untyped]  # it has no types
import pytest
import trueskill

from fa_cli.leaderboard.rating import trueskill_step
from fa_cli.leaderboard.rating.trueskill_step import DRAW_PROBABILITY, MU, SIGMA, TAU
from fa_cli.stats.strength.scale import BETA

PACKAGE = trueskill.TrueSkill(MU, SIGMA, BETA, TAU, DRAW_PROBABILITY)
Outcome = list[tuple[float, float]] | str
Game = tuple[list[tuple[float, float]], list[float]]


def random_game(rng: random.Random) -> Game:
    """Ratings of 2 to 5 players, from equal to hundreds of points apart, and ranks: any, as expected, or an upset."""
    players, apart = rng.randint(2, 5), rng.choice([0.0, 1.0, 5.0, 30.0, 100.0, 400.0])
    sigma = rng.choice([lambda: SIGMA, lambda: rng.uniform(0.3, 9.0), lambda: rng.uniform(0.5, 1.5)])
    ratings = [(rng.gauss(MU, apart), sigma()) for _ in range(players)]
    ranks = [float(rank) for rank in rng.sample(range(1, players + 1), players)]
    if rng.random() < 0.3:
        ranks = [float(rng.randint(1, players)) for _ in range(players)]  # ties
    elif rng.random() < 0.7:
        best_first = sorted(ratings, reverse=True)
        ranks = [1.0 + best_first.index(rating) for rating in ratings]
        if rng.random() < 0.2:
            ranks = [players + 1 - rank for rank in ranks]
    return ratings, ranks


def by_package(ratings: list[tuple[float, float]], ranks: list[float]) -> Outcome:
    """The ratings after the game, or the error that floats are too coarse."""
    try:
        rated = PACKAGE.rate([(PACKAGE.create_rating(*rating),) for rating in ratings], ranks)
    except (ArithmeticError, ValueError) as error:
        return type(error).__name__
    return [(after.mu, after.sigma) for (after,) in rated]


def by_step(ratings: list[tuple[float, float]], ranks: list[float]) -> Outcome:
    try:
        return trueskill_step.rate(ratings, ranks)
    except (ArithmeticError, ValueError) as error:
        return type(error).__name__


def count_errors(seed: int, games: int) -> int:
    """Compare random games, each again without a player that had a fault; returns how many overflow."""
    rng = random.Random(seed)
    errors = 0
    for _ in range(games):
        ratings, ranks = random_game(rng)
        for players in {len(ratings), len(ratings) - rng.randint(0, len(ratings) - 2)}:
            expected = by_package(ratings[:players], ranks[:players])
            assert by_step(ratings[:players], ranks[:players]) == expected, (ratings[:players], ranks[:players])
            errors += isinstance(expected, str)
    return errors


def exactly(ratings: list[tuple[float, float]], ranks: list[float]) -> list[tuple[float, float]]:
    """The ratings after the game by the package with 120 digits."""
    package = trueskill.TrueSkill(MU, SIGMA, BETA, TAU, DRAW_PROBABILITY, "mpmath")
    with mpmath.workdps(120):
        rated = package.rate([(package.create_rating(*rating),) for rating in ratings], ranks)
        return [(float(after.mu), float(after.sigma)) for (after,) in rated]


def test_where_the_package_is_too_coarse() -> None:
    """Upsets and ties over hundreds of points; and some ordinary games in the same way."""
    rng = random.Random(5)
    compared = 0
    while compared < 60:
        ratings, ranks = random_game(rng)
        if isinstance(by_package(ratings, ranks), list) and rng.random() < 0.9:
            continue
        for after, expected in zip(
            trueskill_step.rate(ratings, ranks, exact=True), exactly(ratings, ranks), strict=True
        ):
            assert after == pytest.approx(expected, rel=1e-6)
        compared += 1


def test_random_games() -> None:
    assert count_errors(1, 1000) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 4))
def test_many_random_games(seed: int) -> None:
    """8,000 games in all: an error in one of 2,000 is found with a probability of 98%."""
    assert count_errors(seed, 4_000) > 80


def test_ratings_of_a_long_league() -> None:
    """Each game starts from the ratings that the one before left, so that a difference would grow."""
    rng = random.Random(7)
    strengths = [rng.gauss(0, 3) for _ in range(8)]
    ratings = dict.fromkeys(range(8), (MU, SIGMA))
    for _ in range(500):
        bots = rng.sample(range(8), rng.randint(2, 5))
        levels = [strengths[bot] + rng.gauss(0, 1) for bot in bots]
        ranks = [1.0 + sum(round(other) > round(level) for other in levels) for level in levels]
        before = [ratings[bot] for bot in bots]
        after = by_step(before, ranks)
        assert after == by_package(before, ranks)
        ratings.update(zip(bots, after, strict=True))


def test_the_order_of_seats_does_not_matter_without_ties() -> None:
    ratings, ranks = [(25.0, 8.0), (30.0, 1.0), (20.0, 3.0)], [3.0, 1.0, 2.0]
    first, second, third = trueskill_step.rate(ratings, ranks)
    assert trueskill_step.rate(ratings[::-1], ranks[::-1]) == [third, second, first]


def test_the_arguments_stay_as_they_are() -> None:
    ratings, ranks = [(25.0, 8.0), (30.0, 1.0)], [2.0, 1.0]
    trueskill_step.rate(ratings, ranks)
    assert (ratings, ranks) == ([(25.0, 8.0), (30.0, 1.0)], [2.0, 1.0])
