"""What a seat of Fifth Avenue sees: its observation and its events.

Public are the board, the supply row, the top card of each colour stack, every card taken from one or laid in an
auction, and how many cards of each suit everybody holds. Hidden are the values of the other cards dealt at the start
(in hands and colour stacks) and of black cards drawn from the stack, until they are laid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from ...contract import DREW, POINTS, Event, JournalEntry
from ..board import (
    BUSINESSES,
    CARDS_TEXT,
    DISTRICTS,
    LOTS,
    PLOT_NAMES,
    PLOTS_TEXT,
    POINTS_FOR,
    RINGS,
)
from ..options import Options

Phase = Literal["place", "action", "draw", "move", "bid", "build", "over"]
PHASES: tuple[Phase, ...] = ("place", "action", "draw", "move", "bid", "build", "over")


class Plot(msgspec.Struct, omit_defaults=True, frozen=True):
    """One building plot: empty, with businesses, or with the skyscrapers of one owner."""

    value: int
    """Points of each skyscraper here when the district is scored."""
    businesses: list[str] = []
    owner: int | None = None
    """The seat whose skyscrapers stand here; with two players 2 is Alea."""
    skyscrapers: int = 0


class Commissioner(msgspec.Struct, frozen=True):
    """A commissioner's place, and the districts marked, in the order visited."""

    at: str
    marked: list[str]


class Stack(msgspec.Struct, frozen=True):
    """A colour stack: the number of its cards, the value of the top card, and the returned cards at the bottom."""

    count: int
    top: int | None
    returned: list[int]
    """Values of the cards that were returned and are still there, downwards; the last one is the bottom card."""


class BlackStack(msgspec.Struct, frozen=True):
    """The black stack: the number of face-down cards, and the face-up cards under them in the order returned."""

    face_down: int
    returned: list[int]


class Seat(msgspec.Struct, frozen=True):
    """What everybody knows about one player."""

    points: int
    supply: int
    """Skyscrapers that can be built."""
    general: int
    """Skyscrapers left in the general supply."""
    central_park: int
    """Skyscrapers at Central Park."""
    cards: dict[str, list[int]]
    """The numbers of 4s, 5s and 6s that everybody knows to be in this hand, and the number of other cards, by suit."""


class Bid(msgspec.Struct, frozen=True):
    """A seat's bid in the auction."""

    passed: bool
    total: int
    cards: list[str]


class Auction(msgspec.Struct, frozen=True):
    """The current auction."""

    lot: str
    """The district, or CentralPark."""
    later: list[str]
    """The lots to be auctioned later in this round."""
    full: bool
    """Whether no plot of the district was empty when the auction began."""
    high: int
    """The highest finished bid; 0 for none."""
    leader: int | None
    """The seat with the highest finished bid; with two players 2 is Alea."""
    bids: list[Bid]
    alea: list[str]
    """The cards of Alea's bid, once she has made it."""
    raising: bool
    """Whether the actor has laid a card of a raise and is not done."""
    first_turns: int
    """How many players have had their first turn in this auction."""


class Board(msgspec.Struct, frozen=True):
    """The constant part of the board: `board` of the `start` line."""

    rings: dict[str, list[str]]
    """The plots of each district around its centre. Each plot neighbours the ones before and after it; the last and the
    first are neighbours too."""


def board(options: Options) -> Board:
    """Return the rings of this side of the board (FA-1, FA-2)."""
    rings = RINGS[options.side == "six"]
    return Board({name: [PLOT_NAMES[plot] for plot in plots] for name, plots in zip(DISTRICTS, rings, strict=True)})


class Moment(msgspec.Struct, frozen=True):
    """The decision to be made, and who makes it."""

    seat: int
    phase: Phase
    actor: int
    """The seat to decide; -1 when the game is over."""
    turn: int
    """The seat whose turn it is; -1 while the first skyscrapers are placed."""
    turns: int
    """Turns finished by all players together."""
    draw_follows: bool
    """Whether the current move or auctions belong to action C, so that two colour cards are drawn after them."""


class Observation(Moment, frozen=True):
    """Everything that a seat may know."""

    options: Options
    board: dict[str, dict[str, Plot]]
    """The plots, by district and name; stopped districts are left out."""
    commissioners: dict[str, Commissioner]
    businesses: list[str]
    """The tiles left in the current set of the supply row."""
    later_sets: list[list[str]]
    placed: int
    """Businesses placed by the players."""
    park_tiles: list[str]
    """The tiles at Central Park, in the order in which they came."""
    hand: dict[str, list[int]]
    """The numbers of 4s, 5s and 6s that this seat holds, by suit."""
    stacks: dict[str, Stack]
    black: BlackStack
    seats: list[Seat]
    alea_skyscrapers: int
    """Skyscrapers that Alea has left; 0 with more than two players."""
    auction: Auction | None


def event_of(entry: JournalEntry, seat: int | None) -> Event | None:
    """Return the journal entry as an event for this seat. Seat None sees everything."""
    kind, actor = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, actor, points=entry[2], what=POINTS_FOR[entry[3]])
    if kind == DREW:
        cards = [CARDS_TEXT[card] for card in entry[2:]] if seat is None or seat == actor else None
        return Event(kind, actor, count=len(entry) - 2, cards=cards)
    return _PUBLIC_EVENTS[kind](entry)


_PUBLIC_EVENTS: dict[str, Callable[[JournalEntry], Event]] = {
    "took": lambda entry: Event("took", entry[1], cards=[CARDS_TEXT[entry[2]]]),
    "auction": lambda entry: Event("auction", what=LOTS[entry[2]]),
    "alea": lambda entry: Event("alea", count=entry[2], cards=[CARDS_TEXT[card] for card in entry[3:]]),
    "won": lambda entry: Event("won", entry[1] if entry[1] >= 0 else None, count=entry[2]),
    "built": lambda entry: Event("built", entry[1], what=PLOTS_TEXT[entry[2]]),
    "stopped": lambda entry: Event("stopped", entry[1], what=DISTRICTS[entry[2]]),
    "park": lambda entry: Event("park", what=BUSINESSES[entry[2]]),
    "turned up": lambda entry: Event("turned up", cards=[BUSINESSES[tile] for tile in entry[2:]]),
    "shuffled": lambda entry: Event("shuffled", count=entry[2]),
}
