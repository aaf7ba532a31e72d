"""What a seat of Manhattan sees: its observation and its events.

Only the hands and the order of the deck are hidden. The observation has what a seat can infer about them from: the
cards that were in the deck at the last shuffle, the cards played since and by whom, and the cards that the seat drew.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ...contract import DREW, POINTS, Event, JournalEntry
from ..board import (
    CITIES,
    COLOURS,
    TOWERS,
)
from ..options import Options
from ..scoring import FOR_HIGHEST, FOR_TOWERS
from ..state import State

Phase = Literal["select", "build", "over"]


class Tower(msgspec.Struct, frozen=True):
    """The tower on one site."""

    height: int
    """Its floors, of all colours together."""
    owner: str
    """The colour of its top block."""
    floors: dict[str, int]
    """Its floors by colour, for all four colours."""
    blocks: list[str]
    """Its blocks from the ground up, such as `red 3`."""


class Stock(msgspec.Struct, frozen=True):
    """The blocks of one colour that are not on the board: how many of height 1, 2, 3 and 4."""

    seat: int
    """The seat that plays this colour."""
    supply: list[int]
    """Not yet chosen for a round."""
    chosen: list[int]
    """Chosen for this round and not yet placed."""
    discarded: list[int]
    """Out of the game (MA-4)."""


class Seat(msgspec.Struct, frozen=True):
    """What everybody knows about one player."""

    points: int
    cards: int
    """How many cards this player holds."""
    side: str
    """The side of the table this player sits at."""
    sites: list[int]
    """The site that each card from 1 to 9 means to this player (MA-2)."""
    colours: list[str]


class Played(msgspec.Struct, frozen=True):
    """A card that has been played or discarded."""

    seat: int
    card: int
    action: str


class Cards(msgspec.Struct, frozen=True):
    """What this seat knows about the cards. Counts are for the cards 1 to 9."""

    deck: int
    """How many cards are in the deck."""
    shuffles: int
    """How often the played cards have become a new deck."""
    shuffled: list[int]
    """The cards in the deck when it was last shuffled. For the first deck: all cards, including the first hands."""
    drawn: list[int]
    """The cards that this seat has drawn since then, in order; with the first deck they include its first hand."""
    played: list[Played]
    """The cards that all players have played since then, in order. The next new deck is made of them."""
    unseen: list[int]
    """The cards that are now in the deck or in the other hands."""
    held: list[int]
    """Those of the unseen cards that must be in the other hands: held at the last shuffle and not played since."""


class Moment(msgspec.Struct, frozen=True):
    """The decision to be made, and who makes it."""

    seat: int
    phase: Phase
    actor: int
    """The seat to decide; -1 when the game is over."""
    colour: str | None
    """The colour for which the actor selects blocks; null in other phases."""
    round: int
    rounds: int
    blocks: int
    """Blocks of each colour that are chosen per round."""
    start: int
    """The seat that started this round."""
    options: Options


class Observation(Moment, frozen=True):
    """Everything that a seat may know."""

    cities: dict[str, list[Tower | None]]
    """The towers on the sites 1 to 9 of each city, null for an empty site."""
    stocks: dict[str, Stock]
    """The stock of each colour in play."""
    seats: list[Seat]
    hand: list[int]
    """This seat's cards, rising."""
    cards: Cards


def towers(state: State) -> list[bytes]:
    """Return by tower its blocks from the ground up, each 4 * colour + height."""
    stacks = [b""] * TOWERS
    for play in state.plays():
        tower, _, _, block, _, _, _ = state.table.moves[play & 3][play >> 2]
        if tower >= 0:
            stacks[tower] += BLOCK[block]
    return stacks


BLOCK = [bytes([block]) for block in range(16)]
"""Each block as bytes."""


def points_for(what: int) -> str:
    """Return what points are for, as in events: `highest red`, `Cairo red`, `towers red`; see scoring.py."""
    kind, colour = divmod(what, len(COLOURS))
    return f"{_KINDS[kind]} {COLOURS[colour]}"


_KINDS = {**dict(enumerate(CITIES)), FOR_HIGHEST: "highest", FOR_TOWERS: "towers"}


def event_of(entry: JournalEntry, seat: int | None) -> Event | None:
    """Return the journal entry as an event for this seat, None if it has none. Seat None sees everything."""
    kind, actor = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, actor, points=entry[2], what=points_for(entry[3]))
    if kind == DREW:
        return Event(kind, actor, count=1, cards=[str(entry[2] + 1)] if seat is None or seat == actor else None)
    if kind == "shuffled":
        return Event(kind, count=entry[2])
    if kind == "round":
        return Event(kind, actor, count=entry[2])
    return None  # GREW and TIED: the board shows them
