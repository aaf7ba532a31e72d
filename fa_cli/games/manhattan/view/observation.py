"""What a seat of Manhattan may know, as JSON: the `Observation` of `__init__.py`.

Bots get one with each decision, so it is written as bytes, and what follows from the last one is not computed again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...json_parts import to_json
from ..actions import ACTIONS, CARD_OF
from ..board import (
    CITIES,
    COLOURS,
    HAND,
    HEIGHTS,
    SIDES,
    SITES,
    colours,
    sides,
    turned,
    unpack_blocks,
    unpack_cards,
)
from ..knowledge import Knowledge
from ..state import State
from . import BLOCK, Played, Seat, Stock, Tower, towers

_options_json = lru_cache(16)(to_json)
_COLOURS: Final = [to_json(name) for name in COLOURS]
_CITIES: Final = [to_json(name) for name in CITIES]


def observation_json(state: State, seat: int) -> bytes:
    """Return everything that this seat may know, an `Observation` as JSON; it depends on nothing hidden from it."""
    history = _history(state)
    return b'{%b,"cities":{%b},"stocks":{%b},"seats":[%b],"hand":%b,"cards":{%b}}' % (
        _moment(state, seat),
        b",".join(history.cities),
        _stocks.json(state),
        _seats.json(state),
        _hand(state.hands[seat]),
        _cards(state, seat, history),
    )


def _moment(state: State, seat: int) -> bytes:
    return b'"seat":%d,"phase":%b,"actor":%d,"colour":%b,"round":%d,"rounds":%d,"blocks":%d,"start":%d,"options":%b' % (
        seat,
        _phase(state),
        state.actor,
        _COLOURS[state.selecting_colour()] if state.selecting else b"null",
        state.round,
        state.rounds(),
        state.blocks,
        state.start,
        _options_json(state.options),
    )


def _phase(state: State) -> bytes:
    """Return the kind of the next decision."""
    if state.actor < 0:
        return b'"over"'
    return b'"select"' if state.selecting else b'"build"'


# -- the board


class _History:
    """A game so far: towers, cards and their JSON, updated play by play."""

    def __init__(self, state: State) -> None:
        self.table = state.table
        self.past = state.past
        """As in the state, which replaces it after each round and never changes it in place."""
        self.round_plays = state.round_plays[:]
        self.stacks = towers(state)
        self.towers: list[bytes] = [_tower(stack) for stack in self.stacks]
        self.cities = [self._city(city) for city in range(len(_CITIES))]
        """By city: its name and the towers on its sites as JSON."""
        self._read_deck(state)

    def _city(self, city: int) -> bytes:
        return b"%b:[%b]" % (_CITIES[city], b",".join(self.towers[SITES * city : SITES * (city + 1)]))

    def advance(self, state: State) -> bool:
        """Advance to this state. Returns False if the state does not continue this game."""
        new = self._new_plays(state)
        if new is None or state.table is not self.table:
            return False
        self.past, self.round_plays = state.past, state.round_plays[:]
        for play in new:
            move = self.table.moves[play & 3][play >> 2]
            tower, city, block = move[0], move[2], move[3]
            if tower >= 0:
                self.stacks[tower] += BLOCK[block]
                self.towers[tower] = _tower(self.stacks[tower])
                self.cities[city] = self._city(city)
        if state.deck is not self.known.deck:
            self._read_deck(state)
        elif new:
            self.known.advance(new)
            self.played += b"".join([_played(play) for play in new])
        return True

    def _new_plays(self, state: State) -> list[int] | None:
        """Return the plays that this state has beyond those shown; None if it does not have these."""
        if state.past is self.past:
            shown, plays = self.round_plays, state.round_plays
        else:
            shown, plays = self.past + self.round_plays, state.plays()
        count = len(shown)
        return plays[count:] if plays[:count] == shown else None

    def _read_deck(self, state: State) -> None:
        self.known = Knowledge(state)
        self.played = b"".join([_played(play) for play in self.known.plays])
        """The cards played since the last shuffle as JSON, a comma before each."""
        self.shuffled = to_json(self.known.shuffled)


_last: _History | None = None
"""The history of the state shown last. The next state shown mostly continues it."""


def _history(state: State) -> _History:
    global _last
    if _last is None or not _last.advance(state):
        _last = _History(state)
    return _last


@lru_cache(1 << 11)
def _tower(stack: bytes) -> bytes:
    """Return the tower made of these blocks, each 4 * colour + height."""
    if not stack:
        return b"null"
    floors = {colour: sum(stack.translate(heights)) for colour, heights in _FLOORS.items()}
    owner = COLOURS[stack[-1] >> 2]
    return to_json(Tower(sum(floors.values()), owner, floors, [_BLOCKS_TEXT[block] for block in stack]))


_BLOCKS_TEXT = [f"{colour} {height}" for colour in COLOURS for height in HEIGHTS]
_FLOORS = {
    colour: bytes(block % 4 + 1 if block // 4 == number else 0 for block in range(256))
    for number, colour in enumerate(COLOURS)
}
"""By colour: a translation table from blocks to the floors of this colour that they add."""


# -- the players

_OWNERS = {
    players: sorted((colour, seat) for seat, owned in enumerate(colours(players)) for colour in owned)
    for players in (2, 3, 4)
}
"""By number of players: the colours in play and their seats, sorted by colour."""


class _Stocks:
    """The blocks of each colour as they were shown last."""

    def __init__(self) -> None:
        self.players = 0
        self.supply: list[int] = []
        self.chosen: list[int] = []
        self.discarded: list[int] = []
        self.colours: list[bytes] = []
        self.text = b""

    def json(self, state: State) -> bytes:
        """Return them by colour, without braces."""
        afresh = state.players != self.players
        if afresh or not self._are(state):
            owners = _OWNERS[state.players]
            self.colours = [
                _stock(owned, state.supply[at], state.chosen[at], state.discarded[at])
                if afresh or not self._is(state, at)
                else self.colours[at]
                for at, owned in enumerate(owners)
            ]
            self.players = state.players
            self.supply, self.chosen, self.discarded = state.supply[:], state.chosen[:], state.discarded[:]
            self.text = b",".join(self.colours)
        return self.text

    def _are(self, state: State) -> bool:
        return state.supply == self.supply and state.chosen == self.chosen and state.discarded == self.discarded

    def _is(self, state: State, at: int) -> bool:
        return (
            state.supply[at] == self.supply[at]
            and state.chosen[at] == self.chosen[at]
            and state.discarded[at] == self.discarded[at]
        )


_stocks: Final = _Stocks()


@lru_cache(1 << 11)
def _stock(owned: tuple[int, int], supply: int, chosen: int, discarded: int) -> bytes:
    colour, seat = owned
    stock = Stock(seat, unpack_blocks(supply), unpack_blocks(chosen), unpack_blocks(discarded))
    return b"%b:%b" % (_COLOURS[colour], to_json(stock))


def _seat(players: int, seat: int) -> bytes:
    """Return what does not change of a seat: its last members, and the closing brace."""
    side = sides(players)[seat]
    sites = [turned(card, side) + 1 for card in range(SITES)]
    shown = Seat(0, HAND, SIDES[side], sites, [COLOURS[colour] for colour in colours(players)[seat]])
    return to_json(shown).removeprefix(b'{"points":0,')


_SEATS: Final = {players: [_seat(players, seat) for seat in range(players)] for players in (2, 3, 4)}
"""By number of players, by seat."""


class _Seats:
    """The seats as they were shown last."""

    def __init__(self) -> None:
        self.points: list[int] = []
        self.text = b""

    def json(self, state: State) -> bytes:
        """Return the seats, without brackets."""
        if state.points != self.points:
            self.points = state.points[:]
            shown = zip(self.points, _SEATS[state.players], strict=True)
            self.text = b",".join([b'{"points":%d,%b' % seated for seated in shown])
        return self.text


_seats: Final = _Seats()


# -- the cards


@lru_cache(1 << 11)
def _hand(hand: int) -> bytes:
    return to_json([card + 1 for card in unpack_cards(hand)])


@lru_cache(1 << 13)
def _played(play: int) -> bytes:
    return b",%b" % to_json(Played(play & 3, CARD_OF[play >> 2] + 1, ACTIONS[play >> 2]))


def _cards(state: State, seat: int, history: _History) -> bytes:
    known = history.known
    unseen = known.unseen(state.hands[seat])
    return b'"deck":%d,"shuffles":%d,"shuffled":%b,"drawn":%b,"played":[%b],"unseen":%b,"held":%b' % (
        len(state.deck) - state.drawn,
        state.shuffles,
        history.shuffled,
        to_json(known.drew[seat]),
        history.played[1:],
        to_json(unseen),
        to_json(known.held(seat, unseen)),
    )
