"""A turn in New York: place, take back or buy a stone, or change the hand; then draw cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contract import DREW
from .actions import PLAYED
from .board import AVENUE_AT, BACK, STOP, STREET_AT

if TYPE_CHECKING:
    from .state import State


def play(state: State, number: int) -> None:
    """Play an avenue and a street card to place, take back or buy a stone (NY-3). `number` is an index in PLAYED."""
    red, blue, both, cell = PLAYED[number]
    seat = state.turn
    state.hands[seat] = state.hands[seat].replace(red, b"", 1).replace(blue, b"", 1)
    state.reds[seat] = state.reds[seat] - 1
    state.discard += both
    bit = 1 << cell
    colour = state.colour
    if state.empty & bit:
        state.put(colour, cell)
    elif state.board[colour] & bit:
        state.lift(colour, cell)
    else:
        _buy(state, colour, cell, bit)
    state.end_turn()


def _buy(state: State, colour: int, cell: int, bit: int) -> None:
    """Pay the owner of the stone on the cell and replace the stone."""
    seat = state.turn
    board = state.board
    for rival in state.rivals[seat]:
        if board[rival] & bit:
            price = state.lines[AVENUE_AT[cell] + rival]
            in_street = state.lines[STREET_AT[cell] + rival]
            if in_street < price:
                price = in_street
            owner = state.owner[rival]
            units = state.units
            units[seat] = units[seat] - price
            units[owner] = units[owner] + price
            if state.journal is not None:
                state.journal.append(("paid", seat, price, owner))
            state.replace(rival, colour, cell)
            return


def redraw(state: State) -> None:
    """Discard the whole hand; the end of the turn draws a new one (NY-4)."""
    hand = state.hands[state.turn]
    state.hands[state.turn] = b""
    state.reds[state.turn] = 0
    state.discard += hand
    if state.journal is not None:
        state.journal.append(("discarded", state.turn, *hand))
    state.end_turn()


def refill(state: State) -> bool:
    """Draw until the hand has two cards of each back (NY-5). Returns whether a stop card ended the drawing (NY-6)."""
    seat = state.turn
    hand = state.hands[seat]
    reds = state.reds[seat]
    blues = len(hand) - reds
    if reds >= 2 and blues >= 2:
        return False
    stopped = False
    stock = state.stock
    drawn = b""
    at = 0
    while reds < 2 or blues < 2:
        if at == len(stock):
            drawn += stock
            stock = _next_stock(state)
            at = 0
            if not stock:
                break
        card = stock[at]
        if card == STOP:
            stopped = True
            break
        at += 1
        if BACK[card]:
            blues += 1
        else:
            reds += 1
    drawn += stock[:at]
    state.stock = stock[at:]
    state.hands[seat] = hand + drawn
    state.reds[seat] = reds
    if drawn and state.journal is not None:
        state.journal.append((DREW, seat, *drawn))
    return stopped


def _next_stock(state: State) -> bytes:
    """Shuffle the discard pile and return it as the new stock; empty if there are no discarded cards."""
    if not state.discard:
        return b""
    cards = list(state.discard)
    state.chance.stream(f"stock {state.shuffles}").shuffle(cards)
    state.shuffles += 1
    state.discard = b""
    if state.journal is not None:
        state.journal.append(("shuffled", -1, len(cards)))
    return bytes(cards)
