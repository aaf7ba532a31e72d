"""Verifying a log takes a time in proportion to its bytes, whatever they are."""

from __future__ import annotations

import time
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.replay.log_file import scan_log
from fa_cli.replay.record import encode_record
from fa_cli.replay.verify import check
from tests.replay.conftest import log_of, toy_record

SECONDS = 0.1
"""For a record: ten times what one of 300 decisions takes."""
SECONDS_PER_BYTE = 100e-6
"""A game takes 3 to 40 microseconds per byte to verify."""
pack: Any = msgspec.msgpack.encode


def payload(index: int, game: str, options: dict[str, Any], decisions: int, actions: bytes, **parts: Any) -> bytes:
    """A record with one setting and one text."""
    players, times = parts.get("players", [0, 0]), parts.get("times")
    new = [] if index else [[0, pack([game, options, None])], [0, "a"]]
    digest = bytes(8)
    return pack(
        [3, index, 0, players, decisions, digest + actions, [1, 2], [1], "end", None, times, new, [], [], bytes(32)]
    )


def many(count: int, first: dict[str, Any], other: dict[str, Any]) -> list[bytes]:
    """A record, and others that refer to what it defines."""
    return [
        payload(index, "manhattan", {"blocks": "auto"}, 1, b"", **(other if index else first)) for index in range(count)
    ]


def json_payload(**changes: Any) -> bytes:
    """A record as compressed JSON."""
    json = encode_record(msgspec.structs.replace(toy_record(0), **changes))
    return pack([4, 0, zlib.compress(json, 9)])


FIFTH = {"side": "five", "setup": "alea", "turn_limit": 1000}
HOSTILE = {
    "a game without bytes": [payload(0, "fifth-avenue", FIFTH, 1 << 40, b"", players=[0] * 4)],
    "a long line-up": many(1000, {"players": [0] * 200_000}, {"players": 0}),
    "times of a long line-up": many(1000, {"players": [0] * 200_000}, {"players": 0, "times": b"\x80"}),
    "many lists in JSON": [json_payload(meta={"x": [[[[[[[[[]]]]]]]]] * 200_000})],
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_record_takes_a_time_in_proportion_to_its_bytes(tmp_path: Path, name: str) -> None:
    size = log_of(tmp_path / "a.log", *HOSTILE[name]).stat().st_size
    start = time.process_time()
    findings = [check(item) for item in scan_log(tmp_path / "a.log")]
    taken = time.process_time() - start
    assert None not in findings
    assert taken < SECONDS + SECONDS_PER_BYTE * size
