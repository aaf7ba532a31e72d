"""How many bits two sandboxed bots can pass by what the sandbox can't close: `python -m tests.bench.covert`.

Two processes of covert.c, each in a sandbox as bots have it, try each channel with slots of several lengths; the one
with the highest capacity counts. A slot that is read wrongly lowers it: a share of wrong bits `e` leaves 1 - H(e) of
each. Then pairs in which the receiver starts when the sender has ended: what the kernel keeps carries bits too. For the
docs run it on an otherwise idle machine of at least two cores, with a C compiler, as root and as another user.
"""

from __future__ import annotations

import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fa_cli.isolation.limits import MIB, Limits
from fa_cli.isolation.sandbox import bubblewrap
from fa_cli.isolation.spawn import Process

WIDTH, PAGE, MOST_SLOTS, MESSAGE = 1024, 4096, 20, 64
WIDE = ("pages", "names")
"""Channels that carry WIDTH bits in each slot."""
SLOTS = {
    "names": (2e-3, 3e-3, 5e-3, 2e-2),
    "pages": (5e-2, 1e-1, 2e-1, 4e-1),
    "cache": (5e-6, 2e-5, 1e-4, 5e-4),
    "futex": (5e-5, 2e-4, 1e-3),
    "threads": (3e-3, 5e-3, 2e-2),
    "inodes": (2e-3, 5e-3, 2e-2),
    "pipes": (1e-2, 2e-2, 5e-2),
    "load": (5e-3, 2e-2, 5e-2),
}
"""Of each channel the lengths of slots to be tried, in seconds."""
_NUMBERS, _TRIES, _MESSAGES = 256, 10, 4
_SECONDS = 1.0
_LIMITS = Limits(sandbox=True, memory=500 * MIB)


def main() -> None:
    """Print a row for each channel."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        source = Path(__file__).with_name("covert.c")
        subprocess.run(["cc", "-O1", "-pthread", "-o", f"{folder}/covert", source], check=True)
        Path(folder, "shared").write_bytes(os.urandom(WIDTH * MOST_SLOTS * PAGE))
        for channel in sys.argv[1:] or SLOTS:
            found = [(capacity(channel, slot, folder), slot) for slot in SLOTS[channel]]
            (rate, wrong), slot = max(found)
            print(f"{channel:8} {rate:12,.0f} bit/s  slots of {slot * 1e6:,.0f} us, {wrong:.1%} wrong", flush=True)
        for channel in WIDE:
            exact = sum(later(channel, folder) for _ in range(_MESSAGES))
            print(f"{channel:8} later: {exact} of {_MESSAGES} messages of {MESSAGE} bits crossed exactly", flush=True)
        print(f"numbers  later: {numbers(folder)} of {_TRIES} numbers of 8 bits crossed", flush=True)


def capacity(channel: str, slot: float, folder: str) -> tuple[float, float]:
    """Bits a second, and the share of bits that came wrong."""
    width = WIDTH if channel in WIDE else 1
    slots = max(20, min(20_000, int(_SECONDS / slot))) if width == 1 else MOST_SLOTS
    forget(folder)
    start = time.monotonic_ns() + 500_000_000
    bots = [begin(channel, role, start, slot, slots, folder) for role in ("send", "receive")]
    try:
        text = read_all(bots[1])
    finally:
        end(bots)
    wrong = sum(wrong_bits(text, slots * width)) / (slots * width)
    return max(0.0, 1 - entropy(wrong)) * width / slot, min(wrong, 1 - wrong)


def later(channel: str, folder: str) -> bool:
    """Whether a message crosses exactly if the receiver starts after the sender has ended; each bit is sent often."""
    forget(folder)
    start = time.monotonic_ns()
    for role in ("send", "receive"):
        bots = [begin(channel, role, start, 0, 1, folder)]
        text = read_all(bots[0])
        end(bots)
    wrong = wrong_bits(text, WIDTH)
    return all(sum(wrong[bit::MESSAGE]) < WIDTH // MESSAGE / 2 for bit in range(MESSAGE))


def numbers(folder: str) -> int:
    """How many of `_TRIES` random numbers a receiver reads that starts after the sender has ended."""
    crossed = 0
    for _ in range(_TRIES):
        number = random.randrange(_NUMBERS)
        for role in ("send", "receive"):
            bots = [begin("number", role, 0, 0, 0, folder, number)]
            text = read_all(bots[0])
            end(bots)
        crossed += int(text) == number
    return crossed


def begin(channel: str, role: str, start: int, slot: float, slots: int, folder: str, number: int = 0) -> Process:
    """Start one of the two in its sandbox."""
    arguments = [str(word) for word in (start, int(slot * 1e9), slots, number)]
    command = (f"{folder}/covert", channel, role, *arguments)
    return bubblewrap.start(command, folder, _LIMITS, folder, all_cores=channel != "load")


def end(bots: list[Process]) -> None:
    """Kill them with all that they started."""
    for bot in bots:
        bot.kill()
        bot.close()


def forget(folder: str) -> None:
    """Drop the shared file from memory, as a file of the system is that nobody has read since the machine started."""
    with Path(folder, "shared").open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def read_all(bot: Process) -> str:
    """What it prints until it ends."""
    chunks = []
    os.set_blocking(bot.stdout, True)
    while chunk := os.read(bot.stdout, 65536):
        chunks.append(chunk)
    return b"".join(chunks).decode()


def wrong_bits(text: str, count: int) -> list[bool]:
    """Which bits were read wrongly from what the receiver printed; every other one if it printed less."""
    measured = [float(line) for line in text.split()]
    if len(measured) != count:
        return [bool(index % 2) for index in range(count)]
    quarters = statistics.quantiles(measured)
    middle = (quarters[0] + quarters[2]) / 2
    return [(value > middle) != bit for value, bit in zip(measured, sent(count), strict=True)]


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
