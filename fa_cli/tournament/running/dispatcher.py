"""Hands jobs to worker processes, collects their results, and replaces workers that get stuck."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from multiprocessing.connection import wait

from ..schedule import Job
from .executor import TICK
from .job_queue import JobQueue
from .overload import OverloadWatch
from .run_status import GameInProgress
from .workers import FROM_TERMINAL, Worker, WorkerConfig

_AHEAD = 8
"""Games per worker that may begin beyond the first game that is not in the log."""


class Dispatcher:
    """The workers of one run on this machine: an executor. `jobs` is their number."""

    def __init__(self, config: WorkerConfig, queue: JobQueue, jobs: int, warn: Callable[[str], None]) -> None:
        self._config = config
        self._queue = queue
        self._max_workers = jobs
        self._warn = warn
        self._workers: list[Worker] = []
        self._overload = OverloadWatch()
        self._last_check = 0.0

    @property
    def busy(self) -> int:
        """The number of workers that are playing a game."""
        return sum(worker.job is not None for worker in self._workers)

    @property
    def playing(self) -> list[GameInProgress]:
        """The games that workers are playing, in the order of the schedule."""
        games = [
            GameInProgress(worker.job.index, worker.since, worker.job.setting, list(worker.job.seats))
            for worker in self._workers
            if worker.job
        ]
        return sorted(games, key=lambda game: game.index)

    @property
    def has_results(self) -> bool:
        """Whether a worker has finished a game, and so waits for its next one."""
        return bool(wait([worker.pipe for worker in self._workers if worker.job], 0))

    def start(self, games: int) -> None:
        """Start the workers, no more than there are games."""
        self._start_workers(range(min(self._max_workers, max(1, games))))

    def _start_workers(self, numbers: Iterable[int]) -> None:
        """Start workers with these numbers; they ignore signals from the terminal from their first moment."""
        previous = {number: signal.signal(number, signal.SIG_IGN) for number in FROM_TERMINAL}
        try:
            for number in numbers:
                self._workers.append(Worker(number, self._config))
        finally:
            for signal_number, handler in previous.items():
                signal.signal(signal_number, handler)

    def close(self, at_once: bool) -> None:
        """End all workers: after their games, or at once."""
        for worker in self._workers:
            worker.dismiss(at_once)
        for worker in self._workers:
            worker.wait()

    def assign_jobs(self, stopping: bool) -> None:
        """Give each idle worker a job. When stopping, only jobs before a game that has already begun.

        Raises WorkerLost.
        """
        for worker in self._workers:
            if worker.job:
                continue
            if not stopping and len(self._queue) < len(self._workers):
                self._queue.fill(2 * len(self._workers), _AHEAD * len(self._workers))
            job = self._choose_job(worker, stopping)
            if job:
                worker.assign(self._queue.hand_out(job))

    def collect_results(self) -> None:
        """Wait for results, at most `TICK` seconds, and replace stuck workers. Raises WorkerLost."""
        busy = {worker.pipe: worker for worker in self._workers if worker.job}
        for pipe in wait(list(busy), TICK):
            result = busy[pipe].receive()  # type: ignore[index]  # only pipes were given
            if result and (warning := self._overload.add(*result.core_times, len(self._workers))):
                self._warn(warning)
            if result:
                self._queue.add_result(result)
        self._replace_stuck_workers()

    def _choose_job(self, worker: Worker, stopping: bool) -> Job | None:
        """The first job whose bot processes the worker already has, else the first job."""
        possible = self._queue.waiting(stopping)
        return next(
            (job for job in possible if job.process_slot in worker.process_slots), possible[0] if possible else None
        )

    def _replace_stuck_workers(self) -> None:
        """Replace workers whose game makes no progress. Raises WorkerLost if no bot can be blamed for it."""
        now = time.monotonic()
        elapsed, self._last_check = min(now - self._last_check, 2 * TICK), now
        for worker in [worker for worker in self._workers if worker.is_stuck(elapsed)]:
            assert worker.job
            job, seat = worker.job, worker.watch.seat
            worker.kill()
            self._workers.remove(worker)
            self._queue.add_stuck(job, seat)
            self._start_workers([worker.number])
