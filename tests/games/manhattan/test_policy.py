"""The policy's values of builds and selections in Manhattan."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import pytest

from fa_cli.games import find_game
from fa_cli.games.manhattan.policy import opinions as policy
from fa_cli.games.manhattan.policy.values import evaluate

GAME = find_game("manhattan")


def deal(players: int, name: str) -> Any:
    return GAME.start(GAME.make_options({}), players, hashlib.sha256(name.encode()).digest())


def positions(players: int, wanted: int) -> Iterator[Any]:
    """States of random games, none at the end of a round, in which something is to be built."""
    dice = random.Random(players)
    for number in range(wanted):
        state = deal(players, f"positions {number}")
        for _ in range(dice.randrange(12, 90)):
            state.apply(dice.choice(state.legal()))
        while state.left < 2:
            state.apply(dice.choice(state.legal()))
        yield state


def ahead(points: list[float], seat: int) -> float:
    """Return the seat's points less the others' average."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_build_is_worth_what_it_changes(players: int) -> None:
    """The quick reckoning for each build is that of the whole position, but for the block that is spent."""
    for state in positions(players, 8):
        seat, legal = state.actor, state.legal()
        builds = policy.Builds(state)
        for action, value in zip(legal, builds.values(legal), strict=True):
            after = state.copy()
            after.apply(action)
            after.chosen, after.left = state.chosen, state.left
            change = ahead(evaluate(after), seat) - ahead(evaluate(state), seat)
            spent = builds.spent[state.table.moves[seat][action][3]]
            assert value - spent == pytest.approx(change), GAME.actions[action]


def test_high_blocks_come_first() -> None:
    """What two players' bot selects for a colour, round by round, when nothing else is asked."""
    state = deal(2, "blocks")
    selected = []
    while not state.is_over():
        legal = state.legal()
        if state.left:
            state.apply(legal[0])
            continue
        values = policy.opinions(state, legal)
        best = legal[values.index(max(values))]
        if state.selecting_colour() == 0:
            selected.append(GAME.actions[best].removeprefix("select "))
        state.apply(best)
    assert selected == ["3 3 4 4", "2 2 3 4", "1 1 2 3", "1 1 1 2", "1 1 1 2", "1 1 1 2"]
