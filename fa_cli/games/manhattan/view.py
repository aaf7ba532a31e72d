"""What one seat may see of Manhattan: the observation and the events. worlds.py has the states that it could be in.

Everybody sees all but the hands and the order of the deck. What can be worked out about those follows from the counts
here: which cards were in the deck when it was last shuffled, which have been played since and by whom, and which of
them this seat drew itself.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ..core import DREW, POINTS, Entry, Event, kept, raw
from .actions import ACTIONS, CARD_OF
from .board import (
    CITIES,
    COLOURS,
    COPIES,
    HAND,
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


class Observation(msgspec.Struct, frozen=True):
    """Everything that a seat may know."""

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
    cities: dict[str, list[Tower | None]]
    """By city: what stands on the sites 1 to 9, null for nothing."""
    stocks: dict[str, Stock]
    """By colour in play."""
    seats: list[Seat]
    hand: list[int]
    """This seat's cards, rising."""
    cards: Cards


# Parts change less often than they are shown: each is kept as JSON, by what it is made of.


def show(state: State, seat: int) -> msgspec.Raw:
    """Everything that this seat may know, an `Observation` as JSON; it never depends on what the seat may not."""
    return raw(
        Observation(
            seat,
            phase(state),
            state.actor,
            COLOURS[state.selecting_colour()] if state.selecting else None,
            state.round,
            state.rounds(),
            state.blocks,
            state.start,
            _options(state.options),
            _cities(state),
            {
                COLOURS[colour]: _stock(owner, state.supply[colour], state.chosen[colour], state.gone[colour])
                for colour, owner in _OWNERS[state.players]
            },
            [_seat(state.players, other, points) for other, points in enumerate(state.points)],
            _hand(state.hands[seat]),
            _cards(state, seat),
        )
    )


def phase(state: State) -> Phase:
    """What kind of decision comes next."""
    if state.actor < 0:
        return "over"
    return "select" if state.selecting else "build"


# -- the board

_EMPTY = [b""] * TOWERS


def towers(state: State) -> list[bytes]:
    """By tower: its blocks from the ground up, each 4 * colour + height."""
    return _piled(state, state.plays(), _EMPTY)


def _piled(state: State, plays: list[int], before: list[bytes]) -> list[bytes]:
    """The towers after these plays."""
    stacks = before[:]
    moves = state.table.moves
    for play in plays:
        tower, _, _, block, *_ = moves[play & 3][play >> 2]
        if tower >= 0:
            stacks[tower] += _BLOCK[block]
    return stacks


_BLOCK = [bytes([block]) for block in range(16)]


# The last towers shown: the plays of earlier rounds and of this one, the towers, and the cities as JSON. From one
# decision to the next few of them change.
_last_past: list[int] | None = None
_last_recent: list[int] = []
_last_towers: list[bytes] = []
_last_cities: dict[str, Any] = {}


def _cities(state: State) -> dict[str, Any]:
    global _last_past, _last_recent, _last_towers, _last_cities
    known = len(_last_recent)
    if state.past is _last_past and state.recent[:known] == _last_recent:
        before, _last_towers = _last_towers, _piled(state, state.recent[known:], _last_towers)
        for city, sites in _SITES.items():
            if before[sites] != _last_towers[sites]:
                _last_cities[city] = _city(*_last_towers[sites])
    else:
        _last_past, _last_towers = state.past, towers(state)
        _last_cities = {city: _city(*_last_towers[sites]) for city, sites in _SITES.items()}
    _last_recent = state.recent[:]
    return _last_cities


_SITES = {city: slice(SITES * place, SITES * (place + 1)) for place, city in enumerate(CITIES)}


@kept
def _city(*stacks: bytes) -> list[Tower | None]:
    return list(map(_tower, stacks))


def _tower(stack: bytes) -> Tower | None:
    """The tower of these blocks, each 4 * colour + height."""
    if not stack:
        return None
    floors = dict.fromkeys(COLOURS, 0)
    for block in stack:
        floors[COLOURS[block >> 2]] += (block & 3) + 1
    blocks = [f"{COLOURS[block >> 2]} {(block & 3) + 1}" for block in stack]
    return Tower(sum(floors.values()), COLOURS[stack[-1] >> 2], floors, blocks)


# -- the players

_OWNERS = {
    players: sorted((colour, seat) for seat, owned in enumerate(colours(players)) for colour in owned)
    for players in (2, 3, 4)
}
"""By number of players: every colour in play and its seat, in the order of the colours."""


@kept
def _stock(seat: int, supply: int, chosen: int, gone: int) -> Stock:
    return Stock(seat, unpack_blocks(supply), unpack_blocks(chosen), unpack_blocks(gone))


@kept
def _seat(players: int, seat: int, points: int) -> Seat:
    side = sides(players)[seat]
    sites = [turned(card, side) + 1 for card in range(SITES)]
    return Seat(points, HAND, SIDES[side], sites, [COLOURS[colour] for colour in colours(players)[seat]])


@kept
def _options(options: Options) -> Options:
    return options


# -- the cards


@kept
def _hand(hand: int) -> list[int]:
    return [card + 1 for card in unpack_cards(hand)]


# The last played cards shown, and their JSON. Mostly the next ones begin with the same.
_last_plays: list[int] = []
_last_played = b""


def _played(plays: list[int]) -> Any:
    """Builds and discards as `State.past` has them."""
    global _last_plays, _last_played
    known = len(_last_plays)
    if plays[:known] != _last_plays:
        known, _last_played = 0, b""
    more = b",".join(map(_one_played, plays[known:]))
    _last_plays, _last_played = plays, b",".join(filter(None, (_last_played, more)))
    return msgspec.Raw(b"[%b]" % _last_played)


@kept
def _one_played(play: int) -> Played:
    return Played(play & 3, CARD_OF[play >> 2] + 1, ACTIONS[play >> 2])


def _cards(state: State, seat: int) -> Cards:
    known = Knowledge(state, seat)
    hand = state.hands[seat]
    gone = zip(_SHIFTS, known.by_me, known.by_others, strict=True)
    return Cards(
        len(state.deck) - state.drawn,
        state.shuffles,
        known.shuffled,
        [state.deck[place] + 1 for place in known.drawn],
        _played(known.plays),
        [COPIES - (hand >> shift & 7) - by_me - by_others for shift, by_me, by_others in gone],
        [max(0, had - played) for had, played in zip(known.others_had, known.by_others, strict=True)],
    )


_SHIFTS = range(0, 3 * SITES, 3)


def points_for(what: int) -> str:
    """What points are for, as events say it: `highest red`, `Cairo red`, `towers red`; see scoring.py."""
    kind, colour = divmod(what, len(COLOURS))
    return f"{_KINDS[kind]} {COLOURS[colour]}"


_KINDS = {**dict(enumerate(CITIES)), FOR_HIGHEST: "highest", FOR_TOWERS: "towers"}


def tell(entry: Entry, seat: int | None) -> Event | None:
    """The journal entry as this seat hears it; seat None sees everything."""
    kind, who = entry[0], entry[1]
    if kind == POINTS:
        return Event(kind, who, points=entry[2], what=points_for(entry[3]))
    if kind == DREW:
        return Event(kind, who, count=1, cards=[str(entry[2] + 1)] if seat is None or seat == who else None)
    if kind == "shuffled":
        return Event(kind, count=entry[2])
    return Event("round", who, count=entry[2])
