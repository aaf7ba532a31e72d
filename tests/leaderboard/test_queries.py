"""Seats, head to head and faults: figures computed by hand, and a planted advantage of a seat."""

from __future__ import annotations

import random

import pytest

from tests.tournament.helpers import Game

from .tables import faults_of, meetings_of, seats_of, standings_in_seats

STRENGTHS = {"a": 1.0, "b": 0.5, "c": 0.0, "d": -0.5, "e": -1.0}


def league(advantage: float, blocks: int, seed: int) -> list[Game]:
    """Blocks of four of five bots with the deal's luck, turned around the table; seat 0 is better by so much."""
    generator = random.Random(seed)
    games = []
    for number in range(blocks):
        order = generator.sample(sorted(STRENGTHS), 4)
        luck = [generator.gauss() for _ in order]
        for turn in range(4):
            names = order[turn:] + order[:turn]
            play = [STRENGTHS[name] + luck[seat] + generator.gauss() for seat, name in enumerate(names)]
            play[0] += advantage
            ranks = [1 + sum(other > mine for other in play) for mine in play]
            games.append(Game(names, ranks, scores=[round(10 + 5 * one) for one in play], number=number))
    return games


def test_figures_by_hand() -> None:
    rows = seats_of(*[Game(["a", "b"], [1, 2], number=0), Game(["b", "a"], [1, 1], number=0)])
    assert [row.wins for row in rows] == [0.75, 0.25]
    assert [row.mean_rank for row in rows] == [1.25, 1.75]
    assert [row.value for row in rows] == [0.25, -0.25]  # a: 1 and 1/2, on average 3/4; b: 0 and 1/2
    assert [(row.value_interval, row.p_value) for row in rows] == [(None, 1.0)] * 2
    assert [(row.game, row.players, row.seat, row.expected) for row in rows] == [
        ("fifth-avenue", 2, 0, 0.5),
        ("fifth-avenue", 2, 1, 0.5),
    ]


def test_a_planted_advantage_is_found() -> None:
    """Over all bots, and for each bot by seat; the ratings show it too."""
    games = league(0.8, 60, seed=1)
    first, *others = seats_of(*games)
    assert first.p_value < 0.001
    assert {row.p_value for row in others} == {first.p_value}
    assert first.value_interval is not None and first.value_interval[0] > 0
    assert first.value + sum(row.value for row in others) == pytest.approx(0, abs=1e-12)
    assert first.wins_interval[0] > 0.25
    assert all(row.mean_rank > 2.5 for row in others)
    board = standings_in_seats(*games)
    assert len(board.rows) == 5
    seats = [board.parts[f"seat {seat}"] for seat in range(4)]
    for bot in STRENGTHS:
        assert seats[0][bot].mean_rank < sum(seats[seat][bot].mean_rank for seat in (1, 2, 3)) / 3
    assert sum(seats[0][bot].mu > seats[2][bot].mu for bot in STRENGTHS) >= 4


@pytest.mark.slow
def test_equal_seats_are_rarely_called_different() -> None:
    """In 100 leagues, the seats are called different about as often as alpha says."""
    found = sum(seats_of(*league(0.0, 12, seed=seed))[0].p_value < 0.05 for seed in range(100))
    assert found <= 11


def test_one_seat_of_a_game_alone() -> None:
    (row,) = seats_of(*[Game(["a"], [1], number=0), Game(["a"], [1], number=1)])
    assert (row.mean_rank, row.p_value, row.mean_rank_interval) == (1.0, 1.0, (1, 1))


def test_the_matrix() -> None:
    games = [
        Game(["a", "b", "c"], [1, 2, 3], scores=[9, 7, 4], number=0),
        Game(["c", "a", "b"], [3, 1, 1], scores=[1, 5, 5], number=0),
    ]
    rows = meetings_of(*games).rows()
    of = {(row.bot, row.rival): row for row in rows}
    assert of["a", "b"].ahead == 0.75
    assert of["b", "a"].ahead == 0.25
    assert of["a", "b"].level == of["b", "a"].level == 0.5
    assert of["a", "b"].points_difference == 1.0 == -of["b", "a"].points_difference
    assert [row.bot for row in rows[::2]] == ["a", "b", "c"]
    assert all(row.games == 2 for row in rows)


def test_the_matrix_from_the_rivals_side() -> None:
    rows = meetings_of(*league(0.0, 10, seed=3)).rows()
    of = {(row.bot, row.rival): row for row in rows}
    for bot, rival in of:
        low, high = of[bot, rival].ahead_interval
        assert of[rival, bot].ahead_interval == pytest.approx([1 - high, 1 - low])
        assert low <= of[bot, rival].ahead <= high


def test_a_bot_does_not_meet_itself() -> None:
    assert meetings_of(Game(["a#1", "a#2"], [1, 2])).rows() == []


def test_faults_by_kind() -> None:
    rows = faults_of(*[Game(["a", "b"], [1, 2], faulted=[1]), Game(["b", "a"], [1, 2])])
    assert [(row.bot, row.games, row.faults, row.timeout, row.crash) for row in rows] == [
        ("b", 2, 1, 1, 0),
        ("a", 2, 0, 0, 0),
    ]
    assert [row.share for row in rows] == [0.5, 0.0]
