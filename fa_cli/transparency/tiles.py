"""The hashes of a growing tree in tiles of 256, level by level, as C2SP's tlog-tiles has them.

Entry `i` of level L is the root of the 256^L leaves from `i` * 256^L on. A folder has a file for each level with its
entries one after the other; published, each 256 of them are a file of their own, a tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from ..system import read_regular
from .merkle import EMPTY_ROOT, HASH_BYTES, HashOf, perfect_hash, range_hash

WIDTH = 256
_BITS = 8


class Tree:
    """The hashes of a tree in memory, to which leaves are added.

    `levels[L]` has the entries of a level, joined.
    """

    def __init__(self, levels: Sequence[bytearray] = ()) -> None:
        self.levels = [*levels] or [bytearray()]

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.levels[0]) // HASH_BYTES

    def add(self, leaf: bytes) -> None:
        """Add the hash of a leaf."""
        for level, entries in enumerate(self.levels):
            entries += leaf
            if len(entries) % (WIDTH * HASH_BYTES):
                return
            leaf = perfect_hash(split(entries[-WIDTH * HASH_BYTES :]))
            if level + 1 == len(self.levels):
                self.levels.append(bytearray())

    def root(self, size: int | None = None) -> bytes:
        """The root of the first `size` leaves; by default of all."""
        size = self.size if size is None else size
        return range_hash(self.hash_of, 0, size) if size else EMPTY_ROOT

    def hash_of(self, first: int, end: int) -> bytes:
        """The hash of 2^k leaves, as `merkle.HashOf`, from the highest level that has it."""
        level, start, stop = _entries(first, end)
        return perfect_hash(split(self.levels[level][start * HASH_BYTES : stop * HASH_BYTES]))

    def is_whole(self) -> bool:
        """Whether each level follows from the one below it: no hash was changed."""
        tree = Tree()
        for leaf in split(self.levels[0]):
            tree.add(leaf)
        return tree.levels == self.levels

    def tiles(self, size: int) -> Iterator[tuple[str, bytes]]:
        """The tiles of the first `size` leaves, each with its path; the last one of a level may be shorter."""
        for level, entries in enumerate(self.levels):
            count = size >> _BITS * level
            for number in range(-(-count // WIDTH)):
                width = min(WIDTH, count - number * WIDTH)
                start = number * WIDTH * HASH_BYTES
                yield tile_path(str(level), number, width), bytes(entries[start : start + width * HASH_BYTES])


def _entries(first: int, end: int) -> tuple[int, int, int]:
    """The level whose entries make up these 2^k leaves, and where they begin and end."""
    level = ((end - first).bit_length() - 1) // _BITS
    return level, first >> _BITS * level, end >> _BITS * level


def split(entries: bytes | bytearray) -> list[bytes]:
    """Hashes that are joined, apart."""
    return [bytes(entries[start : start + HASH_BYTES]) for start in range(0, len(entries), HASH_BYTES)]


def tile_path(level: str, number: int, width: int) -> str:
    """The path of a tile: `tile/0/x001/234`, with `.p/WIDTH` behind it if it is not full."""
    groups = [f"{number % 1000:03}"]
    while number := number // 1000:
        groups.append(f"x{number % 1000:03}")
    path = "/".join(["tile", level, *groups[::-1]])
    return path if width == WIDTH else f"{path}.p/{width}"


def tree_in(folder: Path, size: int) -> Tree:
    """The tree of a published folder by its lowest tiles, as far as they are there; `size`: how many leaves it has."""
    tree = Tree()
    with suppress(OSError):
        for first in range(0, size, WIDTH):
            path = folder / tile_path("0", first // WIDTH, min(WIDTH, size - first))
            for leaf in split(read_regular(path, WIDTH * HASH_BYTES)):
                tree.add(leaf)
    return tree


def hashes_in(folder: Path, size: int) -> HashOf:
    """The hashes of a published tree of `size` leaves; raise OSError and ValueError for missing tiles."""

    def hash_of(first: int, end: int) -> bytes:
        level, start, stop = _entries(first, end)
        number, count = start // WIDTH, size >> _BITS * level
        width = min(WIDTH, count - number * WIDTH)
        tile = read_regular(folder / tile_path(str(level), number, width), width * HASH_BYTES)
        if len(tile) != width * HASH_BYTES:
            raise ValueError(f"tile {number} of level {level} has {len(tile)} bytes, not {width * HASH_BYTES}")
        return perfect_hash(split(tile)[start % WIDTH : start % WIDTH + stop - start])

    return hash_of
