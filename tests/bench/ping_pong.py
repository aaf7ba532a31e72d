"""Bare lines to and fro between Python and a bot in C: what all that the referee does is compared with.

`python -m tests.bench.ping_pong BOT CORE SECONDS` keeps to that core and prints lines per second, by the clock and by
processor time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fa_cli.isolation.discovery import Bot, read_bot
from fa_cli.isolation.supervision.procfs import cpu_seconds

LINE = b'{"type":"decide","id":17,"legal":["pass","bid brown 5"]}\n'


def keep_to(core: int) -> None:
    """Keep this process, and what it starts, on one core, where the system can."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {core})


def cores() -> list[int]:
    """Those that this process may use."""
    return sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else list(range(os.cpu_count() or 1))


class Rate(NamedTuple):
    """How many of something are done in a second."""

    by_clock: float
    by_cpu: float
    """In a second of processor time of all processes together: on an idle machine the same, where they take turns."""


@contextmanager
def counting(count: Callable[[], int]) -> Iterator[list[Rate]]:
    """The rate of what `count` counts in the meantime, by this process and those below it, is put into the list."""
    found: list[Rate] = []
    before, begin, used = count(), time.perf_counter(), cpu_seconds(os.getpid())
    yield found
    taken, used = time.perf_counter() - begin, cpu_seconds(os.getpid()) - used
    found.append(Rate((count() - before) / taken, (count() - before) / used))


def ping_pong_rate(bot: Bot, seconds: float) -> Rate:
    """Lines to and fro without any protocol."""
    with subprocess.Popen(
        [*bot.command, "echo"], cwd=bot.folder, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout
        there, back = process.stdin.fileno(), process.stdout.fileno()
        turns = 0
        with counting(lambda: turns) as found:
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                for _ in range(100):
                    os.write(there, LINE)
                    os.read(back, 65536)
                turns += 100
        process.stdin.close()
    return found[0]


def rate_of_two_pairs(bot: Path, seconds: float) -> Rate:
    """Lines of two pairs at the same time, each pinned to a core of its own; the processor time is that of one core."""
    ours = cores()
    command = [sys.executable, "-m", "tests.bench.ping_pong", str(bot)]
    pairs = [
        subprocess.Popen([*command, str(ours[pair % len(ours)]), str(seconds)], stdout=subprocess.PIPE, text=True)
        for pair in range(2)
    ]
    rates = [tuple(map(float, pair.communicate()[0].split())) for pair in pairs]
    return Rate(sum(clock for clock, _ in rates), sum(cpu for _, cpu in rates))


if __name__ == "__main__":
    found = read_bot(Path(sys.argv[1]))
    keep_to(int(sys.argv[2]))
    print(*ping_pong_rate(found, float(sys.argv[3])))
