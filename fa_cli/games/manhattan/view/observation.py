"""What a seat of Manhattan may know, as JSON: the `Observation` of `__init__.py`.

Bots get one with each decision, so it is written as bytes, and what follows from the last one is not computed again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...contract import options_json, to_json
from ..actions import ACTIONS, CARD_OF
from ..board import CITIES, COLOURS, HAND, HEIGHTS, SIDES, SITES, TOWERS, colours, sides, turned
from ..knowledge import Knowledge
from ..state import State
from . import Seat

_ACTIONS: Final = [to_json(text) for text in ACTIONS]
_COLOURS: Final = [to_json(name) for name in COLOURS]
_CITIES: Final = [to_json(name) for name in CITIES]


def observation_json(state: State, seat: int) -> bytes:
    """Return everything that this seat may know, an `Observation` as JSON; it depends on nothing hidden from it."""
    history = _history(state)
    known = history.known
    first, second, third, fourth, fifth, sixth = history.cities
    hand = state.hands[seat]
    unseen = known.left - hand
    return (
        b'{"seat":%d,"phase":%b,"actor":%d,"colour":%b,'
        b'"round":%d,"rounds":%d,"blocks":%d,"start":%d,"options":%b,'
        b'"cities":{%b,%b,%b,%b,%b,%b},"stocks":{%b},"seats":[%b],"hand":[%b],'
        b'"cards":{"deck":%d,"shuffles":%d,"shuffled":[%b],"drawn":[%b],"played":[%b],"unseen":[%b],"held":[%b]}}'
    ) % (
        seat,
        _phase(state),
        state.actor,
        _COLOURS[state.selecting_colour()] if state.selecting else b"null",
        state.round,
        state.rounds(),
        state.blocks,
        state.start,
        options_json(state.options),
        first,
        second,
        third,
        fourth,
        fifth,
        sixth,
        _stocks(state),
        _seats(*state.points),
        _cards(hand),
        len(state.deck) - state.drawn,
        state.shuffles,
        history.shuffled,
        history.drawn(seat),
        history.played,
        _counts(unseen),
        _counts(known.held(seat, unseen)),
    )


def _phase(state: State) -> bytes:
    """Return the kind of the next decision."""
    if state.actor < 0:
        return b'"over"'
    return b'"select"' if state.selecting else b'"build"'


# -- the parts that change during a game


def _stocks(state: State) -> bytes:
    """Return the blocks of each colour, without braces."""
    supply, chosen, discarded = state.supply, state.chosen, state.discarded
    shown = [
        _stock(colour, seat, supply[colour], chosen[colour], discarded[colour])
        for colour, seat in _OWNERS[state.players]
    ]
    return b",".join(shown)


_OWNERS: Final = {
    players: sorted((colour, seat) for seat, owned in enumerate(colours(players)) for colour in owned)
    for players in (2, 3, 4)
}
"""The colours in play and their seats, sorted by colour, by number of players."""


@lru_cache(1 << 11)
def _stock(colour: int, seat: int, supply: int, chosen: int, discarded: int) -> bytes:
    """Return a `Stock` with its colour."""
    return b'%b:{"seat":%d,"supply":[%b,%b],"chosen":[%b,%b],"discarded":[%b,%b]}' % (
        _COLOURS[colour],
        seat,
        _TWO_HEIGHTS[supply & 255],
        _TWO_HEIGHTS[supply >> 8],
        _TWO_HEIGHTS[chosen & 255],
        _TWO_HEIGHTS[chosen >> 8],
        _TWO_HEIGHTS[discarded & 255],
        _TWO_HEIGHTS[discarded >> 8],
    )


_TWO_HEIGHTS: Final = [b"%d,%d" % (packed & 15, packed >> 4) for packed in range(256)]
"""Two counts of blocks, by their packed form."""


@lru_cache(1 << 6)
def _seats(*points: int) -> bytes:
    """Return what everybody knows about the players with these points, without brackets."""
    return b",".join([b'{"points":%d,%b' % seated for seated in zip(points, _SEATS[len(points)], strict=True)])


def _seat(players: int, seat: int) -> bytes:
    """Return what does not change of a seat: its last members, and the closing brace."""
    side = sides(players)[seat]
    sites = [turned(card, side) + 1 for card in range(SITES)]
    shown = Seat(0, HAND, SIDES[side], sites, [COLOURS[colour] for colour in colours(players)[seat]])
    return to_json(shown).removeprefix(b'{"points":0,')


_SEATS: Final = {players: [_seat(players, seat) for seat in range(players)] for players in (2, 3, 4)}
"""The last members of each seat, by number of players."""


# -- what follows from the plays


class _History:
    """A game so far: towers, cards and their JSON, updated play by play."""

    def __init__(self, state: State) -> None:
        self.table = state.table
        self.past = state.past
        """As in the state, which replaces it after each round and never changes it in place."""
        self.round_plays = state.round_plays[:]
        self.floors = [0] * TOWERS
        """The floors of each tower by colour, packed, eight bits each."""
        self.blocks = [b""] * TOWERS
        """The blocks of each tower from the ground up, each after a comma."""
        self.towers = [b"null"] * TOWERS
        self.cities = [b"%b:[%b]" % (name, b",".join(self.towers[:SITES])) for name in _CITIES]
        """The name of each city, and the towers on its sites."""
        self._build(state.plays())
        self._read_deck(state)

    def _read_deck(self, state: State) -> None:
        self.known = Knowledge(state)
        self.shuffled = _counts(self.known.shuffled)
        self.played = b",".join([_played(play) for play in self.known.plays])
        """The cards played since the last shuffle."""
        self._drawn = [b""] * state.players
        """The cards that each seat has drawn since the last shuffle, each after a comma."""
        self._draws = [0] * state.players
        """The number of these cards of each seat."""

    def advance(self, state: State) -> bool:
        """Advance to this state. Returns False if the state does not continue this game."""
        new = self._new_plays(state)
        if new is None or state.table is not self.table:
            return False
        if state.past is self.past:
            self.round_plays += new
        else:
            self.past, self.round_plays = state.past, state.round_plays[:]
        self._build(new)
        if state.deck is not self.known.deck:
            self._read_deck(state)
        elif new:
            self._play(new)
        return True

    def _play(self, plays: list[int]) -> None:
        """Add the plays that come next, after the same shuffle."""
        self.known.advance(plays)
        for play in plays:
            played = _played(play)
            self.played = b"%b,%b" % (self.played, played) if self.played else played

    def _new_plays(self, state: State) -> list[int] | None:
        """Return the plays that this state has beyond those shown; None if it does not have these."""
        if state.past is self.past:
            shown, plays = self.round_plays, state.round_plays
        else:
            shown, plays = self.past + self.round_plays, state.plays()
        count = len(shown)
        if count > len(plays):
            return None
        for index in range(count):
            if plays[index] != shown[index]:
                return None
        return plays[count:]

    def _build(self, plays: list[int]) -> None:
        """Build the blocks of these plays."""
        for play in plays:
            tower, _, city, block, colour, _, _ = self.table.moves[play & 3][play >> 2]
            if tower < 0:
                continue
            self.floors[tower] = floors = self.floors[tower] + (HEIGHTS[block & 3] << 8 * colour)
            self.blocks[tower] = blocks = self.blocks[tower] + _BLOCKS[block]
            self.towers[tower] = _tower(colour, floors, blocks)
            towers = self.towers[SITES * city : SITES * (city + 1)]
            self.cities[city] = b"%b:[%b]" % (_CITIES[city], b",".join(towers))

    def drawn(self, seat: int) -> bytes:
        """Return the cards that this seat has drawn since the last shuffle."""
        draws = self.known.draws[seat]
        for index in draws[self._draws[seat] :]:
            self._drawn[seat] += b",%d" % (self.known.deck[index] + 1)
        self._draws[seat] = len(draws)
        return self._drawn[seat][1:]


def _tower(owner: int, floors: int, blocks: bytes) -> bytes:
    """Return a `Tower`, from its floors and blocks as in `_History`."""
    red, blue, yellow, green = floors & 255, floors >> 8 & 255, floors >> 16 & 255, floors >> 24
    return (b'{"height":%d,"owner":%b,"floors":{"red":%d,"blue":%d,"yellow":%d,"green":%d},"blocks":[%b]}') % (
        red + blue + yellow + green,
        _COLOURS[owner],
        red,
        blue,
        yellow,
        green,
        blocks[1:],
    )


_BLOCKS: Final = [b',"%b %d"' % (colour.encode(), height) for colour in COLOURS for height in HEIGHTS]
"""A comma and the block, by 4 * colour + height."""


def _played(play: int) -> bytes:
    """Return a play as `Played`."""
    action = play >> 2
    return b'{"seat":%d,"card":%d,"action":%b}' % (play & 3, CARD_OF[action] + 1, _ACTIONS[action])


_shown: Final[list[_History]] = []
"""At most one: that of the state shown last. The next state shown mostly continues it."""


def _history(state: State) -> _History:
    if not _shown or not _shown[0].advance(state):
        _shown[:] = [_History(state)]
    return _shown[0]


# -- cards packed as hands are: three bits for each position


def _cards(hand: int) -> bytes:
    """Return the cards, rising, without brackets."""
    cards = _THREE_CARDS[0][hand & 511] + _THREE_CARDS[1][hand >> 9 & 511] + _THREE_CARDS[2][hand >> 18]
    return cards[1:]


def _counts(cards: int) -> bytes:
    """Return the counts by position, without brackets."""
    return b"%b,%b,%b" % (_THREE_COUNTS[cards & 511], _THREE_COUNTS[cards >> 9 & 511], _THREE_COUNTS[cards >> 18])


_THREE_COUNTS: Final = [b"%d,%d,%d" % (packed & 7, packed >> 3 & 7, packed >> 6) for packed in range(512)]
"""Three counts, by their packed form."""
_THREE_CARDS: Final = [
    [b"".join([b",%d" % (first + at) * (packed >> 3 * at & 7) for at in range(3)]) for packed in range(512)]
    for first in (1, 4, 7)
]
"""The cards of three positions, each after a comma, by their packed counts."""
