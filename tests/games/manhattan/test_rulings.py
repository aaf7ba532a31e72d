"""The rulings of RULES.md, by number."""

from __future__ import annotations

from importlib import resources
from random import Random

import pytest

from fa_cli.errors import BadOption, BadPlayers
from fa_cli.game_result import rank_seats
from fa_cli.games.chance import Chance
from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.board import CITIES, COLOURS, unpack_blocks
from fa_cli.games.manhattan.state import State
from fa_cli.games.manhattan.view import towers

from .positions import SEED, VARIANTS, blocks_left, building, give, hand, have, play, start, states, texts, tower

SIDES = {2: ["south", "north"], 3: ["south", "west", "north"], 4: ["south", "west", "north", "east"]}
TURNED = {
    "south": [1, 2, 3, 4, 5, 6, 7, 8, 9],
    "west": [3, 6, 9, 2, 5, 8, 1, 4, 7],
    "north": [9, 8, 7, 6, 5, 4, 3, 2, 1],
    "east": [7, 4, 1, 8, 5, 2, 9, 6, 3],
}
"""By side: the sites that the cards 1 to 9 mean."""


def test_ma_1_blocks_of_each_height() -> None:
    assert [unpack_blocks(supply) for supply in start().supply] == [[11, 6, 4, 3]] * 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ma_2_five_cards_of_each_position(players: int) -> None:
    assert sorted(start(players).deck) == sorted(list(range(9)) * 5)


@pytest.mark.parametrize(("players", "seat"), [(players, seat) for players in SIDES for seat in range(players)])
def test_ma_2_a_card_is_turned_by_the_side_one_sits_at(players: int, seat: int) -> None:
    for card in range(1, 10):
        state = building(players)
        state.actor = seat
        give(state, seat, card, card, card, card)
        state.apply(state.legal()[0])
        (place,) = [place for place, blocks in enumerate(towers(state)) if blocks]
        assert place + 1 == TURNED[SIDES[players][seat]][card - 1]


def test_ma_3_the_deal_is_from_the_top_four_each() -> None:
    deck = [card for card in range(1, 10) for _ in range(5)]
    Chance(SEED).stream("deck 0").shuffle(deck)
    state = start(3)
    assert [hand(state, seat) for seat in range(3)] == [sorted(deck[4 * seat : 4 * seat + 4]) for seat in range(3)]
    assert state.actor == 0


def test_ma_3_an_empty_deck_is_made_new_of_all_played_cards_the_last_one_too() -> None:
    state, generator = building(4), Random(1)
    played: list[int] = []
    while state.shuffles == 0:
        legal = state.legal() if state.left else [state.legal()[0]]
        action = generator.choice(legal)
        empty = state.drawn == len(state.deck)
        if state.left:
            played.append(int(GAME.actions[action].split()[1]))
        state.apply(action)
    assert empty and len(played) == 45 - 16 + 1
    Chance(SEED).stream("deck 1").shuffle(played)
    assert [card + 1 for card in state.deck[state.begun :]] == played
    assert state.drawn == state.begun + 1  # the card just drawn is the new deck's first


def test_ma_3_the_last_turn_draws_too() -> None:
    *_, before, state = states(4, "auto", 1)
    assert state.drawn == before.drawn + 1
    assert [len(hand(state, seat)) for seat in range(4)] == [4, 4, 4, 4]


def blocked(players: int, cairo: str = "blue 4, blue 1") -> State:
    """Seat 0 holds only card 5; blue towers of five floors are on every middle site, but this one in Cairo."""
    state = building(players)
    for city in CITIES[:5]:
        tower(state, city, 5, "blue 4", "blue 1")
    tower(state, "Cairo", 5, *cairo.split(", "))
    give(state, 0, 5, 5, 5, 5)
    return state


def test_ma_4_who_can_place_nothing_discards_a_card_and_a_block() -> None:
    state = blocked(4)
    give(state, 0, 5, 5, 5, 5)
    have(state, "red", 1, 1, 4)
    assert texts(state) == ["discard 5 1", "discard 5 4"]
    top = state.deck[state.drawn] + 1
    left, standing = state.left, towers(state)
    play(state, "discard 5 4")
    assert hand(state, 0) == sorted([5, 5, 5, top])
    assert blocks_left(state, "red") == 2 and unpack_blocks(state.discarded[0]) == [0, 0, 0, 1]
    assert GAME.actions[state.plays()[-1] >> 2] == "discard 5 4"  # the card is with the played ones
    assert towers(state) == standing
    assert (state.left, state.actor) == (left - 1, 1)


def test_ma_4_not_while_anything_can_be_placed() -> None:
    state = blocked(4)
    have(state, "red", 1)
    give(state, 0, 5, 5, 5, 4)
    assert texts(state) == [f"build 4 {city} 1" for city in CITIES]
    state = blocked(4, "blue 4")
    have(state, "red", 1, 4)
    assert texts(state) == ["build 5 Cairo 4"]


def test_ma_4_with_two_players_only_when_neither_colour_fits_and_either_may_go() -> None:
    state = blocked(2, "blue 4")
    have(state, "red", 1)
    have(state, "yellow", 1, 4)
    assert texts(state) == ["build 5 Cairo 4 yellow"]
    have(state, "yellow", 1, 2)
    assert texts(state) == ["discard 5 1 red", "discard 5 1 yellow", "discard 5 2 yellow"]
    play(state, "discard 5 2 yellow")
    assert unpack_blocks(state.discarded[COLOURS.index("yellow")]) == [0, 1, 0, 0]


def test_ma_4_several_cards_by_position_then_height() -> None:
    state = blocked(4)
    for city in CITIES:
        tower(state, city, 1, "green 4", "green 4")
    give(state, 0, 5, 1, 5, 1)
    have(state, "red", 2, 1)
    assert texts(state) == ["discard 1 1", "discard 1 2", "discard 5 1", "discard 5 2"]


def test_ma_5_ranks_by_points_alone() -> None:
    *_, state = states(4, "auto", 1)
    state.points = [30, 41, 30, 12]
    assert rank_seats(state.standing()) == [2, 1, 2, 4]
    assert state.reason() == "rounds"


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_ma_6_blocks_per_round(players: int, blocks: str) -> None:
    """`auto` is six with four players and four with fewer; two players choose so many of each of their colours."""
    number = {"auto": 6 if players == 4 else 4, "four": 4, "six": 6}[blocks]
    state = start(players, blocks)
    selections = 0
    while state.selecting:
        assert all(len(text.split()) == 1 + number for text in texts(state))
        state.apply(state.legal()[0])
        selections += 1
    assert selections == (4 if players == 2 else players)
    assert state.left == number * selections
    assert state.rounds() == 24 // number


def test_ma_6_two_players_select_for_both_colours_before_the_next_seat() -> None:
    state = start(2)
    seen = []
    while state.selecting:
        seen.append((state.actor, COLOURS[state.selecting_colour()]))
        state.apply(state.legal()[0])
    assert seen == [(0, "red"), (0, "yellow"), (1, "blue"), (1, "green")]
    later = [(s.actor, COLOURS[s.selecting_colour()]) for s in states(2, "auto", 1) if s.selecting and s.round == 2]
    assert later == [(1, "blue"), (1, "green"), (0, "red"), (0, "yellow")]


def test_ma_7_with_two_players_each_colour_stands_for_itself_against_ones_own_other_one() -> None:
    state = building(2)
    tower(state, "Cairo", 5, "yellow 4")
    give(state, 0, 5, 5, 5, 5)
    have(state, "red", 3)
    have(state, "yellow", 1)
    assert [text for text in texts(state) if "Cairo" in text] == ["build 5 Cairo 1 yellow"]


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_ma_8_seat_0_starts_whatever_is_dealt(players: int, blocks: str) -> None:
    for number in range(5):
        state = start(players, blocks, bytes([number]) * 32)
        assert (state.actor, state.start, state.round) == (0, 0, 1)
        while state.selecting:
            state.apply(state.legal()[0])
        assert state.actor == 0


def test_ma_6_the_page_tells_what_each_value_of_blocks_means() -> None:
    """For each: blocks of each colour and rounds, with four players and with two or three."""
    words = {4: "four blocks, six rounds", 6: "six blocks, four rounds"}
    page = resources.files(GAME.rules).joinpath("RULES.md").read_text(encoding="utf-8")
    for blocks in ("auto", "four", "six"):
        two, three, four = (start(players, blocks) for players in (2, 3, 4))
        assert (two.blocks, two.rounds()) == (three.blocks, three.rounds())
        assert {24 // state.blocks for state in (two, four)} == {state.rounds() for state in (two, four)}
        default = " (the default)" if GAME.make_options({}) == two.options else ""
        assert f"| `{blocks}`{default} | {words[four.blocks]} | {words[two.blocks]} |" in page


def test_the_last_selections_are_what_is_left() -> None:
    for state in states(3, "six", 2):
        if state.selecting and state.round == 4:
            assert len(state.legal()) == 1


def test_a_selection_is_from_the_colours_own_blocks() -> None:
    state = start(4)
    play(state, "select 3 3 3 3 4 4", "select 1 1 1 1 1 1", "select 1 1 1 1 1 1", "select 1 1 1 1 1 1")
    assert unpack_blocks(state.supply[0]) == [11, 6, 0, 1]
    while state.left:
        state.apply(state.legal()[0])
    while state.actor != 0:
        state.apply(state.legal()[0])
    assert not any("3" in text or "4 4" in text for text in texts(state))
    assert "select 1 1 1 1 1 4" in texts(state)


def test_options() -> None:
    assert GAME.make_options({}) == GAME.make_options({"blocks": "auto"})
    assert GAME.variant(GAME.make_options({"blocks": "six"})) == "blocks=six"
    with pytest.raises(BadOption, match="auto, four or six"):
        GAME.make_options({"blocks": "five"})
    with pytest.raises(BadPlayers, match="2, 3 or 4 players"):
        start(5)
