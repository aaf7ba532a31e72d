"""Detects an overloaded machine: bots and referees that are ready to run but wait for a core.

Time that a bot waits for a core is deducted from its clock. But a bot that measures its own time, as most bots that
search do, gets less done in it, and all reported times are too long.
"""

from __future__ import annotations

import os
import time

from ...isolation.supervision import procfs
from ...printing.text import counted
from ...system import cores

_SAMPLE_SECONDS = 1.0
"""Least time between two samples: one takes about a millisecond."""
_WINDOW = 10.0
"""Seconds of running and waiting, of all workers together, that are judged at a time. They include no short peak."""
_MOST_WAITING = 0.25
"""An idle machine with one game per core has 0.05 to 0.15; with one more busy program on each core about 0.5."""


class CoreTimes:
    """A worker's side: how long the worker and its bots ran, and how long they waited for a core.

    Only the first thread of each process counts, since the threads of one bot may wait for each other.
    """

    def __init__(self) -> None:
        self._before: dict[int, tuple[float, float]] = {}
        self._next_sample = 0.0

    def sample(self) -> tuple[float, float]:
        """Seconds that all processes ran and waited since the last sample; zeros if that was a moment ago."""
        if time.monotonic() < self._next_sample:
            return 0.0, 0.0
        worker = os.getpid()
        now = {pid: times for pid in [worker, *procfs.tree(worker)] if (times := procfs.run_and_delay(pid))}
        before, self._before = self._before, now
        self._next_sample = time.monotonic() + _SAMPLE_SECONDS
        changes = [
            (ran - before[pid][0], waited - before[pid][1]) for pid, (ran, waited) in now.items() if pid in before
        ]
        return sum(ran for ran, _ in changes), sum(waited for _, waited in changes)


class OverloadWatch:
    """The main process's side: judges the samples of all workers, and warns once."""

    def __init__(self) -> None:
        self._ran = self._waited = 0.0
        self._has_warned = False

    def add(self, ran: float, waited: float, jobs: int) -> str:
        """Add a sample. Returns a warning if the machine is found to be overloaded for the first time, else "".

        `jobs`: how many games are played here at a time; 0 for another machine.
        """
        self._ran += ran
        self._waited += waited
        ready = self._ran + self._waited
        if self._has_warned or ready < _WINDOW:
            return ""
        share = self._waited / ready
        self._ran = self._waited = 0.0
        self._has_warned = share > _MOST_WAITING
        return _warning(share, jobs) if self._has_warned else ""


def _warning(share: float, jobs: int) -> str:
    available = cores()
    if not jobs:
        remedy = "stop other programs there, or start fewer workers or threads (--nworkers, --nthreads)"
    elif jobs > available:
        remedy = f"use --jobs {available} or fewer ({jobs} games share {counted(available, 'core')})"
    elif jobs > 1:
        remedy = "stop other programs, or use fewer --jobs"
    else:
        remedy = "stop other programs"
    return (
        "the machine is overloaded, so clocks are unreliable: "
        f"bots that could run waited for a core {100 * share:.0f}% of the time; {remedy}"
    )
