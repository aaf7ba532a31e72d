"""Who won, and how the first two compare, in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from fa_cli.leaderboard.overview.first_two import separation
from fa_cli.leaderboard.played_games import played_game
from fa_cli.leaderboard.standings import Leaderboard, StandingRow
from fa_cli.results import first_two, winner
from tests.tournament.helpers import Game


def row(bot: str, rank: int | None, ranks: tuple[int, int] | None, **more: Any) -> StandingRow:
    """A row of a leaderboard; what no sentence needs is 0."""
    values = dict.fromkeys(StandingRow.__struct_fields__, 0)
    strength = {"strength": 30.0, "strength_interval": (28.5, 31.5)}
    return StandingRow(**values | strength | {"bot": bot, "rank": rank, "rank_range": ranks, "caveats": []} | more)


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        ([(1, 1), (2, 3), (2, 3)], "a is the best of 3 bots, 95% sure (strength 30.00, 28.50-31.50)"),
        (
            [(1, 2), (1, 3), (2, 3)],
            "a leads, with a true rank from 1 to 2 (strength 30.00, 28.50-31.50); b may be as good or better",
        ),
        ([None, None, None], "a has the highest strength (strength 30.00, 28.50-31.50)"),
    ],
)
def test_the_ranks_say_who_is_first(ranks: list[tuple[int, int] | None], sentence: str) -> None:
    board = Leaderboard(9, [row(bot, place, ranks[place - 1]) for place, bot in enumerate("abc", start=1)], {})
    assert winner.by_ranks(board) == sentence
    assert winner.is_surely_first(board) == (ranks[0] == (1, 1))


def met(count: int, ranks: tuple[int, int] = (1, 2)) -> list[Game]:
    return [Game(["a", "b"], list(ranks), number=number) for number in range(count)]


def apart(count: int) -> list[Game]:
    """Deals in which a beats x, and others in which b does not."""
    won = {"a": [1, 2], "b": [2, 1]}
    return [Game([bot, "x"], won[bot], number=100 + number) for number in range(count) for bot in "ab"]


FIELD = "With the deals that both played or had against the same other bots"


@pytest.mark.parametrize(
    ("games", "is_sure", "sentence"),
    [
        (
            met(20),
            True,
            "a ranked ahead of b in 100.0% of their 20 games (95% interval 91 to 100%): a is better (p = 1.9e-06).",
        ),
        (
            met(3) + met(3, (2, 1)),
            False,
            "a ranked ahead of b in 50.0% of their 6 games (95% interval 12 to 88%): they are level.",
        ),
        (
            met(2),
            True,
            "a ranked ahead of b in 100.0% of their 2 games (95% interval 1 to 100%): 2 deals, too few to tell. "
            "The ranks go by all games, this comparison by fewer.",
        ),
        (apart(20), False, f"a and b never met. {FIELD}, 20 deals: a is better (p = 1.9e-06)."),
        (
            [Game(["a", "x"], [1, 2]), Game(["b", "y"], [1, 2])],
            False,
            "a and b never met, nor did they meet the same other bots.",
        ),
    ],
)
def test_the_first_two_are_compared_with_the_sample(games: list[Game], is_sure: bool, sentence: str) -> None:
    played = [played_game(game, "log", index) for index, game in enumerate(games)]
    found = separation(("a", "b"), played, ["log"], [], len(games))
    assert first_two.direct_comparison(("a", "b"), found, is_sure) == sentence
