"""The action cards: renovation and ruin (NY-7), speculation, developer, statics (NY-8), with two players (NY-9)."""

from __future__ import annotations

import pytest

from fa_cli.games.new_york import GAME

from .positions import SAFE_HAND, hand, legal, pile, play, position, stones

MIDDLE = ["a3s4", "a4s3", "a4s4", "a4s5", "a5s4"]
CORNERS = ["a1s1", "a1s7", "a7s1", "a7s7"]
OUTER_NINE = "a1s1 a1s3 a1s5 a1s7 a3s1 a3s3 a3s5 a3s7 a5s1"


# -- renovation and ruin -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "cells"), [("renovation", MIDDLE), ("ruin", CORNERS)])
@pytest.mark.parametrize("back", ["red", "blue"])
def test_renovation_and_ruin_are_played_alone_and_clear_their_cells(kind: str, back: str, cells: list[str]) -> None:
    state = position(
        board={"red": f"{cells[0]} a2s2", "blue": f"{cells[1]} {cells[2]}"},
        hands=[f"{kind} {back}, avenue 1, avenue 1, street 2, street 2"],
        actions="on",
    )
    before = state.stones[:]
    play(state, f"{kind} {back}")
    assert (stones(state, "red"), stones(state, "blue")) == ("a2s2", "")
    assert state.stones[:3] == [before[0] + 1, before[1] + 2, before[2]]
    assert pile(state.discard) == f"{kind} {back}"
    assert hand(state, 0) == "avenue 1, avenue 1, street 2, street 2"
    assert legal(state) == [*(f"place {cell}" for cell in cells), "pass"]  # those that were empty before too


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(("kind", "cells"), [("renovation", MIDDLE), ("ruin", CORNERS)])
def test_ny_7_chances_go_clockwise_from_the_player_as_many_as_cells(players: int, kind: str, cells: list[str]) -> None:
    turn = players - 1
    state = position(players, hands=[SAFE_HAND] * turn + [f"{kind} red, street 1"], turn=turn, actions="on")
    play(state, f"{kind} red")
    placers = []
    for left, cell in zip(range(len(cells), 0, -1), reversed(cells), strict=True):
        placers.append(state.actor)
        seen = GAME.observe(state, 0)
        assert (seen.phase, seen.stone, seen.chances) == ("place", list(seen.colours)[state.actor], left)
        assert (seen.turn, seen.colour) == (turn, list(seen.colours)[turn])
        play(state, f"place {cell}")
    assert placers == [(turn + step) % players for step in range(len(cells))]
    assert (state.actor, state.turn, state.turns) == (0, 0, 1)
    seen = GAME.observe(state, 0)
    assert (seen.stone, seen.cells, seen.chances) == (None, [], 0)


def test_how_often_each_player_has_a_chance() -> None:
    """Five cells: with fewer than five players some place twice. Four corners: one of three twice, one of five not."""
    for players, kind, times in [(3, "renovation", [2, 2, 1]), (3, "ruin", [2, 1, 1]), (5, "ruin", [1, 1, 1, 1, 0])]:
        state = position(players, hands=[f"{kind} red"], actions="on")
        play(state, f"{kind} red")
        while not state.turns:
            state.apply(state.legal()[0])
        assert [state.board[seat].bit_count() for seat in range(players)] == times


def test_ny_7_adjacency_does_not_apply() -> None:
    state = position(board={"blue": "a4s6"}, hands=["renovation red"], actions="on")
    play(state, "renovation red", "place a4s4")
    left = ["place a3s4", "place a4s3", "place a4s5", "place a5s4", "pass"]
    assert (state.actor, legal(state)) == (1, left)  # a4s5 is beside blue's own stone
    play(state, "place a4s5", "place a3s4", "place a4s3", "place a5s4")
    assert stones(state, "red") == "a4s3 a4s4"


def test_ny_7_a_chance_may_be_passed_and_is_then_gone() -> None:
    """ "mag" in the rule book: nobody has to place, and a cell that all leave out stays empty."""
    state = position(hands=["ruin red, " + SAFE_HAND], actions="on")
    play(state, "ruin red", "pass")
    assert (state.actor, GAME.observe(state, 0).chances) == (1, 3)
    assert legal(state) == [*(f"place {cell}" for cell in CORNERS), "pass"]
    play(state, "place a7s7", "pass")
    assert (state.actor, legal(state)) == (0, ["place a1s1", "place a1s7", "place a7s1", "pass"])  # the fourth chance
    play(state, "pass")
    assert (stones(state, "blue"), state.board[0], state.board[2]) == ("a7s7", 0, 0)
    assert (state.turn, state.turns, state.empty.bit_count()) == (1, 1, 48)


def test_ny_7_all_may_pass() -> None:
    state = position(5, board={"black": "a4s4"}, hands=["renovation blue"], actions="on")
    play(state, "renovation blue", *["pass"] * 5)
    assert (state.turns, state.empty.bit_count(), state.actor) == (1, 49, 1)


def test_ny_7_player_without_a_stone_loses_his_chance() -> None:
    """It goes to nobody else: ruin with three players gives seat 0 two chances, seats 1 and 2 one each."""
    state = position(hands=["ruin red"], actions="on")
    state.stones[1] = 0
    state.journal = []
    play(state, "ruin red", "place a1s1")
    assert (state.actor, GAME.observe(state, 0).chances) == (2, 2)
    assert ("skipped", 1, 1) in state.journal
    play(state, "place a1s7", "place a7s1")
    assert (state.turns, state.empty.bit_count(), state.turn) == (1, 46, 1)


def test_ny_7_the_player_himself_loses_his_without_one() -> None:
    state = position(hands=["ruin red"], actions="on")
    state.stones[0] = 0
    assert play(state, "ruin red").actor == 1
    play(state, "place a1s1", "place a1s7")
    assert state.turns == 1  # the fourth chance was his again


def test_ny_7_a_stone_that_went_back_can_be_placed_again() -> None:
    state = position(board={"red": "a1s1"}, hands=["ruin red"], actions="on")
    state.stones[:3] = [0, 0, 0]
    play(state, "ruin red", "place a7s7")
    assert (stones(state, "red"), state.turns) == ("a7s7", 1)


def test_ny_7_ends_when_nobody_has_a_stone() -> None:
    state = position(hands=["ruin red, avenue 1"], stock="avenue 2, street 1, street 2", actions="on")
    state.stones[:3] = [1, 0, 1]
    play(state, "ruin red", "place a1s1", "place a1s7")
    assert (state.turns, state.actor, state.turn) == (1, 1, 1)
    assert hand(state, 0) == "avenue 1, avenue 2, street 1, street 2"  # the turn ended as any does
    state = position(hands=["ruin red"], actions="on")
    state.stones[:3] = [0, 0, 0]
    assert play(state, "ruin red").turns == 1


def test_ny_7_two_players_the_opponent_chooses_his_colour() -> None:
    state = position(2, hands=["renovation blue"], actions="on")
    play(state, "use red", "renovation blue", "place a4s4")
    seen = GAME.observe(state, 0)
    assert (seen.phase, seen.actor, seen.stone, seen.colour, seen.chances) == ("place", 1, None, "red", 4)
    assert seen.cells == ["a3s4", "a4s3", "a4s5", "a5s4"]
    assert legal(state) == ["use blue", "use green"]
    play(state, "use green")
    seen = GAME.observe(state, 0)
    assert (seen.phase, seen.actor, seen.stone, seen.colour, seen.chances) == ("place", 1, "green", "red", 4)
    assert legal(state) == ["place a3s4", "place a4s3", "place a4s5", "place a5s4", "pass"]
    play(state, "place a5s4")
    assert (state.actor, GAME.observe(state, 0).stone) == (0, "red")  # the colour in use, without a choice
    play(state, "pass", "use blue", "place a3s4", "place a4s3")
    assert [stones(state, colour) for colour in ("red", "blue", "yellow", "green")] == ["a4s3 a4s4", "a3s4", "", "a5s4"]
    assert state.turns == 1 and legal(state) == ["use blue", "use green"]  # now it is the colour of a turn
    assert GAME.observe(state, 1).phase == "colour"


def test_ny_7_two_players_a_colour_chosen_may_still_pass() -> None:
    state = position(2, hands=["ruin red"], actions="on")
    play(state, "use yellow", "ruin red", "pass", "use blue", "pass", "pass", "use green", "pass")
    assert (state.turns, state.empty.bit_count()) == (1, 49)


def test_ny_7_two_players_no_choice_with_one_colour_in_stock() -> None:
    state = position(2, hands=["ruin red"], actions="on")
    state.stones[1] = 0
    play(state, "use red", "ruin red", "pass")
    assert (state.actor, GAME.observe(state, 1).stone) == (1, "green")
    assert legal(state) == [*(f"place {cell}" for cell in CORNERS), "pass"]
    state.stones[3] = 1
    play(state, "place a1s1", "pass")
    assert state.turns == 1  # the last chance was the opponent's, who has no stone left


def test_ny_7_two_players_the_player_has_only_the_colour_in_use() -> None:
    state = position(2, hands=["ruin blue"], actions="on")
    state.stones[0] = 0
    state.journal = []
    play(state, "use red", "ruin blue")
    assert (state.actor, state.journal[-1]) == (1, ("skipped", 0, 0))  # his yellow stones do not help him
    play(state, "use blue", "place a1s1", "use blue", "place a7s7")
    assert state.turns == 1


# -- speculation ---------------------------------------------------------------------------------------------------


def speculate(count: int, **more: object) -> list[str]:
    blue = " ".join(OUTER_NINE.split()[:count])
    return legal(position(board={"blue": blue, "yellow": "a7s7"}, hands=["speculation red"], actions="on"))


def test_speculation_needs_a_colour_with_more_than_eight_stones_on_the_board() -> None:
    assert speculate(8) == ["redraw"]
    assert speculate(9) == ["speculation red blue"]


@pytest.mark.parametrize("back", ["red", "blue"])
def test_speculation_the_owner_chooses_the_stone_and_ours_takes_its_place(back: str) -> None:
    state = position(
        board={"blue": OUTER_NINE}, hands=[f"speculation {back}, avenue 2"], stock="street 7", actions="on"
    )
    red, blue = state.stones[:2]
    play(state, f"speculation {back} blue")
    seen = GAME.observe(state, 2)
    assert (seen.phase, seen.actor, seen.turn, seen.stone, seen.colour) == ("remove", 1, 0, "blue", "red")
    assert legal(state) == [f"remove {cell}" for cell in OUTER_NINE.split()]
    play(state, "remove a3s5")
    assert "a3s5" not in stones(state, "blue") and stones(state, "red") == "a3s5"
    assert state.stones[:2] == [red - 1, blue + 1]
    assert state.units == [8, 8, 8]  # free
    assert hand(state, 0) == "avenue 2, street 7, speculation " + back  # there was nothing else to draw
    assert state.turn == 1


def test_ny_8_speculation_not_against_oneself() -> None:
    assert legal(position(board={"red": OUTER_NINE}, hands=["speculation red"], actions="on")) == ["redraw"]


def test_ny_8_speculation_counts_one_colour_and_names_it() -> None:
    board = {"blue": "a1s1 a1s2 a1s3 a1s4 a1s5", "green": "a2s1 a2s2 a2s3 a2s4 a2s5"}
    assert legal(position(2, board, ["speculation red"], actions="on")) == ["redraw"]
    board = {"blue": "a1s1 a1s2 a1s3 a1s4 a1s5", "green": "a2s2 " + OUTER_NINE.replace("a1", "a6")}
    state = position(2, board, ["speculation red"], actions="on")
    play(state, "use yellow")
    assert legal(state) == ["speculation red green"]
    play(state, "speculation red green")
    assert (state.actor, len(legal(state))) == (1, 10)
    play(state, "remove a2s2")
    assert stones(state, "yellow") == "a2s2"


# -- developer -----------------------------------------------------------------------------------------------------

MIXED = {"red": "a3s1 a6s5", "blue": "a3s5 a5s5", "yellow": "a3s7 a1s5"}


def test_developer_any_opponents_stone_in_the_partners_line() -> None:
    cards = "developer red, street 5, street 5"
    assert legal(position(board=MIXED, hands=[cards], actions="on")) == [
        "developer red 5 a1s5",
        "developer red 5 a3s5",
        "developer red 5 a5s5",
    ]
    assert legal(position(board=MIXED, hands=["developer blue, avenue 3"], actions="on")) == [
        "developer blue 3 a3s5",
        "developer blue 3 a3s7",
    ]


def test_developer_with_a_joker_anywhere() -> None:
    everywhere = ["a1s5", "a3s5", "a3s7", "a5s5"]
    for back, joker in (("red", "street *"), ("blue", "avenue *")):
        state = position(board=MIXED, hands=[f"developer {back}, {joker}"], actions="on")
        assert legal(state) == [f"developer {back} * {cell}" for cell in everywhere]


def test_developer_replaces_it_free() -> None:
    state = position(
        board=MIXED,
        hands=["street 5, developer red, avenue 1"],
        units=[0, 8, 8],
        stock="street 1, street 2, avenue 2",
        actions="on",
    )
    red, blue = state.stones[:2]
    play(state, "developer red 5 a3s5")
    assert (stones(state, "red"), stones(state, "blue")) == ("a3s1 a3s5 a6s5", "a5s5")
    assert (state.stones[:2], state.units) == ([red - 1, blue + 1], [0, 8, 8])
    assert pile(state.discard) == "developer red, street 5"  # NY-5: the action card before its partner
    assert (hand(state, 0), state.turn) == ("avenue 1, street 1, street 2, avenue 2", 1)


def test_ny_8_an_action_card_is_never_a_partner() -> None:
    for other in ("developer blue", "statics blue", "renovation blue"):
        found = legal(position(board=MIXED, hands=[f"developer red, {other}"], actions="on"))
        assert found == (["renovation blue"] if other == "renovation blue" else ["redraw"])


def test_a_partner_has_the_other_back() -> None:
    assert legal(position(board=MIXED, hands=["developer red, avenue 3, avenue *"], actions="on")) == ["redraw"]
    assert legal(position(board=MIXED, hands=["statics blue, street 5, street *"], actions="on")) == ["redraw"]


def test_ny_8_developer_speculation_statics_need_a_stone() -> None:
    board = MIXED | {"blue": OUTER_NINE}
    cards = "developer red, speculation blue, statics red, street 5, street *"
    assert legal(position(board=board, hands=[cards], actions="on")) != ["redraw"]
    state = position(board=board, hands=[cards], actions="on")
    state.stones[0] = 0
    assert legal(state) == ["redraw"]


def test_ny_8_two_players_the_stone_must_be_of_the_colour_in_use() -> None:
    state = position(2, {"blue": "a3s5"}, ["developer red, street 5"], actions="on")
    state.stones[0] = 0
    assert legal(state) == ["use yellow"]


def test_ny_9_two_players_opponent_means_the_other_players_two_colours() -> None:
    board = {"red": "a1s5", "yellow": "a2s5", "blue": "a3s5", "green": "a4s5"}
    state = play(position(2, board, ["developer red, street 5"], actions="on"), "use red")
    assert legal(state) == ["developer red 5 a3s5", "developer red 5 a4s5"]
    play(state, "developer red 5 a4s5")
    assert (stones(state, "red"), stones(state, "green")) == ("a1s5 a4s5", "")


def test_ny_9_two_players_each_colour_counts_for_itself() -> None:
    """Statics' most: three stones of two colours are not more than two of one."""
    board = {"red": "a1s5 a2s5", "blue": "a3s5", "green": "a4s5 a5s5"}
    state = play(position(2, board, ["statics red, street 5"], actions="on"), "use yellow")
    assert legal(state) == ["statics red 5 green"]
    state = position(2, board | {"red": "a1s5 a2s5 a6s5"}, ["statics red, street 5"], actions="on")
    assert legal(state) == ["redraw"]


def test_ny_9_a_developer_is_no_joker() -> None:
    """It replaces a stone of an opponent; on an empty cell or on an own stone it does nothing."""
    assert legal(position(board={"red": "a3s5"}, hands=["developer red, street 5"], actions="on")) == ["redraw"]
    assert legal(position(board={"red": "a3s5"}, hands=["developer blue, avenue *"], actions="on")) == ["redraw"]


# -- statics -------------------------------------------------------------------------------------------------------


def statics(board: dict[str, str], cards: str = "statics red, street 5", players: int = 3) -> list[str]:
    state = position(players, board, [cards], actions="on")
    return legal(play(state, "use red") if legal(state) == ["use red", "use yellow"] else state)


def test_statics_names_the_opponent_with_the_most_stones_in_the_line() -> None:
    assert statics({"red": "a1s5", "blue": "a2s5 a3s5", "yellow": "a4s5 a1s1 a1s2 a1s3"}) == ["statics red 5 blue"]
    assert statics({"blue": "a3s5", "yellow": "a3s1 a3s2"}, "statics blue, avenue 3") == ["statics blue 3 yellow"]


def test_statics_not_where_oneself_has_the_most() -> None:
    assert statics({"red": "a1s5 a2s5", "blue": "a3s5"}) == ["redraw"]


def test_ny_8_tied_colours_each_may_be_named_if_an_opponents() -> None:
    assert statics({"red": "a1s5 a4s5", "blue": "a2s5 a3s5", "yellow": "a5s5 a6s5"}) == [
        "statics red 5 blue",
        "statics red 5 yellow",
    ]


def test_ny_8_two_players_either_own_colour_alone_with_the_most_prevents_it() -> None:
    assert statics({"yellow": "a1s5 a2s5", "blue": "a3s5", "red": "a1s1"}, players=2) == ["redraw"]
    assert statics({"yellow": "a1s5", "blue": "a3s5"}, players=2) == ["statics red 5 blue"]


def test_ny_8_a_line_without_stones_has_no_most() -> None:
    assert statics({"blue": "a3s4"}) == ["redraw"]


def test_statics_with_a_joker_stands_for_any_line() -> None:
    found = statics({"blue": "a3s5 a3s2", "yellow": "a2s5"}, "statics red, street *")
    assert found == ["statics red *2 blue", "statics red *5 blue", "statics red *5 yellow"]
    found = statics({"blue": "a3s5 a6s2"}, "statics blue, avenue *, avenue 6")
    assert found == ["statics blue 6 blue", "statics blue *3 blue", "statics blue *6 blue"]


@pytest.mark.parametrize("form", ["5", "*5"])
def test_statics_the_owner_chooses_one_of_his_there(form: str) -> None:
    card = "street *" if form == "*5" else "street 5"
    state = position(board={"blue": "a2s5 a3s5 a7s1"}, hands=[f"{card}, statics red, avenue 1"], actions="on")
    red, blue = state.stones[:2]
    play(state, f"statics red {form} blue")
    assert (state.actor, legal(state)) == (1, ["remove a2s5", "remove a3s5"])
    assert GAME.observe(state, 0).cells == ["a2s5", "a3s5"]
    assert pile(state.discard) == f"statics red, {card}"
    play(state, "remove a2s5")
    assert (stones(state, "blue"), stones(state, "red"), state.turn) == ("a3s5 a7s1", "a2s5", 1)
    assert state.stones[:2] == [red - 1, blue + 1]


def test_action_cards_in_table_order() -> None:
    state = position(
        board={"blue": OUTER_NINE, "yellow": "a7s7"},
        hands=[
            "street 5, avenue 1, statics blue, developer red, ruin red, speculation blue, renovation blue, ruin blue"
        ],
        units=[0, 0, 0],
        actions="on",
    )
    assert legal(state) == [
        "renovation blue",
        "ruin red",
        "ruin blue",
        "speculation blue blue",
        "developer red 5 a1s5",
        "developer red 5 a3s5",
        "statics blue 1 blue",
    ]
