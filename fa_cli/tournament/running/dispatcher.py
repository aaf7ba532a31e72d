"""Hands jobs to worker processes, collects their results, and replaces workers that get stuck."""

from __future__ import annotations

import select
import signal
import time
from collections.abc import Callable, Iterable
from math import ceil

from ..schedule import NEW_PROCESS, Job
from .executor import TICK
from .job_queue import JobQueue
from .overload import OverloadWatch
from .run_status import GameInProgress
from .workers import FROM_TERMINAL, Worker, WorkerConfig

_AHEAD = 8
"""Games per worker that may begin beyond the first game that is not in the log."""
_SUPPLY = 0.02
"""Seconds that the games a worker has should last: of short games it has several, so that it need not wait for the next
and the main process, which shares its cores, wakes rarely. A worker whose games take longer has one at a time."""
_MOST_JOBS = 8
_PAUSE = 2 / 3
"""The share of the time until a worker would be idle that passes before results are looked for."""
_LONGEST_PAUSE = 0.01
"""Seconds without looking for results while all workers have enough games."""


class Dispatcher:
    """The workers of one run on this machine: an executor. `jobs` is their number."""

    def __init__(self, config: WorkerConfig, queue: JobQueue, jobs: int, warn: Callable[[str], None]) -> None:
        self._config = config
        self._queue = queue
        self._max_workers = jobs
        self._warn = warn
        self._has_warned_of_stderr = False
        self._workers: list[Worker] = []
        self._poll = select.poll()
        self._polled: dict[int, Worker] = {}
        """The workers with jobs, by the descriptors of their pipes."""
        self._overload = OverloadWatch()
        self._last_check = 0.0

    @property
    def busy(self) -> int:
        """The number of games that workers have."""
        return sum(len(worker.jobs) for worker in self._workers)

    @property
    def playing(self) -> list[GameInProgress]:
        """The games that workers are playing, in the order of the schedule."""
        games = [
            GameInProgress(job.index, worker.since, job.setting, list(job.seats), job.number, worker.actions)
            for worker in self._workers
            for job in list(worker.jobs)[:1]
        ]
        return sorted(games, key=lambda game: game.index)

    def start(self, games: int) -> None:
        """Start the workers, no more than there are games."""
        self._start_workers(range(min(self._max_workers, max(1, games))))

    def _start_workers(self, numbers: Iterable[int]) -> None:
        """Start workers with these numbers; no signal from the terminal reaches them, and none is lost to us."""
        previous = signal.pthread_sigmask(signal.SIG_BLOCK, FROM_TERMINAL)
        try:
            for number in numbers:
                self._workers.append(Worker(number, self._config))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, previous)

    def dismiss(self, at_once: bool) -> None:
        for worker in self._workers:
            worker.dismiss(at_once)

    def close(self) -> None:
        for worker in self._workers:
            worker.wait()

    def assign_jobs(self, stopping: bool) -> None:
        """Give jobs to workers that have too few.

        When stopping, only to idle ones, and only jobs before a game that has already begun; jobs that workers have not
        begun are taken back.

        Raises WorkerLost.
        """
        if stopping:
            self._queue.take_back([job for worker in self._workers for job in worker.revoke()])
        wanted = {worker: 1 if stopping else _wanted_jobs(worker) for worker in self._workers}
        for count in range(max(wanted.values(), default=0)):
            for worker in self._workers:
                if len(worker.jobs) == count < wanted[worker]:
                    self._assign_job(worker, stopping)
        for worker in self._workers:
            worker.send()

    def _assign_job(self, worker: Worker, stopping: bool) -> None:
        """Give a worker a job, if there is one."""
        if not stopping and len(self._queue) < len(self._workers):
            self._queue.fill(2 * len(self._workers), _AHEAD * len(self._workers))
        job = self._choose_job(worker, stopping)
        if job:
            if not worker.jobs:
                self._polled[worker.pipe.fileno()] = worker
                self._poll.register(worker.pipe, select.POLLIN)
            worker.assign(self._queue.hand_out(job))

    def collect_results(self) -> None:
        """Wait for results, at most `TICK` seconds, and replace stuck workers. Raises WorkerLost."""
        time.sleep(min(map(_pause_of, self._workers), default=0.0))
        for descriptor, _ in self._poll.poll(1000 * TICK):
            worker = self._polled[descriptor]
            for result in worker.receive():
                if warning := self._overload.add(*result.core_times, len(self._workers)):
                    self._warn(warning)
                if result.stderr_problem and not self._has_warned_of_stderr:  # a disk that is full is so for all bots
                    self._has_warned_of_stderr = True
                    self._warn(f"stderr of bots is incomplete ({result.stderr_problem})")
                self._queue.add_result(result)
            if not worker.jobs:
                self._ignore_pipe(worker)
        self._replace_stuck_workers()

    def _ignore_pipe(self, worker: Worker) -> None:
        self._poll.unregister(worker.pipe)
        del self._polled[worker.pipe.fileno()]

    def _choose_job(self, worker: Worker, stopping: bool) -> Job | None:
        """The first job for new bot processes or those that the worker already has, else the first job."""
        possible = self._queue.waiting(stopping)
        for job in possible:
            if job.process_slot in worker.process_slots or job.process_slot == NEW_PROCESS:
                return job
        return possible[0] if possible else None

    def _replace_stuck_workers(self) -> None:
        """Replace workers whose game makes no progress. Raises WorkerLost if no bot can be blamed for it."""
        now = time.monotonic()
        elapsed, self._last_check = min(now - self._last_check, 2 * TICK), now
        for worker in [worker for worker in self._workers if worker.is_stuck(elapsed)]:
            (job, *unplayed), seat = worker.jobs, worker.watch.seat
            self._ignore_pipe(worker)
            worker.kill()
            self._workers.remove(worker)
            self._queue.take_back(unplayed)
            self._queue.add_stuck(job, seat)
            self._start_workers([worker.number])


def _wanted_jobs(worker: Worker) -> int:
    """The number of jobs that a worker should have."""
    return min(_MOST_JOBS, ceil(_SUPPLY / min(_SUPPLY, max(worker.pace, _SUPPLY / _MOST_JOBS))))


def _pause_of(worker: Worker) -> float:
    """Seconds for which a worker has enough games: a share of those that they last; 0 if it has only one."""
    more = len(worker.jobs) - 1
    return min(_LONGEST_PAUSE, more * worker.pace * _PAUSE) if more > 0 else 0.0
