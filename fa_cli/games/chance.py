"""Chance: every use of it has a label and a stream of its own, so that anyone can deal a game again from its seed.

Block i of a label's stream is SHA-256(seed || label in ASCII || one zero byte || i as 8 bytes, big-endian); the
blocks joined give 8-byte big-endian words. What one player does never changes what chance has in store elsewhere.
"""

from __future__ import annotations

import hashlib
from operator import mod
from struct import Struct
from typing import Final, Protocol

from .seed import Seed

_WORDS: Final = 1 << 64
# 2^64 - (2^64 mod n), the first word that below(n) refuses, for the sizes that games shuffle
_REFUSED: Final = [0] + [_WORDS - _WORDS % n for n in range(1, 257)]
_MAYBE_REFUSED: Final = b"\xff" * 7
"""In the bytes of every word that a size up to 256 refuses; rarely in others."""
_NUMBERS: Final = [number.to_bytes(8, "big") for number in range(64)]
_UNPACK: Final = [Struct(f">{4 * blocks}Q").unpack for blocks in range(65)]
"""By number of blocks: their words."""


class Stream:
    """The words of one label, in order."""

    __slots__ = ("_base", "_block", "_words")

    def __init__(self, seed: bytes, label: str) -> None:
        self._base = hashlib.sha256(seed + label.encode("ascii") + b"\0")
        self._block = 0
        self._words: list[int] = []  # words made and not yet taken, the next one last

    def _blocks(self, count: int) -> bytes:
        """The next so many blocks."""
        blocks: list[bytes] = []
        copy = self._base.copy
        for number in range(self._block, self._block + count):
            block = copy()
            block.update(_NUMBERS[number] if number < 64 else number.to_bytes(8, "big"))
            blocks.append(block.digest())
        self._block += count
        return b"".join(blocks)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        refused = _REFUSED[n] if n <= 256 else _WORDS - _WORDS % n
        while True:
            if not self._words:
                self._words = list(_UNPACK[1](self._blocks(1)))
                self._words.reverse()
            word = self._words.pop()
            if word < refused:
                return word % n

    def shuffle(self, items: list[int]) -> None:
        """Shuffle in place: from the last index i down to 1, swap with below(i + 1)."""
        last = len(items) - 1
        if 0 < last < 256 and not self._words:
            count = (last + 3) // 4
            data = self._blocks(count)
            words = list(_UNPACK[count](data))
            if _MAYBE_REFUSED not in data:
                self._words = words[: last - 1 : -1]
                i = last
                for j in map(mod, words, range(last + 1, 1, -1)):
                    items[i], items[j] = items[j], items[i]
                    i -= 1
                return
            words.reverse()
            self._words = words
        for i in range(last, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class ChanceSource(Protocol):
    """Where a game's chance comes from: a label gives a stream. A searching bot may pass its own."""

    def stream(self, label: str) -> Shuffler:
        """The stream of this label, from its beginning."""


class Shuffler(Protocol):
    """What games ask of a stream; `Stream` is the real one."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""

    def shuffle(self, items: list[int]) -> None:
        """Shuffle in place."""


class Chance:
    """All the chance of one game, from its seed of 32 bytes. Holds no position: copies of a state share it.

    Raises ValueError for a seed of another length.
    """

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        self.seed = Seed(seed)

    def stream(self, label: str) -> Shuffler:
        """The stream of this label, from its beginning."""
        return Stream(self.seed, label)


class RandomChance:
    """Chance from an ordinary generator (its `random()` is asked), for searches: not to be dealt again from a seed."""

    __slots__ = ("_random",)

    def __init__(self, generator: RandomSource) -> None:
        self._random = generator.random

    def stream(self, label: str) -> Shuffler:
        """The same generator for every label."""
        return self

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return int(self._random() * n)

    def shuffle(self, items: list[int]) -> None:
        """Shuffle in place."""
        for i in range(len(items) - 1, 0, -1):
            j = int(self._random() * (i + 1))
            items[i], items[j] = items[j], items[i]


class RandomSource(Protocol):
    """What `RandomChance` needs of a generator; `random.Random` has it."""

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""
