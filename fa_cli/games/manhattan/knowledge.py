"""What the seats of Manhattan can infer about the hidden cards.

Every card is in the deck, in a hand, or among the cards played since the last shuffle. At a shuffle everybody learns
which cards are in the deck, and so which cards all hands hold together.
"""

from __future__ import annotations

from functools import cache
from operator import sub

from ..json_parts import cache_last
from .actions import CARD_OF
from .board import COPIES, HAND, SITES
from .state import State


class Knowledge:
    """What the seats know about the cards since the last shuffle. Counts are by position, from 0."""

    __slots__ = ("begun", "dealt", "deck", "draws", "drew", "left", "not_drawn", "plays", "shuffled")

    def __init__(self, state: State) -> None:
        self.begun = begun = state.begun
        """The index in `deck` where the current deck begins; 0 for the first deck."""
        self.deck: list[int] = state.deck
        """The state's deck, which is never changed in place."""
        self.shuffled: list[int] = _count_deck(state.deck, begun)
        """The cards of the current deck when it was shuffled."""
        self.dealt: int = begun + 1 if begun else HAND * state.players
        """The index in `deck` of the first card drawn after a play since the shuffle."""
        self.plays: list[int] = []
        """The plays since the shuffle; a draw followed each."""
        self.left: list[int] = [COPIES] * SITES
        """The cards that have not been played since the shuffle."""
        self.draws: list[list[int]] = [[] for _ in range(state.players)]
        """By seat: the indices in `deck` of the cards that it has drawn since the shuffle."""
        self.drew: list[list[int]] = [[] for _ in range(state.players)]
        """By seat: these cards, numbered from 1."""
        self.not_drawn: list[list[int]] = [self.shuffled[:] for _ in range(state.players)]
        """By seat: the cards of the shuffled deck that it has not drawn itself."""
        # the first deck deals the first hands; a later one begins with the draw for which it was shuffled
        first = [first_drawer(state)] if begun else [index // HAND for index in range(self.dealt)]
        self._draw(first, begun)
        self.advance(state.plays()[state.pile_start() :])

    def advance(self, plays: list[int]) -> None:
        """Add the plays that come next, and the draws that follow them."""
        left = self.left
        for play in plays:
            left[CARD_OF[play >> 2]] -= 1
        self._draw([play & 3 for play in plays], self.dealt + len(self.plays))
        self.plays += plays

    def _draw(self, seats: list[int], index: int) -> None:
        """Record that these seats drew the cards from this index on, one each."""
        draws, drew, not_drawn = self.draws, self.drew, self.not_drawn
        for seat, card in zip(seats, self.deck[index : index + len(seats)], strict=True):
            draws[seat].append(index)
            drew[seat].append(card + 1)
            not_drawn[seat][card] -= 1
            index += 1

    def unseen(self, hand: int) -> list[int]:
        """Count the cards in the deck and in the other hands, for the seat that holds this hand."""
        return [left - held for left, held in zip(self.left, _counts(hand), strict=True)]

    def held(self, seat: int, unseen: list[int]) -> list[int]:
        """Count the cards that the other hands must hold: the unseen cards that cannot be from the current deck."""
        if not self.begun:
            return _NONE
        pairs = zip(unseen, self.not_drawn[seat], strict=True)
        return [count - from_deck if count > from_deck else 0 for count, from_deck in pairs]

    def others_had(self, seat: int, hand: int) -> list[int]:
        """Count the cards that the other hands held together at the last shuffle; none with the first deck."""
        if not self.begun:
            return _NONE[:]
        had = list(map(sub, self.unseen(hand), self.not_drawn[seat]))
        for play in self.plays:
            if play & 3 != seat:
                had[CARD_OF[play >> 2]] += 1
        return had


_NONE = [0] * SITES


@cache
def _counts(hand: int) -> list[int]:
    return [hand >> 3 * card & 7 for card in range(SITES)]


@cache_last
def _count_deck(deck: list[int], begun: int) -> list[int]:
    """Count the cards from this index on."""
    cards = deck[begun:]
    return [cards.count(card) for card in range(SITES)]


def first_drawer(state: State) -> int:
    """Return the seat that drew the first card of the current deck, which must not be the first deck."""
    return state.plays()[state.pile_start() - 1] & 3
