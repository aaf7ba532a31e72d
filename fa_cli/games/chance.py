"""Chance as labelled random streams, so that anyone can deal a game again from its seed.

Each use of chance has a label, and each label a stream of its own, so no decision changes the outcome of an unrelated
draw. Block i of a stream is SHA-256(seed || label in ASCII || one zero byte || i as 8 bytes, big-endian). The stream
is the concatenation of its blocks, read as 8-byte big-endian words.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from operator import mod
from struct import Struct
from types import FunctionType
from typing import Final, Protocol

from .seed import Seed
from .seed import quick_blocks as _quick_blocks

BLOCK_BYTES: Final = 32
_quick_shuffle: Callable[[bytes, int, list[int]], bool] | None = None
with suppress(ImportError):  # not compiled, or the processor lacks the instructions
    from .sha256_blocks import shuffle  # type: ignore[import-not-found]

    _quick_shuffle = shuffle
_MOST_QUICK: Final = 47
"""The longest prefix that both take."""
_WORDS: Final = 1 << 64
_FIRST_REJECTED: Final = [0] + [_WORDS - _WORDS % n for n in range(1, 257)]
"""2^64 - (2^64 mod n), the first word that below(n) rejects to avoid bias, by n up to 256."""
_REJECTED_MARK: Final = b"\xff" * 7
"""Part of every word that below(n) rejects for an n up to 256; rare in other words."""
_UNPACK: Final = [Struct(f">{4 * blocks}Q").unpack for blocks in range(65)]
"""Functions that split blocks into words, by number of blocks."""


class Stream:
    """The random stream of one label."""

    __slots__ = ("_block", "_left", "_prefix", "_words")

    def __init__(self, seed: bytes, label: str) -> None:
        self._prefix = seed + label.encode("ascii") + b"\0"
        self._block = 0  # the number of the next block
        self._left = 0  # words of the block before that a shuffle has not used
        self._words: list[int] = []  # unused words, the next one last

    def _blocks(self, first: int, count: int) -> bytes:
        """Return `count` blocks from number `first` on."""
        prefix = self._prefix
        if _quick_blocks is not None and len(prefix) <= _MOST_QUICK:
            return _quick_blocks(prefix, first, count)
        numbers = range(first, first + count)
        return b"".join([sha256(prefix + number.to_bytes(8, "big")).digest() for number in numbers])

    def _read_words(self) -> None:
        """Read the words that a shuffle has left of the block before, or else the next block."""
        if not self._left:
            self._block += 1
            self._left = 4
        self._words = list(_UNPACK[1](self._blocks(self._block - 1, 1)))[4 - self._left :]
        self._words.reverse()
        self._left = 0

    def below(self, n: int) -> int:
        first_rejected = _FIRST_REJECTED[n] if n <= 256 else _WORDS - _WORDS % n
        while True:
            if not self._words:
                self._read_words()
            word = self._words.pop()
            if word < first_rejected:
                return word % n

    def shuffle(self, items: list[int]) -> None:
        """Shuffle in place: from the last index i down to 1, swap with below(i + 1)."""
        last = len(items) - 1
        if 0 < last < 256 and not self._words and not self._left:
            count = (last + 3) // 4
            if self._shuffle_quickly(items, count):
                self._block += count
                self._left = 4 * count - last
                return
        for i in range(last, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def _shuffle_quickly(self, items: list[int], count: int) -> bool:
        """Shuffle by the words of the next `count` blocks, or return False if one of them may be rejected."""
        if _quick_shuffle is not None and len(self._prefix) <= _MOST_QUICK:
            return _quick_shuffle(self._prefix, self._block, items)
        data = self._blocks(self._block, count)
        if _REJECTED_MARK in data:
            return False
        if _COMPILED:
            swap_by_bytes(items, data)
        else:
            swap_by_words(items, data)
        return True


_COMPILED: Final = not isinstance(Stream.shuffle, FunctionType)


def swap_by_words(items: list[int], data: bytes) -> None:
    """Shuffle in place by the words of `data`, none of which is rejected: the quickest way in plain Python."""
    i = len(items) - 1
    for j in map(mod, _UNPACK[len(data) // BLOCK_BYTES](data), range(i + 1, 1, -1)):
        items[i], items[j] = items[j], items[i]
        i -= 1


def swap_by_bytes(items: list[int], data: bytes) -> None:
    """The same, the quickest way when compiled: words of 64 bits would be objects, their halves are not."""
    at = 0
    for i in range(len(items) - 1, 0, -1):
        high = data[at] << 24 | data[at + 1] << 16 | data[at + 2] << 8 | data[at + 3]
        low = data[at + 4] << 24 | data[at + 5] << 16 | data[at + 6] << 8 | data[at + 7]
        j = (high % (i + 1) << 32 | low) % (i + 1)
        at += 8
        item = items[i]
        items[i] = items[j]
        items[j] = item


class ChanceSource(Protocol):
    """A source of labelled streams. Played games use `Chance`; searches may use `RandomChance`."""

    def stream(self, label: str) -> Shuffler:
        """Return the stream of this label, from its beginning."""


class Shuffler(Protocol):
    """The part of a stream that games use."""

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each equally likely."""

    def shuffle(self, items: list[int]) -> None:
        """Shuffle in place."""


class Chance:
    """The chance of one game, derived from its seed of 32 bytes. Immutable, so copies of a state share it.

    Raises ValueError for a seed of another length.
    """

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        self.seed = Seed(seed)

    def __reduce__(self) -> tuple[type[Chance], tuple[Seed]]:
        return Chance, (self.seed,)  # compiled objects can't be unpickled without arguments

    def stream(self, label: str) -> Shuffler:
        return Stream(self.seed, label)


class RandomChance:
    """Chance from a pseudorandom generator, for searches. Games dealt with it cannot be dealt again from a seed."""

    __slots__ = ("_generator", "_random")

    def __init__(self, generator: RandomSource) -> None:
        self._generator = generator
        self._random = generator.random

    def __reduce__(self) -> tuple[type[RandomChance], tuple[RandomSource]]:
        return RandomChance, (self._generator,)

    def stream(self, label: str) -> Shuffler:
        """Return this object for every label: all streams share the generator."""
        return self

    def below(self, n: int) -> int:
        return int(self._random() * n)

    def shuffle(self, items: list[int]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = int(self._random() * (i + 1))
            items[i], items[j] = items[j], items[i]


class RandomSource(Protocol):
    """The part of `random.Random` that `RandomChance` uses."""

    def random(self) -> float:
        """Return a number x with 0 <= x < 1."""
