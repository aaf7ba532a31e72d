"""The blocks computed in C against hashlib, which chance.py uses without them."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.games import chance, seed
from tests.c_modules import CAN_COMPILE, compile_module

MOST_PREFIX = 47

pytestmark = pytest.mark.skipif(not CAN_COMPILE, reason="no C compiler, or no Python.h")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module, compiled; skips where the processor lacks the instructions."""
    try:
        return compile_module("fa_cli/games/sha256_blocks.c", tmp_path_factory.mktemp("compiled"))
    except ImportError as error:
        pytest.skip(str(error))


def by_hashlib(prefix: bytes, first: int, count: int) -> bytes:
    """The definition."""
    return b"".join(
        hashlib.sha256(prefix + number.to_bytes(8, "big")).digest() for number in range(first, first + count)
    )


@given(st.binary(max_size=MOST_PREFIX), st.integers(0, 300) | st.integers(0, 2**62), st.integers(0, 20))
def test_the_blocks_are_those_of_hashlib(compiled: Any, prefix: bytes, first: int, count: int) -> None:
    assert compiled.blocks(prefix, first, count) == by_hashlib(prefix, first, count)


def test_every_length_of_a_prefix(compiled: Any) -> None:
    for prefix in (bytes(range(200, 200 + length)) for length in range(MOST_PREFIX + 1)):
        assert compiled.blocks(prefix, 255, 3) == by_hashlib(prefix, 255, 3), prefix


@pytest.mark.parametrize("number", [0, 1, 255, 2**32, 2**63 - 1, 2**63, 2**64 - 1])
def test_seeds_of_games(compiled: Any, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(seed, "quick_blocks", compiled.blocks)
    assert seed.Seed(bytes(32)).of_game(number) == hashlib.sha256(bytes(32) + number.to_bytes(8, "big")).digest()
    with pytest.raises(OverflowError):
        seed.Seed(bytes(32)).of_game(-1)


@pytest.mark.parametrize(
    ("prefix", "first", "count"), [(bytes(MOST_PREFIX + 1), 0, 1), (b"", -1, 1), (b"", 0, -1), (b"", 0, sys.maxsize)]
)
def test_what_does_not_fit_is_an_error(compiled: Any, prefix: bytes, first: int, count: int) -> None:
    with pytest.raises(ValueError, match=r"a prefix has at most 47 bytes|so many blocks"):
        compiled.blocks(prefix, first, count)


@given(st.binary(max_size=MOST_PREFIX), st.integers(0, 300), st.integers(0, 256))
def test_a_shuffle_is_that_of_plain_python(compiled: Any, prefix: bytes, first: int, size: int) -> None:
    items, expected = list(range(size)), list(range(size))
    assert compiled.shuffle(prefix, first, items)
    if size > 1:
        chance.swap_by_words(expected, by_hashlib(prefix, first, (size + 2) // 4))
    assert items == expected


def test_long_lists_are_left_to_others(compiled: Any) -> None:
    items = list(range(257))
    assert not compiled.shuffle(b"", 0, items)
    assert items == list(range(257))
    for prefix, first, wrong in ((bytes(48), 0, [1, 2]), (b"", -1, [1, 2]), (b"", 0, (1, 2))):
        with pytest.raises((ValueError, TypeError)):
            compiled.shuffle(prefix, first, wrong)


@pytest.mark.parametrize("label", ["stock 0", "fourteen bytes", "longer than that"])
def test_a_stream_uses_them_as_far_as_they_go(compiled: Any, label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def blocks(prefix: bytes, first: int, count: int) -> bytes:
        asked.append(prefix)
        found: bytes = compiled.blocks(prefix, first, count)
        return found

    def drawn() -> tuple[list[list[int]], list[int]]:
        stream = chance.Stream(bytes(32), label)
        lists = [list(range(size)) for size in (1, 78, 2, 300, 5, 6)]
        numbers = []
        for items in lists:
            stream.shuffle(items)
            numbers.append(stream.below(1000))
        return lists, numbers

    monkeypatch.setattr(chance, "_quick_blocks", None)
    monkeypatch.setattr(chance, "_quick_shuffle", None)
    expected = drawn()
    monkeypatch.setattr(chance, "_quick_blocks", blocks)
    monkeypatch.setattr(chance, "_quick_shuffle", compiled.shuffle)
    assert drawn() == expected
    assert bool(asked) == (len(label) <= 14)
