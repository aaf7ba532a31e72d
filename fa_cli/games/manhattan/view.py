"""What a seat of Manhattan sees: its observation and its events.

Only the hands and the order of the deck are hidden. The observation has what a seat can infer about them from: the
cards that were in the deck at the last shuffle, the cards played since and by whom, and the cards that the seat drew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec

from ..contract import DREW, POINTS, Event, JournalEntry
from ..json_parts import cache_last, join_members, json_cached, json_members, to_raw
from .actions import ACTIONS, CARD_OF
from .board import (
    CITIES,
    COLOURS,
    HAND,
    HEIGHTS,
    SIDES,
    SITES,
    TOWERS,
    colours,
    sides,
    turned,
    unpack_blocks,
    unpack_cards,
)
from .knowledge import Knowledge
from .options import Options
from .scoring import FOR_HIGHEST, FOR_TOWERS
from .state import State

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
    """By city: the towers on the sites 1 to 9, null for an empty site."""
    stocks: dict[str, Stock]
    """By colour in play."""
    seats: list[Seat]
    hand: list[int]
    """This seat's cards, rising."""
    cards: Cards


# Parts of an observation change less often than they are shown, so each part is cached as JSON.


def observation_json(state: State, seat: int) -> bytes:
    """Return everything that this seat may know, an `Observation` as JSON; it depends on nothing hidden from it."""
    history = _history(state)
    return join_members(
        json_members(
            Moment(
                seat,
                phase(state),
                state.actor,
                COLOURS[state.selecting_colour()] if state.selecting else None,
                state.round,
                state.rounds(),
                state.blocks,
                state.start,
                state.options,
            )
        ),
        _CITIES % tuple(history.cities),
        b'"stocks":{%b}' % b",".join(map(_stock, _OWNERS[state.players], state.supply, state.chosen, state.discarded)),
        _seats(state.players, state.points),
        json_members({"hand": _hand(state.hands[seat]), "cards": _cards(state, seat, history)}),
    )


def phase(state: State) -> Phase:
    """Return the kind of the next decision."""
    if state.actor < 0:
        return "over"
    return "select" if state.selecting else "build"


# -- the board


def towers(state: State) -> list[bytes]:
    """Return by tower its blocks from the ground up, each 4 * colour + height."""
    stacks = [b""] * TOWERS
    for play in state.plays():
        tower, _, _, block, _, _, _ = state.table.moves[play & 3][play >> 2]
        if tower >= 0:
            stacks[tower] += _BLOCK[block]
    return stacks


_BLOCK = [bytes([block]) for block in range(16)]


class _History:
    """A game so far: towers, cards and their JSON, updated play by play."""

    __slots__ = ("cities", "known", "played", "plays", "stacks", "table", "towers")

    def __init__(self, state: State) -> None:
        self.table = state.table
        self.plays = state.plays()
        self.stacks = towers(state)
        self.towers = list(map(_tower, self.stacks))
        self.cities = [b",".join(self.towers[at : at + SITES]) for at in range(0, TOWERS, SITES)]
        """By city: the towers on its sites as JSON."""
        self._read_deck(state)

    def advance(self, state: State) -> bool:
        """Advance to this state. Returns False if the state does not continue this game."""
        plays, known = state.plays(), len(self.plays)
        if state.table is not self.table or plays[:known] != self.plays:
            return False
        new = plays[known:]
        self.plays = plays
        for play in new:
            tower, _, city, block, _, _, _ = self.table.moves[play & 3][play >> 2]
            if tower >= 0:
                self.stacks[tower] += _BLOCK[block]
                self.towers[tower] = _tower(self.stacks[tower])
                self.cities[city] = b",".join(self.towers[SITES * city : SITES * (city + 1)])
        if state.deck is not self.known.deck:
            self._read_deck(state)
        elif new:
            self.known.advance(new)
            self.played += b"".join(map(_played, new))
        return True

    def _read_deck(self, state: State) -> None:
        self.known = Knowledge(state)
        self.played = b"".join(map(_played, self.known.plays))
        """The cards played since the last shuffle as JSON, a comma before each."""


_last: _History | None = None
"""The history of the state shown last. The next state shown mostly continues it."""


def _history(state: State) -> _History:
    global _last
    if _last is None or not _last.advance(state):
        _last = _History(state)
    return _last


@json_cached
def _tower(stack: bytes) -> Tower | None:
    """Return the tower made of these blocks, each 4 * colour + height."""
    if not stack:
        return None
    floors = {colour: sum(stack.translate(heights)) for colour, heights in _FLOORS.items()}
    owner = COLOURS[stack[-1] >> 2]
    return Tower(sum(floors.values()), owner, floors, list(map(_BLOCKS_TEXT.__getitem__, stack)))


_BLOCKS_TEXT = [f"{colour} {height}" for colour in COLOURS for height in HEIGHTS]
_FLOORS = {
    colour: bytes(block % 4 + 1 if block // 4 == number else 0 for block in range(256))
    for number, colour in enumerate(COLOURS)
}
"""By colour: a translation table from blocks to the floors of this colour that they add."""


_CITIES = b'"cities":{%b}' % b",".join(b'"%b":[%%b]' % city.encode() for city in CITIES)


# -- the players

_OWNERS = {
    players: sorted((colour, seat) for seat, owned in enumerate(colours(players)) for colour in owned)
    for players in (2, 3, 4)
}
"""By number of players: the colours in play and their seats, sorted by colour."""


@lru_cache(1 << 11)
def _stock(owned: tuple[int, int], supply: int, chosen: int, discarded: int) -> bytes:
    colour, seat = owned
    return json_members({COLOURS[colour]: Stock(seat, _blocks(supply), _blocks(chosen), _blocks(discarded))})


_blocks = lru_cache(1 << 11)(unpack_blocks)


@cache_last
def _seats(players: int, points: list[int]) -> bytes:
    return json_members({"seats": [_seat(players, *seat) for seat in enumerate(points)]})


def _seat(players: int, seat: int, points: int) -> Seat:
    side = sides(players)[seat]
    sites = [turned(card, side) + 1 for card in range(SITES)]
    return Seat(points, HAND, SIDES[side], sites, [COLOURS[colour] for colour in colours(players)[seat]])


# -- the cards


@json_cached
def _hand(hand: int) -> list[int]:
    return [card + 1 for card in unpack_cards(hand)]


@lru_cache(1 << 13)
def _played(play: int) -> bytes:
    return b",%b" % to_raw(Played(play & 3, CARD_OF[play >> 2] + 1, ACTIONS[play >> 2]))


def _cards(state: State, seat: int, history: _History) -> Cards:
    known = history.known
    unseen = known.unseen(state.hands[seat])
    played: Any = msgspec.Raw(b"[%b]" % history.played[1:])
    return Cards(
        len(state.deck) - state.drawn,
        state.shuffles,
        known.shuffled,
        known.drew[seat],
        played,
        unseen,
        known.held(seat, unseen),
    )


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
