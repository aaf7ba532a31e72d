"""Observations, events and determinization: everything public, nothing hidden."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from fa_cli.games.chance import Chance
from fa_cli.games.contract import ACTION, DREW, POINTS
from fa_cli.games.new_york import GAME
from fa_cli.games.new_york.board import BACK, STOP
from fa_cli.games.new_york.state import State
from tests.games.policies import POLICIES

from .positions import VARIANTS, hand, place_first, play, position, random_states, start

WHOLE = [(players, options) for players, options in VARIANTS if options["chain"] == "group"]


def seen_bytes(state: State, seat: int) -> bytes:
    return msgspec.json.encode(GAME.observe(state, seat))


@pytest.mark.parametrize(("players", "options"), WHOLE)
def test_observation_does_not_depend_on_what_is_hidden(players: int, options: dict[str, str]) -> None:
    """Others' cards are swapped for others with the same backs and the stock is turned over, by hand."""
    generator = Random(players)
    changed = 0
    for state in random_states(players, options | {"turn_limit": 30}, games=1):
        if not state.stock or generator.random() < 0.7:
            continue
        seat = generator.randrange(players)
        other = state.copy()
        other.stock = other.stock[::-1]
        for rival in range(players):
            if rival != seat:
                swap_with_stock(other, rival, generator)
        changed += other.hands != state.hands and other.stock != state.stock
        assert seen_bytes(other, seat) == seen_bytes(state, seat)
    assert changed > 10


def swap_with_stock(state: State, seat: int, generator: Random) -> None:
    """One card of the hand for one of the same back from the stock."""
    cards, stock = bytearray(state.hands[seat]), bytearray(state.stock)
    place = generator.randrange(len(cards))
    like = [at for at, card in enumerate(stock) if card != STOP and BACK[card] == BACK[cards[place]]]
    if like:
        at = generator.choice(like)
        cards[place], stock[at] = stock[at], cards[place]
    state.hands[seat], state.stock = bytes(cards), bytes(stock)


def test_before_the_game_nothing_tells_of_colours_and_cards_to_come() -> None:
    states = [start(4, Chance(bytes([number]) * 32)) for number in range(2)]
    for _ in range(24):
        assert seen_bytes(states[0], 1) == seen_bytes(states[1], 1)
        for state in states:
            state.apply(state.legal()[0])
    assert seen_bytes(states[0], 1) != seen_bytes(states[1], 1)


def test_everything_public_is_there() -> None:
    state = position(
        4,
        {"red": "a1s1 a1s2", "green": "a7s7"},
        ["avenue 1, street *, developer red, street 1", "avenue 3, ruin blue"],
        stock="avenue 5, street 5",
        discard="avenue 7, statics red",
        units=[1, 2, 3, 4],
        actions="on",
        chain="line",
        turn_limit=7,
    )
    seen = msgspec.to_builtins(GAME.observe(state, 1))
    colours = {
        "red": {"owner": 0, "stock": 18, "board": 2},
        "blue": {"owner": 1, "stock": 20, "board": 0},
        "yellow": {"owner": 2, "stock": 20, "board": 0},
        "green": {"owner": 3, "stock": 19, "board": 1},
    }
    assert seen.pop("board") == [["red", "red", *[None] * 5], *[[None] * 7] * 5, [*[None] * 6, "green"]]
    assert seen.pop("seats")[:2] == [
        {"colours": ["red"], "units": 1, "red": 2, "blue": 2, "points": 5, "chain": 2},
        {"colours": ["blue"], "units": 2, "red": 1, "blue": 1, "points": 2, "chain": 0},
    ]
    assert seen == {
        "seat": 1,
        "phase": "turn",
        "actor": 0,
        "turn": 0,
        "turns": 0,
        "options": {"actions": "on", "chain": "line", "turn_limit": 7},
        "colour": "red",
        "stone": None,
        "cells": [],
        "chances": 0,
        "colours": colours,
        "hand": ["avenue 3", "ruin blue"],
        "stock": 2,
        "discard": ["avenue 7", "statics red"],
        "shuffles": 1,
        "stop_cards": "aside",
    }


def test_own_hand_is_in_the_order_in_which_it_was_drawn() -> None:
    state = position(hands=["street 5, avenue 3, avenue 1, street 2"], stock="street 1, avenue 2")
    play(state, "play 3 5")
    assert GAME.observe(state, 0).hand == ["avenue 1", "street 2", "street 1", "avenue 2"]


def test_redrawn_hands_are_public() -> None:
    state = position(hands=["avenue 3, developer blue, avenue *"], actions="on")
    play(state, "redraw")
    assert GAME.observe(state, 2).discard == []  # nothing to draw but these: they are the new stock already
    state = position(hands=["avenue 3, avenue *"], stock="avenue 1, avenue 2, street 1, street 2")
    play(state, "redraw")
    assert GAME.observe(state, 2).discard == ["avenue 3", "avenue *"]


def test_everybody_sees_who_places_what_and_how_many_chances_are_left() -> None:
    state = play(position(2, hands=["ruin red"], actions="on"), "use red", "ruin red", "pass")
    seen = [GAME.observe(state, seat) for seat in range(2)]
    assert [(view.phase, view.actor, view.stone, view.chances) for view in seen] == [("place", 1, None, 3)] * 2
    play(state, "use blue", "place a1s1")
    seen = [GAME.observe(state, seat) for seat in range(2)]
    assert [(view.actor, view.stone, view.chances, view.cells) for view in seen] == [
        (0, "red", 2, ["a1s7", "a7s1", "a7s7"])
    ] * 2


@pytest.mark.parametrize("players", GAME.players)
def test_imagined_and_determinised_states_go_on_alike_in_a_renovation_or_ruin(players: int) -> None:
    """Nothing is hidden there: the same actions are legal to its end, and the same seats have the chances."""
    generator, compared = Random(players), 0
    for state in random_states(players, {"actions": "on", "turn_limit": 40}, games=2, policy=POLICIES["by kind"]):
        if GAME.observe(state, 0).phase != "place":
            continue
        for seat in range(players):
            real = state.copy()
            made = [
                GAME.sample_state(GAME.observe(state, seat), generator),
                GAME.resample_from_infostate(state, seat, generator),
            ]
            while GAME.observe(real, seat).phase == "place":
                assert [other.legal() for other in made] == [real.legal()] * 2
                assert [other.actor for other in made] == [real.actor] * 2
                action = generator.choice(real.legal())
                for one in (real, *made):
                    one.apply(action)
                compared += 1
    assert compared > 50


# -- resample_from_infostate --------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "options"), WHOLE)
def test_determinised_states_look_the_same_and_are_consistent(players: int, options: dict[str, str]) -> None:
    generator = Random(players)
    hands_differ = stocks_differ = 0
    for state in random_states(players, options | {"turn_limit": 40}, games=1):
        if generator.random() < 0.6:
            continue
        seat = generator.randrange(players)
        before = seen_bytes(state, seat), list(state.hands), state.stock
        other = GAME.resample_from_infostate(state, seat, generator)
        assert seen_bytes(other, seat) == before[0]
        assert (seen_bytes(state, seat), list(state.hands), state.stock) == before
        assert other.hands[seat] == state.hands[seat] and other.discard == state.discard
        for rival in range(players):
            assert [BACK[card] for card in other.hands[rival]] == [BACK[card] for card in state.hands[rival]]
        assert Counter(b"".join([*other.hands, other.stock])) == Counter(b"".join([*state.hands, state.stock]))
        hands_differ += other.hands != state.hands
        stocks_differ += other.stock != state.stock
    assert hands_differ > 20 and stocks_differ > 20


def test_determinising_depends_on_the_generator_alone() -> None:
    """The same generator gives the same play to the end, whatever the game's own seed holds."""
    ends = []
    for number in range(2):
        state = start(3, Chance(bytes([number]) * 32))
        other, generator = GAME.resample_from_infostate(state, 1, Random(5)), Random(6)
        while not other.is_over():
            other.apply(generator.choice(other.legal()))
        ends.append((other.scores(), other.hands, other.board))
    assert ends[0] == ends[1]


def test_a_rival_who_has_chosen_a_colour_can_use_it() -> None:
    """Blue has no stone in stock, so only the cards of its one stone on the board allow anything."""
    hands, stock = ["avenue 1, street 1", "avenue 3, street 3"], "avenue 2, street 2, avenue 4, street 4"
    state = position(2, {"blue": "a3s3"}, hands, stock, turn=1)
    state.stones[1] = 0
    play(state, "use blue")
    generator = Random(4)
    found = {hand(GAME.resample_from_infostate(state, 0, generator), 1) for _ in range(50)}
    assert found == {"avenue 3, street 3"}


def test_unseen_cards_are_drawn_evenly() -> None:
    """One street joker among the unseen blue cards is in a rival's hand as often as chance has it."""
    state = position(hands=["avenue 1", "avenue 2, street *"], stock="street 1, street 2, street 3, avenue 3")
    generator = Random(1)
    with_joker = sum("street *" in hand(GAME.resample_from_infostate(state, 0, generator), 1) for _ in range(2000))
    assert 250 < with_joker < 420  # a sixth of 2,000: six unseen blue cards, one of them in that hand


# -- events --------------------------------------------------------------------------------------------------------


def test_others_hear_only_the_backs_of_what_is_drawn() -> None:
    state = position(hands=["avenue 1, street 1"], stock="street 3, avenue 3, street 4, avenue 4")
    state.journal = []
    play(state, "play 1 1")
    drew = state.journal[-1]
    own, other = GAME.event_of(drew, 0), GAME.event_of(drew, 1)
    assert own is not None and own.cards == ["street 3", "avenue 3", "street 4", "avenue 4"] and own.count == 4
    assert GAME.event_of(drew, None) == own
    assert other is not None and (other.cards, other.count) == (None, 4)
    assert other.what == "blue red blue red"


def test_events_of_others_say_nothing_hidden() -> None:
    """Over whole games no event for another seat names a card that is not public: only drawing is private."""
    kinds: Counter[str] = Counter()
    generator = Random(2)
    for players, options in WHOLE:
        state = GAME.start(GAME.make_options(options | {"turn_limit": 60}), players, generator.randbytes(32))
        state.journal = []
        while not state.is_over():
            action = generator.choice(state.legal())
            state.apply(action)
        for entry in state.journal:
            kinds[entry[0]] += 1
            events = [GAME.event_of(entry, seat) for seat in range(players)]
            everything = GAME.event_of(entry, None)
            assert everything is not None and everything.event == entry[0]
            for seat, event in enumerate(events):
                assert event == everything or (entry[0] == DREW and seat != entry[1])
                assert event is not None and (entry[0] != DREW or seat == entry[1] or event.cards is None)
    own = {"colours", "chances", "placed", "returned", "paid", "discarded", "shuffled", "stop-cards", "stop-card"}
    assert own | {DREW, POINTS} <= set(kinds)


def test_events_of_a_turn_in_order() -> None:
    state = position(board={"blue": "a1s1"}, hands=["avenue 1, street 1"], stock="street 3", discard="street 4")
    state.journal = [(ACTION, 0, GAME.action_number("play 1 1"))]
    play(state, "play 1 1")
    told = [msgspec.to_builtins(GAME.event_of(entry, 1)) for entry in state.journal[1:]]
    assert told == [
        {"event": "paid", "seat": 0, "count": 1, "what": "seat 1"},
        {"event": "returned", "seat": 1, "what": "blue a1s1"},
        {"event": "placed", "seat": 0, "what": "red a1s1"},
        {"event": "shuffled", "count": 3},
        {"event": "drew", "seat": 0, "count": 4, "what": "blue blue red blue"},
    ]


def test_events_of_chances() -> None:
    state = play(position(2, hands=["", "ruin red"], actions="on", turn=1), "use blue")
    state.stones[:2] = [0, 0]
    state.stones[2] = 0
    state.journal = []
    play(state, "ruin red")
    told = [msgspec.to_builtins(GAME.event_of(entry, 0)) for entry in state.journal]
    lost = [{"event": "skipped", "seat": 1, "what": "blue"}, {"event": "skipped", "seat": 0, "what": "red yellow"}]
    assert told[:5] == [{"event": "chances", "seat": 1, "count": 4}, *lost, *lost]


def test_points_at_the_end_add_up() -> None:
    for players, options in VARIANTS:
        state = GAME.start(GAME.make_options(options | {"turn_limit": 5}), players, bytes(32))
        generator = Random(players)
        while not state.is_over():
            state.journal = []
            state.apply(generator.choice(state.legal()))
        points = [GAME.event_of(entry, None) for entry in state.journal or () if entry[0] == POINTS]
        totals = [sum(event.points or 0 for event in points if event and event.seat == seat) for seat in range(players)]
        assert totals == state.scores()
        assert [event.what for event in points if event] == ["chains", "stones", "units"] * players


def test_first_stones_have_no_owner_yet() -> None:
    state = start(3)
    state.journal = []
    play(state, "place a1s1")
    event = GAME.event_of(state.journal[0], 2)
    assert event is not None and (event.event, event.seat, event.what) == ("placed", None, "red a1s1")
    place_first(state)
    dealt = [GAME.event_of(entry, 0) for entry in state.journal if entry[0] == "colours"]
    assert [event.cards for event in dealt if event] == [["red"], ["blue"], ["yellow"]]
