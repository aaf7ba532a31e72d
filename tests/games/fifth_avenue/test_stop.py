"""Building stops."""

from __future__ import annotations

from typing import Any

import pytest

from fa_cli.games.fifth_avenue.state import State

from .positions import Board, auction, legal, observe, play, position

RED, YELLOW, BLUE = 0, 1, 2

# Red 1, yellow 1 worth 5, blue 2 worth 3 each: four skyscrapers, no empty plot
FIGURE_10 = {"orange": "#2 x2", "green": "gallery+boutique", "gray": "#1 x1", "brown": "jeweler", "violet": "#0 x1"}


def figure_10(**situation: Any) -> State:
    return auction("TS", board={"TS": FIGURE_10}, hands=["violet 4", "gray 6", "orange 6"], **situation)


def test_fig_10_what_the_district_would_bring() -> None:
    state = play(position(board={"TS": FIGURE_10}, at=("TS", "CityHall")), "score TS")
    assert [state.scores()[seat] for seat in (YELLOW, BLUE)] == [5, 6]


def test_fa_17_fig_11_red_4_yellow_5_2_blue_6_2() -> None:
    state = play(figure_10(), "violet 4", "pass", "pass", "stop")
    assert state.scores() == [4, 2, 3]


def test_fa_17_fig_12_all_pieces_leave_the_game() -> None:
    state = play(figure_10(), "violet 4", "pass", "pass", "stop")
    assert "TS" not in observe(state, 0).board
    assert [(seat.supply, seat.general) for seat in observe(state, 0).seats] == [(3, 12)] * 3, "none comes back"
    assert sum(state.height) == 0 and not any(state.tiles)
    play(state, "pass", "pass", "pass")  # Central Park
    assert not any("TS" in action for action in legal(state, "business"))


def test_red_could_have_built_instead() -> None:
    state = play(figure_10(), "violet 4", "pass", "pass", "build 2")
    assert state.scores() == [0, 0, 0]


def test_the_stopper_never_gets_half_a_scoring() -> None:
    board = {"TS": {**FIGURE_10, "orange": "#0 x9", "violet": "jeweler"}}
    state = auction("TS", board=board, hands=["orange 4"])
    play(state, "orange 4", "pass", "pass", "stop")
    assert state.scores() == [10, 2, 0], "ten skyscrapers, not half of 27"


def test_a_stranger_who_stops_scores_the_others_skyscrapers() -> None:
    state = auction("TS", board={"TS": {**FIGURE_10, "violet": "jeweler"}}, hands=["brown 4"])
    play(state, "brown 4", "pass", "pass", "stop")
    assert state.scores() == [3, 2, 5]


def test_half_is_rounded_down_from_the_whole_scoring_not_per_skyscraper() -> None:
    board = {"TS": {**FIGURE_10, "orange": "#2 x3"}}  # 9, half 4; half of 3 each would be 1 or 3
    state = play(auction("TS", board=board, hands=["violet 4"]), "violet 4", "pass", "pass", "stop")
    assert state.scores() == [5, 2, 4]


def test_fa_17_a_commissioner_there_stays_and_leaves_no_marker() -> None:
    state = play(figure_10(at=("CentralPark", "TS")), "violet 4", "pass", "pass", "stop", "pass", "pass", "pass")
    assert observe(state, 0).commissioners["beige"].at == "TS"
    assert not legal(state, "score"), "a stopped district is not scored"
    play(state, "skyscrapers", "draw orange green", "move beige 52E")
    assert observe(state, 0).commissioners["beige"].marked == []


def test_fa_17_the_other_commissioners_marker_goes_home() -> None:
    marks = ("TS", "34W TS 52E")
    state = play(figure_10(marks=marks, at=("CentralPark", "CentralPark")), "violet 4", "pass", "pass", "stop")
    assert observe(state, 0).commissioners["beige"].marked == ["34W", "52E"]
    play(state, "pass", "pass", "pass")
    # the beige commissioner's round: no auction in the stopped district
    play(state, "skyscrapers", "draw orange green", "move beige CityHall")
    shown = observe(state, 0).auction
    assert shown is not None and [shown.lot, *shown.later] == ["34W", "52E", "CentralPark"]


def test_a_stop_in_the_middle_of_a_round_and_the_auctions_after_it() -> None:
    state = figure_10(before="52E")
    play(state, "violet 4", "pass", "pass", "stop")
    shown = observe(state, 0).auction
    assert shown is not None and (shown.lot, shown.later) == ("52E", ["CentralPark"])
    assert state.actor == 0


def test_fa_17_the_second_stop_ends_the_game_at_once() -> None:
    board: Board = {"TS": FIGURE_10, "52E": FIGURE_10, "34E": {"orange": "#1 x2"}}
    hands = ["violet 4 5", "", ""]
    state = auction("TS", before="52E 34W", board=board, hands=hands)
    play(state, "violet 4", "pass", "pass", "stop")
    assert not state.is_over()
    play(state, "violet 5", "pass", "pass", "stop")
    assert state.is_over() and state.reason() == "stops" and legal(state) == []
    # the stop's points, then the other districts (yellow has two skyscrapers in one)
    assert state.scores() == [8, 4 + 2, 6]
    shown = observe(state, 0)
    assert shown.auction is None and shown.phase == "over" and shown.actor == -1


def test_a_second_stop_after_the_first_action_ends_the_game_without_the_rest_of_the_turn() -> None:
    state = position(
        at=("CentralPark", "34E"), marks=("52E", ""), board={"52E": FIGURE_10}, stopped="TS", hands=["violet 4"]
    )
    play(state, "commissioner", "move white CityHall", "violet 4", "pass", "pass", "stop")
    assert state.is_over() and state.reason() == "stops"


@pytest.mark.parametrize("stopped", ["34E", "52W"])
def test_a_stopped_district_is_as_if_it_were_not_there(stopped: str) -> None:
    state = position(stopped=stopped)
    assert not any(stopped in action for action in legal(state) if not action.startswith("bid"))
    play(state, "commissioner")
    assert not any(stopped in action for action in legal(state))


def test_skyscrapers_in_a_stopped_district_do_not_count_at_the_end() -> None:
    state = position(phase="move", turns=2, turn=2, turn_limit=1, board={"34E": {"orange": "#0 x5"}}, stopped="TS")
    play(state, "move white 34E")
    assert state.is_over() and state.scores() == [5, 0, 0]
