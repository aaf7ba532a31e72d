"""Nothing but our own errors comes out of what reads strangers' bytes; `python -m tests.fuzz` tries for longer."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fa_cli.replay.frames import FIRST_LINE, FIRST_TAG, LONGEST_PAYLOAD, make_frame

from .__main__ import mutate
from .targets import TARGETS

_EXAMPLES = {"answers": 1000, "bot": 200, "definition": 100, "tournament": 60}
_DEEP = b"[" * 100_000
_LONG = b"9" * 5000


@pytest.mark.parametrize("name", TARGETS)
def test_good_input_is_read(name: str) -> None:
    for data in TARGETS[name].seeds():
        TARGETS[name].read(data)


@pytest.mark.parametrize("name", TARGETS)
def test_changed_input_raises_nothing_else(name: str) -> None:
    target = TARGETS[name]
    pool = target.seeds()

    @settings(max_examples=_EXAMPLES.get(name, 25))
    @given(st.integers(0, 1 << 64))
    def try_it(number: int) -> None:
        choices = random.Random(number)
        target.read(mutate(choices.choice(pool), choices))

    try_it()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("definition", _DEEP),
        ("definition", (b'"side":"five"', b'"side":' + b"[" * 5000 + b"]" * 5000)),
        ("definition", (b'"games":12', b'"games":' + _LONG)),
        ("definition", (b'"players":2', b'"players":2000000000')),
        (
            "definition",
            (
                b'"plan":{"format":"round-robin","ends":[]}',
                b'"plan":{"format":"ladder"}',
                b'"bots":[0,1]',
                b'"bots":[0]',
            ),
        ),
        ("definition", (b'"changes":[]', b'"changes":[{"at":2,"left":1}]')),  # never a game again
        ("definition", (b'"until":null', b'"until":{"first":0,"second":9}')),
        ("definition", b"\xff"),
        ("bot", _DEEP),
        ("bot", b"threads = " + _LONG),
        ("bot", b'command = "' + b"x" * 5000 + b'"'),
        ("bot", b'command = "a\\u0000b"'),
        ("tournament", b"bots = " + _DEEP),
        ("tournament", b"games = " + _LONG),
        ("tournament", b"x = " + b"{a=" * 3000),
        ("tournament", b"\n" * 30_000 + b"zz = 1"),
        ("answers", b'{"action":"\\ud800"}'),
        ("answers", b'{"action":"a","action":"b","\\udfff":1}'),
        ("answers", b'{"x":' * 50_000),
        ("import", (b'"meta":{', b'"meta":{"a":1e400,')),
        ("import", (b'"meta":{', b'"meta":{"a":' + _LONG + b",")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_was_found(name: str, data: bytes | tuple[bytes, ...]) -> None:
    if isinstance(data, tuple):
        good = TARGETS[name].seeds()[0]
        for old, new in zip(data[::2], data[1::2], strict=True):
            assert old in good
            good = good.replace(old, new, 1)
        data = good
    TARGETS[name].read(data)


@pytest.mark.slow
def test_memory_is_bounded(tmp_path: Path) -> None:
    """The worst that a payload can be: as many empty maps as it has bytes."""
    good = msgspec.msgpack.decode(TARGETS["frames"].seeds()[0])
    head = b"\x9e" + b"".join(map(msgspec.msgpack.encode, [*good[:12], []]))  # `meta` follows
    count = LONGEST_PAYLOAD - len(head) - 5
    frame, _ = make_frame(head + b"\xdd" + count.to_bytes(4, "big") + b"\x80" * count, FIRST_TAG)
    (tmp_path / "maps.log").write_bytes(FIRST_LINE + frame)
    line = b'{"format":"fa-replay/1","meta":{"x":[' + b"{}," * (1 << 21) + b"0]}}\n"
    (tmp_path / "maps.jsonl").write_bytes(line)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_DATA, (600 << 20, 600 << 20));"
        "from fa_cli.cli.app import run; sys.exit(run(['replay', 'verify', *sys.argv[1:]]))"
    )
    for name, words in (("maps.log", "its meta has {} where a name"), ("maps.jsonl", "missing required field")):
        done = subprocess.run(
            [sys.executable, "-c", code, tmp_path / name], capture_output=True, text=True, timeout=100, check=False
        )
        assert done.returncode == 1, done.stderr
        assert words in done.stdout
