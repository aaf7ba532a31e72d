"""Collusion: figures by hand, honest leagues that are not flagged, and helpers that are."""

from __future__ import annotations

import itertools
from dataclasses import replace
from math import sqrt

import numpy
import pytest

from fa_cli.leaderboard.played_games import played_game
from fa_cli.stats.teams.collusion import ALPHA, MIN_BLOCKS, Collusion
from fa_cli.stats.teams.collusion_model import Comparisons, Gain, Gains, gain_spread
from tests.stats.leagues import HELPERS, HELPING, HONEST, League
from tests.tournament.helpers import Game

QUICK = {"games": 240, "bots": 6}


def put(games: list[Game]) -> Collusion:
    found = Collusion()
    for index, game in enumerate(games):
        found.add(played_game(game, "log", index))
    return found


def tables(times: int, helped: str = "") -> list[Game]:
    """Six bots at all tables of three, ranked by the alphabet; the helped pair is lucky together."""
    games = []
    for number, (round_, group) in enumerate(itertools.product(range(times), itertools.combinations("abcdef", 3))):
        order = [*group[round_ % 3 :], *group[: round_ % 3]]
        first = set(helped) <= set(group) and helped
        points = [ord("z") - ord(name) + 10 * (name in first) if first else ord("z") - ord(name) for name in order]
        points = [own + 30 * ((number * 7 + seat * 5) % 11 > 8) for seat, own in enumerate(points)]
        games.append(Game(order, [1 + sum(other > own for other in points) for own in points], number=number))
    return games


# -- figures ----------------------------------------------------------------------------------------------------------


def test_a_gain_by_hand() -> None:
    """Bots 0 and 1 meet four times, twice with each of 2 and 3; 0 is ahead of 1 by chance, unless 2 is there."""
    present = numpy.array([[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1], [1, 1, 0, 1]], bool)
    rows = [(block, 0, 1, 0, ahead) for block, ahead in enumerate([1.0, 1.0, 0.5, 0.5])]
    gains = Gains(Comparisons(*(numpy.array(column) for column in zip(*rows, strict=True))), present)
    levels = gains._levelling(
        Comparisons(*(numpy.array(column) for column in zip(*rows, strict=True))), [numpy.arange(4)]
    )
    assert levels[2] > 0 > levels[3]  # one stratum alone can't be told from a bot that widens all differences
    assert gains.gain(0, 2) is None or abs(gains.gain(0, 2).mean) < 1e-12
    rows = [(block, 0, 1, 0, ahead) for block, ahead in enumerate([0.75, 0.75, 0.25, 0.25])]
    gains = Gains(Comparisons(*(numpy.array(column) for column in zip(*rows, strict=True))), present)
    gain = gains.gain(0, 2)
    assert gain
    assert gain.mean == pytest.approx(0.5)
    assert gains.gain(0, 1) is None  # who is always there
    assert gains.gain(1, 0) is None  # nothing was said of it
    assert gains.together(0, 2) is None


def test_the_spread_of_gains() -> None:
    generator = numpy.random.default_rng(5)
    gains = [Gain(mean, 0.01, 20) for mean in generator.normal(0, sqrt(0.01 + 0.04), 4000)]
    assert gain_spread(gains).variance == pytest.approx(0.04, rel=0.1)
    assert gain_spread(gains).freedom == 4000
    assert gain_spread([*gains, *[Gain(5.0, 0.01, 20)] * 100]).variance == pytest.approx(0.04, rel=0.2)
    assert gain_spread([Gain(0.05, 0.01, 20)] * 10).variance == 0


def test_two_bots_that_win_together_are_flagged() -> None:
    rows = put(tables(12, "be")).rows()
    assert [(row.first, row.second) for row in rows if row.flagged] == [("b", "e")]
    assert len(rows) == 15
    first = rows[0]
    assert first.p_value * 15 == pytest.approx(first.adjusted_p)
    assert first.adjusted_p < ALPHA
    assert (first.blocks, first.games) == (48, 48)
    assert first.together_gains == pytest.approx((first.first_gains + first.second_gains) / 2)
    low, high = first.together_interval
    assert 0 < low < first.together_gains < high
    assert [row.p_value for row in rows[1:]] == sorted(row.p_value for row in rows[1:])
    assert all(row.adjusted_p == min(1, row.p_value * 14) for row in rows[1:])
    assert not any(row.flagged for row in put(tables(12)).rows())


def test_the_order_of_bots_and_games_within_a_block_does_not_matter() -> None:
    games = tables(12, "be")
    turned = [Game(game.players[::-1], game.result.ranks[::-1], number=game.meta["number"]) for game in games]
    for one, other in zip(put(games).rows(), put(turned).rows(), strict=True):
        assert {one.first, one.second} == {other.first, other.second}
        assert one.p_value == pytest.approx(other.p_value)


def test_games_that_are_not_used() -> None:
    games = tables(12, "be")
    rows = put(games).rows()
    more = [
        Game(["b", "e"], [1, 2]),
        Game(["b", "e", "c"], [1, 2, 3], faulted=[2]),
        Game(["b#1", "b#2", "e"], [1, 2, 3]),
    ]
    found = put([*games, *more])
    assert found.rows() == rows
    assert (found.games, found.skipped) == (len(games) + 2, 2)


@pytest.mark.parametrize(
    "games",
    [
        pytest.param([], id="none"),
        pytest.param(tables(1)[: MIN_BLOCKS - 1], id="few"),
        pytest.param([Game([*"abc"], [1, 2, 3], number=number) for number in range(50)], id="one table"),
        pytest.param(
            [Game(list(group), [1, 2, 3], number=n) for n in range(50) for group in itertools.combinations("abcd", 3)],
            id="four bots",
        ),
        pytest.param([Game([*"abcde"], [1, 2, 3, 4, 5], number=number) for number in range(50)], id="all at a table"),
    ],
)
def test_pools_that_can_not_be_tested(games: list[Game]) -> None:
    assert put(games).rows() == []


def test_games_that_always_end_alike_are_no_evidence() -> None:
    games = [
        Game(list(group), [1, 2, 3], number=20 * turn + place)
        for turn in range(10)
        for place, group in enumerate(itertools.combinations("abcdef", 3))
    ]
    assert not any(row.flagged for row in put(games).rows())


# -- leagues ----------------------------------------------------------------------------------------------------------


def test_honest_leagues_are_rarely_flagged() -> None:
    league = replace(HONEST["all of it"], **QUICK)
    assert sum(bool(league.flagged(seed)) for seed in range(25)) <= 4  # more have a probability of 0.7%


def test_only_helpers_are_flagged() -> None:
    league = League(**QUICK, helps=2, suits=0.5, styles=0.3)
    found = [league.flagged(seed) for seed in range(12)]
    assert sum(pairs == [HELPERS] for pairs in found) >= 9
    assert sum(any(pair != HELPERS for pair in pairs) for pairs in found) <= 1


def test_a_bot_that_beats_another_is_not_flagged() -> None:
    """What one gains the other loses: that is a difference in strength, not help."""
    league = League(**QUICK, serves=1)
    assert sum(bool(league.flagged(seed)) for seed in range(12)) <= 2


@pytest.mark.slow
def test_no_kind_of_honest_league_is_flagged_too_often() -> None:
    """120 leagues; more flagged leagues than this have a probability of 2% at a rate of alpha."""
    assert sum(bool(league.flagged(seed)) for league in HONEST.values() for seed in range(10)) <= 11
    assert sum(HELPERS in HELPING["one, 960 games"].flagged(seed) for seed in range(10)) >= 7
