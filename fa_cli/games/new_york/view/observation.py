"""What a seat of New York may know, as JSON: the `Observation` of `__init__.py`.

Bots get one with each decision, so it is written as bytes, without Structs, and what has not changed since the last one
is not written again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...json_parts import to_json
from ..board import BY_STOP_CARD, CARDS_TEXT, CELLS, CELLS_TEXT, COLOURS, SIZE, STOP, beside, cells_in
from ..scoring import longest_group, longest_line, points_for
from ..state import State
from . import PHASES

_options_json = lru_cache(16)(to_json)
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
        _options_json(state.options),
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
        b",".join([_CARDS[card] for card in state.hands[seat]]),
        len(state.stock),
        _pile.json(state.discard),
        state.shuffles,
        _stop_cards(state),
    )


class _Board:
    """The board shown last. Few of its cells change from one decision to the next."""

    def __init__(self) -> None:
        self.stones = [0] * len(COLOURS)
        """By colour: the mask of its stones."""
        self.cells = [b"null"] * CELLS
        self.avenues = [b",".join(self.cells[:SIZE])] * SIZE

    def json(self, stones: list[int]) -> bytes:
        """Return the avenues, with brackets between them; `stones` has a mask per colour."""
        for colour in range(len(COLOURS)):
            gone = self.stones[colour] & ~stones[colour]
            if gone:
                self.show(gone, b"null")
        for colour in range(len(COLOURS)):
            come = stones[colour] & ~self.stones[colour]
            if come:
                self.show(come, _COLOURS[colour])
        self.stones = stones[:]
        return b"],[".join(self.avenues)

    def show(self, mask: int, text: bytes) -> None:
        """Show these cells as `text`."""
        for cell in cells_in(mask):
            self.cells[cell] = text
            avenue = cell // SIZE
            self.avenues[avenue] = b",".join(self.cells[SIZE * avenue : SIZE * (avenue + 1)])


_board: Final = _Board()


def _colours(state: State) -> bytes:
    shown = []
    for colour in range(state.in_play):
        owner = state.owner[colour]
        stones = state.board[colour]
        shown.append(
            b'%b:{"owner":%b,"stock":%d,"board":%d}'
            % (_COLOURS[colour], b"%d" % owner if owner >= 0 else b"null", state.stones[colour], stones.bit_count())
        )
    return b",".join(shown)


class _Seat:
    """A seat as it was shown last."""

    def __init__(self) -> None:
        self.key: tuple[str, tuple[int, ...], int, int, int, int, int] = ("", (), 0, 0, 0, 0, 0)
        """The arguments of `_seat_json`."""
        self.text = b""


_shown_seats: Final = [_Seat() for _ in range(5)]


def _seats(state: State) -> bytes:
    chain, board = state.options.chain, state.board
    shown = []
    for seat in range(state.players):
        colours, red = state.colours[seat], state.reds[seat]
        first, last = (board[colours[0]], board[colours[-1]]) if colours else (0, 0)
        key = (chain, colours, first, last, state.units[seat], red, len(state.hands[seat]) - red)
        last_shown = _shown_seats[seat]
        if key != last_shown.key:
            last_shown.key, last_shown.text = key, _seat_json(*key)
        shown.append(last_shown.text)
    return b",".join(shown)


def _seat_json(chain: str, colours: tuple[int, ...], first: int, last: int, units: int, red: int, blue: int) -> bytes:
    """Return a seat; `first` and `last` are the masks of its first and last colour's stones."""
    stones = (first, last)[: len(colours)]
    chains = [_longest(chain, mask & beside(mask)) for mask in stones]
    points = sum(points_for(chains, sum([mask.bit_count() for mask in stones]), units))
    return b'{"colours":[%b],"units":%d,"red":%d,"blue":%d,"points":%d,"chain":%d}' % (
        b",".join([_COLOURS[colour] for colour in colours]),
        units,
        red,
        blue,
        points,
        max(chains, default=0),
    )


@lru_cache(1 << 8)
def _longest(chain: str, stones: int) -> int:
    """Return the longest chain of these stones.

    Callers leave out isolated stones, which half of the turns change, so that more calls hit the cache.
    """
    return longest_group(stones) if chain == "group" else longest_line(stones)


class _Pile:
    """The discard pile shown last. The next one mostly begins with the same cards."""

    def __init__(self) -> None:
        self.cards = b""
        self.text = b""

    def json(self, cards: bytes) -> bytes:
        """Return the pile, without brackets."""
        known = len(self.cards)
        if not known or not cards.startswith(self.cards):
            self.text = b",".join([_CARDS[card] for card in cards])
        elif len(cards) > known:
            self.text = b",".join([self.text, *[_CARDS[card] for card in cards[known:]]])
        self.cards = cards
        return self.text


_pile: Final = _Pile()


def _stop_cards(state: State) -> bytes:
    if not state.stops:
        return b'"aside"'
    if state.ending == BY_STOP_CARD:
        return b'"drawn"'
    return b'"discard"' if STOP in state.discard else b'"stock"'
