"""What one seat may see of New York: the observation and the events; determinization.py has the states it could be in.

Everybody sees the board, stones, purchase units, the discard pile card by card, how many cards there are in stock, and
the backs of the cards in every hand. Hidden are the faces of the others' cards, the order of the stock, and before the
game which colour falls to whom.
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
from .board import CELLS, CELLS_TEXT, COLOURS, SIZE, beside, cells_in
from .cards import BACK, BACKS, CARDS_TEXT, STOP
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


class Moment(msgspec.Struct, frozen=True):
    """What is to be decided, and by whom."""

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
    """In the phases first-stones, place and remove: the colour that the actor places or removes; null while he has
    yet to choose it (phase place with two players)."""
    cells: list[str]
    """In those phases: where he may."""
    chances: int
    """In a renovation or ruin: the chances to place a stone that are left, the actor's included; else 0."""


class Observation(Moment, frozen=True):
    """Everything that a seat may know."""

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


# What is shown is joined from parts: those that change seldom are kept as JSON, by what they are made of.


def observation_json(state: State, seat: int) -> msgspec.Raw:
    """Everything that this seat may know, an `Observation` as JSON; it never depends on what the seat may not."""
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


# The last board shown: the mask of each colour's stones, what is on each cell, and each avenue, as JSON. From one
# decision to the next few of them change.
_stones = [0] * len(COLOURS)
_on_cells = [b"null"] * CELLS
_avenues = [b",".join(_on_cells[:SIZE])] * SIZE


def _board(stones: list[int]) -> bytes:
    """From the mask of each colour's stones."""
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
    """By seat: the first and the last of its colours, which before the colour cards are dealt are any."""
    return [owned[0] if owned else 0 for owned in colours], [owned[-1] if owned else 0 for owned in colours]


@json_cached
def _seat(chain: str, colours: tuple[int, ...], first: int, last: int, units: int, red: int, cards: int) -> Seat:
    """From the masks of the stones of its first and its last colour."""
    stones = (first, last)[: len(colours)]
    chains = [_longest(chain, mask & beside(mask)) for mask in stones]
    points = sum(points_for(chains, sum(map(int.bit_count, stones)), units))
    names = [COLOURS[colour] for colour in colours]
    return Seat(names, units, red, cards - red, points, max(chains, default=0))


@lru_cache(1 << 8)
def _longest(chain: str, stones: int) -> int:
    """The longest chain of these stones, all of which are beside others: half of the turns change only lone ones."""
    return longest_group(stones) if chain == "group" else longest_line(stones)


_card = [b'"%b"' % text.encode() for text in CARDS_TEXT].__getitem__
"""The card as JSON."""

# The last discard pile shown. Mostly the next one begins with the same.
_pile = b""
_piled = b""


def _discard(pile: bytes) -> bytes:
    global _pile, _piled
    if not _pile or not pile.startswith(_pile):
        _piled = b",".join(map(_card, pile))
    elif len(pile) > len(_pile):
        _piled = b",".join((_piled, *map(_card, pile[len(_pile) :])))
    _pile = pile
    return _piled


def _stop_cards(state: State) -> StopCards:
    if not state.stops:
        return "aside"
    if state.why == BY_STOP_CARD:
        return "drawn"
    return "discard" if STOP in state.discard else "stock"


POINTS_FOR = ("chains", "stones", "units")
"""By the number that a journal entry gives: what points are for."""


def event_of(entry: JournalEntry, seat: int | None) -> Event | None:
    """The journal entry as this seat hears it; seat None sees everything."""
    kind, who = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, who, points=entry[2], what=POINTS_FOR[entry[3]])
    if kind == DREW:
        if seat is None or seat == who:
            return Event(kind, who, count=len(entry) - 2, cards=[CARDS_TEXT[card] for card in entry[2:]])
        return Event(kind, who, count=len(entry) - 2, what=" ".join(map(_back, entry[2:])))
    return _TOLD[kind](entry)


_back = [BACKS[back] for back in BACK].__getitem__
"""The back of the card, in words."""


def _stone_event(entry: JournalEntry) -> Event:
    kind, owner, colour, cell = entry
    return Event(kind, owner if owner >= 0 else None, what=f"{COLOURS[colour]} {CELLS_TEXT[cell]}")


_TOLD: dict[str, Callable[[JournalEntry], Event]] = {
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
