"""What one seat may see of Fifth Avenue: the observation and the events; worlds.py has the states it could be in.

Everybody sees the board, the supply row, the top card of each colour stack, every card that is taken from one or laid
in an auction, and how many cards of each suit everybody holds. Hidden are the values of the first cards of the colour
stacks (the first hands among them) and of the black cards drawn from the stack, until they are laid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from ..core import DREW, POINTS, Entry, Event
from .board import (
    BUSINESSES,
    CARDS,
    CARDS_TEXT,
    COLOURS,
    COMMISSIONERS,
    DISTRICTS,
    PLACES,
    PLOT_NAMES,
    PLOTS_TEXT,
    SET_SIZES,
    SUITS,
)
from .options import Options
from .state import State

Phase = Literal["place", "action", "draw", "move", "bid", "build", "over"]
PHASES: tuple[Phase, ...] = ("place", "action", "draw", "move", "bid", "build", "over")
LOTS = (*DISTRICTS, "CentralPark")


class Plot(msgspec.Struct, omit_defaults=True, frozen=True):
    """One building plot: businesses, or one owner's skyscrapers, or nothing."""

    value: int
    """Points of a skyscraper here when its district is scored."""
    businesses: list[str] = []
    owner: int | None = None
    """The seat whose skyscrapers stand here; with two players 2 is Alea."""
    skyscrapers: int = 0


class Commissioner(msgspec.Struct, frozen=True):
    """Where a commissioner stands, and the districts he has marked, in the order visited."""

    at: str
    marked: list[str]


class Stack(msgspec.Struct, frozen=True):
    """A colour stack: how many cards, the value of the top one, and what lies at the bottom."""

    count: int
    top: int | None
    returned: list[int]
    """Values of the cards that came back and are still there, downwards; the last is the bottom card."""


class BlackStack(msgspec.Struct, frozen=True):
    """The black stack: how many face down, and the face-up cards under them in the order in which they came back."""

    face_down: int
    returned: list[int]


class Seat(msgspec.Struct, frozen=True):
    """What everybody knows of one player."""

    points: int
    supply: int
    """Skyscrapers that can be built."""
    general: int
    """Skyscrapers left in the general supply."""
    central_park: int
    """Skyscrapers at Central Park."""
    cards: dict[str, list[int]]
    """By suit: how many 4s, 5s and 6s everybody knows to be in this hand, and how many cards besides."""


class Bid(msgspec.Struct, frozen=True):
    """What a seat has laid in the auction."""

    passed: bool
    total: int
    cards: list[str]


class Auction(msgspec.Struct, frozen=True):
    """The auction under way."""

    lot: str
    """The district, or CentralPark."""
    later: list[str]
    """What is auctioned after it in this round."""
    full: bool
    """No plot of the district was empty when the auction began."""
    high: int
    """The highest finished bid; 0 for none."""
    leader: int | None
    """Whose it is; with two players 2 is Alea."""
    bids: list[Bid]
    alea: list[str]
    """The cards of Alea's bid, once she has made it."""
    raising: bool
    """The actor has laid a card of a raise and is not done."""
    first_turns: int
    """How many players have had their first turn in this auction."""


class Observation(msgspec.Struct, frozen=True):
    """Everything that a seat may know."""

    seat: int
    phase: Phase
    actor: int
    """The seat that decides; -1 when the game is over."""
    turn: int
    """The seat whose turn it is; -1 while the first skyscrapers are placed."""
    turns: int
    """Turns finished, of all players together."""
    draw_follows: bool
    """The move under way, or the auctions it brought, belong to action C: two colour cards are drawn after them."""
    options: Options
    board: dict[str, dict[str, Plot]]
    """By district, by plot; a stopped district is not there."""
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


_Board = dict[str, dict[str, Plot]]
# The last board shown: the lists it was made from are never changed in place, so that they tell whether it still holds.
_last_board: tuple[list[int], list[int], _Board] | None = None


def observe(state: State, seat: int) -> Observation:
    """Everything that this seat may know; it never depends on what the seat may not."""
    hand, at = state.hand, CARDS * seat
    return Observation(
        seat,
        PHASES[state.phase],
        state.actor,
        state.turn if state.phase else -1,
        state.turns,
        state.first_move,
        state.options,
        _board(state),
        {
            who: Commissioner(PLACES[place], [DISTRICTS[district] for district in marks])
            for who, place, marks in zip(COMMISSIONERS, state.position, state.marks, strict=True)
        },
        [BUSINESSES[tile] for tile in state.shop],
        _later_sets(state),
        state.placed,
        [BUSINESSES[tile] for tile in state.park],
        {suit: hand[at + 3 * number : at + 3 * number + 3] for number, suit in enumerate(SUITS)},
        {
            colour: Stack(len(deck), 4 + deck[0] % 3 if deck else None, [4 + card % 3 for card in deck[fresh:]])
            for colour, deck, fresh in zip(COLOURS, state.decks, state.fresh, strict=True)
        },
        BlackStack(len(state.black), [4 + card for card in state.black_back]),
        [_seat(state, other) for other in range(state.players)],
        state.alea_supply,
        _auction(state) if state.lot >= 0 else None,
    )


def _board(state: State) -> _Board:
    global _last_board
    last = _last_board
    if last is not None and last[0] is state.tiles and last[1] is state.height:
        return last[2]
    names = PLOT_NAMES[: 5 + (state.options.side == "six")]
    board = {
        name: {plot: _plot(state, 6 * district + number) for number, plot in enumerate(names)}
        for district, name in enumerate(DISTRICTS)
        if not state.stopped >> district & 1
    }
    _last_board = (state.tiles, state.height, board)
    return board


def businesses_on(content: int) -> list[str]:
    """The businesses that a plot's number in `State.tiles` stands for."""
    return [BUSINESSES[tile - 1] for tile in (content % 5, content // 5) if tile]


def _plot(state: State, plot: int) -> Plot:
    value = state.plot_value(plot)
    if state.height[plot]:
        return Plot(value, [], state.owner[plot], state.height[plot])
    return Plot(value, businesses_on(state.tiles[plot]))


def _later_sets(state: State) -> list[list[str]]:
    sets, at = [], 0
    for size in SET_SIZES[len(state.park) + 1 :]:
        sets.append([BUSINESSES[tile] for tile in state.row[at : at + size]])
        at += size
    return sets


def _seat(state: State, seat: int) -> Seat:
    hand, known = state.hand, state.known
    cards = {}
    at = CARDS * seat
    for suit in SUITS:
        four, five, six = known[at : at + 3]
        cards[suit] = [four, five, six, hand[at] + hand[at + 1] + hand[at + 2] - four - five - six]
        at += 3
    return Seat(state.points[seat], state.supply[seat], state.general[seat], state.park_height[seat], cards)


def _auction(state: State) -> Auction:
    return Auction(
        LOTS[state.lot],
        [LOTS[lot] for lot in state.lots],
        state.full,
        state.high,
        state.high_seat if state.high_seat >= 0 else None,
        [
            Bid(bool(state.passed >> seat & 1), state.bids[seat], [CARDS_TEXT[card] for card in state.laid[seat]])
            for seat in range(state.players)
        ],
        [CARDS_TEXT[card] for card in state.alea_cards],
        state.raising,
        state.bid_turns,
    )


POINTS_FOR = (*DISTRICTS, "stop", "special", "CentralPark")
"""By the number that a journal entry gives: what points are for."""


def tell(entry: Entry, seat: int | None) -> Event | None:
    """The journal entry as this seat hears it; seat None sees everything."""
    kind, who = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, who, points=entry[2], what=POINTS_FOR[entry[3]])
    if kind == DREW:
        cards = [CARDS_TEXT[card] for card in entry[2:]] if seat is None or seat == who else None
        return Event(kind, who, count=len(entry) - 2, cards=cards)
    return _TOLD[kind](entry)


_TOLD: dict[str, Callable[[Entry], Event]] = {
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
