"""What a seat of Fifth Avenue sees: its observation and its events.

Public are the board, the supply row, the top card of each colour stack, every card taken from one or laid in an
auction, and how many cards of each suit everybody holds. Hidden are the values of the other cards dealt at the start
(in hands and colour stacks) and of black cards drawn from the stack, until they are laid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from ..contract import DREW, POINTS, Event, JournalEntry
from ..json_parts import cache_last, join_members, json_cached, json_members, to_raw
from .board import (
    BUSINESSES,
    CARDS,
    CARDS_TEXT,
    COLOURS,
    COMMISSIONERS,
    DASHED_AFTER,
    DISTRICTS,
    LOTS,
    NO_DASHED,
    PLACES,
    PLOT_NAMES,
    PLOTS_TEXT,
    POINTS_FOR,
    RINGS,
    SET_SIZES,
    SUITS,
    businesses_on,
    neighbours,
    ring,
)
from .options import Options
from .scoring import plot_value
from .state import State

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
    """By suit: the numbers of 4s, 5s and 6s that everybody knows to be in this hand, and the number of other cards."""


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
    """By district: its plots around the centre. Each plot neighbours the ones before and after it; the last and the
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
    """By district, by plot; stopped districts are left out."""
    commissioners: dict[str, Commissioner]
    businesses: list[str]
    """The tiles left in the current set of the supply row."""
    later_sets: list[list[str]]
    placed: int
    """Businesses placed by the players."""
    park_tiles: list[str]
    """The tiles at Central Park, in the order in which they came."""
    hand: dict[str, list[int]]
    """By suit: how many 4s, 5s and 6s this seat holds."""
    stacks: dict[str, Stack]
    black: BlackStack
    seats: list[Seat]
    alea_skyscrapers: int
    """Skyscrapers that Alea has left; 0 with more than two players."""
    auction: Auction | None


# Parts of an observation change less often than they are shown, so each part is cached as JSON.


def observation_json(state: State, seat: int) -> bytes:
    """Return everything that this seat may know, an `Observation` as JSON; it depends on nothing hidden from it."""
    return join_members(
        json_members(
            Moment(
                seat,
                PHASES[state.phase],
                state.actor,
                state.turn if state.phase else -1,
                state.turns,
                state.first_move,
            )
        ),
        _table(
            state.options,
            state.tiles,
            state.height,
            state.owner,
            state.stopped,
            state.commissioners,
            state.marks,
            state.shop,
            state.row,
            state.placed,
            state.park,
        ),
        _hand(bytes(state.hand[_HANDS[seat]])),
        _stacks(state.decks, state.fresh, state.black, state.black_back),
        _seats(state.points, state.supply, state.general, state.park_height, state.hand[:], state.known[:]),
        json_members({"alea_skyscrapers": state.alea_supply, "auction": _auction(state) if state.lot >= 0 else None}),
    )


@cache_last
def _table(
    options: Options,
    tiles: list[int],
    height: list[int],
    owner: list[int],
    stopped: int,
    position: tuple[int, int],
    marks: tuple[bytes, bytes],
    shop: tuple[int, ...],
    row: bytes,
    placed: int,
    park: bytes,
) -> bytes:
    """Return the public members of the observation other than cards."""
    return json_members(
        {
            "options": _options(options),
            "board": _board(tiles, height, owner, options.side, stopped),
            "commissioners": _commissioners(position, marks),
            "businesses": _tiles(shop),
            "later_sets": _later_sets(row, len(park)),
            "placed": placed,
            "park_tiles": _tiles(park),
        }
    )


@cache_last
def _board(tiles: list[int], height: list[int], owner: list[int], side: str, stopped: int) -> msgspec.Raw:
    """Return the board by district, without stopped districts."""
    after = DASHED_AFTER[side == "six"]
    plots = list(zip(tiles, height, owner, strict=True))
    return to_raw(
        {
            name: _district(after[district], *plots[6 * district : 6 * district + 6])
            for district, name in enumerate(DISTRICTS)
            if not stopped >> district & 1
        }
    )


@json_cached
def _options(options: Options) -> Options:
    return options


_NEIGHBOURS = {after: neighbours([ring(after)]) for side in DASHED_AFTER for after in side}
"""By the colour that the dashed plot follows, by plot of one district: its two neighbours."""


@json_cached
def _district(dashed_after: int, *plots: tuple[int, int, int]) -> dict[str, Plot]:
    """Return the plots by name; `plots` has each plot's entries in `State.tiles`, `height` and `owner`."""
    tiles = [tile for tile, _, _ in plots]
    shown = {}
    for number, name in enumerate(PLOT_NAMES[: 5 + (dashed_after != NO_DASHED)]):
        tile, height, owner = plots[number]
        value = plot_value(tiles, _NEIGHBOURS[dashed_after], number)
        shown[name] = Plot(value, [], owner, height) if height else Plot(value, businesses_on(tile))
    return shown


@json_cached
def _commissioners(position: tuple[int, int], marks: tuple[bytes, bytes]) -> dict[str, Commissioner]:
    return {
        who: Commissioner(PLACES[place], [DISTRICTS[district] for district in marked])
        for who, place, marked in zip(COMMISSIONERS, position, marks, strict=True)
    }


@json_cached
def _tiles(types: Sequence[int]) -> list[str]:
    return [BUSINESSES[tile] for tile in types]


@json_cached
def _later_sets(row: bytes, used: int) -> list[list[str]]:
    """Return the sets in the supply row beyond the current one; `used` sets are used up."""
    sets, at = [], 0
    for size in SET_SIZES[used + 1 :]:
        sets.append([BUSINESSES[tile] for tile in row[at : at + size]])
        at += size
    return sets


@lru_cache(1 << 11)
def _hand(hand: bytes) -> bytes:
    return json_members({"hand": {suit: list(hand[3 * number :][:3]) for number, suit in enumerate(SUITS)}})


@cache_last
def _stacks(decks: list[bytes], fresh: list[int], black: bytes, black_back: bytes) -> bytes:
    stacks = {colour: _stack(deck, count) for colour, deck, count in zip(COLOURS, decks, fresh, strict=True)}
    return json_members({"stacks": stacks, "black": _black(len(black), black_back)})


@json_cached
def _stack(deck: bytes, fresh: int) -> Stack:
    return Stack(len(deck), 4 + deck[0] % 3 if deck else None, [4 + card % 3 for card in deck[fresh:]])


@json_cached
def _black(face_down: int, returned: bytes) -> BlackStack:
    return BlackStack(face_down, [4 + card for card in returned])


_HANDS = [slice(at, at + CARDS) for at in range(0, 4 * CARDS, CARDS)]
"""By seat: its slice of `State.hand`."""


@cache_last
def _seats(
    points: list[int], supply: list[int], general: list[int], park: list[int], hand: list[int], known: list[int]
) -> bytes:
    seats = [
        _seat(points[seat], supply[seat], general[seat], park[seat], bytes(hand[at]), bytes(known[at]))
        for seat, at in enumerate(_HANDS[: len(points)])
    ]
    return json_members({"seats": seats})


@json_cached
def _seat(points: int, supply: int, general: int, park: int, hand: bytes, known: bytes) -> Seat:
    cards = {}
    for suit, at in zip(SUITS, range(0, CARDS, 3), strict=True):
        public = known[at : at + 3]
        cards[suit] = [*public, sum(hand[at : at + 3]) - sum(public)]
    return Seat(points, supply, general, park, cards)


def _auction(state: State) -> Auction:
    return Auction(
        LOTS[state.lot],
        _lots(state.lots),
        state.full,
        state.high,
        state.high_seat if state.high_seat >= 0 else None,
        list(map(_bid, _PASSED[state.passed], state.bids, state.laid)),
        _cards(state.alea_cards),
        state.raising,
        state.bid_turns,
    )


@json_cached
def _lots(lots: bytes) -> list[str]:
    return [LOTS[lot] for lot in lots]


@json_cached
def _bid(passed: bool, total: int, laid: bytes) -> Bid:
    return Bid(passed, total, [CARDS_TEXT[card] for card in laid])


_PASSED = [[passed >> seat & 1 > 0 for seat in range(4)] for passed in range(1 << 4)]
"""By `State.passed`, by seat: whether it has passed."""


@json_cached
def _cards(cards: bytes) -> list[str]:
    return [CARDS_TEXT[card] for card in cards]


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
