"""Whether a worker still makes progress, and what follows for a game that got stuck.

A worker publishes each wait for a bot in memory that it shares with the main process. The main process counts only time
that it has itself seen pass: a machine that sleeps, or a run that somebody stops and resumes, costs no bot a game.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from typing import Any

from ...results import Failure, FaultKind

NOBODY = -1
SLACK = 60.0
"""Seconds that a worker may take beyond what clocks allow: to start, end and kill processes on a busy machine."""
PATIENCE = 10.0
"""By so much a wait may take longer than its clock, which does not count the time that others had the core."""
PREPARATION = 24.0
"""Seconds from a game's beginning to its first wait: the worker starts, and reads the bots' files."""
_MOVES, _SEAT, _SECONDS = range(3)


def shared_cells() -> Any:
    """Memory for one worker's progress."""
    return multiprocessing.get_context("spawn").RawArray("d", 3)


class Progress:
    """The worker's side."""

    def __init__(self, cells: Any) -> None:
        self._cells = cells

    def wait(self, seat: int, seconds: float) -> None:
        """A wait for a seat's bot begins, of so many seconds at most; `NOBODY`: none of a game's seats."""
        cells = self._cells
        cells[_SEAT] = seat
        cells[_SECONDS] = seconds
        cells[_MOVES] += 1


class GameWatch:
    """The main process's side."""

    def __init__(self) -> None:
        self.cells = shared_cells()
        self._moves = 0.0
        self._still = 0.0

    @property
    def seat(self) -> int:
        """The seat that is waited for, or `NOBODY`."""
        return int(self.cells[_SEAT])

    def begin(self) -> None:
        """A game begins."""
        self.cells[_SEAT], self.cells[_SECONDS] = NOBODY, PREPARATION
        self._still = 0.0

    def is_stuck(self, passed: float) -> bool:
        """Whether it has not moved for far too long; `passed`: seconds seen to pass since this was last asked."""
        moves = float(self.cells[_MOVES])
        self._still = self._still + passed if moves == self._moves else 0.0
        self._moves = moves
        return self._still > SLACK + PATIENCE * float(self.cells[_SECONDS])


class StuckGames:
    """The games that got stuck, and the seats that fail in them for it."""

    def __init__(self) -> None:
        self._times: Counter[int] = Counter()
        self._failures: dict[int, dict[int, Failure]] = {}

    def add(self, game: int, seat: int) -> bool:
        """Count one. Returns false where it can't be played again: it got stuck twice, and nobody was waited for."""
        self._times[game] += 1
        if self._times[game] == 1:
            return True
        failures = self._failures.setdefault(game, {})
        if seat == NOBODY or seat in failures:
            return False
        failures[seat] = Failure(FaultKind.RESOURCE, f"left the game stuck {self._times[game]} times")
        return True

    def failures(self, game: int) -> dict[int, Failure]:
        """The seats that fail in this game, and how."""
        return self._failures.get(game, {})
