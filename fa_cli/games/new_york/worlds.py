"""The states that a game of New York could be in, as far as one seat knows."""

from __future__ import annotations

import random

from ..chance import FreeChance
from .actions import FIRST_STONES, OVER, REDRAW, TURN
from .board import CELLS_TEXT, COLOURS, SIZE
from .cards import BACK, CARDS_TEXT, STOCK, STOCK_WITH_ACTIONS, STOP, STOPS
from .deal import deal
from .state import BY_STOP_CARD, BY_TURN_LIMIT, State
from .view import PHASES, Observation


def determinise(state: State, seat: int, generator: random.Random) -> State:
    """A copy in which the others' cards and the stock are drawn anew from what the seat has not seen.

    Every card in a hand keeps its back. A rival (of two players) who has chosen a colour gets cards with which that
    colour allows something, if a hundred deals bring them. Chance to come is the generator's too.
    """
    new = _deal_unseen(state, seat, generator)
    if state.players == 2 and state.phase == TURN and state.turn != seat:
        for _ in range(99):
            if new.legal()[0] != REDRAW:
                break
            new = _deal_unseen(state, seat, generator)
    return new


def _deal_unseen(state: State, seat: int, generator: random.Random) -> State:
    new = state.copy()
    new.chance = FreeChance(generator)
    others = [other for other in range(state.players) if other != seat]
    unseen = [*b"".join(state.hands[other] for other in others), *state.stock]
    generator.shuffle(unseen)
    stops = [card for card in unseen if card == STOP]
    by_back = [[card for card in unseen if card != STOP and BACK[card] == back] for back in range(2)]
    for other in others:
        new.hands[other] = bytes(by_back[BACK[card]].pop() for card in state.hands[other])
    stock = by_back[0] + by_back[1] + stops
    generator.shuffle(stock)
    new.stock = bytes(stock)
    return new


def imagine(seen: Observation, generator: random.Random) -> State:
    """A state in which the seat would see exactly this, drawn from those that are possible."""
    state = deal(seen.options, len(seen.seats), FreeChance(generator))
    state.phase = PHASES.index(seen.phase)
    state.actor, state.turns, state.shuffles = seen.actor, seen.turns, seen.shuffles
    _set_stones(state, seen)
    state.units = [seat.units for seat in seen.seats]
    if state.phase == FIRST_STONES:
        stones = sum(colour.board for colour in seen.colours.values())
        state.placed = stones + (state.stone - stones) % state.in_play  # colours without a cell were passed over
        return state
    state.turn = seen.turn
    state.colour = COLOURS.index(seen.colour) if seen.colour else -1
    state.pending = sum(1 << CELLS_TEXT.index(cell) for cell in seen.cells)
    state.chances = seen.chances
    if state.phase == OVER:
        state.why = BY_STOP_CARD if seen.stop_cards == "drawn" else BY_TURN_LIMIT
    _set_cards(state, seen)
    return determinise(state, seen.seat, generator)


def _set_stones(state: State, seen: Observation) -> None:
    """The board, and whose the colours are."""
    for avenue, streets in enumerate(seen.board):
        for street, colour in enumerate(streets):
            if colour:
                state.put(COLOURS.index(colour), SIZE * avenue + street)
    state.stone = COLOURS.index(seen.stone) if seen.stone else -1
    state.owner = [-1] * len(COLOURS)
    for colour, told in seen.colours.items():
        state.owner[COLOURS.index(colour)] = -1 if told.owner is None else told.owner
    owned = [name for name in seen.colours if seen.colours[name].owner is not None]
    state.colours = [tuple(COLOURS.index(name) for name in seat.colours) for seat in seen.seats]
    state.rivals = [
        tuple(COLOURS.index(name) for name in owned if seen.colours[name].owner != seat)
        for seat in range(state.players)
    ]


def _set_cards(state: State, seen: Observation) -> None:
    """Hands and piles; what this seat has not seen is put anywhere, for `determinise` to draw it anew."""
    hand = bytes(CARDS_TEXT.index(card) for card in seen.hand)
    state.discard = bytes(CARDS_TEXT.index(card) for card in seen.discard)
    unseen = list(STOCK_WITH_ACTIONS if seen.options.actions == "on" else STOCK)
    for card in (*hand, *state.discard):
        if card != STOP:
            unseen.remove(card)
    by_back = [[card for card in unseen if BACK[card] == back] for back in range(2)]
    for seat, told in enumerate(seen.seats):
        if seat != seen.seat:
            cards = [by_back[0].pop() for _ in range(told.red)] + [by_back[1].pop() for _ in range(told.blue)]
            state.hands[seat] = bytes(cards)
    state.hands[seen.seat] = hand
    state.reds = [told.red for told in seen.seats]
    state.stops = seen.stop_cards != "aside"
    stops = STOPS if seen.stop_cards in ("stock", "drawn") else b""
    state.stock = stops + bytes(by_back[0] + by_back[1])
