"""Points if the game ended now: exact, and the same for all who look."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from fa_cli.games import find_game
from fa_cli.games.fifth_avenue.board import BY_TURN_LIMIT
from tests.viewer.games import recorded, states


@pytest.mark.parametrize("name", ["fifth-avenue", "manhattan"])
def test_the_last_forecast_comes_true(name: str) -> None:
    for number in range(3):
        end = states(recorded(name, number=number))[-1]
        find = find_game(name).presentation.if_ended
        assert find and find(end) == (end.scores(), end.scores())


def test_fifth_avenue_ends_within_the_range_and_at_its_ends() -> None:
    """However the tiles at Central Park are shuffled; ranges are as narrow as they can be."""
    game, generator, wide = find_game("fifth-avenue"), random.Random("shuffled"), 0
    find = game.presentation.if_ended
    assert find
    for number in range(4):
        state: Any = states(recorded("fifth-avenue", number=number))[-20]
        ends = []
        for _ in range(200):
            ended: Any = game.resample_from_infostate(state, 0, generator)
            ended.finish(BY_TURN_LIMIT)
            ends.append(ended.scores())
        least, most = find(state)
        assert (least, most) == (
            [min(column) for column in zip(*ends, strict=True)],
            [max(column) for column in zip(*ends, strict=True)],
        )
        wide += least != most
    assert wide


@pytest.mark.parametrize("name", ["fifth-avenue", "manhattan"])
def test_it_does_not_depend_on_what_a_seat_cannot_know(name: str) -> None:
    game, generator = find_game(name), random.Random("ended")
    find = game.presentation.if_ended
    assert find
    record = recorded(name)
    for number, state in enumerate(states(record)[:-1:5]):
        before = game.view(state, None)
        expected = find(state)
        assert game.view(state, None) == before  # the state is not touched
        for seat in range(len(record.players)):
            assert find(game.resample_from_infostate(state, seat, generator)) == expected, number  # type: ignore[arg-type]


def test_a_round_of_manhattan_is_scored_as_foretold() -> None:
    game = find_game("manhattan")
    find = game.presentation.if_ended
    assert find
    all_states = states(recorded("manhattan"))
    for before, after in pairwise(all_states):
        if before.scores() != after.scores():
            assert find(after)[0] == after.scores()  # the next round has not begun
