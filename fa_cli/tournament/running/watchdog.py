"""Detects workers that make no progress, and decides what happens to their games.

A worker publishes each wait for a bot in memory shared with the main process. The main process counts only time during
which it ran itself, so a suspended machine or a stopped run (Ctrl-Z) costs no bot a game.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from typing import Any

from ...game_result import Failure, FaultKind
from .heartbeat import CELLS, KEPT, MOVES, REVOKED, SEAT, SECONDS

NO_SEAT = -1
"""The seat that a worker publishes while it waits for no bot."""
SLACK = 60.0
"""Seconds that a worker may take beyond the clocks: to start, end and kill processes on a busy machine."""
WAIT_FACTOR = 10.0
"""How many times longer than its clock a wait may take; the clock excludes time that other processes had the core."""
PREPARATION = 24.0
"""Seconds allowed from the start of a game to its first wait, while the worker starts and reads the bots' files."""


def shared_cells() -> Any:
    """Shared memory for the progress of one worker."""
    return multiprocessing.get_context("spawn").RawArray("d", CELLS)


class GameWatch:
    """The main process's side."""

    def __init__(self) -> None:
        self.cells = shared_cells()
        self._moves = 0.0
        self._idle = 0.0

    @property
    def seat(self) -> int:
        """The seat that the worker waits for, or `NO_SEAT`."""
        return int(self.cells[SEAT])

    def begin(self) -> None:
        """A game begins."""
        self.cells[SEAT], self.cells[SECONDS] = NO_SEAT, PREPARATION
        self._idle = 0.0

    def revoke(self, kept: int, assigned: int) -> None:
        """Take back the worker's tasks beyond the number `kept`, up to `assigned`, unless it has begun them."""
        self.cells[KEPT] = kept  # first: no task is taken back before the other number is there
        self.cells[REVOKED] = assigned

    def is_stuck(self, elapsed: float) -> bool:
        """Whether the game has made no progress for far too long; `elapsed`: seconds since the last call."""
        moves = float(self.cells[MOVES])
        self._idle = self._idle + elapsed if moves == self._moves else 0.0
        self._moves = moves
        return self._idle > SLACK + WAIT_FACTOR * float(self.cells[SECONDS])


class StuckGames:
    """Counts how often games got stuck or lost a supervisor, and gives faults to the seats that caused it."""

    def __init__(self) -> None:
        self._times: Counter[int] = Counter()
        self._losses = set[tuple[int, int]]()
        self._failures: dict[int, dict[int, Failure]] = {}

    def add(self, game: int, seat: int) -> bool:
        """Count a stuck game; `seat` is the one that was waited for.

        The first time nobody is blamed. Returns False if the game cannot be played again, because no further seat can
        be blamed.
        """
        self._times[game] += 1
        if self._times[game] == 1:
            return True
        failures = self._failures.setdefault(game, {})
        if seat == NO_SEAT or seat in failures:
            return False
        failures[seat] = Failure(FaultKind.RESOURCE, f"left the game stuck {self._times[game]} times")
        return True

    def add_loss(self, game: int, seat: int) -> None:
        """Note that the supervisor of a seat's bot was killed. The second time the bot is blamed: it may have done it.

        So a game is played again at most twice for each seat.
        """
        if (game, seat) in self._losses:
            detail = "lost its supervisor twice"
            self._failures.setdefault(game, {})[seat] = Failure(FaultKind.RESOURCE, detail)
        self._losses.add((game, seat))

    def failures(self, game: int) -> dict[int, Failure]:
        """The seats that fail at the start of this game, each with its failure."""
        return self._failures.get(game, {})
