"""Bare lines to and fro between Python and a bot in C: what all that the referee does is compared with.

`python -m tests.bench.ping_pong BOT CORE SECONDS` keeps to that core and prints lines per second, by the clock and by
processor time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE
from typing import NamedTuple

from fa_cli.isolation.discovery import Bot, read_bot

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


def ping_pong_rate(bot: Bot, seconds: float) -> Rate:
    """Lines to and fro without any protocol."""
    process = subprocess.Popen([*bot.command, "echo"], cwd=bot.folder, bufsize=0, stdin=PIPE, stdout=PIPE)
    assert process.stdin and process.stdout
    there, back = process.stdin.fileno(), process.stdout.fileno()
    turns, begin, used = 0, time.perf_counter(), time.process_time()
    while (taken := time.perf_counter() - begin) < seconds:
        for _ in range(100):
            os.write(there, LINE)
            os.read(back, 65536)
        turns += 100
    used = time.process_time() - used
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Rate(turns / taken, turns / (used + usage.ru_utime + usage.ru_stime))


def rate_of_two_pairs(bot: Path, seconds: float) -> Rate:
    """Lines of two pairs at the same time, each pinned to a core of its own; the processor time is that of one core."""
    ours = cores()
    command = [sys.executable, "-m", "tests.bench.ping_pong", str(bot)]
    pairs = [
        subprocess.Popen([*command, str(ours[pair % len(ours)]), str(seconds)], stdout=PIPE, text=True)
        for pair in range(2)
    ]
    rates = [tuple(map(float, pair.communicate()[0].split())) for pair in pairs]
    return Rate(sum(clock for clock, _ in rates), sum(cpu for _, cpu in rates))


if __name__ == "__main__":
    found = read_bot(Path(sys.argv[1]))
    keep_to(int(sys.argv[2]))
    print(*ping_pong_rate(found, float(sys.argv[3])))
