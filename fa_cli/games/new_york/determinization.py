"""Determinization of New York: random states consistent with what one seat observes.

Which cards went from the discard pile into the stock is no part of it, though everybody has seen them.
"""

from __future__ import annotations

import random

from ..chance import RandomChance
from .actions import FIRST_STONES, OVER, REDRAW, TURN
from .board import (
    BACK,
    BY_STOP_CARD,
    BY_TURN_LIMIT,
    CARDS_TEXT,
    CELLS_TEXT,
    COLOURS,
    SIZE,
    STOCK,
    STOCK_WITH_ACTIONS,
    STOP,
    STOPS,
)
from .state import State, deal
from .view import PHASES, Observation


def resample_from_infostate(state: State, seat: int, generator: random.Random) -> State:
    """Return a copy in which the others' cards and the stock are drawn at random from the cards that the seat has not
    seen.

    Every card in a hand keeps its back. With two players, an opponent who has chosen a colour gets a hand with which
    that colour has a legal action, if one of a hundred deals brings it. Later chance comes from the generator too.
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
    new.chance = RandomChance(generator)
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


def sample_state(seen: Observation, generator: random.Random) -> State:
    """Return a random state in which the seat has exactly this observation."""
    state = deal(seen.options, len(seen.seats), RandomChance(generator))
    state.phase = PHASES.index(seen.phase)
    state.actor, state.turns, state.shuffles = seen.actor, seen.turns, seen.shuffles
    _set_stones(state, seen)
    state.units = [seat.units for seat in seen.seats]
    if state.phase == FIRST_STONES:
        stones = sum(colour.board for colour in seen.colours.values())
        state.placed = stones + (state.stone - stones) % state.in_play  # colours without a legal cell were skipped
        return state
    state.turn = seen.turn
    state.colour = COLOURS.index(seen.colour) if seen.colour else -1
    state.pending = sum(1 << CELLS_TEXT.index(cell) for cell in seen.cells)
    state.chances = seen.chances
    if state.phase == OVER:
        state.ending = BY_STOP_CARD if seen.stop_cards == "drawn" else BY_TURN_LIMIT
    _set_cards(state, seen)
    return resample_from_infostate(state, seen.seat, generator)


def _set_stones(state: State, seen: Observation) -> None:
    """Set the stones and the owners of the colours."""
    for avenue, streets in enumerate(seen.board):
        for street, stone in enumerate(streets):
            if stone:
                state.put(COLOURS.index(stone), SIZE * avenue + street)
    state.stone = COLOURS.index(seen.stone) if seen.stone else -1
    state.owner = [-1] * len(COLOURS)
    for name, colour in seen.colours.items():
        state.owner[COLOURS.index(name)] = -1 if colour.owner is None else colour.owner
    owned = [name for name in seen.colours if seen.colours[name].owner is not None]
    state.colours = [tuple(COLOURS.index(name) for name in seat.colours) for seat in seen.seats]
    state.rivals = [
        tuple(COLOURS.index(name) for name in owned if seen.colours[name].owner != seat)
        for seat in range(state.players)
    ]


def _set_cards(state: State, seen: Observation) -> None:
    """Set hands and piles. The cards that this seat has not seen go anywhere: `resample_from_infostate` deals them."""
    hand = bytes(CARDS_TEXT.index(card) for card in seen.hand)
    state.discard = bytes(CARDS_TEXT.index(card) for card in seen.discard)
    unseen = list(STOCK_WITH_ACTIONS if seen.options.actions == "on" else STOCK)
    for card in (*hand, *state.discard):
        if card != STOP:
            unseen.remove(card)
    by_back = [[card for card in unseen if BACK[card] == back] for back in range(2)]
    for number, seat in enumerate(seen.seats):
        if number != seen.seat:
            cards = [by_back[0].pop() for _ in range(seat.red)] + [by_back[1].pop() for _ in range(seat.blue)]
            state.hands[number] = bytes(cards)
    state.hands[seen.seat] = hand
    state.reds = [seat.red for seat in seen.seats]
    state.stops = seen.stop_cards != "aside"
    stops = STOPS if seen.stop_cards in ("stock", "drawn") else b""
    state.stock = stops + bytes(by_back[0] + by_back[1])
