"""What the seats of Manhattan can infer about the hidden cards.

Every card is in the deck, in a hand, or among the cards played since the last shuffle. At a shuffle everybody learns
which cards are in the deck, and so which cards all hands hold together.
"""

from __future__ import annotations

from operator import sub
from typing import Final

from .actions import CARD_OF
from .board import COPIES, HAND, SITES, count_cards, pack_cards
from .state import State

_NEW_DECK: Final = pack_cards([card for card in range(SITES) for _ in range(COPIES)])


class Knowledge:
    """What the seats know about the cards since the last shuffle. Counts of cards are packed as hands are."""

    __slots__ = ("begun", "dealt", "deck", "draws", "left", "not_drawn", "plays", "shuffled")

    def __init__(self, state: State) -> None:
        self.begun = begun = state.begun
        """The index in `deck` where the current deck begins; 0 for the first deck."""
        self.deck: list[int] = state.deck
        """The state's deck, which is never changed in place."""
        self.shuffled: int = pack_cards(state.deck[begun:])
        """The cards of the current deck when it was shuffled."""
        self.dealt: int = begun + 1 if begun else HAND * state.players
        """The index in `deck` of the first card drawn after a play since the shuffle."""
        self.plays: list[int] = []
        """The plays since the shuffle; a draw followed each."""
        self.left: int = _NEW_DECK
        """The cards that have not been played since the shuffle: those of a hand, and those that its seat can't see."""
        self.draws: list[list[int]] = [[] for _ in range(state.players)]
        """The indices in `deck` of the cards that each seat has drawn since the shuffle."""
        self.not_drawn: list[int] = [self.shuffled] * state.players
        """The cards of the shuffled deck that each seat has not drawn itself."""
        # the first deck deals the first hands; a later one begins with the draw for which it was shuffled
        first = [first_drawer(state)] if begun else [index // HAND for index in range(self.dealt)]
        for index, seat in enumerate(first, begun):
            self._draw(seat, index)
        self.advance(state.plays()[state.pile_start() :])

    def advance(self, plays: list[int]) -> None:
        """Add the plays that come next, and the draws that follow them."""
        for play in plays:
            self.left -= 1 << 3 * CARD_OF[play >> 2]
            self._draw(play & 3, self.dealt + len(self.plays))
            self.plays.append(play)

    def _draw(self, seat: int, index: int) -> None:
        """Record that this seat drew the card with this index."""
        self.draws[seat].append(index)
        self.not_drawn[seat] = self.not_drawn[seat] - (1 << 3 * self.deck[index])

    def held(self, seat: int, unseen: int) -> int:
        """Return the cards that the other hands must hold: the unseen cards that cannot be from the current deck."""
        held = 0
        if self.begun:
            not_drawn = self.not_drawn[seat]
            for shift in range(0, 3 * SITES, 3):
                excess = (unseen >> shift & 7) - (not_drawn >> shift & 7)
                if excess > 0:
                    held |= excess << shift
        return held

    def others_had(self, seat: int, hand: int) -> list[int]:
        """Count the cards that the other hands held together at the last shuffle; none with the first deck."""
        if not self.begun:
            return [0] * SITES
        had = list(map(sub, count_cards(self.left - hand), count_cards(self.not_drawn[seat])))
        for play in self.plays:
            if play & 3 != seat:
                had[CARD_OF[play >> 2]] += 1
        return had


def first_drawer(state: State) -> int:
    """Return the seat that drew the first card of the current deck, which must not be the first deck."""
    return state.plays()[state.pile_start() - 1] & 3
