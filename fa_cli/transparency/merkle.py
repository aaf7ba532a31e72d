"""Merkle trees as in RFC 9162, section 2.1: hashes, proofs, and how to check them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()
"""The root of a tree without leaves."""
HashOf = Callable[[int, int], bytes]
"""The hash of the leaves from one number up to another, 2^k of them, the first number divisible by 2^k."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node with these two below it."""
    return sha256(b"\x01" + left + right).digest()


def perfect_hash(hashes: Sequence[bytes]) -> bytes:
    """The hash above 2^k hashes of equally large trees."""
    level = list(hashes)
    while len(level) > 1:
        level = [node_hash(level[index], level[index + 1]) for index in range(0, len(level), 2)]
    return level[0]


def range_hash(hash_of: HashOf, first: int, end: int) -> bytes:
    """The hash of the leaves from `first` to `end`, at least one, where `first` is where a subtree begins."""
    leaves = end - first
    if not leaves & (leaves - 1):  # the tree is perfect
        return hash_of(first, end)
    middle = first + _largest_power(leaves)
    return node_hash(hash_of(first, middle), range_hash(hash_of, middle, end))


def inclusion_proof(hash_of: HashOf, index: int, size: int) -> list[bytes]:
    """The hashes that lead from a leaf to the root of a tree with `size` leaves (section 2.1.3.1)."""
    first, end, path = 0, size, list[bytes]()
    while end - first > 1:
        middle = first + _largest_power(end - first)
        if index < middle:
            path.append(range_hash(hash_of, middle, end))
            end = middle
        else:
            path.append(range_hash(hash_of, first, middle))
            first = middle
    return path[::-1]


def consistency_proof(hash_of: HashOf, old: int, size: int) -> list[bytes]:
    """The hashes that show that a tree of `size` leaves continues one of `old` leaves (section 2.1.4.1)."""
    if old in (0, size):
        return []
    first, end, path = 0, size, list[bytes]()
    is_old_root = True  # the tree from `first` on is all of the old one, whose root the verifier has
    while old != end:
        middle = first + _largest_power(end - first)
        if old <= middle:
            path.append(range_hash(hash_of, middle, end))
            end = middle
        else:
            path.append(range_hash(hash_of, first, middle))
            first, is_old_root = middle, False
    if not is_old_root:
        path.append(range_hash(hash_of, first, end))
    return path[::-1]


def root_of_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes | None:
    """The root to which a proof leads from a leaf's hash (section 2.1.3.2); None if it has the wrong length."""
    if not 0 <= index < size:
        return None
    position, last, root = index, size - 1, leaf
    for number in proof:
        if last == 0:
            return None
        if position & 1 or position == last:
            root = node_hash(number, root)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            root = node_hash(root, number)
        position, last = position >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the larger tree continues the smaller one (section 2.1.4.2)."""
    if not 0 <= old <= size or old in (0, size):
        expected = {0: EMPTY_ROOT, size: root}.get(old)
        return not proof and old_root == expected
    path = [*proof] if old & (old - 1) else [old_root, *proof]
    if not path:
        return False
    position, last = old - 1, size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    of_old = of_new = path[0]
    for number in path[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            of_old, of_new = node_hash(number, of_old), node_hash(number, of_new)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            of_new = node_hash(of_new, number)
        position, last = position >> 1, last >> 1
    return last == 0 and (of_old, of_new) == (old_root, root)


def _largest_power(leaves: int) -> int:
    """The largest power of two below a number of leaves, which is at least 2."""
    return 1 << (leaves - 1).bit_length() - 1
