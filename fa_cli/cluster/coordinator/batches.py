"""How many games a batch has, and which workers and batches there are."""

from __future__ import annotations

import time
from collections import Counter
from math import ceil

from ...tournament.running.overload import OverloadWatch
from ...tournament.running.workers import Task
from ...tournament.schedule import Job

_TARGET_SECONDS = 2.0
"""The length of a batch: long beside what a message takes, short beside what a lost one costs."""
_MOST_GAMES = 500
_GROWTH = 4
_WEIGHT = 0.1
"""The weight of a new game in the mean time of games."""
AHEAD = 2
"""Batches that a thread of a worker has, so that it never waits for the next."""


class BatchSize:
    """The number of games in a batch: one at first, then as many as fill `_TARGET_SECONDS`."""

    def __init__(self) -> None:
        self.mean = 0.0
        """Seconds per game; 0 while unknown."""
        self._games = 1

    def add(self, seconds: float) -> None:
        """Count a game that took so long."""
        self.mean += (_WEIGHT if self.mean else 1.0) * (seconds - self.mean)

    def grow(self) -> None:
        """A batch was answered: the next may have up to four times as many games."""
        if self.mean:
            wanted = int(_TARGET_SECONDS / self.mean)
            self._games = max(1, min(wanted, _GROWTH * self._games, _MOST_GAMES))

    def games(self, queued: int, threads: int) -> int:
        """Games for the next batch: fewer towards the end, so that no thread runs out before the others."""
        return max(1, min(self._games, ceil(queued / max(1, threads))))

    def window(self, threads: int) -> int:
        """Games that may be under way at a time."""
        return (AHEAD + 1) * self._games * max(1, threads) + 8


class Flight:
    """A batch that was sent to a worker and not answered yet."""

    def __init__(self, address: str, jobs: list[Job], bots: list[int], tasks: list[Task], needed: list[int]) -> None:
        self.address = address
        self.jobs = jobs
        self.bots = bots
        """The bots whose files go with it."""
        self.tasks = {task.job.index: task for task in tasks}
        self.needed = needed
        """The bots that the worker must be able to start."""
        self.since = time.time()
        self.began = time.monotonic()
        self.is_given_up = False
        """Whether its jobs were handed back; an answer still counts."""


class RemoteWorker:
    """What a run knows about one worker."""

    def __init__(self, name: str, slots: int) -> None:
        self.name = name
        self.slots = slots
        """Games that it plays at a time."""
        self.flights: dict[str, Flight] = {}
        self.ready: set[int] = set()
        """Bots that it can start."""
        self.sent: dict[int, int] = {}
        """Bytes sent of the archives of bots that it does not have yet."""
        self.failed: dict[int, str] = {}
        """Bots that can't run there, and why."""
        self.process_slots: set[int] = set()
        self.last_seen = 0.0
        self.last_sign = time.monotonic()
        self.problems = 0
        """In a row."""
        self.rejected = ""
        """Why it gets no more games; empty if it does."""
        self.is_false = False
        """Whether an answer of it could not be true: none of it counts any more."""
        self.missing: Counter[int] = Counter()
        """How often it asked for the files of a bot."""
        self.unconfirmed = 0
        """Games that it reported as stuck, and that another worker played."""
        self.has_answered = False
        self.overload = OverloadWatch()

    def sign(self) -> None:
        """It was heard of."""
        self.last_sign = time.monotonic()

    def room(self) -> int:
        """Batches that it may get now; one at first, which shows whether it can play."""
        if self.rejected:
            return 0
        return max(0, (AHEAD * self.slots if self.has_answered else 1) - len(self.flights))
