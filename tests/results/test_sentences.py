"""Who won, and how the first two compare, in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from fa_cli.leaderboard.overview.first_two import Separation, separation
from fa_cli.leaderboard.played_games import played_game
from fa_cli.leaderboard.standings import Leaderboard, StandingRow
from fa_cli.printing.columns import Caveat
from fa_cli.results import first_two, winner
from fa_cli.results.verdict import headlines, joint_tests
from fa_cli.stats.lack_of_fit.verdict import LackOfFit, Part
from fa_cli.stats.luck.seat_values import SeatRow
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
        ([(1, 1)], "a is the only bot that is ranked (strength 30.00, 28.50-31.50)"),
    ],
)
def test_the_ranks_say_who_is_first(ranks: list[tuple[int, int] | None], sentence: str) -> None:
    board = Leaderboard(9, [row("abc"[place], place + 1, range_) for place, range_ in enumerate(ranks)], {})
    assert winner.by_ranks(board) == sentence
    assert winner.is_surely_first(board) == (ranks[0] == (1, 1) and len(ranks) > 1)


def test_level_bots_share_the_first_rank() -> None:
    board = Leaderboard(9, [row("a", 1, (1, 3)), row("b", 1, (1, 3)), row("c", 3, (1, 3))], {})
    assert winner.by_ranks(board) == "a and b share the first rank (strength 30.00, 28.50-31.50)"


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        ([(1, 1), (2, 2), (1, 1)], "a is the best of 2 bots of its group, 95% sure (strength 30.00, 28.50-31.50)"),
        (
            [(1, 2), (1, 2), (1, 1)],
            "a leads its group, with a true rank from 1 to 2 (strength 30.00, 28.50-31.50); b may be as good or better",
        ),
        ([None, None, None], "a has the highest strength of its group (strength 30.00, 28.50-31.50)"),
    ],
)
def test_bots_that_never_met_are_no_rivals(ranks: list[tuple[int, int] | None], sentence: str) -> None:
    bots = [("a", 1, 1), ("b", 2, 1), ("c", 1, 2)]
    rows = [row(bot, rank, ranks[place], group=group) for place, (bot, rank, group) in enumerate(bots)]
    assert winner.by_ranks(Leaderboard(9, rows, {})) == sentence


def test_after_an_early_stop_no_rank_is_sure() -> None:
    rows = [row("a", 1, (1, 1)), row("b", 2, (2, 2), caveats=["stopped-early"])]
    board = Leaderboard(9, rows, {}, fit=LackOfFit(0.5, [Part("pairs", 0.5, [])]))
    assert winner.by_ranks(board) == "a has the highest strength (strength 30.00)"
    assert not winner.is_surely_first(board)
    assert "fit:" not in "".join(board.notes)


def met(count: int, ranks: tuple[int, int] = (1, 2)) -> list[Game]:
    return [Game(["a", "b"], list(ranks), number=number) for number in range(count)]


def apart(count: int) -> list[Game]:
    """Deals in which a beats x, and others in which b does not."""
    won = {"a": [1, 2], "b": [2, 1]}
    return [Game([bot, "x"], won[bot], number=100 + number) for number in range(count) for bot in "ab"]


def compared(games: list[Game]) -> Separation | None:
    played = [played_game(game, "log", index) for index, game in enumerate(games)]
    return separation(("a", "b"), played, ["log"], [], len(games))


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
        (  # the interval of the share is not that of the p-value at larger tables
            [Game(["a", "b", "x"], [1, 2 + number % 2, 3 - number % 2], number=number) for number in range(20)],
            True,
            "a ranked ahead of b in 100.0% of their 20 games: a is better (place score +0.750, 95% interval +0.557 to "
            "+0.866, p = 1.9e-06).",
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
    found = compared(games)
    assert first_two.direct_comparison(("a", "b"), found, is_sure) == sentence


@pytest.mark.parametrize(
    ("sequential", "sentence"),
    [
        ("better than b", "a is better than b, by the sequential test."),
        ("worse than b", "b is better than a, by the sequential test."),
        ("as good as b", "a is as good as b, by the sequential test."),
        ("not decided against b", "a leads b, but the sequential test has not decided."),
        (None, "a leads b, but no test compared the two."),
    ],
)
def test_after_an_early_stop_its_test_says_who_is_better(sequential: str | None, sentence: str) -> None:
    found = compared(met(20))
    assert found
    found.row.fixed_sample, found.row.sequential = False, sequential
    assert headlines(found.rows) == [sentence]
    said = first_two.direct_comparison(("a", "b"), found, False)
    assert said == f"a ranked ahead of b in 100.0% of their 20 games: {sentence}"
    assert list(first_two.sentences(found)) == ["Over 20 deals the place score of a less that of b is +1.000."]


def test_over_more_games_than_those_of_its_test_there_is_no_verdict() -> None:
    found = compared(met(20))
    assert found
    found.row.fixed_sample, found.row.sequential = False, "in s: b is better than a; in t: b is as good as a"
    assert headlines(found.rows) == [
        "a leads b, but there is no verdict over all games, because those of a tournament that could end early are "
        "among them; in s: b is better than a; in t: b is as good as a, by their sequential tests."
    ]


@pytest.mark.parametrize("faults", [1, 2])
def test_many_faults_are_named_beside_who_is_better(faults: int) -> None:
    """A tenth of the games between the two, or more."""
    found = compared([Game(["a", "b"], [1, 2], number=n, faulted=[1] * (n < faults)) for n in range(20)] + apart(20))
    assert found
    told = "; b had a fault in 2 of 20 games" * (faults == 2)
    assert headlines(found.rows) == [f"a is better than b, head to head and over the field{told}."]
    assert f": a is better (p = 1.9e-06){told}. With the deals" in first_two.direct_comparison(("a", "b"), found, False)


def test_who_is_as_good_is_said_of_the_leader_as_the_figures_are() -> None:
    found = compared(met(20))
    assert found
    found.row.fixed_sample, found.row.sequential = False, "as good as a"  # b's result
    assert headlines([found.row.swapped()]) == ["a is as good as b, by the sequential test."]


@pytest.mark.parametrize(
    ("p_value", "caveats", "sentence"),
    [
        (0.049, [], "the seats differ (joint p = 0.049)"),
        (0.05, [], "no sign that the seats differ (joint p = 0.05)"),
        (0.001, [Caveat.FEW_BLOCKS.value], "too few deals to tell whether the seats differ"),
    ],
)
def test_whether_seats_differ_is_said_once_for_a_table(p_value: float, caveats: list[str], sentence: str) -> None:
    values: dict[str, Any] = dict.fromkeys(SeatRow.__struct_fields__, 0) | {"game": "manhattan", "players": 2}
    seats = [SeatRow(**values | {"seat": seat, "p_value": p_value, "caveats": caveats}) for seat in range(2)]
    assert joint_tests(seats) == [f"manhattan, 2 players: {sentence}"]
