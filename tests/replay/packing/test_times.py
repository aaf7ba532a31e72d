"""Times of decisions are rounded to a scale and packed; what is read equals what was recorded."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.errors import LogError
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter, write_new_log
from fa_cli.replay.packing.times import (
    MOST_PLIES,
    SCALE,
    pack_times,
    rounded,
    symbols_of,
    times_of,
    unpack_symbols,
    unpack_totals,
)
from fa_cli.replay.record import decode_record, encode_record
from tests.replay.conftest import toy_record

HOUR = 1_000_000 * 60 * 60


def test_the_scale_is_the_documented_one() -> None:
    assert SCALE[:13] == (0, 25, 63, 100, 160, 250, 400, 630, 1000, 1600, 2500, 4000, 6300)
    assert list(SCALE) == sorted(SCALE)
    assert SCALE[-1] == 17.5 * HOUR
    assert rounded([0, 1, 50, 51, 80, 81, 125, 126, 200, 201, 320, 321, 500, 501, 800, 801, 1250, 1251]) == [
        *(0, 25, 25, 63, 63, 100, 100, 160, 160, 250, 250, 400, 400, 630, 630, 1000, 1000, 1600)
    ]


@given(st.lists(st.integers(0, 1 << 62)))
def test_rounding_twice_is_rounding_once(times: list[int]) -> None:
    once = rounded(times)
    assert rounded(once) == once
    assert [time == 0 for time in once] == [time == 0 for time in times]


def test_a_time_is_at_most_28_percent_off() -> None:
    dice = random.Random(1)
    times = [51 + round(10 ** dice.uniform(0, 10)) for _ in range(10_000)]
    assert all(1 / 1.28 <= kept / time <= 1.28 for time, kept in zip(times, rounded(times), strict=True))
    assert all(low < high for low, high in pairwise(SCALE))


counts = st.integers(0, 300) | st.integers(0, (1 << 64) - 1)
seats = st.lists(st.tuples(st.floats(0, 1), counts), min_size=1, max_size=5)


@given(st.binary(max_size=1100).map(lambda data: bytes(byte % len(SCALE) for byte in data)), seats)
def test_times_survive_packing(symbols: bytes, totals: list[tuple[float, int]]) -> None:
    asked = [int(share * len(symbols)) for share, _ in totals]
    time_us = [time for _, time in totals]
    packed = pack_times(asked, time_us, symbols)
    assert unpack_totals(packed, len(totals), len(symbols)) == (asked, time_us)
    assert unpack_symbols(packed, len(totals), len(symbols)) == symbols
    assert symbols_of(times_of(symbols)) == symbols


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 511, 512, 513, 5000])
def test_long_games_are_packed(count: int) -> None:
    dice = random.Random(count)
    symbols = bytes(min(47, int(dice.expovariate(0.3))) for _ in range(count))
    packed = pack_times([count], [1 << 40], symbols)
    assert unpack_symbols(packed, 1, count) == symbols
    assert len(packed) < 0.6 * count + 40


@given(st.binary(max_size=600), st.integers(1, 5), st.integers(0, 700), st.integers(0, 255))
def test_no_bytes_are_read_as_what_others_pack(rest: bytes, seats: int, count: int, first: int) -> None:
    packed = bytes((first,)) + rest
    try:
        symbols, totals = unpack_symbols(packed, seats, count), unpack_totals(packed, seats, count)
    except LogError:
        return
    assert pack_times(*totals, symbols) == packed


def test_times_of_development_versions_are_refused() -> None:
    for first in range(0x70):
        with pytest.raises(LogError, match="the times are not packed as they should be"):
            unpack_totals(bytes((first, 1, 2, 3)), 2, 100)


@pytest.mark.parametrize("symbols", [b"", b"\1", bytes(300), b"\3\1\2" * 200])
def test_no_changed_byte_is_read_as_the_same(symbols: bytes) -> None:
    packed = pack_times([0, len(symbols)], [70_000, 3], symbols)
    read = (*unpack_totals(packed, 2, len(symbols)), unpack_symbols(packed, 2, len(symbols)))
    for at in range(len(packed)):
        for bit in range(8):
            changed = bytearray(packed)
            changed[at] ^= 1 << bit
            with suppress(LogError):
                other = bytes(changed)
                again = (*unpack_totals(other, 2, len(symbols)), unpack_symbols(other, 2, len(symbols)))
                assert again != read


@pytest.mark.parametrize(
    ("packed", "count"),
    [
        (b"", 3),
        (b"\x00", 3),
        (b"\x7f", 3),
        (b"\xc1", 3),
        (b"\x81", 3),
        (b"\x80\0", 3),
        (b"\x80" + b"\xff" * 100_000, 10),
        (b"\x80", MOST_PLIES + 1),
        (b"\x80", (1 << 48) - 1),
    ],
)
def test_what_is_not_packed_times_is_refused(packed: bytes, count: int) -> None:
    with pytest.raises(LogError, match="time"):
        unpack_symbols(packed, 2, count)


def timed(meta: dict[str, Any]) -> Any:
    record = toy_record(1)
    times = rounded([ply * 37 for ply in range(len(record.actions))])
    record.meta |= {"asked": [5, 6, 7], "time_us": [70_000, 3, 0], "times_us": times} | meta
    return record


def test_times_survive_a_log(tmp_path: Path) -> None:
    record, path = timed({"more": "x"}), tmp_path / "a.log"
    with LogWriter(path) as log:
        log.append(record)
    entry = next(read_log(path))
    assert entry.times is not None
    assert "times_us" not in entry.meta
    assert (entry.meta["asked"], entry.meta["time_us"]) == ([5, 6, 7], [70_000, 3, 0])
    assert entry.record() == record
    assert list(entry.record().meta) == ["tournament", "number", "asked", "time_us", "times_us", "more"]
    exported = encode_record(entry.record())
    write_new_log(tmp_path / "b.log", [entry_of(decode_record(exported))])
    assert (tmp_path / "b.log").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "meta",
    [
        {"times_us": [1, 2, 3]},
        {"times_us": []},
        {"times_us": None},
        {"times_us": "all"},
        {"asked": [5, 6]},
        {"asked": [5, 6, -7]},
        {"asked": [5, 6, 1000]},
        {"asked": [5, 6, True]},
        {"asked": [5, 6, 7.0]},
        {"time_us": [1, 2, 1 << 64]},
        {"time_us": {}},
    ],
)
def test_other_times_are_kept_as_they_are(tmp_path: Path, meta: dict[str, Any]) -> None:
    record = timed(meta)
    write_new_log(tmp_path / "a.log", [entry_of(record)])
    entry = next(read_log(tmp_path / "a.log"))
    assert entry.times is None
    assert json.loads(encode_record(entry.record())) == json.loads(encode_record(record))


def test_a_time_that_only_equals_one_of_the_scale_is_not_packed() -> None:
    assert symbols_of([0, 25, 63]) == b"\0\1\2"
    assert symbols_of([0, 25, False]) is None
    assert symbols_of([0, 25.0, 63]) is None
    assert symbols_of([0, 25, 26]) is None
