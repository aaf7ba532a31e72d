"""A turn: buildings won, bought and given back (NY-3), the redraw (NY-4), discarding and drawing (NY-5)."""

from __future__ import annotations

from fa_cli.games.new_york import GAME

from .positions import SAFE_HAND, Rigged, hand, legal, pile, play, position, stones


def test_a_red_and_a_blue_card_name_one_building() -> None:
    state = position(hands=["avenue 3, avenue 6, street 5, street 2"])
    assert legal(state) == ["play 3 2", "play 3 5", "play 6 2", "play 6 5"]
    play(state, "play 3 5")
    assert stones(state, "red") == "a3s5"


def test_a_joker_stands_for_any_line_of_its_colour() -> None:
    state = position(hands=["avenue *, avenue 6, street 5, street 5"])
    assert legal(state) == ["play 6 5", *(f"play *{number} 5" for number in range(1, 8))]
    state = position(hands=["avenue 2, avenue 2, street *, street 7"])
    assert legal(state) == ["play 2 7", *(f"play 2 *{number}" for number in range(1, 8))]


def test_two_jokers_reach_every_building() -> None:
    state = position(hands=["avenue *, avenue *, street *, street *"])
    both = [f"play *{avenue} *{street}" for avenue in range(1, 8) for street in range(1, 8)]
    assert legal(state) == both
    assert stones(play(state, "play *4 *1"), "red") == "a4s1"


def test_ny_3_joker_forms_of_one_cell_are_actions_of_their_own() -> None:
    state = position(hands=["avenue *, avenue 2, street *, street 2"])
    assert {"play 2 2", "play 2 *2", "play *2 2", "play *2 *2"} <= set(legal(state))


def test_ny_3_an_empty_building_costs_nothing() -> None:
    state = position(hands=["avenue 3, avenue 6, street 5, street 2"], units=[0, 8, 8])
    before = state.stones[0]
    play(state, "play 3 5")
    assert (stones(state, "red"), state.stones[0], state.units) == ("a3s5", before - 1, [0, 8, 8])


def test_ny_3_an_own_stone_goes_back_to_stock() -> None:
    state = position(board={"red": "a3s5 a3s6"}, hands=["avenue 3, avenue 3, street 5, street 5"])
    before = state.stones[0]
    play(state, "play 3 5")
    assert (stones(state, "red"), state.stones[0], state.units) == ("a3s6", before + 1, [8, 8, 8])


BLUE = {"blue": "a3s5 a3s1 a3s7 a1s5"}  # three in the avenue, two in the street


def test_ny_3_another_players_stone_costs_the_lower_count_paid_to_its_owner() -> None:
    state = position(board=BLUE, hands=["avenue 3, avenue 3, street 5, street 5"], units=[2, 4, 8])
    red, blue = state.stones[0], state.stones[1]
    play(state, "play 3 5")
    assert state.units == [0, 6, 8]
    assert (stones(state, "red"), stones(state, "blue")) == ("a3s5", "a1s5 a3s1 a3s7")
    assert state.stones[:2] == [red - 1, blue + 1]


def test_ny_3_the_stone_itself_counts() -> None:
    alone = {"blue": "a3s5"}
    state = position(board=alone, hands=["avenue 3, avenue 3, street 5, street 5"], units=[1, 4, 8])
    assert play(state, "play 3 5").units == [0, 5, 8]
    assert legal(position(board=alone, hands=["avenue 3, street 5"], units=[0, 4, 8])) == ["redraw"]


def test_ny_3_only_stones_of_that_stones_colour_count() -> None:
    crowd = {"blue": "a3s5", "yellow": "a3s1 a3s2 a1s5 a2s5", "red": "a3s3 a3s4 a4s5 a5s5"}
    state = position(board=crowd, hands=["avenue 3, street 5"], units=[1, 4, 8])
    assert legal(state) == ["play 3 5"]


def test_ny_3_not_without_the_price() -> None:
    cards = "avenue 3, avenue 3, street 5, street 6"
    assert legal(position(board=BLUE, hands=[cards], units=[1, 4, 8])) == ["play 3 6"]
    assert legal(position(board=BLUE, hands=[cards], units=[2, 4, 8])) == ["play 3 5", "play 3 6"]


def test_ny_3_a_full_line_can_cost_seven() -> None:
    cross = {"blue": " ".join([f"a4s{n}" for n in range(1, 8)] + [f"a{n}s4" for n in (1, 2, 3, 5, 6, 7)])}
    assert legal(position(board=cross, hands=["avenue 4, street 4"], units=[6, 4, 8])) == ["redraw"]
    assert play(position(board=cross, hands=["avenue 4, street 4"], units=[8, 4, 8]), "play 4 4").units == [1, 11, 8]


def test_ny_3_without_a_stone_in_stock_only_taking_back_is_allowed() -> None:
    state = position(board={"red": "a1s1", "blue": "a1s2"}, hands=["avenue 1, avenue 1, street 1, street 2, street 3"])
    assert legal(state) == ["play 1 1", "play 1 2", "play 1 3"]
    state.stones[0] = 0
    assert legal(state) == ["play 1 1"]


def test_the_owner_cannot_refuse_to_sell() -> None:
    state = position(board=BLUE, hands=["avenue 3, avenue 3, street 5, street 5"])
    assert play(state, "play 3 5").turn == state.actor == 1  # no decision of the owner's: the next turn


# -- two players ---------------------------------------------------------------------------------------------------


def test_two_players_choose_the_colour_each_turn() -> None:
    state = position(2, hands=["avenue 1, avenue 2, street 1, street 2", "avenue 3, avenue 4, street 3, street 4"])
    assert legal(state) == ["use red", "use yellow"]
    play(state, "use yellow")
    assert (GAME.observe(state, 1).colour, state.actor) == ("yellow", 0)
    play(state, "play 1 2")
    assert stones(state, "yellow") == "a1s2"
    assert (state.actor, legal(state)) == (1, ["use blue", "use green"])


def test_ny_3_two_players_own_other_colour_is_neither_replaced_nor_taken_back() -> None:
    board = {"red": "a1s1", "yellow": "a1s2", "blue": "a1s3"}
    state = position(2, board, ["avenue 1, avenue 1, street 1, street 2, street 3"])
    assert legal(play(state, "use red")) == ["play 1 1", "play 1 3"]
    state = position(2, board, ["avenue 1, avenue 1, street 1, street 2, street 3"])
    assert legal(play(state, "use yellow")) == ["play 1 2", "play 1 3"]


def test_two_players_replace_only_the_opponents_stones() -> None:
    board = {"blue": "a1s3", "green": "a1s4 a1s5"}
    state = play(position(2, board, ["avenue 1, avenue 1, street 3, street 4"]), "use red", "play 1 4")
    assert (stones(state, "red"), stones(state, "green"), state.units) == ("a1s4", "a1s5", [11, 13])


def test_two_players_colour_with_nothing_allowed_cannot_be_chosen() -> None:
    state = position(2, {"yellow": "a1s1"}, ["avenue 1, avenue 1, street 1, street 1"])
    assert legal(state) == ["use yellow"]


# -- NY-4 ----------------------------------------------------------------------------------------------------------


def test_ny_4_redraw_is_not_offered_while_anything_is_allowed() -> None:
    assert "redraw" not in legal(position(board=BLUE, hands=["avenue 3, street 5, street 6"], units=[0, 0, 0]))


def test_ny_4_whole_hand_away_in_hand_order_then_new_cards_and_the_turn_is_over() -> None:
    state = position(
        board=BLUE,
        hands=["street 5, avenue 3, street 5, avenue 3"],
        units=[1, 4, 8],
        discard="avenue 7",
        stock="avenue 1, street 2, avenue *, street 6, street 7",
    )
    assert legal(state) == ["redraw"]
    play(state, "redraw")
    assert pile(state.discard) == "avenue 7, street 5, avenue 3, street 5, avenue 3"
    assert hand(state, 0) == "avenue 1, street 2, avenue *, street 6"
    assert (state.turn, state.turns, pile(state.stock)) == (1, 1, "street 7")


def test_ny_4_two_players_redraw_replaces_the_colour_decision() -> None:
    state = position(2, {"blue": "a1s1 a1s2 a2s1 a2s2"}, [SAFE_HAND], units=[1, 12])
    assert GAME.observe(state, 0).phase == "colour"
    assert legal(state) == ["redraw"]
    assert play(state, "redraw").actor == 1


def test_ny_4_hand_without_one_of_the_backs_is_redrawn() -> None:
    assert legal(position(hands=["avenue 1, avenue 2, avenue *"])) == ["redraw"]
    assert legal(position(hands=[""])) == ["redraw"]


def test_ny_4_renovation_and_ruin_always_leave_something_allowed() -> None:
    for card in ("renovation red", "ruin blue"):
        state = position(board=BLUE, hands=[f"avenue 3, street 5, {card}"], units=[0, 0, 0], actions="on")
        state.stones[0] = 0
        assert legal(state) == [card]
        state = position(2, hands=[f"avenue 3, street 5, {card}"], actions="on")
        state.stones[0] = state.stones[2] = 0
        assert legal(state) == ["use red", "use yellow"]


def test_ny_4_developers_and_statics_without_a_partner_do_not() -> None:
    state = position(board=BLUE, hands=["developer red, statics red, avenue 3, avenue *"], actions="on")
    assert legal(state) == ["redraw"]
    state = position(board=BLUE, hands=["developer red, developer blue, statics red, statics blue"], actions="on")
    assert legal(state) == ["redraw"]


# -- NY-5 ----------------------------------------------------------------------------------------------------------


def test_ny_5_played_cards_go_on_the_discard_pile_avenue_before_street() -> None:
    state = position(hands=["street 5, avenue *, street *, avenue 3"], discard="street 1", stock="avenue 1, street 1")
    play(state, "play *6 5")
    assert pile(state.discard) == "street 1, avenue *, street 5"
    assert hand(state, 0) == "street *, avenue 3, avenue 1, street 1"


def test_ny_5_of_equal_cards_the_one_drawn_first_goes() -> None:
    state = position(hands=["street 5, avenue 3, street 6, street 5, avenue 3"], stock="avenue 1")
    play(state, "play 3 5")
    assert hand(state, 0) == "street 6, street 5, avenue 3, avenue 1"


def test_ny_5_drawing_goes_on_until_there_are_two_cards_of_each_back() -> None:
    state = position(hands=[SAFE_HAND], stock="street 3, street 4, street 5, avenue 3, avenue 4")
    play(state, "play 1 1")
    assert hand(state, 0) == "avenue 2, street 2, street 3, street 4, street 5, avenue 3"
    assert pile(state.stock) == "avenue 4"


def test_ny_5_who_has_two_of_each_draws_nothing() -> None:
    state = position(
        hands=["avenue 1, avenue 2, avenue 3, street 1, street 2, street 3"],
        stock="street 3, avenue 4",
        discard="street 7",
    )
    play(state, "play 1 1")
    assert hand(state, 0) == "avenue 2, avenue 3, street 2, street 3"
    assert pile(state.stock) == "street 3, avenue 4"


def test_ny_5_action_cards_count_by_their_back() -> None:
    state = position(
        hands=["avenue 1, ruin red, street 1, ruin blue"], stock="developer red, developer blue, avenue 1", actions="on"
    )
    play(state, "play 1 1")
    assert hand(state, 0) == "ruin red, ruin blue, developer red, developer blue"


def test_ny_5_only_the_player_whose_turn_it_is_draws() -> None:
    state = position(
        hands=["avenue 1, street 1", "avenue 2, street 2"], stock="avenue 3, street 3, avenue 4, street 4, avenue 5"
    )
    play(state, "play 1 1")
    assert hand(state, 0) == "avenue 3, street 3, avenue 4, street 4"
    assert hand(state, 1) == "avenue 2, street 2"


def test_ny_5_empty_stock_is_replaced_by_the_discard_pile_at_the_next_draw_only() -> None:
    chance = Rigged()
    state = position(hands=[SAFE_HAND], stock="avenue 3, street 3", discard="street 4, avenue 4")
    state.chance = chance
    play(state, "play 1 1")
    assert (pile(state.stock), pile(state.discard), chance.labels) == ("", "street 4, avenue 4, avenue 1, street 1", [])
    play(state, "play 1 1")  # seat 1 draws: the pile in the order in which it came, its own two cards last
    assert chance.labels == ["stock 1"]
    assert hand(state, 1) == "avenue 2, street 2, street 4, avenue 4"
    assert pile(state.stock) == "avenue 1, street 1, avenue 1, street 1"
    assert pile(state.discard) == ""


def test_ny_5_in_the_middle_of_drawing_too() -> None:
    state = position(hands=[SAFE_HAND], stock="street 3", discard="street 4, avenue 4, avenue 7")
    play(state, "play 1 1")
    assert hand(state, 0) == "avenue 2, street 2, street 3, street 4, avenue 4"
    assert (pile(state.stock), pile(state.discard)) == ("avenue 7, avenue 1, street 1", "")


def test_ny_5_a_replacement_counts_even_with_a_single_card() -> None:
    chance = Rigged()
    state = position(
        hands=["avenue 1, avenue 2, street 1, street 2", "", "ruin red, street 1"], discard="", actions="on"
    )
    state.chance = chance
    play(state, "play 1 1")  # the two cards just played are all there is
    assert (hand(state, 0), chance.labels) == ("avenue 2, street 2, avenue 1, street 1", ["stock 1"])
    play(state, "redraw")  # no card anywhere
    assert (hand(state, 1), chance.labels) == ("", ["stock 1"])
    play(state, "ruin red", "place a1s7", "place a7s1", "place a7s7", "place a1s1")
    assert (hand(state, 2), chance.labels) == ("street 1, ruin red", ["stock 1", "stock 2"])
    assert GAME.observe(state, 0).shuffles == 3


def test_ny_5_the_replacement_is_shuffled_under_the_next_label() -> None:
    state = position(hands=[SAFE_HAND], stock="avenue 3, street 3")

    class Reversing(Rigged):
        def shuffle(self, items: list[int]) -> None:
            items.reverse()

    state.chance = Reversing()
    play(state, "play 1 1", "play 1 1")
    assert hand(state, 1) == "avenue 2, street 2, street 1, avenue 1"  # element 0 is the top again
