"""Two players: Alea's bids and what she builds."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from fa_cli.games.fifth_avenue import GAME
from fa_cli.games.fifth_avenue.state import State
from fa_cli.games.fifth_avenue.view import Auction

from ..policies import POLICIES
from .positions import FULL, auction, current, hand, legal, observe, on, play, position


def duel(lot: str = "TS", **situation: Any) -> State:
    return auction(lot, players=2, **situation)


def bids_of_alea(cards: str) -> Auction | None:
    """Alea's bid from these cards on top of the stack, when a player has bid 4 and the other passed."""
    state = play(duel(hands=["gray 4 5 6, black 6 6 6"], black=f"{cards} 4 5 6"), "gray 4", "pass")
    return observe(state, 0).auction


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("4 4", 8),
        ("5 5", 10),
        ("6 6", 12),
        ("4 5 4", 13),
        ("5 4 5", 14),
        ("4 6 4", 14),
        ("4 6 6", 16),
        ("6 5 5", 16),
        ("5 6 6", 17),
        ("4 5 6 4", 19),
        ("6 4 5 5", 20),
        ("5 6 4 6", 21),
    ],
)
def test_fa_18_cards_until_a_value_appears_for_the_second_time(cards: str, total: int) -> None:
    shown = bids_of_alea(cards)
    assert shown is not None
    assert shown.alea == [f"black {value}" for value in cards.split()]
    assert (shown.high, shown.leader) == (total, 2)


def test_fa_18_every_possible_bid_is_between_8_and_21() -> None:
    totals = set()
    for cards in product("456", repeat=4):
        shown = bids_of_alea(" ".join(cards))
        assert shown is not None and shown.leader == 2
        totals.add(shown.high)
    assert (min(totals), max(totals)) == (8, 21)


def test_fa_18_she_bids_after_both_players_first_turn() -> None:
    state = duel(hands=["gray 4 4", "brown 5"], black="4 4 5")
    assert current(state).alea == []
    play(state, "gray 4")
    assert state.actor == 1 and current(state).alea == []
    play(state, "brown 5")
    assert current(state).alea == ["black 4", "black 4"]


def test_fa_18_not_higher_and_she_is_out() -> None:
    state = play(duel(hands=["gray 4 4, black 6", "brown 5 5"], black="5 5"), "gray 4", "brown 5 5")
    assert (current(state).high, current(state).leader) == (10, 1), "the same is not higher"
    assert state.actor == 0 and legal(state) == ["pass", "bid black 6", "bid gray 4"]
    play(state, "pass")
    assert state.actor == 1 and legal(state, "build")


def test_fa_18_a_single_bidder_wins_when_she_is_not_higher() -> None:
    state = play(duel(hands=["gray 4 4", ""], black="4 4"), "gray 4 4", "pass")
    assert state.actor == 0 and legal(state) == ["build 0", "build 1", "build 2", "build 3"]
    state = play(duel(hands=["", "gray 4 4"], black="4 4"), "pass", "gray 4 4")
    assert state.actor == 1 and legal(state, "build")


def test_fa_18_neither_pass_nor_bid_ends_an_auction_before_her_bid() -> None:
    state = play(duel(hands=["gray 4 4", ""], black="6 6"), "gray 4 4", "pass")
    assert state.actor == 0, "the only one left must beat her"
    assert legal(state) == ["pass"]
    play(state, "pass")
    assert on(state, "TS.orange") == "Alea x1"


def test_fa_18_higher_and_the_players_who_have_not_passed_go_on() -> None:
    hands = ["gray 4, black 6 4", "brown 5 6"]
    state = play(duel(turn=0, hands=hands, black="4 4"), "gray 4", "brown 5")
    assert state.actor == 0 and legal(state) == ["pass", "bid black 4", "bid black 6"]
    play(state, "bid black 4")
    assert legal(state) == ["bid black 6"], "8 is not more than Alea's 8"
    play(state, "bid black 6", "done")
    assert state.actor == 1 and legal(state) == ["pass"]
    play(state, "pass")
    assert state.actor == 0 and legal(state) == ["build 0", "build 1"]


def test_fa_18_they_go_on_clockwise_from_the_one_who_began() -> None:
    state = play(duel(turn=1, hands=["brown 5, black 5", "gray 4, black 6"], black="4 4"), "gray 4", "brown 5")
    assert state.actor == 1
    play(state, "pass")
    assert state.actor == 0
    play(state, "bid black 5", "done")
    assert state.actor == 0 and legal(state, "build")


def test_fa_18_both_pass_and_she_wins() -> None:
    state = play(duel(hands=["gray 4", "brown 5"], black="6 6"), "gray 4", "brown 5", "pass", "pass")
    assert all(on(state, f"TS.{plot}") == "Alea x1" for plot in ("orange", "green", "gray", "brown", "violet"))
    assert hand(state, 0) == "gray 4" and hand(state, 1) == "brown 5"
    assert current(state).lot == "CentralPark"


def test_fa_18_no_card_no_bid() -> None:
    state = play(duel(black=""), "pass", "pass")
    assert current(state).lot == "CentralPark" and on(state, "TS.gray") == ""
    state = play(duel(hands=["gray 4"], black=""), "gray 4", "pass")
    assert state.actor == 0 and legal(state, "build")


def test_fa_18_the_stack_ends_before_a_value_comes_twice() -> None:
    state = play(duel(hands=["gray 6 6"], black="4 6"), "gray 6", "pass")
    assert (current(state).high, current(state).alea) == (6 + 4, ["black 4", "black 6"])


def test_fa_18_her_draw_may_shuffle_the_stack() -> None:
    state = play(duel(hands=["gray 4 4 4 5 5"], black="4", returned="5 5 5"), "gray 4 4 4 5 5", "pass")
    # a 4 from the old stack, two 5s from the new one: 14, not above 22
    assert state.shuffles == 1
    seen = observe(state, 0).black
    assert (seen.face_down, seen.returned) == (1, [4, 5, 5])


def test_fa_18_her_cards_go_under_the_black_stack_after_the_winners() -> None:
    state = duel(hands=["gray 6, black 5 6"], black="4 6 4 5")
    play(state, "bid gray 6", "bid black 6", "bid black 5", "done", "pass")
    seen = observe(state, 0).black
    assert (seen.face_down, seen.returned) == (1, [6, 5, 4, 6, 4])


def test_fa_10_winners_and_aleas_cards_are_shuffled_together() -> None:
    state = duel(hands=["gray 6, black 5 6"], black="4 4")
    play(state, "bid gray 6", "bid black 6", "bid black 5", "done", "pass")
    assert state.shuffles == 1 and observe(state, 0).black.face_down == 4


# -- what she builds (figure 13; its pictures are lost)


def alea_wins(board: dict[str, str], **situation: Any) -> dict[str, str]:
    """Alea wins this Times Square against nobody; what stands there then."""
    state = play(duel(board={"TS": board}, black="4 4", **situation), "pass", "pass")
    plots = observe(state, 0).board.get("TS", {})
    return {plot: on(state, f"TS.{plot}") for plot in plots}


def test_fa_19_fig_13_one_skyscraper_on_the_most_valuable_empty_plot() -> None:
    assert alea_wins({"orange": "gallery", "gray": "jeweler"}) == {
        "orange": "gallery",
        "green": "Alea x1",  # 3 points; brown and violet would be 2
        "gray": "jeweler",
        "brown": "",
        "violet": "",
    }


def test_fa_19_fig_13_on_each_of_several_that_tie() -> None:
    assert alea_wins({"orange": "gallery", "brown": "#0 x1"}) == {
        "orange": "gallery",
        "green": "Alea x1",
        "gray": "",
        "brown": "#0 x1",
        "violet": "Alea x1",
    }


def test_fa_19_only_on_empty_plots_whatever_she_has_there() -> None:
    built = alea_wins({"orange": "gallery+jeweler", "green": "Alea x1", "gray": "#1 x2", "violet": "gallery"})
    assert built == {
        "orange": "gallery+jeweler",
        "green": "Alea x1",
        "gray": "#1 x2",
        "brown": "Alea x1",
        "violet": "gallery",
    }


def test_fa_19_her_cards_do_not_matter() -> None:
    for black in ("4 4", "6 6"):
        state = play(duel(board={"TS": {"orange": "gallery"}}, black=black), "pass", "pass")
        assert (on(state, "TS.green"), on(state, "TS.violet"), on(state, "TS.gray")) == ("Alea x1", "Alea x1", "")


@pytest.mark.parametrize(("pieces", "built"), [(5, 4), (4, 4), (3, 3), (1, 1), (0, 0)])
def test_fa_19_in_ring_order_while_she_has_pieces(pieces: int, built: int) -> None:
    plots = alea_wins({"gray": "#0 x1"}, alea=pieces)
    assert [plots[plot] for plot in ("orange", "green", "brown", "violet")] == ["Alea x1"] * built + [""] * (4 - built)


def test_fa_19_a_full_district_she_stops_and_both_score_half() -> None:
    state = play(duel(board={"TS": FULL}, black="4 4"), "pass", "pass")
    assert state.scores() == [3, 2], "6 and 5 halved"
    assert "TS" not in observe(state, 0).board
    assert current(state).lot == "CentralPark"


def test_fa_19_her_second_stop_ends_the_game() -> None:
    state = play(duel(board={"TS": FULL}, black="4 4", stopped="34E"), "pass", "pass")
    assert state.is_over() and state.reason() == "stops"


def test_fa_19_without_pieces_she_stops_a_full_district_too() -> None:
    state = play(duel(board={"TS": FULL}, black="4 4", alea=0), "pass", "pass")
    assert "TS" not in observe(state, 0).board and state.scores() == [3, 2]
    state = play(duel(board={"TS": FULL}, black="4 4", alea=0, stopped="34E"), "pass", "pass")
    assert state.is_over() and state.reason() == "stops"


@pytest.mark.parametrize("side", ["five", "six"])
@pytest.mark.parametrize("name", ["hoarding", "passing"])
def test_fa_19_her_stops_end_games_in_which_nobody_bids(name: str, side: str) -> None:
    """She runs out of pieces in such games; the turn limit is for other reasons."""
    for number in range(10):
        dice = random.Random(f"{name} {side} {number}")
        state: Any = GAME.start(GAME.make_options({"side": side}), 2, dice.randbytes(32))
        while not state.is_over():
            state.apply(POLICIES[name](GAME, state, dice))
        assert state.reason() == "stops"


def test_fa_19_nothing_at_central_park() -> None:
    state = play(duel("CentralPark", hands=["gray 4", ""], black="4 4"), "gray 4", "pass", "pass")
    assert [seat.central_park for seat in observe(state, 0).seats] == [0, 0]
    assert observe(state, 0).alea_skyscrapers == 18 and state.actor == 1


def test_fa_19_she_never_builds_on_the_dashed_plot() -> None:
    built = alea_wins({"orange": "#0 x1"}, side="six")
    assert built["dashed"] == "boutique" and built["violet"] == "Alea x1" and built["gray"] == ""


def test_fa_17_a_player_who_stops_counts_aleas_skyscrapers() -> None:
    state = duel(board={"TS": FULL}, hands=["orange 4 5"], black="4 4")
    play(state, "orange 4 5", "pass", "stop")
    assert state.scores() == [2 + 1 + 1, 2]


def test_fa_16_a_district_that_alea_has_filled_is_full() -> None:
    board = {"orange": "#0 x1", "green": "Alea x1", "gray": "Alea x1", "brown": "Alea x1", "violet": "gallery"}
    state = play(duel(board={"TS": board}, hands=["", "violet 4 5"], black="4 4"), "pass", "violet 4 5")
    assert state.actor == 1 and legal(state) == ["stop"]


def test_fa_19_she_never_scores_and_never_draws() -> None:
    state = position(2, board={"TS": {"gray": "Alea x3"}}, at=("TS", "CityHall"), black="4 4 5 5 6")
    play(state, "score TS")
    assert state.scores() == [0, 0] and len(state.scores()) == 2
    assert observe(state, 0).black.face_down == 1, "two, one and one; none for Alea"


def test_no_alea_with_three() -> None:
    state = play(auction("TS", black="4 4"), "pass", "pass", "pass")
    assert observe(state, 0).black.face_down == 2 and observe(state, 0).alea_skyscrapers == 0
