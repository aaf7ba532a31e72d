"""A renovation or ruin in New York (NY-7): every shipped bot chooses a colour and takes a good chance.

Blue has stones on both sides of a4s5, one of the five cells that were cleared; green has none near them.
"""

from __future__ import annotations

import json

import msgspec
import pytest

from fa_cli.games.new_york import GAME
from fa_cli.games.new_york.state import State
from tests.games.new_york.positions import legal, play, position

from .test_shipped import NAMES, START, Shipped, answer_of


def chance() -> State:
    """Seat 1, blue and green, has the second of five chances and has yet to choose its colour."""
    board = {"blue": "a3s5 a4s6 a4s7 a5s5", "green": "a1s1 a1s2", "red": "a7s1 a7s2 a7s3"}
    state = position(2, board, ["renovation red, avenue 1, street 1, street 2"], stock="avenue 3", actions="on")
    return play(state, "use red", "renovation red", "pass")


def decide(state: State) -> str:
    seen = msgspec.to_builtins(GAME.observe(state, 1))
    return json.dumps({"type": "decide", "id": 1, "legal": legal(state), "observation": seen, "clock": {}})


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random"])
def test_places_a_stone_that_joins_its_houses(shipped: Shipped, name: str) -> None:
    state = chance()
    start = {**START, "game": "new-york", "options": msgspec.to_builtins(state.options), "seat": 1}
    colour, place = answer_of(shipped(name), start, decide(state), decide(play(state.copy(), "use blue")))
    assert colour in ("use blue", "use green")
    assert place == "place a4s5"


@pytest.mark.parametrize("name", ["planner", "searcher"])
def test_chooses_the_colour_that_gains_most(shipped: Shipped, name: str) -> None:
    start = {**START, "game": "new-york", "options": msgspec.to_builtins(chance().options), "seat": 1}
    assert answer_of(shipped(name), start, decide(chance())) == ["use blue"]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random"])
def test_with_three_players_a_lone_stone_is_better_than_none(shipped: Shipped, name: str) -> None:
    """Every stone on the board is a point (NY-10)."""
    state = play(position(3, {"blue": "a4s3 a4s4"}, ["ruin red"], actions="on"), "ruin red", "pass")
    start = {**START, "game": "new-york", "options": msgspec.to_builtins(state.options), "players": ["a", "b", "c"]}
    (answer,) = answer_of(shipped(name), {**start, "seat": 1}, decide(state))
    assert answer.startswith("place")
