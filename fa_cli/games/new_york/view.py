"""What one seat may see of New York: the observation and the events; worlds.py has the states it could be in.

Everybody sees the board, stones, purchase units, the discard pile card by card, how many cards there are in stock, and
the backs of the cards in every hand. Hidden are the faces of the others' cards, the order of the stock, and before the
game which colour falls to whom.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from ..core import DREW, POINTS, Entry, Event, kept, raw
from .board import CELLS, CELLS_TEXT, COLOURS, FULL, LINES, SIZE, cells_in
from .cards import BACK, BACKS, BLUE_CARDS, CARDS_TEXT, STOP
from .options import Options
from .scoring import longest_group, longest_line, points_for
from .state import BY_STOP_CARD, State

Phase = Literal["first-stones", "colour", "turn", "place", "remove", "over"]
PHASES: tuple[Phase, ...] = ("first-stones", "colour", "turn", "place", "remove", "over")
StopCards = Literal["aside", "discard", "stock", "drawn"]


class Colour(msgspec.Struct, frozen=True):
    """What everybody knows of one colour's stones."""

    owner: int | None
    """Its seat; null before the colour cards are dealt."""
    stock: int
    """Stones that can be placed."""
    board: int
    """Stones on the board."""


class Seat(msgspec.Struct, frozen=True):
    """What everybody knows of one player."""

    colours: list[str]
    units: int
    """Purchase units."""
    red: int
    """Cards with a red back in this hand."""
    blue: int
    """Cards with a blue back in this hand."""
    points: int
    """What it would have if the game ended now."""
    chain: int
    """Its longest chain; of two colours the longer; 0 without one."""


class Observation(msgspec.Struct, frozen=True):
    """Everything that a seat may know."""

    seat: int
    phase: Phase
    actor: int
    """The seat that decides; -1 when the game is over."""
    turn: int
    """The seat whose turn it is; -1 while the first stones are placed."""
    turns: int
    """Turns finished, of all players together."""
    options: Options
    colour: str | None
    """The colour in use in this turn; null while there is none."""
    stone: str | None
    """In the phases first-stones, place and remove: the colour that the actor places or removes."""
    cells: list[str]
    """In those phases: where he may."""
    board: list[list[str | None]]
    """Seven avenues of seven streets: the colour that stands there."""
    colours: dict[str, Colour]
    """The colours in play."""
    seats: list[Seat]
    hand: list[str]
    """This seat's cards, in the order in which they were drawn."""
    stock: int
    """How many cards can be drawn before the discard pile is needed."""
    discard: list[str]
    """The discard pile, in the order in which it came."""
    shuffles: int
    """How often the stock was shuffled, the first time counted."""
    stop_cards: StopCards
    """Where the stop cards are."""


# Parts change less often than they are shown: each is kept as JSON, by what it is made of.


def show(state: State, seat: int) -> msgspec.Raw:
    """Everything that this seat may know, an `Observation` as JSON; it never depends on what the seat may not."""
    return raw(
        Observation(
            seat,
            PHASES[state.phase],
            state.actor,
            state.turn if state.phase else -1,
            state.turns,
            _options(state.options),
            COLOURS[state.colour] if state.colour >= 0 else None,
            COLOURS[state.stone] if state.stone >= 0 else None,
            _cells(state.open_cells()),
            _board(state.board),
            {
                COLOURS[colour]: _colour(state.owner[colour], state.stones[colour], state.board[colour].bit_count())
                for colour in range(state.in_play)
            },
            [_shown_seat(state, other) for other in range(state.players)],
            _cards(state.hands[seat]),
            len(state.stock),
            _cards(state.discard),
            state.shuffles,
            _stop_cards(state),
        )
    )


@kept
def _options(options: Options) -> Options:
    return options


@kept
def _cells(mask: int) -> list[str]:
    return [CELLS_TEXT[cell] for cell in cells_in(mask)]


# The last board shown, by colour, and its avenues as JSON. From one decision to the next few of them change.
_last_stones = [0] * len(COLOURS)
_last_avenues: list[Any] = []


def _board(stones: list[int]) -> list[Any]:
    """From the mask of each colour's stones."""
    global _last_stones, _last_avenues
    changed = 0 if _last_avenues else FULL
    for before, now in zip(_last_stones, stones, strict=True):
        changed |= before ^ now
    _last_avenues = [
        _avenue(*[mask >> cell & LINES[0] for mask in stones]) if changed >> cell & LINES[0] else _last_avenues[avenue]
        for avenue, cell in enumerate(range(0, CELLS, SIZE))
    ]
    _last_stones = stones[:]
    return _last_avenues


@kept
def _avenue(*stones: int) -> list[str | None]:
    """One avenue, from the mask of each colour's stones there."""
    cells: list[str | None] = [None] * SIZE
    for name, mask in zip(COLOURS, stones, strict=True):
        for cell in cells_in(mask):
            cells[cell] = name
    return cells


@kept
def _colour(owner: int, stock: int, board: int) -> Colour:
    return Colour(owner if owner >= 0 else None, stock, board)


def _shown_seat(state: State, seat: int) -> Any:
    hand, owned = state.hands[seat], state.colours[seat]
    red = len(hand.translate(None, BLUE_CARDS))
    stones = tuple([state.board[colour] for colour in owned])
    return _seat(state.options.chain, owned, stones, state.units[seat], red, len(hand) - red)


@kept
def _seat(chain: str, colours: tuple[int, ...], stones: tuple[int, ...], units: int, red: int, blue: int) -> Seat:
    longest = longest_group if chain == "group" else longest_line
    chains = [longest(mask) for mask in stones]
    points = points_for(chains, sum(mask.bit_count() for mask in stones), units)
    return Seat([COLOURS[colour] for colour in colours], units, red, blue, sum(points), max(chains, default=0))


@kept
def _cards(cards: bytes) -> list[str]:
    return [CARDS_TEXT[card] for card in cards]


def _stop_cards(state: State) -> StopCards:
    if not state.stops:
        return "aside"
    if state.why == BY_STOP_CARD:
        return "drawn"
    return "discard" if STOP in state.discard else "stock"


POINTS_FOR = ("chains", "stones", "units")
"""By the number that a journal entry gives: what points are for."""


def tell(entry: Entry, seat: int | None) -> Event | None:
    """The journal entry as this seat hears it; seat None sees everything."""
    kind, who = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, who, points=entry[2], what=POINTS_FOR[entry[3]])
    if kind == DREW:
        if seat is None or seat == who:
            return Event(kind, who, count=len(entry) - 2, cards=[CARDS_TEXT[card] for card in entry[2:]])
        return Event(kind, who, count=len(entry) - 2, what=" ".join(BACKS[BACK[card]] for card in entry[2:]))
    return _TOLD[kind](entry)


def _stone_event(entry: Entry) -> Event:
    kind, owner, colour, cell = entry
    return Event(kind, owner if owner >= 0 else None, what=f"{COLOURS[colour]} {CELLS_TEXT[cell]}")


_TOLD: dict[str, Callable[[Entry], Event]] = {
    "colours": lambda entry: Event("colours", entry[1], cards=[COLOURS[colour] for colour in entry[2:]]),
    "placed": _stone_event,
    "returned": _stone_event,
    "skipped": lambda entry: Event("skipped", entry[1], what=COLOURS[entry[2]]),
    "paid": lambda entry: Event("paid", entry[1], count=entry[2], what=f"seat {entry[3]}"),
    "discarded": lambda entry: Event("discarded", entry[1], cards=[CARDS_TEXT[card] for card in entry[2:]]),
    "shuffled": lambda entry: Event("shuffled", count=entry[2]),
    "stop-cards": lambda entry: Event("stop-cards"),
    "stop-card": lambda entry: Event("stop-card", entry[1]),
}
