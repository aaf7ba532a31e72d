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
        """Return all legal actions in table order. Do not change the list."""
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
        """Play one of the legal actions; its legality is not checked."""
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
        """Return whether the game has ended."""
        return self.phase == OVER

    def scores(self) -> list[int]:
        """Return the points by seat."""
        return self.points[:]

    def standing(self) -> list[tuple[int, ...]]:
        """Return by seat points and cards in hand, which rank it in this order."""
        return [
            (points, sum(self.hand[CARDS * seat : CARDS * seat + CARDS])) for seat, points in enumerate(self.points)
        ]

    def reason(self) -> str:
        """Return why the game ended: `businesses`, `stops` or `turn-limit`; empty before the end."""
        return REASONS[self.ending]

    def _repr_svg_(self) -> str:
        """Return the board and all hands as an SVG document: how a notebook shows a state."""
        from ..notebook import svg_of

        return svg_of("fifth-avenue", self)

    def copy(self) -> State:
        """Return an independent state whose journal is None."""
        new = State()
        self.copy_into(new)
        return new
