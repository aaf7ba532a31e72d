"""Packs the times of a game's decisions: rounded to a scale, then coded with probabilities learnt within the game.

The scale has five values per factor of ten, the preferred numbers R5, so that a time is at most 28% off; up to 50
microseconds, where the machine's noise is as large as the times, it has one value. The place of a time on the scale is
its symbol. All symbols of a game are in one number, by asymmetric numeral systems (Duda, arXiv:1311.2540): each
multiplies it by about total / weight, and its weight grows with each occurrence, so that frequent symbols take little.
What the seats were asked for and took in all are the lowest digits of the number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from ...errors import LogError
from .payloads import MOST_SEATS

_R5: Final = (100, 160, 250, 400, 630)
_R5_ENDS: Final = (125, 200, 320, 500, 800)
_DECADES: Final = 9
SCALE: Final = (0, 25, 63, *(value * 10**decade for decade in range(_DECADES) for value in _R5))
"""Every time that is kept, in microseconds, up to 17.5 hours; 0: nobody was asked."""
_ENDS: Final = (0, 50, 80, *(end * 10**decade for decade in range(_DECADES) for end in _R5_ENDS))[:-1]
"""The longest time that is rounded to each but the last."""
_SHORT_TIMES: Final = 1000
_SHORT: Final = [SCALE[bisect_left(_ENDS, time)] for time in range(_SHORT_TIMES)]
"""The value to which each short time is rounded."""
_SYMBOLS: Final = {value: symbol for symbol, value in enumerate(SCALE)}
_GAIN: Final = 16
"""The weight that a symbol gains each time; it begins with 1."""
_FIRST: Final = 128
"""Plus the bits of the longest total, it is the first byte: what development versions wrote has a lower one."""
_MOST_BITS: Final = 64
MOST_PLIES: Final = 1 << 14
"""The longest game whose times are packed: the work grows with the square of the decisions."""


def rounded(times: Sequence[int]) -> list[int]:
    """The times, in microseconds and not negative, each as the value of `SCALE` nearest by ratio."""
    return [_SHORT[time] if 0 <= time < _SHORT_TIMES else SCALE[bisect_left(_ENDS, time)] for time in times]


def symbols_of(times: Sequence[object]) -> bytes | None:
    """The places of times on the scale; None if one of them is not on it, or if there are too many."""
    try:
        found = [_SYMBOLS[time] for time in times if type(time) is int]  # True equals 1, 1.0 too
    except KeyError:
        return None
    return bytes(found) if len(found) == len(times) <= MOST_PLIES else None


def times_of(symbols: bytes) -> list[int]:
    """The times at these places of the scale, in microseconds."""
    return [SCALE[symbol] for symbol in symbols]


def pack_times(asked: Sequence[int], totals: Sequence[int], symbols: bytes) -> bytes:
    """Pack per seat the decisions asked for, at most all, and their microseconds, below 2^64; per decision a symbol."""
    bits = max(totals, default=0).bit_length()
    number = _number_of(symbols)
    for total in reversed(totals):
        number = number << bits | total
    for count in reversed(asked):
        number = number * (len(symbols) + 1) + count
    size = (number.bit_length() + 7) // 8
    return bytes((_FIRST + bits,)) + number.to_bytes(size, "little")


def unpack_totals(packed: bytes, seats: int, decisions: int) -> tuple[list[int], list[int]]:
    """The decisions asked for by seat, and their microseconds. Raises LogError."""
    asked, totals, _ = _split(packed, seats, decisions)
    return asked, totals


def unpack_symbols(packed: bytes, seats: int, decisions: int) -> bytes:
    """The symbol of each decision. Raises LogError unless `packed` holds just what `pack_times` makes of a game."""
    if decisions > MOST_PLIES or packed.endswith(b"\0"):
        raise LogError("the times are not packed as they should be")
    _, _, number = _split(packed, seats, decisions)
    return _symbols_in(number, decisions)


def _split(packed: bytes, seats: int, decisions: int) -> tuple[list[int], list[int], int]:
    """The decisions asked for by seat, their microseconds, and the rest of the number. Raises LogError."""
    if seats > MOST_SEATS:
        raise LogError(f"it has packed times of {seats} seats, where at most {MOST_SEATS} can have them")
    bits = packed[0] - _FIRST if packed else -1
    if not 0 <= bits <= _MOST_BITS:
        raise LogError("the times are not packed as they should be")
    number = int.from_bytes(packed[1:], "little")
    asked, totals = [], []
    for _ in range(seats):
        number, count = divmod(number, decisions + 1)
        asked.append(count)
    for _ in range(seats):
        totals.append(number & (1 << bits) - 1)
        number >>= bits
    if bits != max(totals, default=0).bit_length():
        raise LogError("the times are not packed as they should be")
    return asked, totals, number


def _number_of(symbols: bytes) -> int:
    weights, total = [1] * len(SCALE), len(SCALE)
    steps: list[tuple[int, int, int]] = []
    for symbol in symbols:
        steps.append((sum(weights[:symbol]), weights[symbol], total))
        weights[symbol] = weights[symbol] + _GAIN
        total += _GAIN
    number = 0
    for before, weight, total in reversed(steps):
        number += number // weight * (total - weight) + before
    return number


def _symbols_in(number: int, count: int) -> bytes:
    """The symbols that `_number_of` made a number of. Raises LogError if the number holds more."""
    weights, total = [1] * len(SCALE), len(SCALE)
    symbols = bytearray()
    for _ in range(count):
        whole, rest = divmod(number, total)
        symbol = 0
        while rest >= weights[symbol]:
            rest -= weights[symbol]
            symbol += 1
        number = whole * weights[symbol] + rest
        weights[symbol] = weights[symbol] + _GAIN
        total += _GAIN
        symbols.append(symbol)
    if number:
        raise LogError("the packed times do not end where the game does")
    return bytes(symbols)
