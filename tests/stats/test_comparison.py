"""Comparison of two bots: figures by hand, and error rates in simulated leagues."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import pytest

from fa_cli.leaderboard.played_games import played_game
from fa_cli.results import By
from fa_cli.stats.comparison import Comparison, Part, elo
from fa_cli.stats.paired import PairBlock
from tests.tournament.helpers import Game


def compared(*games: Game, by: By | None = None) -> Comparison:
    comparison = Comparison("a", "b", by)
    for index, game in enumerate(games):
        comparison.add(played_game(game, "log", index))
    return comparison


def test_figures_by_hand() -> None:
    """Two deals, each from both seats: a wins three of four and one is level."""
    (row,) = compared(
        Game(["a", "b"], [1, 2], scores=[20, 10], number=0),
        Game(["b", "a"], [2, 1], scores=[10, 14], number=0),
        Game(["a", "b"], [1, 2], scores=[9, 8], number=1),
        Game(["b", "a"], [1, 1], scores=[7, 7], number=1),
    ).rows()
    assert (row.first, row.second, row.blocks, row.games) == ("a", "b", 2, 4)
    assert row.difference == pytest.approx(0.75)
    assert row.ahead == pytest.approx(0.875)
    assert row.level == 0.25
    assert row.points_difference == pytest.approx(15 / 4)
    assert row.elo == pytest.approx(400 * numpy.log10(7))
    assert row.verdict == ""  # two deals are not enough
    assert row.p_value >= 0.5


def test_from_the_other_side() -> None:
    games = [Game(["a", "b", "c"], [1 + (n % 3 == 0), 2 - (n % 3 == 0), 3], number=n) for n in range(12)]
    one, other = Comparison("a", "b"), Comparison("b", "a")
    for index, game in enumerate(games):
        one.add(played_game(game, "log", index))
        other.add(played_game(game, "log", index))
    (first,), (second,) = one.rows(), other.rows()
    assert first.difference == -second.difference
    assert first.difference_interval == pytest.approx([-end for end in reversed(second.difference_interval)])
    assert first.p_value == second.p_value


def test_bots_at_different_tables_of_one_deal() -> None:
    """They never meet, but played the same deals."""
    games = [
        Game([name, "x"], [1 if name == "a" else 2, 2 if name == "a" else 1], number=number)
        for number in range(10)
        for name in ("a", "b")
    ]
    (row,) = compared(*games).rows()
    assert (row.blocks, row.games, row.difference) == (10, 0, 1.0)
    assert (row.ahead, row.elo, row.verdict) == (None, None, "a")


def test_games_without_either_bot_are_ignored() -> None:
    comparison = compared(Game(["a", "x"], [1, 2], number=0), Game(["x", "y"], [1, 2], number=1))
    assert comparison.absent() == ["b"]
    assert comparison.rows()[0].blocks == 0


def test_parts_and_faults() -> None:
    comparison = compared(
        Game(["a", "b"], [1, 2], number=0, side="five"),
        Game(["a", "b"], [2, 1], number=1, side="six", faulted=[0]),
        by=By.SIDE,
    )
    assert [(row.part, row.difference) for row in comparison.rows()] == [("all", 0), ("side=five", 1), ("side=six", -1)]
    assert comparison.faults == [1, 0]


@pytest.mark.parametrize(("share", "points"), [(0.5, 0.0), (0.64, 99.95), (10 / 11, 400.0), (1.0, None), (0.0, None)])
def test_elo(share: float, points: float | None) -> None:
    assert elo(share) == (None if points is None else pytest.approx(points, abs=0.01))


def part_of(scores: Sequence[float]) -> Part:
    """A part of blocks with these scores."""
    part = Part()
    for score in scores:
        part.add_score(score, 2)
    return part


@pytest.mark.parametrize("blocks", [1, 2, 3, 5])
def test_few_blocks_prove_nothing(blocks: int) -> None:
    """However clear: five coins fall alike with probability 1/16."""
    part = part_of([1.0] * blocks)
    assert part.p_value >= 2.0 ** (1 - blocks)
    low, high = part.difference_interval(0.95)
    assert low <= 0 <= high


def test_ten_clear_blocks_do() -> None:
    part = part_of([1.0] * 10)
    assert part.p_value < 0.05
    assert part.difference_interval(0.95)[0] > 0


# block scores of equal bots: rotations of two, single games, mostly level, four at a table
EQUAL = {
    "pairs": lambda draw, size: draw.choice([-1.0, 0.0, 0.0, 1.0], size=size),
    "single": lambda draw, size: draw.choice([-1.0, 1.0], size=size),
    "level": lambda draw, size: draw.choice([-1.0, 1.0] + [0.0] * 18, size=size),
    "four": lambda draw, size: numpy.round(draw.normal(0, 0.2, size=size) * 12).clip(-12, 12) / 12,
}


@pytest.mark.parametrize("kind", EQUAL)
@pytest.mark.parametrize("blocks", [6, 20, 100])
def test_equal_bots_are_rarely_called_different(kind: str, blocks: int) -> None:
    """No more often than alpha, within the chance of 2,000 leagues; interval and p-value agree."""
    leagues = EQUAL[kind](numpy.random.default_rng(blocks), (2000, blocks)).tolist()
    different = {0.05: 0, 0.01: 0}
    for league in leagues:
        part = part_of(league)
        p_value = part.p_value
        for alpha in different:
            different[alpha] += p_value < alpha
        low, high = part.difference_interval(0.95)
        assert (p_value < 0.05) == (not low <= 1e-12 or not high >= -1e-12), league
    assert different[0.05] <= 2000 * 0.055
    assert different[0.01] <= 2000 * 0.014


def test_an_empty_block_is_ignored() -> None:
    assert PairBlock().weight == 0
