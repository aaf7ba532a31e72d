"""How many games a batch has, and which workers and batches there are."""

from __future__ import annotations

import time
from collections import Counter
from math import ceil

import msgspec

from ...tournament.running.job_queue import Task
from ...tournament.running.overload import OverloadWatch
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


class Flight(msgspec.Struct, eq=False):
    """A batch that was sent to a worker and not answered yet."""

    address: str
    jobs: list[Job]
    bots: list[int]
    """The bots whose files go with it."""
    tasks: dict[int, Task]
    """By the index of their game."""
    needed: list[int]
    """The bots that the worker must be able to start."""
    since: float = msgspec.field(default_factory=time.time)
    began: float = msgspec.field(default_factory=time.monotonic)
    is_given_up: bool = False
    """Whether its jobs were handed back; an answer still counts."""


class RemoteWorker(msgspec.Struct, eq=False):
    """What a run knows about one worker."""

    name: str
    slots: int
    """Games that it plays at a time."""
    flights: dict[str, Flight] = {}
    ready: set[int] = set()
    """Bots that it can start."""
    sent: dict[int, int] = {}
    """Bytes sent of the archives of bots that it does not have yet."""
    failed: dict[int, str] = {}
    """Bots that can't run there, and why."""
    process_slots: set[int] = set()
    last_seen: float = 0.0
    """When it last reported to the scheduler, by the scheduler's clock."""
    last_sign: float = msgspec.field(default_factory=time.monotonic)
    """When it was last heard of."""
    problems: int = 0
    """In a row."""
    rejected: str = ""
    """Why it gets no more games; empty if it does."""
    is_false: bool = False
    """Whether an answer of it could not be true: none of it counts any more."""
    missing: Counter[int] = msgspec.field(default_factory=Counter)
    """How often it asked for the files of a bot."""
    unconfirmed: int = 0
    """Games that it reported as stuck, and that another worker played."""
    has_answered: bool = False
    overload: OverloadWatch = msgspec.field(default_factory=OverloadWatch)

    def room(self) -> int:
        """Batches that it may get now; one at first, which shows whether it can play."""
        if self.rejected:
            return 0
        return max(0, (AHEAD * self.slots if self.has_answered else 1) - len(self.flights))
