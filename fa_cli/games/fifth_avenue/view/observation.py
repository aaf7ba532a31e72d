"""What a seat of Fifth Avenue may know, as JSON: the `Observation` of `__init__.py`.

Bots get one with each decision, so it is written as bytes, without Structs, and parts that have not changed since the
last one are not written again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from ...json_parts import to_json
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
from ..scoring import plot_value
from ..state import State
from . import PHASES, Plot

_options_json = lru_cache(16)(to_json)
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
    seats = _shown.seats_json(state)
    return b'{%b,%b,"hand":{%b},%b,"seats":[%b],"alea_skyscrapers":%d,"auction":%b}' % (
        _moment(state, seat),
        _shown.table_json(state),
        _shown.seats[seat].hand_text,
        _shown.stacks_json(state),
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


class _Seat:
    """A seat as it was shown last."""

    def __init__(self) -> None:
        self.points = self.supply = self.general = self.park = -1
        self.hand: list[int] = []
        self.known: list[int] = []
        self.text = b""
        self.hand_text = b""
        """Its cards as it sees them itself, without braces."""

    def json(self, points: int, supply: int, general: int, park: int, hand: list[int], known: list[int]) -> bytes:
        """Return what everybody knows about it. `hand` and `known` have the numbers of its cards by kind."""
        same_cards = hand == self.hand and known == self.known
        if (
            same_cards
            and points == self.points
            and supply == self.supply
            and general == self.general
            and park == self.park
        ):
            return self.text
        self.points, self.supply, self.general, self.park = points, supply, general, park
        if not same_cards:
            self.hand, self.known = hand, known
            self.hand_text = b",".join([_held(name, hand[at : at + 3]) for at, name in _SUITS_AT])
        self.text = b'{"points":%d,"supply":%d,"general":%d,"central_park":%d,"cards":{%b}}' % (
            points,
            supply,
            general,
            park,
            b",".join([_suit(name, known[at : at + 3], sum(hand[at : at + 3])) for at, name in _SUITS_AT]),
        )
        return self.text


_SUITS_AT: Final = list(zip(range(0, CARDS, 3), _SUITS, strict=True))
"""The first kind of card of each suit, and the suit."""


def _held(name: bytes, held: list[int]) -> bytes:
    return b"%b:[%d,%d,%d]" % (name, held[0], held[1], held[2])


def _suit(name: bytes, known: list[int], held: int) -> bytes:
    return b"%b:[%d,%d,%d,%d]" % (name, known[0], known[1], known[2], held - known[0] - known[1] - known[2])


class _Shown:
    """The state shown last: the values that its parts were written from, and the parts."""

    def __init__(self) -> None:
        self.seats = [_Seat() for _ in range(4)]
        self.tiles: list[int] = []
        self.height: list[int] = []
        self.owner: list[int] = []
        self.stopped = -1
        self.side = ""
        self.board = b""
        self.decks: list[bytes] = []
        self.fresh: list[int] = []
        self.black = self.black_back = b""
        self.stacks = b""

    def seats_json(self, state: State) -> bytes:
        """Return the seats, without brackets."""
        shown = []
        for seat in range(state.players):
            at = CARDS * seat
            shown.append(
                self.seats[seat].json(
                    state.points[seat],
                    state.supply[seat],
                    state.general[seat],
                    state.park_height[seat],
                    state.hand[at : at + CARDS],
                    state.known[at : at + CARDS],
                )
            )
        return b",".join(shown)

    def table_json(self, state: State) -> bytes:
        """Return the public members other than cards."""
        return (
            b'"options":%b,"board":{%b},"commissioners":%b,"businesses":%b,"later_sets":%b,"placed":%d,"park_tiles":%b'
            % (
                _options_json(state.options),
                self.board_json(state),
                _commissioners(state.commissioners, state.marks),
                _tiles(state.shop),
                _later_sets(state.row, len(state.park)),
                state.placed,
                _tiles(state.park),
            )
        )

    def board_json(self, state: State) -> bytes:
        """Return the districts that are not stopped, without braces."""
        side = state.options.side
        if (
            state.tiles != self.tiles
            or state.height != self.height
            or state.owner != self.owner
            or state.stopped != self.stopped
            or side != self.side
        ):
            self.tiles, self.height, self.owner = state.tiles, state.height, state.owner
            self.stopped, self.side = state.stopped, side
            after = DASHED_AFTER[side == "six"]
            plots = list(zip(self.tiles, self.height, self.owner, strict=True))
            self.board = b",".join(
                [
                    _district(name, after[district], *plots[6 * district : 6 * district + 6])
                    for district, name in enumerate(_DISTRICTS)
                    if not self.stopped >> district & 1
                ]
            )
        return self.board

    def stacks_json(self, state: State) -> bytes:
        """Return the members `stacks` and `black`."""
        if (
            state.decks != self.decks
            or state.fresh != self.fresh
            or state.black != self.black
            or state.black_back != self.black_back
        ):
            self.decks, self.fresh, self.black, self.black_back = (
                state.decks,
                state.fresh,
                state.black,
                state.black_back,
            )
            stacks = [_stack(*stack) for stack in zip(_COLOURS, self.decks, self.fresh, strict=True)]
            returned = b",".join([b"%d" % (4 + card) for card in self.black_back])
            self.stacks = b'"stacks":{%b},"black":{"face_down":%d,"returned":[%b]}' % (
                b",".join(stacks),
                len(self.black),
                returned,
            )
        return self.stacks


_shown: Final = _Shown()


_NEIGHBOURS: Final = {after: neighbours([ring(after)]) for side in DASHED_AFTER for after in side}
"""By the colour that the dashed plot follows, by plot of one district: its two neighbours."""


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


def _auction(state: State) -> bytes:
    bids = [
        b'{"passed":%b,"total":%d,"cards":%b}'
        % (_flag(state.passed >> seat & 1 == 1), state.bids[seat], _list(_CARDS, state.laid[seat]))
        for seat in range(len(state.bids))
    ]
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
