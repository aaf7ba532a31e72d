"""Fuzz one of the targets: `python -m tests.fuzz TARGET SECONDS [INPUT...]`.

With atheris installed (`pip install atheris`) guided by coverage, else by chance alone. An input that raises what it
should not is written to the current folder and ends the run; inputs named after the seconds are tried and nothing else.
"""

from __future__ import annotations

import hashlib
import random
import resource
import sys
import time
from pathlib import Path

try:
    import atheris
except ImportError:
    atheris = None

if atheris:
    with atheris.instrument_imports(include=["fa_cli"]):
        from .targets import FOLDER, TARGETS
else:
    from .targets import FOLDER, TARGETS

MEMORY = 2 << 30
"""Bytes of memory that a target may have: an input that needs more is a finding."""
_BITS = [b"\0", b"\xff", b"\n", b"{", b"[", b'"', b"9" * 30, b"-1", b"null", b"\\ud800", b"\xc1", b"1e999", b"\x80"]
_BITS += [b"\xcd\xff\xff", b"\xce\x7f\xff\xff\xff", b"\xcf" + bytes(2) + b"\xff" * 6]  # numbers of MessagePack


def mutate(data: bytes, choices: random.Random) -> bytes:
    """The data with a few changes: bytes flipped, cut, doubled or put in."""
    changed = bytearray(data)
    for _ in range(choices.randint(1, 4)):
        place = choices.randint(0, len(changed))
        length = choices.randint(1, 20)
        match choices.randint(0, 3):
            case 0 if place < len(changed):
                changed[place] = choices.randrange(256)
            case 1:
                del changed[place : place + length]
            case 2:
                changed[place:place] = changed[place : place + length] * choices.randint(1, 50)
            case _:
                changed[place:place] = choices.choice(_BITS)
    return bytes(changed)


def by_chance(name: str, seconds: float) -> None:
    """Mutations of the good inputs until the time is up."""
    target, choices, tried = TARGETS[name], random.Random(), 0
    pool, until = target.seeds(), time.monotonic() + seconds
    while time.monotonic() < until:
        data = mutate(choices.choice(pool), choices)
        tried += 1
        try:
            target.read(data)
        except BaseException:
            path = Path(f"crash-{hashlib.sha256(data).hexdigest()[:16]}")
            path.write_bytes(data)
            print(f"{name}: {path} after {tried} inputs", file=sys.stderr)
            raise
    print(f"{name}: {tried} inputs")


def by_coverage(name: str, seconds: float) -> None:
    """libFuzzer with the good inputs as its corpus."""
    corpus = FOLDER / "corpus"
    corpus.mkdir()
    for number, data in enumerate(TARGETS[name].seeds()):
        (corpus / str(number)).write_bytes(data)
    options = [f"-max_total_time={seconds:.0f}", "-timeout=20", f"-rss_limit_mb={MEMORY >> 20}", "-print_final_stats=1"]
    atheris.Setup([name, str(corpus), *options], TARGETS[name].read)
    atheris.Fuzz()


def main() -> None:
    """See the top."""
    name, seconds, inputs = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    for path in inputs:
        TARGETS[name].read(Path(path).read_bytes())
    if inputs:
        return
    if atheris:
        by_coverage(name, seconds)
    else:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        by_chance(name, seconds)


if __name__ == "__main__":
    main()
