"""Symbols as digits of whole numbers, by asymmetric numeral systems (Duda, arXiv:1311.2540).

Each symbol multiplies a number by about total / weight, so that likely symbols take little. A number holds the symbols
of at most `CHUNK` decisions, because multiplying long numbers takes long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...errors import LogError

CHUNK: Final = 256
_SIZE_BYTES: Final = 2
"""Of the length that precedes each number but the last."""
LONGEST_NUMBER: Final = (1 << 8 * _SIZE_BYTES) - 1
"""Bytes that a number can have if another one follows."""


def number_of(steps: Sequence[tuple[int, int, int]]) -> int:
    """The number that holds symbols: of each the sum of the weights before it, its weight, and the sum of all."""
    number = 0
    for before, weight, total in reversed(steps):
        number += number // weight * (total - weight) + before
    return number


def to_bytes(number: int) -> bytes:
    """The number in as few bytes as possible, the lowest first."""
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


def join_numbers(numbers: Sequence[bytes]) -> bytes:
    """The numbers, each but the last with its length; that may be at most `LONGEST_NUMBER`."""
    sized = [len(number).to_bytes(_SIZE_BYTES, "little") + number for number in numbers[:-1]]
    return b"".join([*sized, *numbers[-1:]])


def split_numbers(packed: bytes, position: int, decisions: int, most: int, what: str) -> list[bytes]:
    """The numbers of this many decisions, from a position on. Raises LogError if one has more than `most` bytes.

    `what` was packed, for the sentence.
    """
    numbers = []
    for left in range(decisions, 0, -CHUNK) if decisions else (0,):
        end = len(packed)
        if left > CHUNK:
            end = position + _SIZE_BYTES + int.from_bytes(packed[position : position + _SIZE_BYTES], "little")
            position += _SIZE_BYTES
        part = packed[position:end]
        if not position <= end <= len(packed):
            raise LogError(f"the packed {what} are cut off")
        if len(part) > most or part.endswith(b"\0"):
            raise LogError(f"the packed {what} are longer than the game")
        numbers.append(part)
        position = end
    return numbers
