"""Observations and events: everything public, nothing hidden."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from fa_cli.games.contract import DREW, POINTS
from fa_cli.games.manhattan import GAME
from fa_cli.games.manhattan.actions import CARD_OF
from fa_cli.games.manhattan.knowledge import Knowledge
from fa_cli.games.manhattan.state import State

from .positions import VARIANTS, give, hand, have, hoarder, play, start, states, tower


def seen(state: State, seat: int) -> bytes:
    return msgspec.json.encode(GAME.observe(state, seat))


def swap_hidden(state: State, seat: int, generator: Random) -> State:
    """A copy in which the rest of the deck is shuffled, and cards that others drew since the last shuffle, and hold
    for certain, are swapped with cards of the deck: nothing that the seat could know."""
    other = state.copy()
    other.deck = state.deck[:]
    rest = other.deck[other.drawn :]
    generator.shuffle(rest)
    other.deck[other.drawn :] = rest
    for rival in range(state.players):
        if rival == seat:
            continue
        played = {CARD_OF[play >> 2] for play in state.plays()[state.pile_start() :] if play & 3 == rival}
        for index in Knowledge(state).draws[rival]:
            if rest and state.deck[index] not in played:
                below = generator.randrange(other.drawn, len(other.deck))
                new, old = other.deck[below], other.deck[index]
                other.deck[below], other.deck[index] = old, new
                other.hands[rival] += (1 << 3 * new) - (1 << 3 * old)
    return other


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_observation_does_not_depend_on_what_is_hidden(players: int, blocks: str) -> None:
    generator = Random(players)
    hands = decks = 0
    for number, state in enumerate(states(players, blocks, 11)):
        if number % 5:
            continue
        for seat in range(players):
            other = swap_hidden(state, seat, generator)
            hands += other.hands != state.hands
            decks += other.deck[other.drawn :] != state.deck[state.drawn :]
            assert seen(other, seat) == seen(state, seat)
    assert hands > 20 and decks > 20


def test_everything_public_is_there() -> None:
    state = start(2)
    play(state, "select 1 1 1 4", "select 2 2 2 2", "select 3 3 3 3", "select 1 2 3 4")
    give(state, 0, 1, 2, 3, 5)
    give(state, 1, 5, 5, 5, 5)
    play(state, "build 5 Cairo 2 yellow", "build 5 Cairo 3 blue")
    view = msgspec.to_builtins(GAME.observe(state, 1))
    cities, cards = view.pop("cities"), view.pop("cards")
    assert list(cities) == ["Sydney", "Manhattan", "Frankfurt", "Hongkong", "SaoPaulo", "Cairo"]
    assert cities["Cairo"][4] == {
        "height": 5,
        "owner": "blue",
        "floors": {"red": 0, "blue": 3, "yellow": 2, "green": 0},
        "blocks": ["yellow 2", "blue 3"],
    }
    assert sum(towers.count(None) for towers in cities.values()) == 53
    assert view.pop("hand") == hand(state, 1)
    assert view == {
        "seat": 1,
        "phase": "build",
        "actor": 0,
        "colour": None,
        "round": 1,
        "rounds": 6,
        "blocks": 4,
        "start": 0,
        "options": {"blocks": "auto"},
        "stocks": {
            "red": {"seat": 0, "supply": [8, 6, 4, 2], "chosen": [3, 0, 0, 1], "discarded": [0, 0, 0, 0]},
            "blue": {"seat": 1, "supply": [11, 6, 0, 3], "chosen": [0, 0, 3, 0], "discarded": [0, 0, 0, 0]},
            "yellow": {"seat": 0, "supply": [11, 2, 4, 3], "chosen": [0, 3, 0, 0], "discarded": [0, 0, 0, 0]},
            "green": {"seat": 1, "supply": [10, 5, 3, 2], "chosen": [1, 1, 1, 1], "discarded": [0, 0, 0, 0]},
        },
        "seats": [
            {
                "points": 0,
                "cards": 4,
                "side": "south",
                "sites": [1, 2, 3, 4, 5, 6, 7, 8, 9],
                "colours": ["red", "yellow"],
            },
            {
                "points": 0,
                "cards": 4,
                "side": "north",
                "sites": [9, 8, 7, 6, 5, 4, 3, 2, 1],
                "colours": ["blue", "green"],
            },
        ],
    }
    assert (cards["deck"], cards["shuffles"], cards["shuffled"]) == (35, 0, [5] * 9)
    assert cards["played"] == [
        {"seat": 0, "card": 5, "action": "build 5 Cairo 2 yellow"},
        {"seat": 1, "card": 5, "action": "build 5 Cairo 3 blue"},
    ]
    assert len(cards["drawn"]) == 5 and cards["drawn"][-1] in view.get("hand", hand(state, 1))
    assert cards["held"] == [0] * 9
    assert cards["unseen"] == [5 - hand(state, 1).count(card) - 2 * (card == 5) for card in range(1, 10)]


def test_phases() -> None:
    views = [GAME.observe(state, 0) for state in states(2, "auto", 1)]
    assert [view.colour for view in views[:5]] == ["red", "yellow", "blue", "green", None]
    assert [view.phase for view in views[:5]] == ["select"] * 4 + ["build"]
    assert (views[-1].phase, views[-1].actor) == ("over", -1)
    assert {view.phase for view in views} == {"select", "build", "over"}


def test_discarded_blocks_are_shown() -> None:
    gone = False
    for state in states(4, "four", 1, hoarder):
        view = GAME.observe(state, 2)
        for colour, stock in view.stocks.items():
            blocks = [block for towers in view.cities.values() for tower in towers if tower for block in tower.blocks]
            assert sum(stock.supply + stock.chosen + stock.discarded) + sum(colour in block for block in blocks) == 24
            gone = gone or any(stock.discarded)
    assert gone


@pytest.mark.parametrize(("players", "blocks"), VARIANTS)
def test_what_is_said_of_the_cards_is_true(players: int, blocks: str) -> None:
    """All cards are accounted for, and the cards in `held` are really held."""
    certain = 0
    for state in states(players, blocks, 21):
        for seat in range(players):
            cards = GAME.observe(state, seat).cards
            others = [card for rival in range(players) if rival != seat for card in hand(state, rival)]
            below = [card + 1 for card in state.deck[state.drawn :]]
            for card in range(1, 10):
                assert cards.unseen[card - 1] == (others + below).count(card)
                assert cards.held[card - 1] <= others.count(card)
            assert sum(cards.unseen) == 45 - 4 - len(cards.played)
            assert cards.deck == len(below) == sum(cards.shuffled) - state.drawn + state.begun
            certain += sum(cards.held)
    assert certain > 0


def test_of_two_players_each_knows_the_other_hand_after_a_shuffle() -> None:
    shuffles = 0
    for state in states(2, "auto", 2):
        if state.drawn - state.begun == 1 and state.shuffles:
            drew = state.plays()[-1] & 3
            view = GAME.observe(state, drew)
            assert view.cards.held == [hand(state, 1 - drew).count(card) for card in range(1, 10)]
            assert sum(GAME.observe(state, 1 - drew).cards.held) == 3  # all but the card just drawn
            shuffles += 1
    assert shuffles == 2


def test_own_draws_are_told_since_the_last_shuffle() -> None:
    state, generator = start(3), Random(1)
    drawn: list[list[int]] = [hand(state, seat) for seat in range(3)]
    while not state.is_over():
        before = state.shuffles
        state.journal = []
        state.apply(generator.choice(state.legal()))
        for kind, seat, *rest in state.journal:
            if kind == DREW:
                drawn = [[], [], []] if state.shuffles > before else drawn
                drawn[seat].append(rest[0] + 1)
        told = [GAME.observe(state, seat).cards.drawn for seat in range(3)]
        assert told == drawn or state.shuffles == 0
        assert [sorted(cards) for cards in told] == [sorted(cards) for cards in drawn]


def test_others_hear_only_that_a_card_was_drawn() -> None:
    for players in GAME.players:
        state, generator = start(players), Random(3)
        state.journal = []
        while not state.is_over():
            state.apply(generator.choice(state.legal()))
        for entry in state.journal:
            told = [GAME.event_of(entry, seat) for seat in range(players)]
            everything = GAME.event_of(entry, None)
            if entry[0] == DREW:
                assert everything is not None
                assert everything.cards == [str(entry[2] + 1)] == getattr(told[entry[1]], "cards", None)
                silent = [event for seat, event in enumerate(told) if seat != entry[1] and event]
                assert [(event.count, event.cards) for event in silent] == [(1, None)] * (players - 1)
            else:
                assert told == [everything] * players


def test_points_are_told_with_what_they_are_for() -> None:
    state = start(4)
    while state.selecting:
        state.apply(state.legal()[0])
    tower(state, "Cairo", 1, "blue 4")
    give(state, 0, 1, 1, 1, 1)
    have(state, "red", 1)
    state.left, state.journal = 1, []
    play(state, "build 1 Sydney 1")
    told = [GAME.event_of(entry, 3) for entry in state.journal if entry[0] == POINTS]
    assert [(event.seat, event.points, event.what) for event in told if event] == [
        (1, 3, "highest blue"),
        (0, 2, "Sydney red"),
        (1, 2, "Cairo blue"),
        (0, 1, "towers red"),
        (1, 1, "towers blue"),
    ]
    (event,) = [GAME.event_of(entry, 0) for entry in state.journal if entry[0] == "round"]
    assert event and (event.event, event.seat, event.count) == ("round", 1, 2)
