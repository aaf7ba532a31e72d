"""Packs the times of a game's decisions: rounded to a scale, then coded with probabilities learnt within the game.

The scale has five values per factor of ten, the preferred numbers R5, so that a time is at most 28% off; up to 50
microseconds, where the machine's noise is as large as the times, it has one value. The place of a time on the scale is
its symbol. Symbols are coded as in `numerals.py`. A symbol's weight grows with each occurrence in the game, and more
with each after the same symbol. The first number begins with what the seats were asked for and took in all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from ...errors import LogError
from . import earlier_times
from .numerals import CHUNK, join_numbers, number_of, split_numbers

_R5: Final = (100, 160, 250, 400, 630)
_R5_ENDS: Final = (125, 200, 320, 500, 800)
_DECADES: Final = 9
SCALE: Final = (0, 25, 63, *(value * 10**decade for decade in range(_DECADES) for value in _R5))
"""Every time that is kept, in microseconds, up to 17.5 hours; 0: nobody was asked."""
_ENDS: Final = (0, 50, 80, *(end * 10**decade for decade in range(_DECADES) for end in _R5_ENDS))[:-1]
"""The longest time that is rounded to each but the last."""
_SHORT_TIMES: Final = 1000
_SHORT: Final = [SCALE[bisect_left(_ENDS, time)] for time in range(_SHORT_TIMES)]
"""By time: the value to which it is rounded."""
_SYMBOLS: Final = {value: symbol for symbol, value in enumerate(SCALE)}
_START: Final = [2, 8] + [1] * (len(SCALE) - 2)
"""By symbol: its weight before the first decision."""
_GAIN: Final = 2
_GAIN_AFTER: Final = 8
"""The weight that a symbol gains after the symbol that it followed."""
_MOST_WIDTH: Final = 64
_MOST_BYTES: Final = 3
"""More than a symbol can take: all weights together are less than 2**24."""
MOST_DECISIONS: Final = 1 << 20
"""The longest game whose times are packed."""
_KINDS: Final = 7
_FIRST_KIND: Final = 9
"""The first byte for n symbols is 16 * (n // _KINDS) + _FIRST_KIND + n % _KINDS. Earlier logs have a lower low half."""


def rounded(times: Sequence[int]) -> list[int]:
    """The times, in microseconds and not negative, each as the value of `SCALE` nearest by ratio."""
    return [_SHORT[time] if 0 <= time < _SHORT_TIMES else SCALE[bisect_left(_ENDS, time)] for time in times]


def symbols_of(times: Sequence[object]) -> bytes | None:
    """The places of times on the scale; None if one of them is not on it."""
    try:
        found = [_SYMBOLS[time] for time in times if type(time) is int]  # True equals 1, 1.0 too
    except KeyError:
        return None
    return bytes(found) if len(found) == len(times) <= MOST_DECISIONS else None


def times_of(symbols: bytes) -> list[int]:
    """The times at these places of the scale, in microseconds."""
    return [SCALE[symbol] for symbol in symbols]


class _Weights:
    """The weights of `size` symbols, as the decisions so far have left them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._weights = _START[:size]
        self._after = [0] * (size * size)  # by size * previous symbol + symbol
        self._sum = sum(_START[:size])
        self._sums_after = [0] * size
        self._previous = 0

    def total(self) -> int:
        """The sum of the weights of all symbols."""
        return self._sum + self._sums_after[self._previous]

    def symbol_at(self, rest: int) -> int:
        """The first symbol whose weight and the weights before it are together more than `rest`."""
        weights, after, row = self._weights, self._after, self._size * self._previous
        symbol = 0
        rest -= weights[0] + after[row]
        while rest >= 0:
            symbol += 1
            rest -= weights[symbol] + after[row + symbol]
        return symbol

    def before(self, symbol: int) -> int:
        """The sum of the weights before the symbol."""
        weights, after, row = self._weights, self._after, self._size * self._previous
        below = 0
        for lower in range(symbol):
            below += weights[lower] + after[row + lower]
        return below

    def weight(self, symbol: int) -> int:
        """The weight of the symbol."""
        return self._weights[symbol] + self._after[self._size * self._previous + symbol]

    def add(self, symbol: int) -> None:
        """Count a decision."""
        at = self._size * self._previous + symbol
        self._weights[symbol] = self._weights[symbol] + _GAIN
        self._after[at] = self._after[at] + _GAIN_AFTER
        self._sum += _GAIN
        self._sums_after[self._previous] = self._sums_after[self._previous] + _GAIN_AFTER
        self._previous = symbol


def pack_times(asked: Sequence[int], totals: Sequence[int], symbols: bytes) -> bytes:
    """Pack per seat the decisions asked for and their microseconds, below 2**64, and per decision a symbol."""
    size = max(symbols, default=0) + 1
    weights = _Weights(size)
    numbers = [_pack_chunk(symbols[at : at + CHUNK], weights) for at in range(0, len(symbols), CHUNK)] or [0]
    for values in (totals, asked):
        width = max(values, default=0).bit_length()
        for value in reversed(values):
            numbers[0] = numbers[0] << width | value
        numbers[0] = numbers[0] * (_MOST_WIDTH + 1) + width
    first = 16 * (size // _KINDS) + _FIRST_KIND + size % _KINDS
    return first.to_bytes(1, "little") + join_numbers(numbers)


def _pack_chunk(symbols: bytes, weights: _Weights) -> int:
    """The number that holds these symbols; adds them to the weights."""
    steps = []
    for symbol in symbols:
        steps.append((weights.before(symbol), weights.weight(symbol), weights.total()))
        weights.add(symbol)
    return number_of(steps)


def unpack_totals(packed: bytes, seats: int, decisions: int) -> tuple[list[int], list[int]]:
    """By seat the decisions asked for, and their microseconds. Raises LogError."""
    if _is_earlier(packed):
        asked, totals, _ = earlier_times.unpack_totals(packed, seats)
        return asked, totals
    asked, totals, _ = _read_totals(_chunks(packed, seats, decisions)[0], seats)
    return asked, totals


def unpack_symbols(packed: bytes, seats: int, decisions: int) -> bytes:
    """The symbol of each decision. Raises LogError unless `packed` holds just what `pack_times` makes of a game."""
    if decisions > MOST_DECISIONS:
        raise LogError("the times are not packed as they should be")
    if _is_earlier(packed):
        return earlier_times.unpack_symbols(earlier_times.unpack_totals(packed, seats)[2], decisions, len(SCALE))
    numbers = _chunks(packed, seats, decisions)
    size = _size(packed)
    weights, symbols = _Weights(size), bytearray()
    _, _, numbers[0] = _read_totals(numbers[0], seats)
    for number in numbers:
        _unpack_chunk(number, min(CHUNK, decisions - len(symbols)), weights, symbols)
    if size > 1 and size - 1 not in symbols:
        raise LogError("the packed times have a symbol that does not occur")
    return bytes(symbols)


def renewed(packed: bytes, seats: int, decisions: int) -> bytes:
    """Packed times as `pack_times` packs them. Raises LogError."""
    if not _is_earlier(packed):
        return packed
    return pack_times(*unpack_totals(packed, seats, decisions), unpack_symbols(packed, seats, decisions))


def _is_earlier(packed: bytes) -> bool:
    return not packed or packed[0] & 15 < _FIRST_KIND


def _size(packed: bytes) -> int:
    """The number of symbols. Raises LogError."""
    size = _KINDS * (packed[0] >> 4) + (packed[0] & 15) - _FIRST_KIND
    if not 0 < size <= len(SCALE):
        raise LogError("the times are not packed as they should be")
    return size


def _chunks(packed: bytes, seats: int, decisions: int) -> list[int]:
    """The numbers. Raises LogError."""
    most = 2 * _MOST_WIDTH * (seats + 1) // 8 + _MOST_BYTES * CHUNK
    return split_numbers(packed, 1, decisions, most, "times")


def _read_totals(number: int, seats: int) -> tuple[list[int], list[int], int]:
    """By seat the decisions asked for and their microseconds; and the rest of the number. Raises LogError."""
    read: list[list[int]] = []
    for _ in range(2):
        number, width = divmod(number, _MOST_WIDTH + 1)
        values = []
        for _ in range(seats):
            values.append(number & (1 << width) - 1)
            number >>= width
        if width != max(values, default=0).bit_length():
            raise LogError("the times are not packed as they should be")
        read.append(values)
    return read[0], read[1], number


def _unpack_chunk(number: int, count: int, weights: _Weights, symbols: bytearray) -> None:
    """Append `count` symbols, and add them to the weights. Raises LogError if the number holds more."""
    for _ in range(count):
        whole, rest = divmod(number, weights.total())
        symbol = weights.symbol_at(rest)
        number = whole * weights.weight(symbol) + rest - weights.before(symbol)
        weights.add(symbol)
        symbols.append(symbol)
    if number:
        raise LogError("the packed times do not end where the game does")
