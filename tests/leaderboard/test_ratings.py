"""Ratings: results, faults, ties, repeated bots, and values that floating point can't represent."""

from __future__ import annotations

import math
from unittest.mock import Mock

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from fa_cli.game_result import PlayedGame
from fa_cli.leaderboard.parts import Part
from fa_cli.leaderboard.rating.rating_fold import RatingFold
from fa_cli.leaderboard.rating.ratings import MU, SIGMA, TAU, Rating, Ratings, rate
from fa_cli.leaderboard.rating.trueskill_step import DRAW_PROBABILITY

UPSET = [Rating(-150.0, 0.5), Rating(150.0, 0.5)]
"""The first one wins: the package's own arithmetic gives up."""


def after(*games: tuple[list[str], list[int], set[int]]) -> Ratings:
    table = Ratings()
    for bots, ranks, faulted in games:
        table.add(bots, ranks, faulted)
    return table


def test_an_unrated_bot_has_rating_zero() -> None:
    assert Ratings()["nobody"] == Rating(25.0, 25.0 / 3)


def test_figures_of_the_package() -> None:
    """The published figures for one game between unrated bots, with our draw probability."""
    table = trueskill.TrueSkill(draw_probability=DRAW_PROBABILITY)
    groups = [(table.create_rating(),) for _ in range(4)]
    theirs = table.rate(groups, ranks=[2, 1, 3, 4])
    ours = after((["a", "b", "c", "d"], [2, 1, 3, 4], set()))
    assert [ours[bot] for bot in "abcd"] == [Rating(one.mu, one.sigma) for (one,) in theirs]
    assert ours["b"].mu > ours["a"].mu > MU > ours["c"].mu > ours["d"].mu


def test_parts_with_the_same_games_are_rated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where others are between them: all games, those on side five, and those of two players."""
    rated = Mock(side_effect=Ratings.add)
    monkeypatch.setattr(Ratings, "add", lambda *game: rated(*game))
    fold, zeros = RatingFold(in_seats=False), [0] * 4
    for index in range(8):
        bots = ["a", "b", "c", "d"][: 2 + index % 2]
        ranks, variant = list(range(1, len(bots) + 1)), f"fifth-avenue side=five players={len(bots)}"
        fold.add(
            PlayedGame("log", index, index, 0, "fifth-avenue", "side=five", variant, bots, ranks, *[zeros] * 3, [])
        )
    assert rated.call_count <= 1 + 2 * 7
    assert [len(group.parts) for group in fold.groups() if Part() in group.parts] == [4]


def test_ratings_depend_on_the_order_of_games_alone() -> None:
    one = (["a", "b", "c"], [1, 2, 3], set[int]())
    two = (["c", "b", "d"], [1, 2, 2], set[int]())
    first, again, other = after(one, two), after(one, two), after(two, one)
    assert [first[bot] for bot in "abcd"] == [again[bot] for bot in "abcd"]
    assert [first[bot] for bot in "abcd"] != [other[bot] for bot in "abcd"]


@given(
    mus=st.lists(st.floats(-500, 500), min_size=2, max_size=5),
    sigmas=st.lists(st.floats(0.1, SIGMA), min_size=5, max_size=5),
    ranks=st.lists(st.integers(1, 5), min_size=5, max_size=5),
)
def test_no_result_fails_or_increases_uncertainty(mus: list[float], sigmas: list[float], ranks: list[int]) -> None:
    before = [Rating(*both) for both in zip(mus, sigmas, strict=False)]
    for old, new in zip(before, rate(before, ranks[: len(before)]), strict=True):
        assert math.isfinite(new.mu)
        assert 0 < new.sigma <= math.hypot(old.sigma, TAU) * (1 + 1e-9)


def test_an_upset_over_hundreds_of_points() -> None:
    table = trueskill.TrueSkill(draw_probability=DRAW_PROBABILITY)
    with pytest.raises(FloatingPointError):
        table.rate([(table.create_rating(*one),) for one in UPSET], ranks=[1, 2])
    low, high = rate(UPSET, [1, 2])
    assert low.mu > UPSET[0].mu
    assert high.mu < UPSET[1].mu
    assert low.mu - UPSET[0].mu == pytest.approx(UPSET[1].mu - high.mu)


def test_a_tie_across_hundreds_of_points() -> None:
    """Here the package raises no error and increases sigma."""
    before = [Rating(-40.44319536960258, 1.0), Rating(-272.99079897857735, 1.0)]
    table = trueskill.TrueSkill(draw_probability=DRAW_PROBABILITY)
    wrong = table.rate([(table.create_rating(*one),) for one in before], ranks=[1, 1])
    assert wrong[0][0].sigma > 1.01
    assert all(new.sigma <= math.hypot(1.0, TAU) for new in rate(before, [1, 1]))


def test_ties_reduce_uncertainty() -> None:
    table = after(*[(["a", "b"], [1, 1], set[int]())] * 20)
    assert table["a"] == table["b"]
    assert table["a"].sigma < 0.4 * SIGMA
    assert table["a"].mu == pytest.approx(MU)


def test_ties_move_ratings_together() -> None:
    table = after((["a", "b"], [1, 2], set()))
    apart = table["a"].mu - table["b"].mu
    table.add(["a", "b"], [1, 1])
    assert 0 < table["a"].mu - table["b"].mu < apart


def test_a_fault_affects_only_the_bot_that_had_it() -> None:
    table = after((["a", "b", "c", "bad"], [1, 2, 3, 4], {3}))
    alone = after((["a", "b", "c"], [1, 2, 3], set()))
    assert [table[bot] for bot in "abc"] == [alone[bot] for bot in "abc"]
    last = after((["a", "b", "c", "bad"], [1, 2, 3, 4], set()))
    assert table["bad"] == last["bad"]
    assert table["bad"].mu < MU


def test_with_two_players_a_fault_does_not_change_the_other() -> None:
    table = after((["a", "bad"], [1, 2], {1}))
    assert table["a"] == Rating()
    assert table["bad"].mu < MU


def test_a_fault_of_one_of_a_bots_seats_is_no_gain() -> None:
    sound, failed = (after((["a", "a", "b"], [1, 3, 2], faulted)) for faulted in (set(), {1}))
    assert failed["a"] == sound["a"]
    assert failed["b"] == Rating()


def test_when_all_have_faults_their_ranks_count() -> None:
    table = after((["a", "b", "c"], [2, 1, 3], {0, 1, 2}))
    assert table["b"].mu > table["a"].mu > table["c"].mu


def test_a_bot_in_several_seats_takes_part_once() -> None:
    """With the mean of its ranks: here 2, the same as b in the middle."""
    table = after((["a", "b", "a"], [1, 2, 3], set()))
    tie = after((["a", "b"], [1, 1], set()))
    assert [table[bot] for bot in "ab"] == [tie[bot] for bot in "ab"]


def test_a_bot_against_itself_is_not_rated() -> None:
    assert after((["a", "a"], [1, 2], set()))["a"] == Rating()


GAMES = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcdef"), min_size=2, max_size=5),
        st.lists(st.integers(1, 5), min_size=5, max_size=5),
        st.sets(st.integers(0, 4), max_size=2),
    ),
    max_size=6,
)


@settings(max_examples=40)
@given(games=GAMES)
def test_a_fold_continues_from_stored_ratings(games: list[tuple[list[str], list[int], set[int]]]) -> None:
    """Ratings are moved to a new table after each game."""
    whole, steps = Ratings(), Ratings()
    for bots, ranks, faulted in games:
        seats = len(bots)
        faulted = {seat for seat in faulted if seat < seats}
        whole.add(bots, ranks[:seats], faulted)
        known, steps = steps, Ratings()
        for bot in "abcdef":
            if bot in known:
                steps[bot] = known[bot]
        steps.add(bots, ranks[:seats], faulted)
        assert all(whole[bot] == steps[bot] and (bot in whole) == (bot in steps) for bot in "abcdef")
        assert all(whole[bot].sigma <= math.hypot(Rating().sigma, TAU * len(games)) for bot in "abcdef")


@settings(max_examples=40)
@given(games=GAMES)
def test_rivals_of_a_fault_are_rated_without_it(games: list[tuple[list[str], list[int], set[int]]]) -> None:
    table, alone = Ratings(), Ratings()
    for bots, ranks, _ in games:
        seats = len(bots)
        table.add([*bots, "bad"], [*ranks[:seats], 9], {seats})
        alone.add(bots, ranks[:seats])
        assert all(table[bot] == alone[bot] for bot in "abcdef")
    assert table["bad"].mu <= MU


@settings(max_examples=30)
@given(order=st.permutations(range(4)), ranks=st.lists(st.integers(1, 4), min_size=4, max_size=4))
def test_the_order_of_seats_hardly_matters(order: list[int], ranks: list[int]) -> None:
    before = [Rating(20.0 + 3 * seat, 2.0 + seat) for seat in range(4)]
    after = rate(before, ranks)
    turned = rate([before[seat] for seat in order], [ranks[seat] for seat in order])
    distinct = len(set(ranks)) == 4  # within a tie the package goes through the seats in order
    for index, seat in enumerate(order):
        assert turned[index].mu == pytest.approx(after[seat].mu, rel=1e-9 if distinct else 0.02)
