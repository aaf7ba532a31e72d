"""The state of a game of Fifth Avenue: the legal actions, their effects and the result.

turn.py has the turns, auction.py the auctions.
"""

from __future__ import annotations

from . import auction, turn
from .actions import (
    ACTING,
    BIDDING,
    BUILDING,
    DRAW,
    DRAWING,
    DRAWN,
    LEGAL_DRAWS,
    LEGAL_MOVES,
    MOVE,
    MOVING,
    OVER,
    PLACE,
    PLACING,
)
from .board import CARDS, REASONS
from .position import Position


class State(Position):
    """A game of Fifth Avenue."""

    __slots__ = ()

    def legal(self) -> list[int]:
        phase = self.phase
        if phase == BIDDING:
            return auction.legal_bids(self)
        if phase == MOVING:
            moves = LEGAL_MOVES[2 * self.stopped.bit_length()], LEGAL_MOVES[2 * self.stopped.bit_length() + 1]
            white, beige = self.commissioners
            return moves[0][white] + moves[1][beige]
        if phase == DRAWING:
            return LEGAL_DRAWS[self.stocked]
        if phase == ACTING:
            return turn.legal_actions(self)
        if phase == BUILDING:
            return auction.legal_builds(self)
        return turn.legal_places(self) if phase == PLACING else []

    def apply(self, action: int) -> None:
        phase = self.phase
        if phase == BIDDING:
            auction.bid(self, action)
        elif phase == MOVING:
            turn.move(self, action - MOVE)
        elif phase == DRAWING:
            turn.draw(self, DRAWN[action - DRAW])
        elif phase == ACTING:
            turn.act(self, action)
        elif phase == BUILDING:
            auction.build(self, action)
        else:
            turn.place(self, action - PLACE)

    def is_over(self) -> bool:
        return self.phase == OVER

    def scores(self) -> list[int]:
        return self.points[:]

    def standing(self) -> list[tuple[int, ...]]:
        """Return by seat points and cards in hand, which rank it in this order."""
        return [
            (points, sum(self.hand[CARDS * seat : CARDS * seat + CARDS])) for seat, points in enumerate(self.points)
        ]

    def reason(self) -> str:
        """Return why the game ended: `businesses`, `stops` or `turn-limit`; empty before the end."""
        return REASONS[self.ending]

    def copy(self) -> State:
        new = State()
        new.players = self.players
        new.options = self.options
        new.chance = self.chance
        new.neighbours = self.neighbours
        new.journal = None
        new.actor = self.actor
        new.phase = self.phase
        new.turn = self.turn
        new.turns = self.turns
        new.ending = self.ending
        new.tiles = self.tiles
        new.owner = self.owner
        new.height = self.height
        new.home = self.home
        new.districts = self.districts
        new.sites = self.sites
        new.supply = self.supply
        new.general = self.general
        new.points = self.points
        new.park_height = self.park_height
        new.alea_supply = self.alea_supply
        new.hand = self.hand[:]
        new.known = self.known[:]
        new.worth = self.worth[:]
        new.held = self.held[:]
        new.decks = self.decks
        new.fresh = self.fresh
        new.stocked = self.stocked
        new.black = self.black
        new.black_back = self.black_back
        new.shuffles = self.shuffles
        new.row = self.row
        new.shop = self.shop
        new.placed = self.placed
        new.park = self.park
        new.shown = self.shown
        new.commissioners = self.commissioners
        new.marks = self.marks
        new.stopped = self.stopped
        new.first_move = self.first_move
        new.lot = self.lot
        if self.lot >= 0:
            new.lots = self.lots
            new.lot_suits = self.lot_suits
            new.full = self.full
            new.passed = self.passed
            new.bid_turns = self.bid_turns
            new.raising = self.raising
            new.suits = self.suits
            new.bids = self.bids
            new.laid = self.laid
            new.high = self.high
            new.high_seat = self.high_seat
            new.alea_cards = self.alea_cards
        return new
