"""What the seats of Manhattan can work out about the hidden cards from what they have seen, in numbers.

All cards are in the deck, in the hands or among those played since the last shuffle. At a shuffle everybody learns what
the deck consists of, and with it what all hands hold together.
"""

from __future__ import annotations

from functools import cache
from operator import sub

from ..json_parts import cache_last
from .actions import CARD_OF
from .board import COPIES, HAND, SITES
from .state import State


class Knowledge:
    """What can be known of the cards since the last shuffle. Counts are by position, from 0."""

    __slots__ = ("begun", "dealt", "deck", "drawn", "drew", "left", "plays", "shuffled", "strange")

    def __init__(self, state: State) -> None:
        self.begun = begun = state.begun
        """Where in the deck the present one begins; 0: it is the first."""
        self.deck: list[int] = state.deck
        """The state's, which is never changed in place."""
        self.shuffled: list[int] = _consisted(state.deck, begun)
        """What the deck consisted of."""
        self.dealt: int = begun + 1 if begun else HAND * state.players
        """Up to where in the deck cards were drawn before the first play since then."""
        self.plays: list[int] = []
        """Every play since then, each followed by a draw."""
        self.left: list[int] = [COPIES] * SITES
        """What has not been played since then."""
        self.drawn: list[list[int]] = [[] for _ in range(state.players)]
        """By seat: where in the deck the cards are that it has drawn since then."""
        self.drew: list[list[int]] = [[] for _ in range(state.players)]
        """By seat: those cards, as they are told, from 1."""
        self.strange: list[list[int]] = [self.shuffled[:] for _ in range(state.players)]
        """By seat: what of the deck it has not drawn itself."""
        # the first hands; later the card for which the deck was made
        first = [first_drawer(state)] if begun else [place // HAND for place in range(self.dealt)]
        self._draw(first, begun)
        self.follow(state.plays()[state.pile_start() :])

    def follow(self, plays: list[int]) -> None:
        """The plays that come next."""
        left = self.left
        for play in plays:
            left[CARD_OF[play >> 2]] -= 1
        self._draw([play & 3 for play in plays], self.dealt + len(self.plays))
        self.plays += plays

    def _draw(self, seats: list[int], place: int) -> None:
        """These seats drew the cards from this place on."""
        drawn, drew, strange = self.drawn, self.drew, self.strange
        for seat, card in zip(seats, self.deck[place : place + len(seats)], strict=True):
            drawn[seat].append(place)
            drew[seat].append(card + 1)
            strange[seat][card] -= 1
            place += 1

    def unseen(self, hand: int) -> list[int]:
        """What is in the deck and in the other hands together, for the seat that holds this hand."""
        return list(map(sub, self.left, _counts(hand)))

    def held(self, seat: int, unseen: list[int]) -> list[int]:
        """What the others surely hold: of what the seat has not seen, more than can be from the deck."""
        if not self.begun:
            return _NOTHING
        return [more - less if more > less else 0 for more, less in zip(unseen, self.strange[seat], strict=True)]

    def others_had(self, seat: int, hand: int) -> list[int]:
        """What the other hands held together at the last shuffle; before the first deal nothing."""
        if not self.begun:
            return _NOTHING[:]
        had = list(map(sub, self.unseen(hand), self.strange[seat]))
        for play in self.plays:
            if play & 3 != seat:
                had[CARD_OF[play >> 2]] += 1
        return had


_NOTHING = [0] * SITES


@cache
def _counts(hand: int) -> list[int]:
    return [hand >> 3 * card & 7 for card in range(SITES)]


@cache_last
def _consisted(deck: list[int], begun: int) -> list[int]:
    """What a deck consisted of."""
    cards = deck[begun:]
    return [cards.count(card) for card in range(SITES)]


def first_drawer(state: State) -> int:
    """The seat that drew the first card of the present deck, which is not the first deck."""
    return state.plays()[state.pile_start() - 1] & 3
