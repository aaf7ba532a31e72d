"""How many bits two sandboxed bots can pass by what the sandbox can't close: `python -m tests.bench.covert`.

Two processes of covert.c, each in a sandbox as bots have it, try each channel with slots of several lengths; the one
with the highest capacity counts. A slot that is read wrongly lowers it: a share of wrong bits `e` leaves 1 - H(e) of
each. For the docs run it on an otherwise idle machine of at least two cores, with a C compiler.
"""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fa_cli.isolation.limits import MIB, Limits
from fa_cli.isolation.sandbox import bubblewrap
from fa_cli.isolation.spawn import Process

WIDTH = 1024
SLOTS = {
    "pages": (1e-2, 2e-2, 5e-2),
    "cache": (5e-6, 2e-5, 1e-4, 5e-4),
    "futex": (5e-5, 2e-4, 1e-3),
    "threads": (3e-3, 5e-3, 2e-2),
    "inodes": (2e-3, 5e-3, 2e-2),
    "load": (5e-3, 2e-2, 5e-2),
}
"""Of each channel the lengths of slots to be tried, in seconds."""
_SECONDS = 1.0
_LIMITS = Limits(sandbox=True, memory=500 * MIB)


def main() -> None:
    """Print a row for each channel."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        source = Path(__file__).with_name("covert.c")
        subprocess.run(["cc", "-O1", "-pthread", "-o", f"{folder}/covert", source], check=True)
        with Path(folder, "shared").open("wb", buffering=0) as file:
            for page in reversed(range(WIDTH * 16)):  # else the kernel keeps many pages as one
                os.pwrite(file.fileno(), os.urandom(4096), page * 4096)
        for channel in sys.argv[1:] or SLOTS:
            found = [(capacity(channel, slot, folder), slot) for slot in SLOTS[channel]]
            (rate, wrong), slot = max(found)
            print(f"{channel:8} {rate:12,.0f} bit/s  slots of {slot * 1e6:,.0f} us, {wrong:.1%} wrong", flush=True)


def capacity(channel: str, slot: float, folder: str) -> tuple[float, float]:
    """Bits a second, and the share of bits that came wrong."""
    slots = max(20, min(20_000, int(_SECONDS / slot)))
    start = time.monotonic_ns() + 500_000_000
    arguments = [str(start), str(int(slot * 1e9)), str(slots)]
    bots = [
        bubblewrap.start(
            (f"{folder}/covert", channel, role, *arguments), folder, _LIMITS, folder, all_cores=channel != "load"
        )
        for role in ("send", "receive")
    ]
    try:
        text = read_all(bots[1])
    finally:
        for bot in bots:
            bot.kill()
            bot.close()
    width = WIDTH if channel == "pages" else 1
    measured = [float(line) for line in text.split()]
    if len(measured) != slots * width:
        return 0.0, 0.5
    bits = sent(len(measured))
    quarters = statistics.quantiles(measured)
    middle = (quarters[0] + quarters[2]) / 2
    wrong = sum((value > middle) != bit for value, bit in zip(measured, bits, strict=True)) / len(bits)
    return max(0.0, 1 - entropy(wrong)) * width / slot, min(wrong, 1 - wrong)


def read_all(bot: Process) -> str:
    """What it prints until it ends."""
    chunks = []
    while chunk := os.read(bot.stdout, 65536):
        chunks.append(chunk)
    return b"".join(chunks).decode()


def sent(count: int) -> list[bool]:
    """The bits that covert.c sends."""
    noise, bits = 88172645463325252, []
    for _ in range(count):
        noise ^= noise << 13 & (1 << 64) - 1
        noise ^= noise >> 7
        noise ^= noise << 17 & (1 << 64) - 1
        bits.append(bool(noise >> 40 & 1))
    return bits


def entropy(share: float) -> float:
    """Of a bit that is wrong in this share of cases."""
    return -sum(part * math.log2(part) for part in (share, 1 - share) if part)


if __name__ == "__main__":
    main()
