"""What a seat of Fifth Avenue may know, as JSON: the `Observation` of `__init__.py`.

Bots get one with each decision, so it is written as bytes, without Structs, and parts that have not changed since the
last one are not written again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from ...contract import options_json, to_json
from ..board import (
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
    SET_SIZES,
    SUITS,
    businesses_on,
    neighbours,
    ring,
)
from ..options import Options
from ..scoring import plot_value
from ..state import State
from . import PHASES, Plot

_PHASES: Final = [to_json(name) for name in PHASES]
_DISTRICTS: Final = [to_json(name) for name in DISTRICTS]
_PLACES: Final = [to_json(name) for name in PLACES]
_LOTS: Final = [to_json(name) for name in LOTS]
_BUSINESSES: Final = [to_json(name) for name in BUSINESSES]
_CARDS: Final = [to_json(name) for name in CARDS_TEXT]
_SUITS: Final = [to_json(name) for name in SUITS]
_COLOURS: Final = [to_json(name) for name in COLOURS]
_COMMISSIONERS: Final = [to_json(name) for name in COMMISSIONERS]


def observation_json(state: State, seat: int) -> bytes:
    """Return everything that this seat may know, an `Observation` as JSON; it depends on nothing hidden from it."""
    table = _table.json(state)
    seats = _seats.json(state)
    return b'{%b,%b,"hand":{%b},%b,"seats":[%b],"alea_skyscrapers":%d,"auction":%b}' % (
        _moment(state, seat),
        table,
        _seats.shown[seat].hand_json(),
        _stacks.json(state),
        seats,
        state.alea_supply,
        _auction(state) if state.lot >= 0 else b"null",
    )


def _moment(state: State, seat: int) -> bytes:
    return b'"seat":%d,"phase":%b,"actor":%d,"turn":%d,"turns":%d,"draw_follows":%b' % (
        seat,
        _PHASES[state.phase],
        state.actor,
        state.turn if state.phase else -1,
        state.turns,
        _flag(state.first_move),
    )


def _flag(value: bool) -> bytes:
    return b"true" if value else b"false"


# Each part below is kept with what it was written from. States share lists until they replace them, so that a list is
# unchanged if it is the same object; only `hand` and `known` are changed in place.


class _Seat:
    """A seat as it was shown last."""

    def __init__(self) -> None:
        self.counts = (-1, -1, -1, -1)
        """Its points and skyscrapers."""
        self.hand = [-1] * CARDS
        self.known = [-1] * CARDS
        self.suits = [b""] * len(SUITS)
        """Its cards as everybody sees them, by suit."""
        self.held = [b""] * len(SUITS)
        """Its cards as it sees them itself, by suit; empty where they are not written yet."""
        self.text = b""

    def show_cards(self, hand: list[int], known: list[int], at: int) -> None:
        """Show cards; `hand` and `known` have the numbers of its cards by kind from `at` on."""
        for suit in range(len(SUITS)):
            first = 3 * suit
            for card in range(first, first + 3):
                if hand[at + card] != self.hand[card] or known[at + card] != self.known[card]:
                    break
            else:
                continue
            self.text = self.held[suit] = b""
            self.hand[first : first + 3] = held = hand[at + first : at + first + 3]
            self.known[first : first + 3] = seen = known[at + first : at + first + 3]
            unseen = held[0] + held[1] + held[2] - seen[0] - seen[1] - seen[2]
            self.suits[suit] = b"%b:[%d,%d,%d,%d]" % (_SUITS[suit], seen[0], seen[1], seen[2], unseen)

    def json(self, points: int, supply: int, general: int, park: int) -> bytes:
        """Return what everybody knows about it."""
        counts = (points, supply, general, park)
        if not self.text or counts != self.counts:
            self.counts, cards = counts, b",".join(self.suits)
            self.text = b'{"points":%d,"supply":%d,"general":%d,"central_park":%d,"cards":{%b}}' % (*counts, cards)
        return self.text

    def hand_json(self) -> bytes:
        """Return its cards as it sees them itself, without braces."""
        for suit in range(len(SUITS)):
            if not self.held[suit]:
                at = 3 * suit
                self.held[suit] = b"%b:[%d,%d,%d]" % (_SUITS[suit], self.hand[at], self.hand[at + 1], self.hand[at + 2])
        return b",".join(self.held)


class _Seats:
    """All seats as they were shown last."""

    def __init__(self) -> None:
        self.shown = [_Seat() for _ in range(4)]
        self.hand: list[int] = []
        self.known: list[int] = []
        self.points: list[int] = []
        self.supply: list[int] = []
        self.general: list[int] = []
        self.park: list[int] = []
        self.text = b""

    def json(self, state: State) -> bytes:
        """Return the seats, without brackets."""
        same_cards = state.hand == self.hand and state.known == self.known
        if (
            same_cards
            and state.points is self.points
            and state.supply is self.supply
            and state.general is self.general
            and state.park_height is self.park
        ):
            return self.text
        if not same_cards:
            self.hand, self.known = state.hand[:], state.known[:]
            for seat in range(state.players):
                self.shown[seat].show_cards(self.hand, self.known, CARDS * seat)
        points, supply, general, park = state.points, state.supply, state.general, state.park_height
        self.points, self.supply, self.general, self.park = points, supply, general, park
        self.text = b",".join(
            [
                self.shown[seat].json(points[seat], supply[seat], general[seat], park[seat])
                for seat in range(state.players)
            ]
        )
        return self.text


_seats: Final = _Seats()


class _BoardTable:
    """The public members other than cards as they were shown last."""

    def __init__(self) -> None:
        self.options: Options | None = None
        self.tiles: list[int] = []
        self.height: list[int] = []
        self.owner: list[int] = []
        self.stopped = -1
        self.districts = [b""] * len(DISTRICTS)
        self.businesses: tuple[object, ...] = ()
        """The commissioners with their marks, and the supply of businesses."""
        self.text = b""

    def json(self, state: State) -> bytes:
        """Return these members."""
        commissioners, marks, shop, row, park = state.commissioners, state.marks, state.shop, state.row, state.park
        businesses = (commissioners, marks, shop, row, state.placed, park)
        if self._show_board(state) or businesses != self.businesses:
            self.businesses = businesses
            board = [text for at, text in enumerate(self.districts) if not self.stopped >> at & 1]
            self.text = (
                b'"options":%b,"board":{%b},"commissioners":%b,"businesses":%b,"later_sets":%b,"placed":%d,"park_tiles":%b'
                % (
                    options_json(state.options),
                    b",".join(board),
                    _commissioners(commissioners, marks),
                    _tiles(shop),
                    _later_sets(row, len(park)),
                    state.placed,
                    _tiles(park),
                )
            )
        return self.text

    def _show_board(self, state: State) -> bool:
        """Show the options and the plots. Returns whether anything has changed."""
        tiles, height, owner = state.tiles, state.height, state.owner
        if (
            tiles is self.tiles
            and height is self.height
            and owner is self.owner
            and state.stopped == self.stopped
            and state.options is self.options
        ):
            return False
        afresh, self.options = state.options is not self.options, state.options
        after = DASHED_AFTER[state.options.side == "six"]
        for district, name in enumerate(_DISTRICTS):
            plots = range(6 * district, 6 * district + 6)
            if afresh or self._has_changed(tiles, height, owner, 6 * district):
                shown = [(tiles[plot], height[plot], owner[plot]) for plot in plots]
                self.districts[district] = _district(name, after[district], *shown)
        self.tiles, self.height, self.owner, self.stopped = tiles, height, owner, state.stopped
        return True

    def _has_changed(self, tiles: list[int], height: list[int], owner: list[int], first: int) -> bool:
        """Whether one of the six plots from `first` on differs from the one shown last."""
        for plot in range(first, first + 6):
            if tiles[plot] != self.tiles[plot] or height[plot] != self.height[plot] or owner[plot] != self.owner[plot]:
                return True
        return False


_table: Final = _BoardTable()


class _Stacks:
    """The stacks as they were shown last."""

    def __init__(self) -> None:
        self.stacks: tuple[object, ...] = ()
        self.text = b""

    def json(self, state: State) -> bytes:
        """Return the members `stacks` and `black`."""
        decks, fresh, black, returned = state.decks, state.fresh, state.black, state.black_back
        if (decks, fresh, black, returned) != self.stacks:
            self.stacks = (decks, fresh, black, returned)
            stacks = [_stack(*stack) for stack in zip(_COLOURS, decks, fresh, strict=True)]
            self.text = b'"stacks":{%b},"black":{"face_down":%d,"returned":[%b]}' % (
                b",".join(stacks),
                len(black),
                b",".join([b"%d" % (4 + card) for card in returned]),
            )
        return self.text


_stacks: Final = _Stacks()


_NEIGHBOURS: Final = {after: neighbours([ring(after)]) for side in DASHED_AFTER for after in side}
"""The two neighbours of each plot of a district, by the colour that the dashed plot follows."""


@lru_cache(1 << 11)
def _district(name: bytes, dashed_after: int, *plots: tuple[int, int, int]) -> bytes:
    """Return a district's plots by name; `plots` has each plot's entries in `State.tiles`, `height` and `owner`."""
    tiles = [tile for tile, _, _ in plots]
    shown = {}
    for number, plot in enumerate(PLOT_NAMES[: 5 + (dashed_after != NO_DASHED)]):
        tile, height, owner = plots[number]
        value = plot_value(tiles, _NEIGHBOURS[dashed_after], number)
        shown[plot] = Plot(value, [], owner, height) if height else Plot(value, businesses_on(tile))
    return b"%b:%b" % (name, to_json(shown))


@lru_cache(1 << 11)
def _commissioners(position: tuple[int, int], marks: tuple[bytes, bytes]) -> bytes:
    shown = [
        b'%b:{"at":%b,"marked":%b}' % (who, _PLACES[place], _list(_DISTRICTS, marked))
        for who, place, marked in zip(_COMMISSIONERS, position, marks, strict=True)
    ]
    return b"{%b}" % b",".join(shown)


def _list(names: list[bytes], numbers: Iterable[int]) -> bytes:
    """Return the texts with these numbers as a JSON array."""
    return b"[%b]" % b",".join([names[number] for number in numbers])


@lru_cache(1 << 10)
def _tiles(types: bytes | tuple[int, ...]) -> bytes:
    return _list(_BUSINESSES, types)


@lru_cache(1 << 10)
def _later_sets(row: bytes, used: int) -> bytes:
    """Return the sets in the supply row beyond the current one; `used` sets are used up."""
    sets, at = [], 0
    for size in SET_SIZES[used + 1 :]:
        sets.append(_list(_BUSINESSES, row[at : at + size]))
        at += size
    return b"[%b]" % b",".join(sets)


def _stack(name: bytes, deck: bytes, fresh: int) -> bytes:
    return b'%b:{"count":%d,"top":%b,"returned":[%b]}' % (
        name,
        len(deck),
        b"%d" % (4 + deck[0] % 3) if deck else b"null",
        b",".join([b"%d" % (4 + card % 3) for card in deck[fresh:]]),
    )


@lru_cache(1 << 11)
def _bid(passed: bool, total: int, cards: bytes) -> bytes:
    return b'{"passed":%b,"total":%d,"cards":%b}' % (_flag(passed), total, _list(_CARDS, cards))


def _auction(state: State) -> bytes:
    bids = [_bid(state.passed >> seat & 1 == 1, state.bids[seat], state.laid[seat]) for seat in range(len(state.bids))]
    return (
        b'{"lot":%b,"later":%b,"full":%b,"high":%d,"leader":%b,"bids":[%b],"alea":%b,"raising":%b,"first_turns":%d}'
        % (
            _LOTS[state.lot],
            _list(_LOTS, state.lots),
            _flag(state.full),
            state.high,
            b"%d" % state.high_seat if state.high_seat >= 0 else b"null",
            b",".join(bids),
            _list(_CARDS, state.alea_cards),
            _flag(state.raising),
            state.bid_turns,
        )
    )
