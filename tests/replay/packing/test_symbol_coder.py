"""Symbols coded with learnt probabilities: the module in Python and the one in C."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.replay.packing import symbol_coder
from fa_cli.replay.packing.numerals import CHUNK
from fa_cli.replay.packing.symbol_coder import MOST_BYTES, MOST_SIZE
from fa_cli.replay.packing.times import SCALE
from tests.c_modules import both_forms

module = both_forms(symbol_coder, "fa_cli/replay/packing/symbol_coder.c")
SYMBOLS = st.binary(max_size=CHUNK)


@given(st.integers(1, MOST_SIZE), st.lists(SYMBOLS, max_size=4))
def test_both_forms_make_the_same_numbers(module: Any, size: int, pieces: list[bytes]) -> None:
    pieces = [bytes(byte % size for byte in piece) for piece in pieces]
    coder, other, reader = module.SymbolCoder(size), symbol_coder.SymbolCoder(size), module.SymbolCoder(size)
    for piece in pieces:
        packed = coder.pack(piece)
        assert packed == other.pack(piece)
        assert not packed.endswith(b"\0")
        assert len(packed) <= MOST_BYTES * len(piece)
        assert reader.unpack(packed, len(piece)) == piece


def test_long_games(module: Any) -> None:
    dice = random.Random(4)
    coder, reader = module.SymbolCoder(MOST_SIZE), symbol_coder.SymbolCoder(MOST_SIZE)
    for _ in range(400):
        piece = bytes(min(MOST_SIZE - 1, int(dice.expovariate(0.5))) for _ in range(CHUNK))
        assert reader.unpack(coder.pack(piece), CHUNK) == piece


@given(st.integers(1, MOST_SIZE), st.binary(max_size=60), st.integers(0, CHUNK))
def test_any_bytes_are_symbols_or_refused(module: Any, size: int, packed: bytes, count: int) -> None:
    def outcome(form: Any) -> bytes | None:
        try:
            return bytes(form.SymbolCoder(size).unpack(packed, count))
        except ValueError:
            return None

    symbols = outcome(module)
    assert symbols == outcome(symbol_coder)
    if symbols is not None:
        assert module.SymbolCoder(size).pack(symbols) == packed.rstrip(b"\0")


@pytest.mark.parametrize("size", [0, -1, MOST_SIZE + 1])
def test_wrong_sizes_raise(module: Any, size: int) -> None:
    with pytest.raises(ValueError, match="symbols"):
        module.SymbolCoder(size)


@pytest.mark.parametrize("symbols", [b"\3", bytes(CHUNK + 1)])
def test_wrong_symbols_raise(module: Any, symbols: bytes) -> None:
    with pytest.raises(ValueError, match="too"):
        module.SymbolCoder(3).pack(symbols)


@pytest.mark.parametrize(("packed", "count"), [(b"\1", 0), (bytes(999) + b"\1", 1), (b"", CHUNK + 1)])
def test_wrong_numbers_raise(module: Any, packed: bytes, count: int) -> None:
    with pytest.raises(ValueError, match=r"more symbols|too many"):
        module.SymbolCoder(3).unpack(packed, count)


def test_both_name_the_same_limits(module: Any) -> None:
    assert len(SCALE) == MOST_SIZE
    assert (module.MOST_SIZE, module.MOST_BYTES) == (MOST_SIZE, MOST_BYTES)
