"""What one seat may see of Manhattan: the observation and the events.

Everybody sees all but the hands and the order of the deck. What can be worked out about those follows from the counts
here: which cards were in the deck when it was last shuffled, which have been played since and by whom, and which of
them this seat drew itself.
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
    """What stands on one site."""

    height: int
    """Its floors, of all colours together."""
    owner: str
    """The colour of its top block."""
    floors: dict[str, int]
    """By colour, of all four."""
    blocks: list[str]
    """From the ground up: `red 3`."""


class Stock(msgspec.Struct, frozen=True):
    """The blocks of one colour that are not on the board: how many of height 1, 2, 3 and 4."""

    seat: int
    """Whose colour it is."""
    supply: list[int]
    """Not yet chosen for a round."""
    chosen: list[int]
    """Chosen for this round, still to be placed."""
    discarded: list[int]
    """Out of the game (MA-4)."""


class Seat(msgspec.Struct, frozen=True):
    """What everybody knows of one player."""

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
    """What this seat knows of the cards. Counts are for the cards 1 to 9."""

    deck: int
    """How many cards are in the deck."""
    shuffles: int
    """How often the played cards have become a new deck."""
    shuffled: list[int]
    """What the deck consisted of when it was last shuffled: at first everything, the first hands too."""
    drawn: list[int]
    """The cards that this seat has drawn since then, in order; before the first new deck with its first hand."""
    played: list[Played]
    """The cards that everybody has played since then, in order: the played cards that a new deck is made of."""
    unseen: list[int]
    """What is now in the deck and in the other hands together."""
    held: list[int]
    """What of that is surely in the other hands: they had it at the last shuffle, and have not played it since."""


class Moment(msgspec.Struct, frozen=True):
    """What is to be decided, and by whom."""

    seat: int
    phase: Phase
    actor: int
    """The seat that decides; -1 when the game is over."""
    colour: str | None
    """The colour that the actor selects blocks for; null when it is not selecting."""
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
    """By city: what stands on the sites 1 to 9, null for nothing."""
    stocks: dict[str, Stock]
    """By colour in play."""
    seats: list[Seat]
    hand: list[int]
    """This seat's cards, rising."""
    cards: Cards


# Parts change less often than they are shown: each is kept as JSON, by what it is made of.


def observation_json(state: State, seat: int) -> msgspec.Raw:
    """Everything that this seat may know, an `Observation` as JSON; it never depends on what the seat may not."""
    course = _course(state)
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
        _CITIES % tuple(course.cities),
        b'"stocks":{%b}' % b",".join(map(_stock, _OWNERS[state.players], state.supply, state.chosen, state.gone)),
        _seats(state.players, state.points),
        json_members({"hand": _hand(state.hands[seat]), "cards": _cards(state, seat, course)}),
    )


def phase(state: State) -> Phase:
    """What kind of decision comes next."""
    if state.actor < 0:
        return "over"
    return "select" if state.selecting else "build"


# -- the board


def towers(state: State) -> list[bytes]:
    """By tower: its blocks from the ground up, each 4 * colour + height."""
    stacks = [b""] * TOWERS
    for play in state.plays():
        tower, _, _, block, _, _, _ = state.table.moves[play & 3][play >> 2]
        if tower >= 0:
            stacks[tower] += _BLOCK[block]
    return stacks


_BLOCK = [bytes([block]) for block in range(16)]


class _Course:
    """A game as far as it has come: what grows with every play, in numbers and as JSON."""

    __slots__ = ("cities", "known", "played", "plays", "stacks", "table", "towers")

    def __init__(self, state: State) -> None:
        self.table = state.table
        self.plays = state.plays()
        self.stacks = towers(state)
        self.towers = list(map(_tower, self.stacks))
        self.cities = [b",".join(self.towers[at : at + SITES]) for at in range(0, TOWERS, SITES)]
        """By city: what stands on its sites."""
        self._learn(state)

    def follow(self, state: State) -> bool:
        """Go on to this state; false if it does not follow from those before."""
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
            self._learn(state)
        elif new:
            self.known.follow(new)
            self.played += b"".join(map(_played, new))
        return True

    def _learn(self, state: State) -> None:
        self.known = Knowledge(state)
        self.played = b"".join(map(_played, self.known.plays))
        """The cards that everybody has played since the last shuffle, after a comma each."""


_last: _Course | None = None
"""The course of the game shown last. Mostly the next state shown follows from it."""


def _course(state: State) -> _Course:
    global _last
    if _last is None or not _last.follow(state):
        _last = _Course(state)
    return _last


@json_cached
def _tower(stack: bytes) -> Tower | None:
    """The tower of these blocks, each 4 * colour + height."""
    if not stack:
        return None
    floors = {colour: sum(stack.translate(heights)) for colour, heights in _FLOORS.items()}
    owner = COLOURS[stack[-1] >> 2]
    return Tower(sum(floors.values()), owner, floors, list(map(_BLOCKS_TEXT.__getitem__, stack)))


_BLOCKS_TEXT = [f"{colour} {height}" for colour in COLOURS for height in HEIGHTS]
_FLOORS = {
    colour: bytes(block % 4 + 1 if block // 4 == place else 0 for block in range(256))
    for place, colour in enumerate(COLOURS)
}
"""By colour: what a block adds to its floors."""


_CITIES = b'"cities":{%b}' % b",".join(b'"%b":[%%b]' % city.encode() for city in CITIES)


# -- the players

_OWNERS = {
    players: sorted((colour, seat) for seat, owned in enumerate(colours(players)) for colour in owned)
    for players in (2, 3, 4)
}
"""By number of players: every colour in play and its seat, in the order of the colours."""


@lru_cache(1 << 11)
def _stock(owned: tuple[int, int], supply: int, chosen: int, gone: int) -> bytes:
    colour, seat = owned
    return json_members({COLOURS[colour]: Stock(seat, _blocks(supply), _blocks(chosen), _blocks(gone))})


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


def _cards(state: State, seat: int, course: _Course) -> Cards:
    known = course.known
    unseen = known.unseen(state.hands[seat])
    played: Any = msgspec.Raw(b"[%b]" % course.played[1:])
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
    """What points are for, as events say it: `highest red`, `Cairo red`, `towers red`; see scoring.py."""
    kind, colour = divmod(what, len(COLOURS))
    return f"{_KINDS[kind]} {COLOURS[colour]}"


_KINDS = {**dict(enumerate(CITIES)), FOR_HIGHEST: "highest", FOR_TOWERS: "towers"}


def event_of(entry: JournalEntry, seat: int | None) -> Event | None:
    """The journal entry as this seat hears it; seat None sees everything."""
    kind, who = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, who, points=entry[2], what=points_for(entry[3]))
    if kind == DREW:
        return Event(kind, who, count=1, cards=[str(entry[2] + 1)] if seat is None or seat == who else None)
    if kind == "shuffled":
        return Event(kind, count=entry[2])
    if kind == "round":
        return Event(kind, who, count=entry[2])
    return None  # GREW and TIED: the board shows them
