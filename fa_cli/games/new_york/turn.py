"""A turn in New York: place, take back or buy a stone, or change the hand; then draw cards."""

from __future__ import annotations

from ..contract import DREW
from .actions import PLAYED
from .board import AVENUE_AT, BACK, BY_STOP_CARD, BY_TURN_LIMIT, STOP, STOP_AT, STOPS, STREET_AT
from .position import Position


def play(position: Position, number: int) -> None:
    """Play an avenue and a street card to place, take back or buy a stone (NY-3). `number` is an index in PLAYED."""
    red, blue, both, cell = PLAYED[number]
    seat = position.turn
    position.hands[seat] = position.hands[seat].replace(red, b"", 1).replace(blue, b"", 1)
    position.reds[seat] = position.reds[seat] - 1
    position.discard = position.discard + both  # `+=` of bytes is a slower call when compiled
    bit = 1 << cell
    colour = position.colour
    if position.empty & bit:
        position.put(colour, cell)
    elif position.board[colour] & bit:
        position.lift(colour, cell)
    else:
        _buy(position, colour, cell, bit)
    end_turn(position)


def _buy(position: Position, colour: int, cell: int, bit: int) -> None:
    """Pay the owner of the stone on the cell and replace the stone."""
    seat = position.turn
    board = position.board
    for rival in position.rivals[seat]:
        if board[rival] & bit:
            price = position.lines[AVENUE_AT[cell] + rival]
            in_street = position.lines[STREET_AT[cell] + rival]
            if in_street < price:
                price = in_street
            owner = position.owner[rival]
            units = position.units
            units[seat] = units[seat] - price
            units[owner] = units[owner] + price
            if position.journal is not None:
                position.journal.append(("paid", seat, price, owner))
            position.replace(rival, colour, cell)
            return


def redraw(position: Position) -> None:
    """Discard the whole hand; the end of the turn draws a new one (NY-4)."""
    hand = position.hands[position.turn]
    position.hands[position.turn] = b""
    position.reds[position.turn] = 0
    position.discard += hand
    if position.journal is not None:
        position.journal.append(("discarded", position.turn, *hand))
    end_turn(position)


def end_turn(position: Position) -> None:
    """Add the stop cards if they are due (NY-6), draw, and end the game (NY-6, NY-12) or begin the next turn."""
    if not position.stops and position.free <= STOP_AT:
        position.stops = True
        position.discard += STOPS
        if position.journal is not None:
            position.journal.append(("stop-cards", -1))
    stopped = _refill(position)
    position.turns += 1
    if stopped:
        position.finish(BY_STOP_CARD)
    elif position.turns >= position.last_turn:
        position.finish(BY_TURN_LIMIT)
    else:
        seat = position.turn + 1
        position.begin_turn(seat if seat < position.players else 0)


def _refill(position: Position) -> bool:
    """Draw until the hand has two cards of each back (NY-5). Returns whether a stop card ended the drawing (NY-6)."""
    seat = position.turn
    hand = position.hands[seat]
    reds = position.reds[seat]
    blues = len(hand) - reds
    if reds >= 2 and blues >= 2:
        return False
    stopped = False
    stock = position.stock
    drawn = b""
    at = 0
    while reds < 2 or blues < 2:
        if at == len(stock):
            drawn = drawn + stock
            stock = _next_stock(position)
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
    drawn = drawn + stock[:at] if drawn else stock[:at]
    position.stock = stock[at:]
    position.hands[seat] = hand + drawn
    position.reds[seat] = reds
    if drawn and position.journal is not None:
        position.journal.append((DREW, seat, *drawn))
    return stopped


def _next_stock(position: Position) -> bytes:
    """Shuffle the discard pile and return it as the new stock; empty if there are no discarded cards."""
    if not position.discard:
        return b""
    cards = list(position.discard)
    position.chance.stream(f"stock {position.shuffles}").shuffle(cards)
    position.shuffles += 1
    position.discard = b""
    if position.journal is not None:
        position.journal.append(("shuffled", -1, len(cards)))
    return bytes(cards)
