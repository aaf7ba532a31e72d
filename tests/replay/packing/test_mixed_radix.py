"""Digits of numbers in mixed radix: the module in Python and the one in C."""

from __future__ import annotations

from itertools import accumulate
from operator import mul
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.replay.packing import mixed_radix
from tests.c_modules import both_forms

module = both_forms(mixed_radix, "fa_cli/replay/packing/mixed_radix.c")
SIZES = st.one_of(st.integers(1, 300), st.sampled_from([1, 2, 4, 16, 256, 1 << 16, 1 << 32, 1 << 60, 3, 5]))


def number_of(indexes: list[int], sizes: list[int]) -> int:
    """What a block stands for, by the definition."""
    products = accumulate(sizes[:-1], mul, initial=1)
    return sum(index * product for index, product in zip(indexes, products, strict=True)) if sizes else 0


@given(st.lists(SIZES, max_size=80), st.data())
def test_blocks_are_as_full_as_they_can_be(module: Any, sizes: list[int], data: st.DataObject) -> None:
    indexes = [data.draw(st.sampled_from([0, size // 2, size - 1])) for size in sizes]
    packed = module.pack(indexes, sizes)
    blocks = b""
    begin, product = 0, 1
    for place, size in enumerate(sizes):
        if product * size > 1 << 64:
            blocks += number_of(indexes[begin:place], sizes[begin:place]).to_bytes(8, "little")
            begin, product = place, 1
        product *= size
    last = number_of(indexes[begin:], sizes[begin:]).to_bytes(8, "little").rstrip(b"\0")
    assert packed == blocks + last


@pytest.mark.parametrize("sizes", [[2] * 64, [2] * 65, [16] * 16 + [2], [1 << 32, 1 << 32, 2], [3] * 41, [255] * 9])
def test_the_last_decision_that_fits(module: Any, sizes: list[int]) -> None:
    packed = module.pack([size - 1 for size in sizes], sizes)
    assert packed == mixed_radix.pack([size - 1 for size in sizes], sizes)
    assert (len(packed) > 8) == (number_of([size - 1 for size in sizes], sizes) >= 1 << 64)


@pytest.mark.parametrize(
    ("indexes", "sizes", "error"),
    [
        ([2], [2], ValueError),
        ([0, 1], [2], ValueError),
        ([0], [0], ValueError),
        (["0"], [2], TypeError),
        (0, 1, TypeError),
    ],
)
def test_wrong_digits_raise(module: Any, indexes: Any, sizes: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        module.pack(indexes, sizes)


def test_the_size_of_a_block(module: Any) -> None:
    assert module.BLOCK_BYTES == 8
