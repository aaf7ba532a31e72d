"""Whole commands beside the ping-pong: how long they take, and how fast their games' file grows meanwhile."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from .figures import Figure, environment
from .ping_pong import Rate, rate_of_two_pairs

ECHO = Path(__file__).parent / "random_c"
TWO_PAIRS = "bare lines to and fro, two pairs, each on a core"
STARTED = 0.01
"""The share of the games' file that is written before games count as in play."""
POLL = 0.005
"""Seconds between two looks at that file."""
SECONDS = 1.0
"""Of each ping-pong."""


class Command(NamedTuple):
    """A command that ended well."""

    seconds: float
    cpu_seconds: float
    """Of all its processes."""
    sizes: list[tuple[float, int]]
    """When its file of games had how many bytes."""


class Played(NamedTuple):
    """Decisions per second of a tournament."""

    in_play: float
    """From the first games in the file to the last."""
    end_to_end: float
    by_cpu: float
    """End to end, as if both cores had been busy throughout."""


def watch(run: list[str | Path], folder: Path, games: Path) -> Command:
    """Run a command in the folder, and watch the file grow into which it writes its games."""
    sizes: list[tuple[float, int]] = []
    with tempfile.TemporaryFile("w+") as stderr:
        begin = time.perf_counter()
        process = subprocess.Popen(run, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=stderr)
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            if games.exists():
                sizes.append((time.perf_counter(), games.stat().st_size))
            time.sleep(POLL)
        taken = time.perf_counter() - begin
        _, status, usage = ended
        process.returncode = os.waitstatus_to_exitcode(status)
        stderr.seek(0)
        assert process.returncode == 0, (run, stderr.read())
    return Command(taken, usage.ru_utime + usage.ru_stime, sizes)


def rates(command: Command, decisions: int) -> Played:
    """The rates of a command that played these decisions; all bytes of the games' file hold about as many."""
    whole = command.sizes[-1][1]
    begin, before = next(sample for sample in command.sizes if sample[1] >= STARTED * whole)
    end, _ = next(sample for sample in command.sizes if sample[1] == whole)
    in_play = decisions * (1 - before / whole) / (end - begin)
    return Played(in_play, decisions / command.seconds, 2 * decisions / command.cpu_seconds)


def in_turns(play: Callable[[], Played], rounds: int, seconds: float = SECONDS) -> list[tuple[Played, Rate]]:
    """Tournaments, each with the mean of the ping-pongs before and after it."""
    pairs, played = [rate_of_two_pairs(ECHO, seconds)], []
    for _ in range(rounds):
        played.append(play())
        pairs.append(rate_of_two_pairs(ECHO, seconds))
    beside = [Rate(*(statistics.fmean(both) for both in zip(*two, strict=True))) for two in pairwise(pairs)]
    return list(zip(played, beside, strict=True))


def compared(
    name: str, taken: list[tuple[Played, Rate]], in_play: float | None, end_to_end: float | None
) -> list[Figure]:
    """Three figures of tournaments: the medians of the ratios to the pairs beside them. Two of them may have goals."""
    by_clock, by_cpu = [pair.by_clock for _, pair in taken], [pair.by_cpu for _, pair in taken]
    return [
        compared_rates(f"{name}, in play", [one.in_play for one, _ in taken], by_clock, in_play),
        compared_rates(f"{name}, end to end", [one.end_to_end for one, _ in taken], by_clock, end_to_end),
        compared_rates(f"{name}, end to end by processor time", [one.by_cpu for one, _ in taken], by_cpu, None),
    ]


def compared_rates(name: str, rates: list[float], pairs: list[float], goal: float | None) -> Figure:
    """The best rate, and the median of the ratios."""
    ratio = statistics.median(rate / pair for rate, pair in zip(rates, pairs, strict=True))
    return Figure(name, max(rates), "decisions/s", ratio, TWO_PAIRS, goal=goal)
