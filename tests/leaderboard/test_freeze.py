"""What is frozen thaws as it was, and nothing else thaws."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.leaderboard.freeze import Freezer
from fa_cli.leaderboard.standings import BotFaults, Standing
from fa_cli.results import FaultKind
from fa_cli.stats.block_means import BlockMean, BlockSums

FREEZER = Freezer(Standing, BlockSums, BotFaults, Counter, FaultKind)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
KEYS = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=4)
ARRAYS = st.lists(st.floats(allow_nan=False)).map(lambda values: array("d", values))
VALUES = st.recursive(
    SCALARS | st.sampled_from(FaultKind) | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(value=VALUES, key=st.lists(st.text(), max_size=3))
def test_values_come_back(value: Any, key: list[str]) -> None:
    back = FREEZER.thaw(FREEZER.freeze(value, *key), *key)
    assert repr(back) == repr(value)


@given(
    values=st.lists(st.tuples(st.floats(-1e9, 1e9), st.integers(0, 4), st.integers(0, 3)), max_size=20),
    more=st.lists(st.tuples(st.floats(-1e9, 1e9), st.integers(0, 4), st.integers(0, 3)), max_size=5),
)
def test_a_mean_goes_on_as_if_it_had_not_been_frozen(
    values: list[tuple[float, int, int]], more: list[tuple[float, int, int]]
) -> None:
    whole, first = BlockSums(2), BlockSums(2)
    for value, block, stratum in values:
        whole.add((value, 1.0), ("log", block), stratum)
        first.add((value, 1.0), ("log", block), stratum)
    second = FREEZER.thaw(FREEZER.freeze(first))
    for value, block, stratum in more:
        whole.add((value, 1.0), ("log", block), stratum)
        second.add((value, 1.0), ("log", block), stratum)
    assert FREEZER.freeze(second) == FREEZER.freeze(whole)
    after, at_once = BlockMean(second), BlockMean(whole)
    assert (after.mean, after.variance, after.share_interval()) == (
        at_once.mean,
        at_once.variance,
        at_once.share_interval(),
    )


@given(value=VALUES, place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_a_flipped_bit_is_noticed(value: Any, place: int, bit: int) -> None:
    frozen = bytearray(FREEZER.freeze(value, "key"))
    frozen[place % len(frozen)] ^= 1 << bit
    with pytest.raises(ValueError, match="checksum"):
        FREEZER.thaw(bytes(frozen), "key")


def test_it_thaws_for_its_own_key_only() -> None:
    frozen = FREEZER.freeze([1, 2], "part", "ann")
    for key in ((), ("part",), ("part", "bob"), ("partann",)):
        with pytest.raises(ValueError, match="checksum"):
            FREEZER.thaw(frozen, *key)


def test_only_what_was_named_is_frozen_or_thawed() -> None:
    with pytest.raises(TypeError, match="Freezer is not among"):
        FREEZER.freeze([FREEZER])
    with pytest.raises(ValueError, match="nothing frozen"):
        Freezer().thaw(FREEZER.freeze(BlockSums()))


def test_the_layout_tells_when_a_class_has_other_slots() -> None:
    class Mean:
        __slots__ = ("count",)

    other = type("Mean", (), {"__slots__": ("count", "total")})
    assert Freezer(Mean).layout != Freezer(other).layout
