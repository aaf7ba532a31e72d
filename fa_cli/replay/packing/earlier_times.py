"""Reads times of decisions as the first logs of format 2 have them; `times.py` packs them more tightly today.

Symbols are coded with asymmetric numeral systems on whole numbers: of the symbols 0 to n - 1 each begins with weight 1,
and each occurrence adds `_GAIN` to it. A number holds at most `_CHUNK` decisions; the weights are those of the whole
game so far.
"""

from __future__ import annotations

from typing import Final

from ...errors import LogError

_GAIN: Final = 8
_CHUNK: Final = 256
_SIZE_BYTES: Final = 2
"""Of the length that precedes each number but the last."""
_MOST_WIDTH: Final = 8
_MOST_BYTES: Final = 3
"""More than a symbol can take: all weights together are less than 2**24."""


def unpack_symbols(packed: bytes, count: int, most_symbols: int) -> bytes:
    """`count` symbols of a game. Raises LogError unless `packed`, the rest of `unpack_totals`, holds exactly these."""
    size = packed[0] if packed else 0
    if not 0 < size <= most_symbols:
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


def unpack_totals(packed: bytes, seats: int) -> tuple[list[int], list[int], bytes]:
    """By seat the decisions asked for and their microseconds; and the packed symbols. Raises LogError."""
    widths = packed[0] if packed else 0xFF
    asked, totals = widths & 15, widths >> 4
    middle = 1 + asked * seats
    end = middle + totals * seats
    if asked > _MOST_WIDTH or totals > _MOST_WIDTH or end >= len(packed):
        raise LogError("the times are not packed as they should be")
    return _numbers(packed[1:middle], asked, seats), _numbers(packed[middle:end], totals, seats), packed[end:]


def _numbers(packed: bytes, width: int, count: int) -> list[int]:
    return [int.from_bytes(packed[place * width : (place + 1) * width], "little") for place in range(count)]
