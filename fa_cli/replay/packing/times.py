"""Packs the times of a game's decisions: rounded to a scale, then coded with probabilities learnt within the game.

The scale has five values per factor of ten, the preferred numbers R5, so that a time is at most 28% off; up to 50
microseconds, where the machine's noise is as large as the times, it has one value. The place of a time on the scale is
its symbol. Symbols are coded as by an arithmetic coder, with asymmetric numeral systems (Duda, arXiv:1311.2540) on
whole numbers: of the symbols 0 to n - 1 each begins with weight 1, and each occurrence adds `_GAIN` to it. A number
holds at most `_CHUNK` decisions; the weights are those of the whole game so far.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from ...errors import LogError

_R5: Final = (100, 160, 250, 400, 630)
_R5_ENDS: Final = (125, 200, 320, 500, 800)
_DECADES: Final = 9
SCALE: Final = (0, 25, 63, *(value * 10**decade for decade in range(_DECADES) for value in _R5))
"""Every time that is kept, in microseconds, up to 17.5 hours; 0: nobody was asked."""
_ENDS: Final = (0, 50, 80, *(end * 10**decade for decade in range(_DECADES) for end in _R5_ENDS))[:-1]
"""The longest time that is rounded to each but the last."""
_SYMBOLS: Final = {value: symbol for symbol, value in enumerate(SCALE)}
_GAIN: Final = 8
_CHUNK: Final = 256
_SIZE_BYTES: Final = 2
"""Of the length that precedes each number but the last."""
_MOST_WIDTH: Final = 8
_MOST_BYTES: Final = 3
"""More than a symbol can take: all weights together are less than 2**24."""
MOST_DECISIONS: Final = 1 << 20
"""The longest game whose times are packed."""


def rounded(times: Sequence[int]) -> list[int]:
    """The times, in microseconds and not negative, each as the value of `SCALE` nearest by ratio."""
    return [SCALE[bisect_left(_ENDS, time)] for time in times]


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


def pack_symbols(symbols: bytes) -> bytes:
    """The symbols of a game as bytes; the reader needs their number."""
    size = max(symbols, default=0) + 1
    weights = [1 + _GAIN * symbols.count(symbol) for symbol in range(size)]
    parts = [b""] * ((len(symbols) + _CHUNK - 1) // _CHUNK)
    for chunk in range(len(parts) - 1, -1, -1):
        parts[chunk] = _pack_chunk(symbols[chunk * _CHUNK : (chunk + 1) * _CHUNK], chunk * _CHUNK, weights)
    sized = [len(part).to_bytes(_SIZE_BYTES, "little") + part for part in parts[:-1]]
    return b"".join([size.to_bytes(1, "little"), *sized, *parts[-1:]])


def _pack_chunk(symbols: bytes, before: int, weights: list[int]) -> bytes:
    """The number that holds these symbols, of which `before` precede in the game.

    `weights` are those after the symbols, and become those before them.
    """
    number = 0
    total = len(weights) + _GAIN * (before + len(symbols))
    for place in range(len(symbols) - 1, -1, -1):
        symbol = symbols[place]
        total -= _GAIN
        weight = weights[symbol] - _GAIN
        weights[symbol] = weight
        whole, rest = divmod(number, weight)
        number = whole * total + sum(weights[:symbol]) + rest
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


def unpack_symbols(packed: bytes, count: int) -> bytes:
    """`count` symbols of a game. Raises LogError unless `packed` holds exactly these, in the form of `pack_symbols`."""
    size = packed[0] if packed else 0
    if not 0 < size <= len(SCALE) or count > MOST_DECISIONS:
        raise LogError("the times are not packed as they should be")
    weights, symbols, position = [1] * size, bytearray(), 1
    while count - len(symbols) > _CHUNK:
        end = position + _SIZE_BYTES + int.from_bytes(packed[position : position + _SIZE_BYTES], "little")
        if end > len(packed):
            raise LogError("the packed times are cut off")
        _unpack_chunk(packed[position + _SIZE_BYTES : end], _CHUNK, weights, symbols)
        position = end
    _unpack_chunk(packed[position:], count - len(symbols), weights, symbols)
    if weights[-1] == 1 and size > 1:
        raise LogError("the packed times have a symbol that does not occur")
    return bytes(symbols)


def _unpack_chunk(packed: bytes, count: int, weights: list[int], symbols: bytearray) -> None:
    """Append `count` symbols, and add them to the weights. Raises LogError if `packed` holds more, or less."""
    if len(packed) > _MOST_BYTES * count:
        raise LogError("the packed times are longer than the game")
    number = int.from_bytes(packed, "little")
    total = len(weights) + _GAIN * len(symbols)
    for _ in range(count):
        whole, rest = divmod(number, total)
        symbol = 0
        while rest >= weights[symbol]:
            rest -= weights[symbol]
            symbol += 1
        number = whole * weights[symbol] + rest
        weights[symbol] += _GAIN
        total += _GAIN
        symbols.append(symbol)
    if number or packed.endswith(b"\0"):
        raise LogError("the packed times do not end where the game does")


def pack_times(asked: Sequence[int], totals: Sequence[int], symbols: bytes) -> bytes:
    """Pack per seat the decisions asked for and their microseconds, below 2**64, and per decision a symbol.

    A byte with the widths of the numbers comes first, that of `totals` in its high half.
    """
    widths = [(max(numbers, default=0).bit_length() + 7) // 8 for numbers in (asked, totals)]
    parts = [number.to_bytes(widths[0], "little") for number in asked]
    parts += [number.to_bytes(widths[1], "little") for number in totals]
    return b"".join([(widths[0] | widths[1] << 4).to_bytes(1, "little"), *parts, pack_symbols(symbols)])


def unpack_totals(packed: bytes, seats: int) -> tuple[list[int], list[int], bytes]:
    """`asked`, `totals` and the packed symbols of `pack_times`. Raises LogError."""
    widths = packed[0] if packed else 0xFF
    asked, totals = widths & 15, widths >> 4
    middle = 1 + asked * seats
    end = middle + totals * seats
    if asked > _MOST_WIDTH or totals > _MOST_WIDTH or end >= len(packed):
        raise LogError("the times are not packed as they should be")
    return _numbers(packed[1:middle], asked, seats), _numbers(packed[middle:end], totals, seats), packed[end:]


def _numbers(packed: bytes, width: int, count: int) -> list[int]:
    return [int.from_bytes(packed[place * width : (place + 1) * width], "little") for place in range(count)]
