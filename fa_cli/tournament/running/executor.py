"""What a run needs of whatever plays its games: workers of this machine, or of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .job_queue import JobQueue
from .run_status import GameInProgress
from .workers import WorkerConfig

TICK = 0.25
"""Longest wait for results, in seconds; then the clock and the stop requests are checked."""


class Executor(Protocol):
    """Plays the jobs of a queue and adds their results to it. Every method is called from the main thread."""

    @property
    def busy(self) -> int:
        """The number of games that are being played; 0 if nothing is left to do."""

    @property
    def playing(self) -> list[GameInProgress]:
        """The games that are being played, in the order of the schedule; of a batch only the first."""

    def start(self, games: int) -> None:
        """Get ready to play; at most `games` games are left."""

    def assign_jobs(self, stopping: bool) -> None:
        """Give jobs to idle workers. When stopping, only jobs before a game that has already begun.

        Raises WorkerLost.
        """

    def collect_results(self) -> None:
        """Wait for results, at most `TICK` seconds, and add them to the queue. Raises WorkerLost."""

    def dismiss(self, at_once: bool) -> None:
        """Ask all workers to end: after their games, or at once. Does not wait for them; call `close` afterwards."""

    def close(self) -> None:
        """Wait until all workers have ended."""


MakeExecutor = Callable[[WorkerConfig, JobQueue, int, Callable[[str], None]], Executor]
"""Makes an executor from the settings of its workers, the queue, the most games at a time, and a function that takes
sentences for the user."""
