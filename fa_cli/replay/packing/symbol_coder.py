"""Codes symbols with probabilities learnt from those before. symbol_coder.c does the same, compiled.

A symbol's weight grows with each occurrence, and more with each after the same symbol. Its probability is its share of
all weights. numerals.py says how symbols become numbers.
"""

from __future__ import annotations

from typing import Final

from .numerals import CHUNK, number_of, to_bytes

MOST_SIZE: Final = 48
"""The most different symbols."""
MOST_BYTES: Final = 3
"""More than a symbol can take: all weights together are less than 2**24."""
_START: Final = [2, 8] + [1] * (MOST_SIZE - 2)
"""By symbol: its weight before the first one."""
_GAIN: Final = 2
_GAIN_AFTER: Final = 8
"""The weight that a symbol gains after the symbol that it followed."""


class SymbolCoder:
    """Packs or unpacks symbols from 0 to `size` - 1, number by number. Raises ValueError for another size."""

    def __init__(self, size: int, /) -> None:
        if not 0 < size <= MOST_SIZE:
            raise ValueError(f"{size} symbols")
        self._size = size
        self._weights = _START[:size]
        self._after = [0] * (size * size)  # by size * previous symbol + symbol
        self._sum = sum(_START[:size])
        self._sums_after = [0] * size
        self._previous = 0

    def pack(self, symbols: bytes, /) -> bytes:
        """Return the number that holds these symbols, in as few bytes as possible, the lowest first.

        Raises ValueError for too many, or for one that is too large.
        """
        if len(symbols) > CHUNK or max(symbols, default=0) >= self._size:
            raise ValueError("too many symbols, or too large")
        steps = []
        for symbol in symbols:
            before, weight = self._shares(symbol)
            steps.append((before, weight, self._total()))
            self._add(symbol)
        return to_bytes(number_of(steps))

    def unpack(self, packed: bytes, count: int, /) -> bytes:
        """Return the symbols that the number holds. Raises ValueError if it holds more, or `count` is too large."""
        if count > CHUNK:
            raise ValueError("too many symbols")
        number = int.from_bytes(packed, "little")
        symbols = bytearray()
        for _ in range(count):
            whole, rest = divmod(number, self._total())
            symbol = self._symbol_at(rest)
            before, weight = self._shares(symbol)
            number = whole * weight + rest - before
            self._add(symbol)
            symbols.append(symbol)
        if number:
            raise ValueError("the number holds more symbols")
        return bytes(symbols)

    def _total(self) -> int:
        """Return the sum of all weights."""
        return self._sum + self._sums_after[self._previous]

    def _symbol_at(self, rest: int) -> int:
        """Return the first symbol whose weight and the weights before it are together more than `rest`."""
        weights, after, row = self._weights, self._after, self._size * self._previous
        symbol = 0
        rest -= weights[0] + after[row]
        while rest >= 0:
            symbol += 1
            rest -= weights[symbol] + after[row + symbol]
        return symbol

    def _shares(self, symbol: int) -> tuple[int, int]:
        """Return the sum of the weights before the symbol, and its weight."""
        weights, after, row = self._weights, self._after, self._size * self._previous
        below = 0
        for lower in range(symbol):
            below += weights[lower] + after[row + lower]
        return below, weights[symbol] + after[row + symbol]

    def _add(self, symbol: int) -> None:
        """Count an occurrence."""
        at = self._size * self._previous + symbol
        self._weights[symbol] = self._weights[symbol] + _GAIN
        self._after[at] = self._after[at] + _GAIN_AFTER
        self._sum += _GAIN
        self._sums_after[self._previous] = self._sums_after[self._previous] + _GAIN_AFTER
        self._previous = symbol
