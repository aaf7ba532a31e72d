"""What a seat of New York may know, as JSON: the `Observation` of `__init__.py`.

Bots get one with each decision, so it is written as bytes, without Structs, and what has not changed since the last one
is not written again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...contract import options_json, to_json
from ..board import BY_STOP_CARD, CARDS_TEXT, CELLS, CELLS_TEXT, COLOURS, SIZE, STOP, cells_in
from ..options import Options
from ..scoring import longest_group, longest_line, points_for
from ..state import State
from . import PHASES

_PHASES: Final = [to_json(name) for name in PHASES]
_COLOURS: Final = [to_json(name) for name in COLOURS]
_CELLS: Final = [to_json(name) for name in CELLS_TEXT]
_CARDS: Final = [to_json(name) for name in CARDS_TEXT]


def observation_json(state: State, seat: int) -> bytes:
    """Return everything that this seat may know, an `Observation` as JSON; it depends on nothing hidden from it."""
    return b'{%b,"board":[[%b]],"colours":{%b},"seats":[%b],%b}' % (
        _moment(state, seat),
        _board.json(state.board),
        _colours(state),
        _seats(state),
        _cards(state, seat),
    )


def _moment(state: State, seat: int) -> bytes:
    return b'"seat":%d,"phase":%b,"actor":%d,"turn":%d,"turns":%d,"options":%b,%b' % (
        seat,
        _PHASES[state.phase],
        state.actor,
        state.turn if state.phase else -1,
        state.turns,
        options_json(state.options),
        _choice(state),
    )


def _choice(state: State) -> bytes:
    return b'"colour":%b,"stone":%b,"cells":[%b],"chances":%d' % (
        _COLOURS[state.colour] if state.colour >= 0 else b"null",
        _COLOURS[state.stone] if state.stone >= 0 else b"null",
        b",".join([_CELLS[cell] for cell in cells_in(state.open_cells())]),
        state.chances,
    )


def _cards(state: State, seat: int) -> bytes:
    return b'"hand":[%b],"stock":%d,"discard":[%b],"shuffles":%d,"stop_cards":%b' % (
        _hand(state.hands[seat]),
        len(state.stock),
        _hand(state.discard),
        state.shuffles,
        _stop_cards(state),
    )


@lru_cache(1 << 11)
def _hand(cards: bytes) -> bytes:
    return b",".join([_CARDS[card] for card in cards])


class _Board:
    """The board shown last. Few of its cells change from one decision to the next."""

    def __init__(self) -> None:
        self.stones = [0] * len(COLOURS)
        """The mask of each colour's stones."""
        self.cells = [b"null"] * CELLS
        self.avenues = [b",".join(self.cells[:SIZE])] * SIZE
        self.text = b"],[".join(self.avenues)

    def json(self, stones: list[int]) -> bytes:
        """Return the avenues, with brackets between them; `stones` has a mask per colour."""
        if stones == self.stones:
            return self.text
        for colour in range(len(COLOURS)):
            gone = self.stones[colour] & ~stones[colour]
            if gone:
                self.show(gone, b"null")
        for colour in range(len(COLOURS)):
            come = stones[colour] & ~self.stones[colour]
            if come:
                self.show(come, _COLOURS[colour])
        self.stones = stones[:]
        self.text = b"],[".join(self.avenues)
        return self.text

    def show(self, mask: int, text: bytes) -> None:
        """Show these cells as `text`."""
        for cell in cells_in(mask):
            self.cells[cell] = text
            avenue = cell // SIZE
            self.avenues[avenue] = b",".join(self.cells[SIZE * avenue : SIZE * (avenue + 1)])


_board: Final = _Board()


@lru_cache(1 << 11)
def _colour(colour: int, owner: int, stock: int, stones: int) -> bytes:
    shown = b"%d" % owner if owner >= 0 else b"null"
    return b'%b:{"owner":%b,"stock":%d,"board":%d}' % (_COLOURS[colour], shown, stock, stones)


def _colours(state: State) -> bytes:
    owner, stones, board = state.owner, state.stones, state.board
    return b",".join(
        [_colour(colour, owner[colour], stones[colour], board[colour].bit_count()) for colour in range(state.in_play)]
    )


class _Seat:
    """A seat as it was shown last."""

    def __init__(self) -> None:
        self.options: Options | None = None
        self.colours: tuple[int, ...] = ()
        self.first = self.last = -1
        """The masks of its first and last colour's stones."""
        self.chains: list[int] = []
        """The longest chain of each colour."""
        self.units = self.red = self.blue = -1
        self.text = b""

    def json(self, state: State, seat: int) -> bytes:
        """Return what everybody knows about it."""
        units, red = state.units[seat], state.reds[seat]
        blue = len(state.hands[seat]) - red
        if self._show_stones(state, seat) or units != self.units or red != self.red or blue != self.blue:
            self.units, self.red, self.blue = units, red, blue
            stones = longest = 0
            for colour in self.colours:
                stones += state.board[colour].bit_count()
            for chain in self.chains:
                longest = max(longest, chain)
            in_chains, others, bought = points_for(self.chains, stones, units)
            self.text = b'{"colours":[%b],"units":%d,"red":%d,"blue":%d,"points":%d,"chain":%d}' % (
                b",".join([_COLOURS[colour] for colour in self.colours]),
                units,
                red,
                blue,
                in_chains + others + bought,
                longest,
            )
        return self.text

    def _show_stones(self, state: State, seat: int) -> bool:
        """Show the stones. Returns whether anything has changed."""
        colours, options = state.colours[seat], state.options
        first, last = (state.board[colours[0]], state.board[colours[-1]]) if colours else (0, 0)
        afresh = colours is not self.colours or options is not self.options
        if first == self.first and last == self.last and not afresh:
            return False
        if afresh:
            self.chains = [0] * len(colours)
        if colours and (afresh or first != self.first):
            self.chains[0] = _longest(options.chain, first)
        if len(colours) == 2 and (afresh or last != self.last):
            self.chains[1] = _longest(options.chain, last)
        self.first, self.last, self.colours, self.options = first, last, colours, options
        return True


_shown_seats: Final = [_Seat() for _ in range(5)]


def _seats(state: State) -> bytes:
    return b",".join([_shown_seats[seat].json(state, seat) for seat in range(state.players)])


def _longest(chain: str, stones: int) -> int:
    """Return the longest chain of these stones."""
    return longest_group(stones) if chain == "group" else longest_line(stones)


def _stop_cards(state: State) -> bytes:
    if not state.stops:
        return b'"aside"'
    if state.ending == BY_STOP_CARD:
        return b'"drawn"'
    return b'"discard"' if STOP in state.discard else b'"stock"'
