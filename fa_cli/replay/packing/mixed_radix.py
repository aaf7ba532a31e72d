"""Decisions as digits of numbers in mixed radix, block by block: see action_coding.py. mixed_radix.c does the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

BLOCK_BYTES: Final = 8
_BLOCK_LIMIT: Final = 1 << (8 * BLOCK_BYTES)


def pack(indexes: Sequence[int], sizes: Sequence[int], /) -> bytes:
    """Pack indexes into lists of these sizes. Raises ValueError if an index is outside its list."""
    blocks: list[bytes] = []
    number, product = 0, 1
    for index, size in zip(indexes, sizes, strict=True):
        if not 0 <= index < size:
            raise ValueError(f"index {index} of {size}")
        if product * size > _BLOCK_LIMIT:
            blocks.append(number.to_bytes(BLOCK_BYTES, "little"))
            number, product = 0, 1
        number += index * product
        product *= size
    last = number.to_bytes((number.bit_length() + 7) // 8, "little")
    return b"".join([*blocks, last])
