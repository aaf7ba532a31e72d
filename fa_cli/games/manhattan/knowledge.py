"""What a seat of Manhattan can work out about the hidden cards from what it has seen, in numbers.

All cards are in the deck, in the hands or among those played since the last shuffle. At a shuffle everybody learns what
the deck consists of, and with it what all hands hold together.
"""

from __future__ import annotations

from .actions import CARD_OF
from .board import COPIES, HAND, SITES
from .state import State


class Knowledge:
    """What a seat can know of the cards, in numbers. Counts are by position, from 0."""

    __slots__ = ("by_me", "by_others", "dealt", "drawn", "others_had", "plays", "shuffled")

    def __init__(self, state: State, seat: int) -> None:
        self.plays: list[int] = state.plays()[state.pile_start() :]
        """Every play since the last shuffle, each followed by a draw."""
        self.dealt: int = state.drawn - len(self.plays)
        """Up to where in the deck cards were drawn before the first of these plays."""
        self.drawn: list[int] = self._first_draws(state, seat)
        """Where in the deck the cards are that this seat has drawn since then."""
        self.by_me = by_me = [0] * SITES
        """What this seat has played since then."""
        self.by_others = by_others = [0] * SITES
        drawn = self.drawn
        for place, play in enumerate(self.plays, self.dealt):
            if play & 3 == seat:
                by_me[CARD_OF[play >> 2]] += 1
                drawn.append(place)
            else:
                by_others[CARD_OF[play >> 2]] += 1
        self.shuffled: list[int] = _shuffled(state)
        """What the deck consisted of."""
        self.others_had: list[int] = self._others(state, seat) if state.begun else [0] * SITES
        """What the other hands held together at the last shuffle; before the first deal nothing."""

    def _first_draws(self, state: State, seat: int) -> list[int]:
        """What the seat drew before the first play: of the first hands, or having turned the played cards over."""
        if not state.begun:
            return list(range(HAND * seat, HAND * (seat + 1)))
        return [state.begun] if first_drawer(state) == seat else []

    def _others(self, state: State, seat: int) -> list[int]:
        """What is neither in the deck nor was in this seat's hand, which was what it has now and has played since, but
        for what it has drawn."""
        rest = [COPIES - there - gone for there, gone in zip(self.shuffled, self.by_me, strict=True)]
        for place in self.drawn:
            rest[state.deck[place]] += 1
        return [left - (state.hands[seat] >> 3 * card & 7) for card, left in enumerate(rest)]


def first_drawer(state: State) -> int:
    """The seat that drew the first card of the present deck, which is not the first deck."""
    return state.plays()[state.pile_start() - 1] & 3


_last_deck: list[int] = []
_last_shuffled: list[int] = []


def _shuffled(state: State) -> list[int]:
    """What the present deck consisted of; `State.deck` is never changed in place."""
    global _last_deck, _last_shuffled
    if state.deck is not _last_deck:
        cards = state.deck[state.begun :]
        _last_deck, _last_shuffled = state.deck, [cards.count(card) for card in range(SITES)]
    return _last_shuffled
