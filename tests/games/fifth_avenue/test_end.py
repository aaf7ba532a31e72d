"""How a game ends, the final scoring and the ranks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games.fifth_avenue import GAME

from .positions import SEED, legal, observe, play, position
from .reference import shuffled

PARK = "boutique boutique jeweler gallery boutique perfumery jeweler"


def test_the_twelfth_business_ends_the_game_at_once() -> None:
    state = position(placed=11, park=PARK, sets=["gallery jeweler"], hands=["gray 4"])
    play(state, "business gallery TS.gray")
    assert state.is_over() and state.reason() == "businesses" and state.actor == -1 and legal(state) == []
    assert observe(state, 0).park_tiles == [*PARK.split(), "jeweler"], "the set's last tile went there"
    assert observe(state, 0).businesses == [] and observe(state, 0).placed == 12


def test_no_special_scoring_after_the_twelfth() -> None:
    board = {district: {"orange": "#0 x1"} for district in ("34E", "34W", "42E", "42W", "TS", "52E")}
    state = play(position(board=board, placed=11, park=PARK, sets=["gallery jeweler"]), "business gallery 52W.gray")
    assert state.scores() == [6, 0, 0], "one for each skyscraper of the final scoring"


def test_the_final_scoring_is_that_of_every_open_district() -> None:
    board = {"TS": {"orange": "#0 x2", "green": "gallery"}, "52W": {"gray": "#1 x1", "green": "jeweler+gallery"}}
    state = position(2, board=board, placed=11, park=PARK, sets=["gallery jeweler"], points=[1, 2])
    play(state, "business gallery 34E.gray")
    assert state.scores() == [1 + 4, 2 + 3]


def test_no_cards_are_drawn_in_the_final_scoring() -> None:
    state = position(2, board={"TS": {"orange": "#0 x2"}}, placed=11, park=PARK, sets=["gallery jeweler"])
    play(state, "business gallery TS.gray")
    assert not any(state.hand)


@pytest.mark.parametrize(
    ("park", "value"), [(["gallery"] * 7, 2), (["gallery", "jeweler"] * 3 + ["gallery"], None), (PARK.split(), None)]
)
def test_central_park_by_three_tiles_turned_up(park: list[str], value: int | None) -> None:
    state = position(placed=11, park=" ".join(park), sets=["gallery gallery"], at_park=[1, 0, 4])
    play(state, "business gallery TS.gray")
    up = shuffled(SEED, "park", [*park, "gallery"])[:3]
    expected = {1: 2, 2: 3, 3: 5}[len(set(up))]
    assert value in (None, expected)
    assert state.scores() == [expected, 0, 4 * expected]


@pytest.mark.parametrize(("park", "value"), [("", 2), ("gallery", 2), ("gallery gallery", 2), ("gallery jeweler", 3)])
def test_fa_21_central_park_with_fewer_than_three_tiles(park: str, value: int) -> None:
    state = position(2, phase="move", turn=1, turns=1, turn_limit=1, park=park, at_park=[2, 1])
    assert play(state, "move white 34E").scores() == [2 * value, value]


def test_fa_20_the_turn_limit() -> None:
    state: Any = GAME.start(GAME.make_options({"turn_limit": 2}), 3, bytes(32))
    turns = 0
    while not state.is_over():
        actions = legal(state, "place", "skyscrapers", "draw", "move", "pass")
        turns += actions[0] == "skyscrapers"
        play(state, actions[0])
    assert turns == 6 and state.reason() == "turn-limit"


def test_fa_20_the_last_turn_is_finished_with_its_auctions() -> None:
    situation: dict[str, Any] = {
        "turn": 1,
        "turns": 1,
        "turn_limit": 1,
        "at": ("CentralPark", "CentralPark"),
        "marks": ("TS", "34E"),
    }
    state = position(2, hands=["", "gray 4 5"], black="4 4 4", **situation)
    play(state, "commissioner", "move white CityHall", "gray 4 5", "pass", "build 1")
    play(state, "pass", "pass", "draw orange green", "move beige CityHall")
    assert not state.is_over() and legal(state)[0] == "pass"
    play(state, "pass", "pass", "pass", "pass")
    assert state.is_over() and state.reason() == "turn-limit"
    assert GAME.sample_state(observe(state, 0), Random(1)).reason() == "turn-limit"


def test_fa_20_a_stop_in_the_last_turn_is_the_reason() -> None:
    full = {"orange": "#0 x1", "green": "#1 x1", "gray": "gallery", "brown": "gallery", "violet": "gallery"}
    situation: dict[str, Any] = {"turns": 1, "turn": 1, "turn_limit": 1, "phase": "move", "stopped": "52E"}
    state = position(
        2,
        at=("CentralPark", "34E"),
        marks=("TS", ""),
        board={"TS": full},
        hands=["", "green 4 5"],
        black="4 4",
        **situation,
    )
    play(state, "move white CityHall", "green 4 5", "pass", "stop")
    assert state.reason() == "stops"
    assert GAME.sample_state(observe(state, 0), Random(1)).reason() == "stops"


def test_more_points_then_more_cards() -> None:
    hands = ["gray 4", "", "gray 5, black 4", "brown 4"]
    state = position(4, points=[5, 7, 5, 5], hands=hands, turns=3, turn=3, turn_limit=1, phase="move")
    play(state, "move white 34E")
    assert state.is_over()
    assert rank_seats(state.standing()) == [3, 1, 2, 3]
