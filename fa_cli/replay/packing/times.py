"""Packs the times of a game's decisions: rounded to a scale, then coded with probabilities learnt within the game.

The scale has five values per factor of ten, the preferred numbers R5, so that a time is at most 28% off; up to 50
microseconds, where the machine's noise is as large as the times, it has one value. The place of a time on the scale is
its symbol. A number of `SymbolCoder` holds at most `CHUNK` decisions; the first one begins with what the seats were
asked for and took in all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from ...errors import LogError
from . import earlier_times
from .numerals import CHUNK, join_numbers, split_numbers, to_bytes
from .payloads import MOST_SEATS
from .symbol_coder import MOST_BYTES, SymbolCoder

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
_MOST_WIDTH: Final = 64
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


def pack_times(asked: Sequence[int], totals: Sequence[int], symbols: bytes) -> bytes:
    """Pack per seat the decisions asked for and their microseconds, below 2**64, and per decision a symbol."""
    size = max(symbols, default=0) + 1
    coder = SymbolCoder(size)
    parts = [coder.pack(symbols[at : at + CHUNK]) for at in range(0, len(symbols), CHUNK)] or [b""]
    number = int.from_bytes(parts[0], "little")
    for values in (totals, asked):
        width = max(values, default=0).bit_length()
        for value in reversed(values):
            number = number << width | value
        number = number * (_MOST_WIDTH + 1) + width
    parts[0] = to_bytes(number)
    first = 16 * (size // _KINDS) + _FIRST_KIND + size % _KINDS
    return first.to_bytes(1, "little") + join_numbers(parts)


def unpack_totals(packed: bytes, seats: int, decisions: int) -> tuple[list[int], list[int]]:
    """By seat the decisions asked for, and their microseconds. Raises LogError."""
    if seats > MOST_SEATS:
        raise LogError(f"it has packed times of {seats} seats, where at most {MOST_SEATS} can have them")
    if _is_earlier(packed):
        asked, totals, _ = earlier_times.unpack_totals(packed, seats)
        return asked, totals
    asked, totals, _ = _read_totals(_numbers(packed, seats, decisions)[0], seats)
    return asked, totals


def unpack_symbols(packed: bytes, seats: int, decisions: int) -> bytes:
    """The symbol of each decision. Raises LogError unless `packed` holds just what `pack_times` makes of a game."""
    if decisions > MOST_DECISIONS:
        raise LogError("the times are not packed as they should be")
    if _is_earlier(packed):
        return earlier_times.unpack_symbols(earlier_times.unpack_totals(packed, seats)[2], decisions, len(SCALE))
    numbers = _numbers(packed, seats, decisions)
    size = _size(packed)
    coder = SymbolCoder(size)
    _, _, first = _read_totals(numbers[0], seats)
    numbers[0] = to_bytes(first)
    try:
        parts = [coder.unpack(number, min(CHUNK, decisions - index * CHUNK)) for index, number in enumerate(numbers)]
    except ValueError:
        raise LogError("the packed times do not end where the game does") from None
    symbols = b"".join(parts)
    if size > 1 and size - 1 not in symbols:
        raise LogError("the packed times have a symbol that does not occur")
    return symbols


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


def _numbers(packed: bytes, seats: int, decisions: int) -> list[bytes]:
    """The numbers. Raises LogError."""
    most = 2 * _MOST_WIDTH * (seats + 1) // 8 + MOST_BYTES * CHUNK
    return split_numbers(packed, 1, decisions, most, "times")


def _read_totals(packed: bytes, seats: int) -> tuple[list[int], list[int], int]:
    """By seat the decisions asked for and their microseconds; and the rest of the number. Raises LogError."""
    number = int.from_bytes(packed, "little")
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
