"""Material, the stones before the game (NY-1), colour cards, hands, and who begins (NY-2)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from fa_cli.errors import BadOption, BadPlayers
from fa_cli.games.chance import Chance
from fa_cli.games.new_york import GAME
from fa_cli.games.new_york.board import (
    BACK,
    CARDS_TEXT,
    CELLS_TEXT,
    COLOURS,
    FIRST_STONES_OF,
    STOCK,
    STOCK_WITH_ACTIONS,
    STONES_OF,
    STOPS,
    UNITS_OF,
)

from .positions import SEED, Rigged, hand, legal, pile, place_first, play, start, stones


def test_board_has_49_buildings_at_seven_avenues_and_seven_streets() -> None:
    assert len(CELLS_TEXT) == 49
    assert CELLS_TEXT[:8] == ("a1s1", "a1s2", "a1s3", "a1s4", "a1s5", "a1s6", "a1s7", "a2s1")
    assert CELLS_TEXT[2 * 7 + 4] == "a3s5"


def test_cards_four_of_each_line_ten_jokers_two_stop_cards_twelve_action_cards() -> None:
    count = Counter(CARDS_TEXT[card] for card in STOCK)
    lines = {f"{kind} {number}": 4 for kind in ("avenue", "street") for number in range(1, 8)}
    assert count == Counter(lines | {"avenue *": 5, "street *": 5})
    actions = Counter(STOCK_WITH_ACTIONS) - Counter(STOCK)
    twice = {f"{kind} {back}": 1 + (kind == "developer") for kind in KINDS for back in ("red", "blue")}
    assert Counter({CARDS_TEXT[card]: number for card, number in actions.items()}) == Counter(twice)
    assert len(STOCK) == 56 + 10 and len(STOPS) == 2 and len(STOCK_WITH_ACTIONS) + len(STOPS) == 80


KINDS = ("renovation", "ruin", "speculation", "developer", "statics")


def test_avenues_have_red_backs_streets_blue_ones_action_cards_six_of_each() -> None:
    backs = {name: BACK[card] for card, name in enumerate(CARDS_TEXT[:-1])}
    assert all(back == 0 for name, back in backs.items() if name.startswith("avenue") or name.endswith("red"))
    assert all(back == 1 for name, back in backs.items() if name.startswith("street") or name.endswith("blue"))
    assert Counter(BACK[card] for card in STOCK) == {0: 33, 1: 33}
    assert Counter(BACK[card] for card in STOCK_WITH_ACTIONS) == {0: 39, 1: 39}


@pytest.mark.parametrize(
    ("players", "colours", "stones_each", "units", "first"),
    [(2, 4, 20, 12, 6), (3, 3, 25, 8, 8), (4, 4, 20, 6, 6), (5, 5, 15, 5, 5)],
)
def test_stones_units_and_first_stones(players: int, colours: int, stones_each: int, units: int, first: int) -> None:
    state = start(players)
    assert state.stones == [stones_each] * colours + [0] * (5 - colours)
    assert state.units == [units] * players
    seen = GAME.observe(place_first(state), 0)
    assert list(seen.colours) == list(COLOURS[:colours])
    assert all(colour.board == first and colour.stock == stones_each - first for colour in seen.colours.values())
    assert (STONES_OF[players], UNITS_OF[players], FIRST_STONES_OF[players]) == (stones_each, units, first)
    assert (
        sum(state.units) <= 25
        and stones_each <= {"red": 25, "green": 20, "black": 15}[COLOURS[colours - 1 if colours > 3 else 0]]
    )


def test_other_numbers_of_players_and_other_options_are_refused() -> None:
    for players in (1, 6):
        with pytest.raises(BadPlayers, match="new-york is for 2, 3, 4 or 5 players"):
            GAME.check_players(players)
    for given in ({"actions": "yes"}, {"chain": "row"}, {"turn_limit": 0}, {"turn_limit": "many"}, {"side": "five"}):
        with pytest.raises(BadOption):
            GAME.make_options(given)
    options = GAME.make_options({})
    assert (options.actions, options.chain, options.turn_limit) == ("off", "group", 200)
    assert GAME.variant(options) == "actions=off chain=group"


# -- NY-1: the stones before the game ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seats", "colours"),
    [
        (2, [0, 1, 0, 1], ["red", "blue", "yellow", "green"]),
        (3, [0, 1, 2], ["red", "blue", "yellow"]),
        (4, [0, 1, 2, 3], ["red", "blue", "yellow", "green"]),
        (5, [0, 1, 2, 3, 4], ["red", "blue", "yellow", "green", "black"]),
    ],
)
def test_ny_1_colours_take_turns_each_placing_one(players: int, seats: list[int], colours: list[str]) -> None:
    state = start(players)
    for turn in range(len(seats) * FIRST_STONES_OF[players]):
        assert state.actor == seats[turn % len(seats)]
        seen = GAME.observe(state, 0)
        assert (seen.phase, seen.stone, seen.turn, seen.colour) == (
            "first-stones",
            colours[turn % len(seats)],
            -1,
            None,
        )
        state.apply(state.legal()[0])
    assert GAME.observe(state, 0).phase == ("colour" if players == 2 else "turn")


def test_ny_1_first_stone_may_go_anywhere() -> None:
    assert legal(start()) == [f"place {cell}" for cell in CELLS_TEXT]


def test_ny_1_no_two_stones_of_a_colour_side_by_side() -> None:
    state = play(start(), "place a4s4", "place a1s1", "place a7s7")
    shut = {"a4s4", "a3s4", "a5s4", "a4s3", "a4s5", "a1s1", "a7s7"}  # diagonally is allowed, beside others too
    assert legal(state) == [f"place {cell}" for cell in CELLS_TEXT if cell not in shut]
    assert GAME.observe(state, 1).cells == [cell for cell in CELLS_TEXT if cell not in shut]


def test_ny_1_the_end_of_an_avenue_is_not_beside_the_next_ones_beginning() -> None:
    state = play(start(), "place a2s7", "place a5s1", "place a7s4")
    assert {"place a3s1", "place a2s1"} <= set(legal(state))
    assert not {"place a1s7", "place a3s7", "place a2s6"} & set(legal(state))


def test_ny_1_colour_without_a_cell_skips_its_turn_and_keeps_the_stone() -> None:
    state = start(3)
    state.journal = []
    beside = {"a1s2": 0, "a2s1": 0, "a1s6": 2, "a2s7": 0, "a6s1": 2, "a7s2": 1}
    for cell, name in enumerate(CELLS_TEXT):
        if name not in ("a1s1", "a1s7", "a7s1"):  # three corners stay empty
            state.put(beside.get(name, 1), cell)
    left = state.stones[:]
    assert (state.actor, state.stone) == (0, 0)
    state.apply(GAME.action_number("place a7s1"))
    assert (state.actor, legal(state)) == (1, ["place a1s1", "place a1s7"])
    play(state, "place a1s1")  # no cell for yellow beside a1s6, none for red beside a2s7
    assert (state.actor, legal(state)) == (1, ["place a1s7"])
    assert [entry for entry in state.journal if entry[0] == "skipped"] == [("skipped", 2, 2), ("skipped", 0, 0)]
    play(state, "place a1s7")
    assert state.stones == [left[0] - 1, left[1] - 2, left[2], 0, 0]
    assert GAME.observe(state, 0).phase == "turn"  # a full board: everybody skipped the rest


# -- colour cards, hands, the beginner -----------------------------------------------------------------------------


def test_chance_is_asked_by_these_labels() -> None:
    chance = Rigged()
    state = start(4, chance)
    assert chance.labels == []
    place_first(state)
    assert sorted(chance.labels) == ["colours", "stock 0"]


@pytest.mark.parametrize("players", GAME.players)
def test_colour_cards_in_colour_order_card_i_to_seat_i(players: int) -> None:
    for number in range(10):
        chance = Chance(bytes([number]) * 32)
        colours = list(range(4 if players == 2 else players))
        chance.stream("colours").shuffle(colours)
        state = place_first(start(players, chance), Random(number))
        if players == 2:
            assert state.colours == [tuple(sorted(colours[0::2])), tuple(sorted(colours[1::2]))]
        else:
            assert state.colours == [(colour,) for colour in colours]


@pytest.mark.parametrize("players", GAME.players)
def test_the_colour_played_is_not_the_colour_placed_before(players: int) -> None:
    """The first stones say nothing of who will have the colour: over some deals every seat gets others."""
    got = {place_first(start(players, Chance(bytes([number]) * 32))).owner[0] for number in range(40)}
    assert got == set(range(players))


@pytest.mark.parametrize("players", GAME.players)
def test_ny_2_owner_of_red_begins_and_play_runs_clockwise(players: int) -> None:
    for number in range(6):
        state = place_first(start(players, Chance(bytes([number]) * 32)), Random(number))
        turns = []
        for _ in range(2 * players):
            turns.append(state.turn)
            if players == 2:
                state.apply(state.legal()[0])
            state.apply(state.legal()[0])
        first = state.owner[0]
        assert turns == [(first + step) % players for step in range(2 * players)]


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("actions", ["off", "on"])
def test_dealing_one_card_a_round_to_each_who_needs_one(players: int, actions: str) -> None:
    for number in range(5):
        chance = Chance(bytes([number]) * 32)
        state = place_first(start(players, chance, actions=actions), Random(number))
        cards = list(STOCK_WITH_ACTIONS if actions == "on" else STOCK)
        chance.stream("stock 0").shuffle(cards)
        first = state.owner[0]
        hands: dict[int, list[int]] = {(first + step) % players: [] for step in range(players)}
        while any(short(held) for held in hands.values()):
            for seat in [seat for seat, held in hands.items() if short(held)]:
                hands[seat].append(cards.pop(0))
        assert state.hands == [bytes(hands[seat]) for seat in range(players)]
        assert state.stock == bytes(cards)
        assert all(len(held) >= 4 for held in state.hands)


def short(held: list[int]) -> bool:
    return min(Counter(BACK[card] for card in held)[back] for back in (0, 1)) < 2


def test_stock_is_listed_as_the_setup_says() -> None:
    """Unshuffled, the hands show the list's beginning and the stock its end."""
    state = place_first(start(3, actions="on"))
    assert hand(state, 0).startswith("avenue 1, avenue 1, avenue 2, avenue 3")
    listed = pile(STOCK_WITH_ACTIONS)
    order = [f"avenue {n}" for n in "1234567"] + ["avenue *"] + [f"street {n}" for n in "1234567"] + ["street *"]
    kinds = ["renovation", "ruin", "speculation", "developer", "developer", "statics"]
    expected = [name for name in order for _ in range(5 if "*" in name else 4)]
    assert listed.split(", ") == expected + [f"{kind} {back}" for back in ("red", "blue") for kind in kinds]


def test_two_players_have_two_colours_each_and_choose_first() -> None:
    state = place_first(start(2))
    assert state.colours == [(0, 2), (1, 3)]  # the cards 0 and 2 to seat 0
    assert GAME.observe(state, 1).seats[1].colours == ["blue", "green"]
    assert legal(state) == ["use red", "use yellow"]


def test_a_seed_gives_the_same_game_again() -> None:
    states = [place_first(start(5, Chance(SEED)), Random(1)) for _ in range(2)]
    assert GAME.observe(states[0], 2) == GAME.observe(states[1], 2)
    assert stones(states[0], "black") == stones(states[1], "black") != ""
