"""What a seat of New York sees: its observation and its events.

Public are the board, stones, purchase units, the discard pile, the number of cards in stock, and the backs of the cards
in every hand. Hidden are the faces of the other players' cards, the order of the stock, and, until the colour cards
are dealt, who gets which colour.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from itertools import repeat
from operator import or_, xor
from typing import Literal

import msgspec

from ..contract import DREW, POINTS, Event, JournalEntry
from ..json_parts import cache_last, join_members, json_cached, json_members
from .board import (
    BACK,
    BACKS,
    BY_STOP_CARD,
    CARDS_TEXT,
    CELLS,
    CELLS_TEXT,
    COLOURS,
    POINTS_FOR,
    SIZE,
    STOP,
    beside,
    cells_in,
)
from .options import Options
from .scoring import longest_group, longest_line, points_for
from .state import State

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
    """The colour in use in this turn; null if there is none."""
    stone: str | None
    """In the phases first-stones, place and remove: the colour that the actor places or removes; null until the actor
    has chosen it (phase place with two players)."""
    cells: list[str]
    """In those phases: the cells where the actor may place or remove a stone."""
    chances: int
    """In a renovation or ruin: the chances left to place a stone, including the actor's; otherwise 0."""


class Observation(Moment, frozen=True):
    """Everything that a seat may know."""

    board: list[list[str | None]]
    """By avenue, by street: the colour of the stone there, null for an empty cell."""
    colours: dict[str, Colour]
    """The colours in play."""
    seats: list[Seat]
    hand: list[str]
    """This seat's cards, in the order drawn."""
    stock: int
    """How many cards can be drawn before the discard pile is shuffled."""
    discard: list[str]
    """The discard pile; the last discarded card is last."""
    shuffles: int
    """How often the stock was shuffled, including the first time."""
    stop_cards: StopCards
    """Where the stop cards are."""


# An observation is joined from parts. Those that change seldom are cached as JSON.


def observation_json(state: State, seat: int) -> bytes:
    """Return everything that this seat may know, an `Observation` as JSON; it depends on nothing hidden from it."""
    board = state.board
    first, last = _owned(state.colours)
    return join_members(
        json_members(
            Moment(
                seat,
                PHASES[state.phase],
                state.actor,
                state.turn if state.phase else -1,
                state.turns,
                state.options,
                COLOURS[state.colour] if state.colour >= 0 else None,
                COLOURS[state.stone] if state.stone >= 0 else None,
                _cells(state.open_cells()),
                state.chances,
            )
        ),
        _board(board),
        b'"colours":{%b}'
        % b",".join(map(_colour, COLOURS[: state.in_play], state.owner, state.stones, map(int.bit_count, board))),
        b'"seats":[%b]'
        % b",".join(
            map(
                _seat,
                repeat(state.options.chain),
                state.colours,
                map(board.__getitem__, first),
                map(board.__getitem__, last),
                state.units,
                state.reds,
                map(len, state.hands),
            )
        ),
        b'"hand":[%b],"stock":%d,"discard":[%b],"shuffles":%d,"stop_cards":"%b"'
        % (
            b",".join(map(_card, state.hands[seat])),
            len(state.stock),
            _discard(state.discard),
            state.shuffles,
            _stop_cards(state).encode(),
        ),
    )


@json_cached
def _cells(mask: int) -> list[str]:
    return [CELLS_TEXT[cell] for cell in cells_in(mask)]


# The board shown last: its stones as a mask per colour, and the JSON of its cells and avenues. Few of them change from
# one decision to the next.
_stones = [0] * len(COLOURS)
_on_cells = [b"null"] * CELLS
_avenues = [b",".join(_on_cells[:SIZE])] * SIZE


def _board(stones: list[int]) -> bytes:
    """Return the board as JSON; `stones` has a mask per colour."""
    global _stones
    changed = reduce(or_, map(xor, _stones, stones))
    _stones = stones[:]
    while changed:
        bit = changed & -changed
        changed ^= bit
        cell = bit.bit_length() - 1
        _on_cells[cell] = b"null"
        for name, mask in zip(_NAMES, stones, strict=True):
            if mask & bit:
                _on_cells[cell] = name
                break
        avenue = cell // SIZE
        _avenues[avenue] = b",".join(_on_cells[SIZE * avenue : SIZE * (avenue + 1)])
    return b'"board":[[%b]]' % b"],[".join(_avenues)


_NAMES = [b'"%b"' % name.encode() for name in COLOURS]


@lru_cache(1 << 10)
def _colour(name: str, owner: int, stock: int, board: int) -> bytes:
    return json_members({name: Colour(owner if owner >= 0 else None, stock, board)})


@cache_last
def _owned(colours: list[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """Return by seat its first and its last colour; 0 before the colour cards are dealt."""
    return [owned[0] if owned else 0 for owned in colours], [owned[-1] if owned else 0 for owned in colours]


@json_cached
def _seat(chain: str, colours: tuple[int, ...], first: int, last: int, units: int, red: int, cards: int) -> Seat:
    """Return a seat; `first` and `last` are the masks of its first and last colour's stones."""
    stones = (first, last)[: len(colours)]
    chains = [_longest(chain, mask & beside(mask)) for mask in stones]
    points = sum(points_for(chains, sum(map(int.bit_count, stones)), units))
    names = [COLOURS[colour] for colour in colours]
    return Seat(names, units, red, cards - red, points, max(chains, default=0))


@lru_cache(1 << 8)
def _longest(chain: str, stones: int) -> int:
    """Return the longest chain of these stones.

    Callers leave out isolated stones, which half of the turns change, so that more calls hit the cache.
    """
    return longest_group(stones) if chain == "group" else longest_line(stones)


_card = [b'"%b"' % text.encode() for text in CARDS_TEXT].__getitem__
"""Return the card as JSON."""

# The discard pile shown last, and its JSON. The next one mostly begins with the same cards.
_last_pile = b""
_last_pile_json = b""


def _discard(pile: bytes) -> bytes:
    global _last_pile, _last_pile_json
    if not _last_pile or not pile.startswith(_last_pile):
        _last_pile_json = b",".join(map(_card, pile))
    elif len(pile) > len(_last_pile):
        _last_pile_json = b",".join((_last_pile_json, *map(_card, pile[len(_last_pile) :])))
    _last_pile = pile
    return _last_pile_json


def _stop_cards(state: State) -> StopCards:
    if not state.stops:
        return "aside"
    if state.ending == BY_STOP_CARD:
        return "drawn"
    return "discard" if STOP in state.discard else "stock"


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
