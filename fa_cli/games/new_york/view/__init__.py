"""What a seat of New York sees: its observation and its events.

Public are the board, stones, purchase units, the discard pile, the number of cards in stock, and the backs of the cards
in every hand. Hidden are the faces of the other players' cards, the order of the stock, and, until the colour cards
are dealt, who gets which colour.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from ...contract import DREW, POINTS, Event, JournalEntry
from ..board import (
    BACK,
    BACKS,
    CARDS_TEXT,
    CELLS_TEXT,
    COLOURS,
    POINTS_FOR,
)
from ..options import Options

Phase = Literal["first-stones", "colour", "turn", "place", "remove", "over"]
PHASES: tuple[Phase, ...] = ("first-stones", "colour", "turn", "place", "remove", "over")
StopCards = Literal["aside", "discard", "stock", "drawn"]


class Colour(msgspec.Struct, frozen=True):
    """What everybody knows about the stones of one colour."""

    owner: int | None
    """The seat that plays this colour; null before the colour cards are dealt."""
    stock: int
    """Stones left to place."""
    board: int
    """Stones on the board."""


class Seat(msgspec.Struct, frozen=True):
    """What everybody knows about one player."""

    colours: list[str]
    """The colours that this player plays; empty before the colour cards are dealt."""
    units: int
    """Purchase units."""
    red: int
    """Cards with a red back in this hand."""
    blue: int
    """Cards with a blue back in this hand."""
    points: int
    """Points if the game ended now."""
    chain: int
    """The longest chain, of either colour if there are two; 0 if there is none."""


class Moment(msgspec.Struct, frozen=True):
    """The decision to be made, and who makes it."""

    seat: int
    phase: Phase
    actor: int
    """The seat to decide; -1 when the game is over."""
    turn: int
    """The seat whose turn it is; -1 while the first stones are placed."""
    turns: int
    """Turns finished by all players together."""
    options: Options
    colour: str | None
    """The colour that the player whose turn it is uses, in every seat's observation; null if there is none."""
    stone: str | None
    """In the phases first-stones, place and remove: the colour that the actor places or removes; null as long as
    he has yet to choose it (phase place with two players)."""
    cells: list[str]
    """In those phases: the cells where the actor may do so. `a3s5` is where avenue 3 crosses street 5."""
    chances: int
    """In a renovation or ruin: the chances left to place a stone, including the actor's; otherwise 0."""


class Observation(Moment, frozen=True):
    """Everything that a seat may know."""

    board: list[list[str | None]]
    """The colour of the stone at each street of each avenue, null for an empty cell."""
    colours: dict[str, Colour]
    """The colours in play."""
    seats: list[Seat]
    hand: list[str]
    """This seat's cards, in the order drawn: `avenue 3` (red back), `street 5` (blue back), the jokers `avenue *` and
    `street *`, and action cards with their backs, as `developer blue`."""
    stock: int
    """How many cards can be drawn before the discard pile is shuffled."""
    discard: list[str]
    """The discard pile; the last discarded card is last. `stop` is a stop card."""
    shuffles: int
    """How often the stock was shuffled, including the first time."""
    stop_cards: StopCards
    """Where the stop cards are."""


def event_of(entry: JournalEntry, seat: int | None) -> Event | None:
    """Return the journal entry as an event for this seat. Seat None sees everything."""
    kind, actor = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, actor, points=entry[2], what=POINTS_FOR[entry[3]])
    if kind == DREW:
        if seat is None or seat == actor:
            return Event(kind, actor, count=len(entry) - 2, cards=[CARDS_TEXT[card] for card in entry[2:]])
        return Event(kind, actor, count=len(entry) - 2, what=" ".join(map(_back, entry[2:])))
    return _PUBLIC_EVENTS[kind](entry)


_back = [BACKS[back] for back in BACK].__getitem__
"""Return the colour of the card's back as text."""


def _stone_event(entry: JournalEntry) -> Event:
    kind, owner, colour, cell = entry
    return Event(kind, owner if owner >= 0 else None, what=f"{COLOURS[colour]} {CELLS_TEXT[cell]}")


_PUBLIC_EVENTS: dict[str, Callable[[JournalEntry], Event]] = {
    "colours": lambda entry: Event("colours", entry[1], cards=[COLOURS[colour] for colour in entry[2:]]),
    "placed": _stone_event,
    "returned": _stone_event,
    "chances": lambda entry: Event("chances", entry[1], count=entry[2]),
    "skipped": lambda entry: Event("skipped", entry[1], what=" ".join(COLOURS[colour] for colour in entry[2:])),
    "paid": lambda entry: Event("paid", entry[1], count=entry[2], what=f"seat {entry[3]}"),
    "discarded": lambda entry: Event("discarded", entry[1], cards=[CARDS_TEXT[card] for card in entry[2:]]),
    "shuffled": lambda entry: Event("shuffled", count=entry[2]),
    "stop-cards": lambda entry: Event("stop-cards"),
    "stop-card": lambda entry: Event("stop-card", entry[1]),
}
