"""Hands jobs to worker processes, collects their results, and replaces workers that get stuck."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from multiprocessing.connection import wait
from typing import NamedTuple

import msgspec

from ...replay.log_entry import LogEntry
from ...results import Failure, FaultKind
from ..schedule import NEW_PROCESS, Job, Schedule
from .overload import OverloadWatch
from .run_status import GameInProgress
from .suspension import Suspension
from .watchdog import StuckGames
from .workers import FROM_TERMINAL, JobResult, Task, Worker, WorkerConfig, WorkerLost

TICK = 0.25
"""Longest wait for results, in seconds; then the clock and the stop requests are checked."""
_AHEAD = 8
"""Games per worker that may begin beyond the first game that is not in the log."""


class PlayedJob(NamedTuple):
    """A finished game, ready for the log."""

    job: Job
    entry: LogEntry


class Dispatcher:
    """The workers of one run. Call `close` at the end.

    `absent` has the bots that could not be started (indexes in the definition); their seats get a fault. `warn` takes
    sentences for the user.
    """

    def __init__(
        self,
        config: WorkerConfig,
        schedule: Schedule,
        suspension: Suspension,
        absent: Collection[int],
        warn: Callable[[str], None],
    ) -> None:
        self._config = config
        self._definition = config.definition
        self._schedule = schedule
        self._suspension = suspension
        self._absent = dict.fromkeys(absent, "did not start when the tournament was resumed")
        self._warn = warn
        self._workers: list[Worker] = []
        self._queue: deque[Job] = deque()
        self._assigned: dict[int, Job] = {}
        self._results: dict[int, JobResult] = {}
        self._stuck_games = StuckGames()
        self._overload = OverloadWatch()
        self._last_check = 0.0
        self._begun = schedule.known_results
        """One more than the highest index given to a worker."""

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

    def start_workers(self, numbers: Iterable[int]) -> None:
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
            room = self._schedule.known_results + _AHEAD * len(self._workers) - self._begun
            if not stopping and len(self._queue) < len(self._workers) and room > 0:
                self._fill_queue(2 * len(self._workers))
            job = self._choose_job(worker, stopping)
            if job:
                self._queue.remove(job)
                self._begun = max(self._begun, job.index + 1)
                self._assigned[job.index] = job
                worker.assign(Task(job, self._suspension.suspended_seats(job.seats), self._start_failures(job)))

    def collect_results(self) -> None:
        """Wait for results, at most `TICK` seconds, and replace stuck workers. Raises WorkerLost."""
        busy = {worker.pipe: worker for worker in self._workers if worker.job}
        for pipe in wait(list(busy), TICK):
            result = busy[pipe].receive()  # type: ignore[index]  # only pipes were given
            if result and (warning := self._overload.add(*result.core_times, len(self._workers))):
                self._warn(warning)
            if result and result.changed_bots:
                self._fail_changed_bots(result)
            elif result:
                self._results[result.index] = result
        self._replace_stuck_workers()

    def take(self, index: int) -> PlayedJob | None:
        """The finished game with this index; None if it is still being played.

        A game that began before a bot's suspension was known is played again. Raises WorkerLost if the machine lacks
        memory or other resources for the game, RuntimeError if it failed for a reason of our own.
        """
        result = self._results.pop(index, None)
        if result is None:
            return None
        if result.shortage:
            raise WorkerLost(result.shortage)
        if result.entry is None:
            raise RuntimeError(f"game {index + 1} could not be played: {result.error}")
        job = self._assigned.pop(index)
        if result.suspended != self._suspension.suspended_seats(job.seats):
            self._play_again(job)
            return None
        return PlayedJob(job, result.entry)

    def _fill_queue(self, count: int) -> None:
        """Queue up to `count` jobs; fewer if the schedule needs more results first."""
        while count and (job := self._schedule.next_job()):
            self._queue.append(job)
            count -= 1

    def _choose_job(self, worker: Worker, stopping: bool) -> Job | None:
        """The first job whose bot processes the worker already has, else the first job."""
        possible = [job for job in self._queue if not stopping or job.index < self._begun]
        return next(
            (job for job in possible if job.process_slot in worker.process_slots), possible[0] if possible else None
        )

    def _start_failures(self, job: Job) -> dict[int, Failure]:
        """The seats that fail at the start of this game: their bots are absent, or left the game stuck before."""
        absent = {
            seat: Failure(FaultKind.START, self._absent[bot])
            for seat, bot in enumerate(job.seats)
            if bot in self._absent
        }
        return self._stuck_games.failures(job.index) | absent

    def _play_again(self, job: Job) -> None:
        """Queue a game again, for new bot processes: the old ones have seen its deal."""
        self._queue.appendleft(msgspec.structs.replace(job, process_slot=NEW_PROCESS))

    def _fail_changed_bots(self, result: JobResult) -> None:
        """The files of a bot have changed: it fails its remaining games, and the other bots play on."""
        for bot, change in result.changed_bots.items():
            if bot not in self._absent:
                path = self._definition.bots[bot].path
                self._warn(f"{path} {change}: it fails the rest of its games (resume --update plays on with it)")
        self._absent |= result.changed_bots
        self._play_again(self._assigned[result.index])

    def _replace_stuck_workers(self) -> None:
        """Replace workers whose game makes no progress. Raises WorkerLost if no bot can be blamed for it."""
        now = time.monotonic()
        elapsed, self._last_check = min(now - self._last_check, 2 * TICK), now
        for worker in [worker for worker in self._workers if worker.is_stuck(elapsed)]:
            assert worker.job
            job, seat = worker.job, worker.watch.seat
            worker.kill()
            self._workers.remove(worker)
            self._handle_stuck_game(job, seat)
            self.start_workers([worker.number])
            self._play_again(job)

    def _handle_stuck_game(self, job: Job, seat: int) -> None:
        """Count the game as stuck and warn. Raises WorkerLost if it cannot be played again."""
        names = [self._definition.bots[bot].name for bot in job.seats]
        waiting = f"waiting for {names[seat]}" if seat >= 0 else "waiting for none of its bots"
        stuck = f"game {job.index + 1} ({', '.join(names)}) got stuck {waiting}"
        if not self._stuck_games.add(job.index, seat):
            raise WorkerLost(f"{stuck}, again")
        failing = ", ".join(names[seat] for seat in self._stuck_games.failures(job.index))
        self._warn(f"{stuck}; it is played again{f', and {failing} fails in it' if failing else ''}")
