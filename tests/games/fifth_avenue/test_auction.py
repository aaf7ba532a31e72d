"""The auctions with three and four players: the round, who bids with what, the cards, what is built."""

from __future__ import annotations

from typing import Any

import pytest

from fa_cli.games.fifth_avenue.state import State

from .positions import SEED, auction, current, hand, legal, observe, on, play, position
from .reference import shuffled

# -- the round


def test_fa_13_the_marked_districts_in_the_order_visited_then_central_park() -> None:
    state = position(at=("CentralPark", "42E"), marks=("34W TS 52E", "34E"), phase="move", turn=1)
    play(state, "move white CityHall")
    lots = []
    while legal(state)[0] == "pass":
        assert state.actor == 1, "who moved the commissioner begins each"
        lots.append(current(state).lot)
        play(state, "pass", "pass", "pass")
    assert lots == ["34W", "TS", "52E", "CentralPark"]
    # the markers and the commissioner are home, the other one's are where they were, and the next player's turn begins
    commissioners = observe(state, 0).commissioners
    assert (commissioners["white"].at, commissioners["white"].marked) == ("CityHall", [])
    assert (commissioners["beige"].at, commissioners["beige"].marked) == ("42E", ["34E"])
    assert state.actor == 2 and "commissioner" in legal(state)


def test_only_central_park_when_nothing_is_marked() -> None:
    assert current(auction("CentralPark")).lot == "CentralPark"


def test_auctions_of_action_c_interrupt_the_turn() -> None:
    state = position(at=("CentralPark", "CentralPark"), marks=("TS", "34E"))
    play(state, "commissioner", "move white CityHall", "pass", "pass", "pass", "pass", "pass", "pass")
    assert state.actor == 0 and "draw orange green" in legal(state)
    # the third action may bring a second round
    play(state, "draw orange green", "move beige CityHall")
    assert current(state).lot == "34E" and current(state).later == ["CentralPark"] and state.actor == 0
    play(state, "pass", "pass", "pass", "pass", "pass", "pass")
    assert state.actor == 1 and "commissioner" in legal(state)


def test_a_commissioner_that_comes_home_can_be_used_again() -> None:
    state = play(auction("CentralPark", at=("CentralPark", "52E")), "pass", "pass", "pass")
    play(state, "commissioner", "move white 34E")


def test_fa_13_bidding_runs_clockwise_among_those_who_have_not_passed() -> None:
    hands = ["orange 4 5, black 5", "orange 4, black 6", "orange 6, black 5 6", "orange 5, black 4"]
    state = auction("CentralPark", players=4, turn=2, hands=hands)
    seats = []
    for bid in ("orange 6", "pass", "orange 4 5", "orange 4, black 6", "black 5", "black 5", "pass", "black 6", "pass"):
        seats.append(state.actor)
        play(state, bid)
    assert seats == [2, 3, 0, 1, 2, 0, 1, 2, 0]
    assert state.actor == 2 and legal(state, "build")


def test_who_passed_is_out_and_the_others_go_on() -> None:
    hands = ["orange 5, black 4", "orange 4", "orange 6, black 4"]
    state = auction("CentralPark", hands=hands)
    play(state, "orange 5", "pass", "orange 6")
    assert state.actor == 0
    play(state, "black 4")
    assert state.actor == 2
    play(state, "black 4")
    assert state.actor == 0
    play(state, "pass")
    assert state.actor == 2 and legal(state) == ["build 0", "build 1"]


def test_fa_13_the_last_without_a_turn_still_gets_it() -> None:
    state = play(auction("CentralPark", hands=["", "", "orange 4"]), "pass", "pass")
    assert state.actor == 2 and legal(state) == ["pass", "bid orange 4"]
    assert legal(play(state, "orange 4")) == ["build 0", "build 1", "build 2", "build 3"]


def test_fa_13_nobody_bids() -> None:
    state = play(auction("TS", hands=["", "", "orange 4"]), "pass", "pass", "pass")
    assert current(state).lot == "CentralPark"
    assert on(state, "TS.orange") == ""


def test_a_bid_that_nobody_answers_wins() -> None:
    state = play(auction("CentralPark", hands=["orange 4", "orange 5", "orange 6"]), "orange 4", "pass", "pass")
    assert state.actor == 0 and legal(state, "build")


# -- the colours (figures 8 and 9)

FOUR: dict[str, Any] = {
    "players": 4,
    "hands": [
        "orange 4, green 4, gray 4, brown 4, violet 4, black 4",
        "orange 4, green 4, gray 4, brown 4, violet 4, black 4",
        "orange 5, green 5, gray 5, brown 5, violet 5, black 5",
        "orange 6, green 6, gray 6, brown 6, violet 6, black 6",
    ],
}


def colours(state: State) -> set[str]:
    """What the actor may begin with; he then passes."""
    found = {action.split()[1] for action in legal(state, "bid")}
    play(state, "pass")
    return found


def test_fig_08_own_plot_or_an_empty_one() -> None:
    state = auction("TS", board={"TS": {"orange": "#0 x2", "green": "#1 x1", "violet": "gallery"}}, **FOUR)
    assert [colours(state) for _ in range(4)] == [{"orange"}, {"green"}, {"gray", "brown"}, {"gray", "brown"}]


def test_fig_08_two_players_may_bid_with_the_same_empty_colour() -> None:
    state = auction("TS", board={"TS": {"orange": "#0 x2", "green": "#1 x1", "violet": "gallery"}}, **FOUR)
    play(state, "pass", "pass", "gray 5")
    assert legal(state) == ["pass", "bid gray 6", "bid brown 6"]
    play(state, "gray 6")
    assert legal(state) == ["pass", "bid black 5"]


def test_fig_09_no_empty_plot() -> None:
    plots = {"orange": "#0 x2", "green": "#1 x1", "brown": "#2 x1", "gray": "gallery", "violet": "jeweler+boutique"}
    state = auction("TS", board={"TS": plots}, **FOUR)
    assert [colours(state) for _ in range(4)] == [{"orange"}, {"green"}, {"brown"}, {"gray", "violet"}]


def test_own_plot_even_where_others_are_empty() -> None:
    state = auction("TS", board={"TS": {"orange": "#0 x2"}}, **FOUR)
    assert [colours(state) for _ in range(4)] == [{"orange"}] + [{"green", "gray", "brown", "violet"}] * 3


def test_fa_14_a_full_district_without_businesses_leaves_a_stranger_only_pass() -> None:
    plots = {"orange": "#0 x2", "green": "#1 x1", "gray": "#2 x1", "brown": "Alea x1", "violet": "Alea x1"}
    state = auction("TS", players=2, board={"TS": {**plots, "gray": "Alea x1"}}, hands=["orange 4", "green 4"])
    assert legal(state) == ["pass", "bid orange 4"]
    plots = {"orange": "#0 x2", "green": "Alea x1", "gray": "Alea x1", "brown": "Alea x1", "violet": "Alea x1"}
    state = auction("TS", players=2, turn=1, board={"TS": plots}, hands=["orange 4", "green 4, black 6"])
    assert legal(state) == ["pass"]


def test_fa_2_nobody_bids_for_the_dashed_plot() -> None:
    board = {"orange": "#0 x1", "green": "#1 x1", "gray": "#2 x1", "brown": "gallery", "violet": "gallery"}
    state = auction("TS", side="six", board={"TS": board}, **FOUR)
    assert [colours(state) for _ in range(4)] == [{"orange"}, {"green"}, {"gray"}, {"brown", "violet"}]


# -- laying cards


def test_fa_14_the_first_card_is_a_colour() -> None:
    state = auction("TS", hands=["black 4 5 6, gray 4"])
    assert legal(state) == ["pass", "bid gray 4"]
    play(state, "bid gray 4")
    assert legal(state) == ["done", "bid black 4", "bid black 5", "bid black 6"]


def test_fa_14_only_black_cards_can_only_pass() -> None:
    assert legal(auction("TS", hands=["black 4 5 6"])) == ["pass"]


def test_fa_14_colour_and_black_in_any_mixture_but_no_second_colour() -> None:
    state = auction("TS", hands=["black 4 6 6, gray 4 5, brown 6"])
    play(state, "bid gray 4", "bid black 6", "bid gray 5")
    assert legal(state) == ["done", "bid black 4", "bid black 6"]
    play(state, "bid black 6", "bid black 4")
    assert legal(state) == ["done"]


def test_fa_14_above_the_highest_bid() -> None:
    """The example: 19 for the brown plot, the next must bid at least 20."""
    brown = "brown 4 5, black 4 6"
    hands = [brown, "gray 4 4, black 6 6", "gray 5, black 6 4 4"]
    state = play(auction("TS", hands=hands), "brown 4 5, black 6 4")
    assert current(state).high == 19
    play(state, "bid gray 4", "bid gray 4", "bid black 6")
    assert legal(state) == ["bid black 6"], "14 is too little, he must go on"
    play(state, "bid black 6")
    assert legal(state) == ["done"], "20"
    play(state, "done")
    assert state.actor == 2
    assert legal(state) == ["pass"], "19 is all he has"


def test_fa_14_a_card_that_can_lead_nowhere_is_not_allowed() -> None:
    hands = ["brown 6 6", "gray 4, brown 4, black 4 4, green 4 5", "gray 4 5, brown 6, violet 4"]
    state = play(auction("TS", hands=hands), "brown 6 6")
    # gray or brown 4 and two black 4s are 12, not above 12; green 4, 5 and two black 4s are 17
    assert legal(state) == ["pass", "bid green 4", "bid green 5"]
    play(state, "pass")
    assert legal(state) == ["pass"]


def test_fa_14_a_raise_counts_what_is_laid() -> None:
    hands = ["brown 6, black 4 4", "brown 4 4 5", "gray 4"]
    state = play(auction("TS", hands=hands), "brown 6", "brown 4 4", "pass")
    # seat 0 has 6 laid and 8 in hand, against 8
    assert legal(state) == ["pass", "bid black 4"]
    play(state, "bid black 4")
    assert legal(state) == ["done", "bid black 4"]
    play(state, "done", "bid brown 5", "done")
    assert current(state).high == 13
    assert legal(state) == ["pass", "bid black 4"]
    play(state, "black 4")
    assert current(state).high == 14 and legal(state) == ["pass"]


def test_fa_14_no_pass_and_nobody_else_between_the_cards_of_a_raise() -> None:
    hands = ["brown 6", "brown 4 4, black 5", "gray 4"]
    state = play(auction("TS", hands=hands), "brown 6", "bid brown 4")
    assert state.actor == 1 and legal(state) == ["bid black 5", "bid brown 4"]


def test_fa_14_more_cards_than_needed_are_allowed() -> None:
    state = auction("TS", hands=["brown 4 4 4 4 4, black 6 6 6"])
    play(state, *["bid brown 4"] * 5, *["bid black 6"] * 3, "done")
    assert current(state).high == 38


def test_fa_14_identical_cards_are_one_action() -> None:
    state = auction("TS", hands=["brown 4 4, black 6 6"])
    assert legal(play(state, "bid brown 4")) == ["done", "bid black 6", "bid brown 4"]


def test_fa_14_central_park_the_first_card_laid_fixes_the_colour() -> None:
    hands = ["brown 4, gray 5", "brown 5, gray 5, black 6", "green 6, black 6"]
    state = auction("CentralPark", hands=hands)
    assert legal(state) == ["pass", "bid gray 5", "bid brown 4"]
    play(state, "brown 4")
    assert legal(state) == ["pass", "bid brown 5"]
    play(state, "brown 5")
    assert legal(state) == ["pass"]


def test_fa_14_central_park_the_next_may_fix_it_when_the_first_passes() -> None:
    state = play(auction("CentralPark", hands=["", "brown 5, gray 5", "gray 6, brown 6"]), "pass", "gray 5")
    assert legal(state) == ["pass", "bid gray 6"]


def test_fa_14_central_park_the_colour_stays_when_who_laid_it_passes() -> None:
    state = auction("CentralPark", hands=["brown 4, gray 4", "brown 5, gray 6 6", "brown 6"])
    play(state, "brown 4", "brown 5", "brown 6", "pass")
    assert state.actor == 1 and legal(state) == ["pass"], "his colour stays brown, gray 6 6 would do"


def test_fa_14_central_park_skyscrapers_in_districts_do_not_matter() -> None:
    state = auction("CentralPark", board={"TS": {"orange": "#0 x1"}}, at_park=[2, 0, 0], **FOUR)
    assert {action.split()[1] for action in legal(state, "bid")} == {"orange", "green", "gray", "brown", "violet"}


# -- passing and winning


def test_fa_11_who_passes_takes_his_cards_back_at_once() -> None:
    state = auction("TS", hands=["brown 4 5, black 4", "brown 6 6", "gray 4"])
    play(state, "bid brown 4", "bid black 4", "done", "brown 6 6", "pass")
    assert hand(state, 0) == "brown 5"
    play(state, "pass")
    assert hand(state, 0) == "black 4, brown 4 5"
    assert (current(state).bids[0].cards, current(state).bids[0].total) == ([], 0)


def test_fa_11_cards_of_a_winning_bid_go_under_the_stacks_as_they_were_laid() -> None:
    hands = ["brown 4 5 6, black 4 5 6", "", ""]
    state = auction("TS", hands=hands, decks={"brown": "4"}, black="4")
    play(state, "bid brown 5", "bid black 6", "bid brown 4", "bid black 4", "bid brown 6", "done", "pass", "pass")
    seen = observe(state, 1)
    assert legal(state)[0] == "build 0", "before the building"
    assert seen.stacks["brown"].returned == [5, 4, 6] and seen.stacks["brown"].count == 4
    assert seen.black.returned == [6, 4] and seen.black.face_down == 1
    assert hand(state, 0) == "black 5"


def test_colour_stacks_are_never_shuffled() -> None:
    state = auction("CentralPark", hands=["brown 6 5 4"], decks={"brown": "5 4"}, at=("CentralPark", "34E"))
    play(state, "brown 6 5 4", "pass", "pass", "build 0")
    tops = []
    for move in ("white 34W", "white TS", "white 52E", "white CentralPark", "beige TS"):
        tops.append(observe(state, 0).stacks["brown"].top)
        play(state, "skyscrapers", "draw gray brown", f"move {move}")
    assert tops == [5, 4, 6, 5, 4]
    assert observe(state, 0).stacks["brown"].top is None


# -- building


@pytest.mark.parametrize(
    ("bid", "limit"),
    [
        ("gray 4 4, black 4 4", 3),  # the rule book's blue
        ("violet 4 4, black 5 6 6", 1),  # the rule book's yellow
        ("gray 4 5", 2),
        ("gray 4, black 5 5", 2),
        ("gray 6", 1),
        ("gray 4", 3),
        ("gray 4 4 4, black 6", 1),
    ],
)
def test_fa_15_the_limit_of_a_bid(bid: str, limit: int) -> None:
    state = play(auction("TS", hands=[bid], supply=[9, 9, 9]), bid, "pass", "pass")
    assert legal(state) == [f"build {count}" for count in range(limit + 1)]
    play(state, f"build {limit}")
    assert on(state, f"TS.{bid.split()[0]}") == f"#0 x{limit}" and state.supply[0] == 9 - limit


@pytest.mark.parametrize("supply", [0, 1, 2, 3, 4])
def test_fa_15_no_more_than_the_supply(supply: int) -> None:
    state = play(auction("TS", hands=["gray 4"], supply=[supply, 3, 3]), "gray 4", "pass", "pass")
    assert legal(state) == [f"build {count}" for count in range(min(supply, 3) + 1)]


def test_skyscrapers_come_from_the_own_supply() -> None:
    state = play(auction("TS", hands=["gray 4"], supply=[3, 3, 3]), "gray 4", "pass", "pass", "build 2")
    assert (state.supply[0], state.general[0]) == (1, 12)


def test_fewer_even_none_may_be_built() -> None:
    state = play(auction("TS", hands=["gray 4"]), "gray 4", "pass", "pass", "build 0")
    assert on(state, "TS.gray") == "" and state.supply[0] == 3


def test_more_on_the_own_plot() -> None:
    state = auction("TS", board={"TS": {"gray": "#0 x4"}}, hands=["gray 4"])
    play(state, "gray 4", "pass", "pass", "build 3")
    assert on(state, "TS.gray") == "#0 x7"


def test_building_at_central_park() -> None:
    state = auction("CentralPark", hands=["", "gray 4 5"], at_park=[2, 1, 0])
    play(state, "pass", "gray 4 5", "pass")
    assert state.actor == 1 and legal(state) == ["build 0", "build 1", "build 2"]
    play(state, "build 2")
    assert [seat.central_park for seat in observe(state, 0).seats] == [2, 3, 0]
    assert state.actor == 1 and "commissioner" in legal(state), "the turn of the next player"


def test_a_plot_that_was_built_on_takes_no_business() -> None:
    state = play(auction("TS", hands=["gray 4"]), "gray 4", "pass", "pass", "build 1", "pass", "pass", "pass")
    assert not legal(state, "business gallery TS.gray") and legal(state, "business gallery TS.green")


# -- full districts

FULL = {"orange": "#0 x2", "green": "#1 x1", "gray": "gallery", "brown": "jeweler", "violet": "boutique"}


def test_fa_16_a_winner_with_skyscrapers_may_build_or_stop() -> None:
    state = play(auction("TS", board={"TS": FULL}, hands=["orange 5"]), "orange 5", "pass", "pass")
    assert legal(state) == ["build 0", "build 1", "build 2", "stop"]
    play(state, "build 2")
    assert on(state, "TS.orange") == "#0 x4"


def test_fa_16_a_winner_without_skyscrapers_can_only_stop() -> None:
    state = play(auction("TS", board={"TS": FULL}, hands=["", "", "brown 5"]), "pass", "pass", "brown 5")
    assert state.actor == 2 and legal(state) == ["stop"]


def test_fa_16_no_stop_where_a_plot_is_empty() -> None:
    board = {"TS": {**FULL, "violet": "#2 x1"}}
    del board["TS"]["gray"]
    state = play(auction("TS", board=board, hands=["orange 5"]), "orange 5", "pass", "pass")
    assert legal(state) == ["build 0", "build 1", "build 2"]


def test_fa_16_full_counts_before_the_auction() -> None:
    """The last empty plot is built on: no stop now, but at the next auction there."""
    board = {"TS": {name: FULL[name] for name in ("orange", "green", "gray", "brown")}}
    state = auction("TS", board=board, hands=["", "", "violet 5"])
    play(state, "pass", "pass", "violet 5")
    assert legal(state) == ["build 0", "build 1", "build 2"]


def test_fa_16_no_stop_at_central_park() -> None:
    state = play(auction("CentralPark", hands=["orange 5"]), "orange 5", "pass", "pass")
    assert "stop" not in legal(state)


def test_fa_16_a_full_district_on_side_six() -> None:
    state = play(auction("TS", side="six", board={"TS": FULL}, hands=["orange 5"]), "orange 5", "pass", "pass")
    assert legal(state, "stop") == ["stop"]
    open_board = {"TS": {name: FULL[name] for name in ("orange", "green", "gray", "brown")}}
    state = play(auction("TS", side="six", board=open_board, hands=["orange 5"]), "orange 5", "pass", "pass")
    assert legal(state, "stop") == []


# -- the black stack


def test_fa_10_the_returned_cards_are_shuffled_the_moment_the_last_face_down_card_is_drawn() -> None:
    state = position(at=("TS", "CityHall"), black="6 5", returned="4 4 5 6 4")
    play(state, "score TS")
    # two for seat 0, then one for each without a skyscraper there: 0, 1, 2, from the new stack
    seen = observe(state, 0)
    assert seen.black.returned == [] and seen.black.face_down == 2
    assert state.shuffles == 1


def test_fa_10_not_at_the_next_draw_but_at_once() -> None:
    state = play(position(black="6", returned="4 5"), "commissioner")
    assert observe(state, 0).black.face_down == 2 and observe(state, 0).black.returned == []
    assert hand(state, 0) == "black 6"


def test_fa_10_a_single_card_counts_as_a_shuffle() -> None:
    state = play(position(black="6", returned="4"), "commissioner")
    assert state.shuffles == 1 and observe(state, 0).black.face_down == 1


def test_fa_10_cards_that_come_back_to_an_empty_stack_are_shuffled_at_once() -> None:
    state = auction("TS", hands=["gray 4, black 4 5 6"], black="")
    play(state, "gray 4, black 4 5 6", "pass", "pass")
    seen = observe(state, 0)
    assert (seen.black.face_down, seen.black.returned, state.shuffles) == (3, [], 1)


def test_fa_10_no_black_cards_at_all() -> None:
    state = auction("TS", hands=["gray 4"], black="")
    play(state, "gray 4", "pass", "pass")
    assert state.shuffles == 0 and observe(state, 0).black.face_down == 0


def test_fa_10_each_shuffle_has_a_stream_of_its_own() -> None:
    orders = []
    for shuffles in (0, 1):
        state = position(black="6", returned="4 4 4 5 5 5 6 6 6 4 5 6")
        state.shuffles = shuffles
        play(state, "commissioner")
        orders.append(state.black)
        values = [4, 4, 4, 5, 5, 5, 6, 6, 6, 4, 5, 6]
        assert [4 + card for card in state.black] == shuffled(SEED, f"black {shuffles + 1}", values)
    assert orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])
