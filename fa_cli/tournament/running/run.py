"""Playing a tournament: jobs to workers, records to the log in the schedule's order, and stopping in good order.

Workers finish in any order; records wait until all before them are written. So the log depends on the schedule alone
and not on how many workers there are.
"""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import msgspec

from ...errors import Interrupted, LogError
from ...isolation.discovery import Bot
from ...isolation.spawn import no_leftover_processes
from ...replay.log_file import read_log
from ...replay.log_writer import LogWriter
from ...replay.record import Record
from ...results import Failure, FaultKind
from ...stats.stopping import describe_result
from ...system import cores
from ..definition import Definition, TournamentPaths, make_private, make_public
from ..proof.audit import describe_difference
from ..proof.verified_prefix import remember
from ..schedule import NEW_PROCESS, Job, Schedule
from .suspension import Suspension
from .watchdog import StuckGames
from .workers import FROM_TERMINAL, JobResult, Task, Worker, WorkerConfig, WorkerLost

TICK = 0.25
"""Seconds between two looks at the clock and the signals."""
_AHEAD = 8
"""Games per worker that may be begun beyond the first that is not written."""
_REMEMBER_SECONDS = 20
"""What was written since then is played again when a run that was killed is gone on with."""
_SIGNALS = (*FROM_TERMINAL, signal.SIGTERM)


class ProgressListener(Protocol):
    """Who is told how a run gets on."""

    def begin(self, done: int) -> None:
        """So many games are in the log already."""

    def expect(self, games: int) -> None:
        """There will be so many games, unlike what was planned."""

    def played(self, record: Record) -> None:
        """A game was written to the log."""

    def tick(self) -> None:
        """Time has passed; several times a second."""

    def stopping(self, running: int) -> None:
        """Somebody wants the run to stop: so many games are still played to their end."""

    def warn(self, text: str) -> None:
        """Something went wrong, and the run continues."""


class StopRequests:
    """Counts the wishes to stop: Ctrl-C, or a signal to end. To be entered in the main thread."""

    def __init__(self) -> None:
        self.count = 0
        self._before: Mapping[int, Any] = {}

    def __enter__(self) -> StopRequests:
        self._before = {number: signal.signal(number, self._request) for number in _SIGNALS}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _request(self, number: int, frame: FrameType | None) -> None:
        self.count += 1


class _StopNow(Exception):
    """Stop without waiting for the games that run: somebody wants it, or they are not needed."""


class Run:
    """One run of a tournament, from the log's end to the last game; `resume` is the command that plays the rest.

    The bots `absent` are not started: their seats have a fault.
    """

    def __init__(
        self,
        definition: Definition,
        paths: TournamentPaths,
        *,
        jobs: int,
        listener: ProgressListener,
        resume: str,
        stderr: Path | None = None,
        pin: bool = True,
        absent: Collection[int] = (),
    ) -> None:
        self._definition = definition
        self._paths = paths
        self._listener = listener
        self._config = WorkerConfig(definition, stderr, pin)
        self._max_workers = jobs
        self._resume = resume
        self._workers: list[Worker] = []
        self.schedule = Schedule(definition)
        """How far it is."""
        self._results: dict[int, JobResult] = {}
        self._waiting: deque[Job] = deque()
        self._assigned: dict[int, Job] = {}
        self._suspension = Suspension(definition.limits.max_faults)
        self._stuck_games = StuckGames()
        self._absent = dict.fromkeys(absent, "did not start when the tournament was resumed")
        self._looked = 0.0
        self._begun = 0
        """One more than the highest index given to a worker."""
        self.written = 0
        """Games in the log."""
        self._remembered = time.monotonic()

    def play(self) -> None:
        """Play all games that are not in the log yet.

        Raises Interrupted, LogError (the log can't be written, is another's or has another writer), WorkerLost;
        whatever is raised, the games finished before are in the log.
        """
        resource_tracker.ensure_running()  # multiprocessing's own process, which stays
        with StopRequests() as stop, no_leftover_processes(), LogWriter(self._paths.log, private=True) as log:
            self.schedule = schedule_from_log(self._definition, self._paths.log, self._suspension)
            self.written = self._begun = self.schedule.known_results
            self._listener.begin(self.written)
            self._listener.expect(self.schedule.games)
            at_once = True
            try:
                if not self.schedule.is_over:
                    make_private(self._paths)  # it was finished once, or an earlier version began it
                    self._start_workers(range(min(self._max_workers, max(1, self.schedule.games - self.written))))
                self._loop(log, stop)
                at_once = False
            except _StopNow:
                pass
            except WorkerLost as error:
                if not stop.count:  # else who wished it told the workers too
                    raise WorkerLost(f"{error}; {self._resume_hint()}") from None
            finally:
                self._end_workers(at_once)
                remember(self._paths.log, log.position)
        if self.schedule.is_over:
            make_public(self._paths)
        else:
            raise Interrupted(
                f"stopped after {self.written} of {self.schedule.games} games; go on with: {self._resume}"
            )

    @property
    def describe_result(self) -> str:
        """What was found out of the two bots that the tournament compares; empty if it compares none."""
        until, judge = self._definition.stopping_rule, self.schedule.stopping
        return (
            describe_result(until, judge.test, [bot.name for bot in self._definition.bots]) if until and judge else ""
        )

    def _resume_hint(self) -> str:
        return f"the {self.written} games before are kept, go on with: {self._resume}"

    def _start_workers(self, numbers: Iterable[int]) -> None:
        """Start workers of these numbers, deaf to what a terminal sends from their first moment."""
        before = {number: signal.signal(number, signal.SIG_IGN) for number in FROM_TERMINAL}
        try:
            for number in numbers:
                self._workers.append(Worker(number, self._config))
        finally:
            for signal_number, handler in before.items():
                signal.signal(signal_number, handler)

    def _end_workers(self, at_once: bool) -> None:
        for worker in self._workers:
            worker.dismiss(at_once)
        for worker in self._workers:
            worker.wait()

    def _loop(self, log: LogWriter, stop: StopRequests) -> None:
        told = False
        while True:
            self._assign_jobs(bool(stop.count))
            busy = {worker.pipe: worker for worker in self._workers if worker.job}
            if stop.count and not told:
                told = True
                self._listener.stopping(len(busy))
            if stop.count > 1:
                raise _StopNow
            if not busy:
                return
            for pipe in wait(list(busy), TICK):
                settled = busy[pipe].receive()  # type: ignore[index]  # only pipes were given
                if settled and settled.changed_bots:
                    self._fail_changed_bots(settled)
                elif settled:
                    self._results[settled.index] = settled
            self._replace_stuck_workers()
            self._write(log)
            self._listener.tick()
            if time.monotonic() > self._remembered + _REMEMBER_SECONDS:
                remember(self._paths.log, log.position)
                self._remembered = time.monotonic()
            if self.schedule.is_decided:
                raise _StopNow

    def _assign_jobs(self, stopping: bool) -> None:
        """A job for each worker that has none. When stopping only what is missing between games begun already."""
        for worker in self._workers:
            if worker.job:
                continue
            room = self.written + _AHEAD * len(self._workers) - self._begun
            if not stopping and len(self._waiting) < len(self._workers) and room > 0:
                self._look_ahead(2 * len(self._workers))
            job = self._choose(worker, stopping)
            if job:
                self._waiting.remove(job)
                self._begun = max(self._begun, job.index + 1)
                self._assigned[job.index] = job
                worker.give(Task(job, self._suspension.suspended_seats(job.seats), self._failures(job)))

    def _failures(self, job: Job) -> dict[int, Failure]:
        """The seats that fail at the start of this game for what happened before."""
        out = {seat: self._absent[bot] for seat, bot in enumerate(job.seats) if bot in self._absent}
        return self._stuck_games.failures(job.index) | {
            seat: Failure(FaultKind.START, why) for seat, why in out.items()
        }

    def _play_again(self, job: Job) -> None:
        """Play a game that has begun once more: by processes of its own, that have not seen its deal."""
        self._waiting.appendleft(msgspec.structs.replace(job, process_slot=NEW_PROCESS))

    def _fail_changed_bots(self, settled: JobResult) -> None:
        """A bot's files are not what they were: it fails from here on, and the others play on."""
        for bot, what in settled.changed_bots.items():
            if bot not in self._absent:
                path = self._definition.bots[bot].path
                self._listener.warn(f"{path} {what}: it fails the rest of its games (resume --update plays on with it)")
        self._absent |= settled.changed_bots
        self._play_again(self._assigned[settled.index])

    def _replace_stuck_workers(self) -> None:
        """Look for workers whose games do not get on. Raises WorkerLost where nobody can be blamed for that."""
        now = time.monotonic()
        passed, self._looked = min(now - self._looked, 2 * TICK), now
        for worker in [worker for worker in self._workers if worker.is_stuck(passed)]:
            assert worker.job
            job, seat = worker.job, worker.watch.seat
            worker.kill()
            self._workers.remove(worker)
            names = [self._definition.bots[bot].name for bot in job.seats]
            waiting = f"waiting for {names[seat]}" if seat >= 0 else "waiting for none of its bots"
            stuck = f"game {job.index + 1} ({', '.join(names)}) got stuck {waiting}"
            if not self._stuck_games.add(job.index, seat):
                raise WorkerLost(f"{stuck}, again")
            failing = ", ".join(names[seat] for seat in self._stuck_games.failures(job.index))
            self._listener.warn(f"{stuck}; it is played again{f', and {failing} fails in it' if failing else ''}")
            self._start_workers([worker.number])
            self._play_again(job)

    def _look_ahead(self, count: int) -> None:
        """The next so many jobs, or as many as are known before more results are."""
        while count and (job := self.schedule.next()):
            self._waiting.append(job)
            count -= 1

    def _choose(self, worker: Worker, stopping: bool) -> Job | None:
        """The first job in a lane that the worker has processes for, else the first."""
        possible = [job for job in self._waiting if not stopping or job.index < self._begun]
        return next(
            (job for job in possible if job.process_slot in worker.process_slots), possible[0] if possible else None
        )

    def _write(self, log: LogWriter) -> None:
        """Write what follows on the log's end."""
        while not self.schedule.is_decided and (settled := self._results.pop(self.written, None)):
            if settled.shortage:
                raise WorkerLost(settled.shortage)
            if settled.record is None:
                raise RuntimeError(f"game {settled.index + 1} could not be played: {settled.error}")
            job = self._assigned.pop(settled.index)
            if settled.suspended != self._suspension.suspended_seats(job.seats):
                self._play_again(job)
                return
            self._suspension.add(job.seats, {fault.seat for fault in settled.record.faults})
            try:
                log.append(settled.record, settled.packed)
            except LogError as error:
                raise LogError(f"{error}; {self._resume_hint()}") from None
            self.written += 1
            self._report(settled.record)

    def _report(self, record: Record) -> None:
        """A game was written: what follows from it, and who wants to know."""
        expected = self.schedule.games
        self.schedule.report_result(record.result.ranks, {fault.seat for fault in record.faults})
        self._listener.played(record)
        self.schedule.peek()  # what a format makes of the result may be more games
        if self.schedule.games != expected:
            self._listener.expect(self.schedule.games)


def default_jobs(bots: Sequence[Bot]) -> int:
    """One game per core; fewer for bots that use several cores themselves."""
    return max(1, cores() // max(bot.threads for bot in bots))


def schedule_from_log(definition: Definition, log: Path, suspension: Suspension | None = None) -> Schedule:
    """The tournament as far as its log goes, once each game is seen to be the one that belongs in its place.

    Its faults are counted in `suspension`. Raises LogError for a log of something else, or one that was changed.
    """
    schedule = Schedule(definition)
    if not log.exists():
        return schedule
    for number, entry in enumerate(read_log(log), start=1):
        job = schedule.next()
        if job is None:
            raise LogError(f"{log}: it has more than the {schedule.known_results} games of {definition.name}")
        wrong = describe_difference(entry, job, definition)
        if wrong:
            raise LogError(f"{log}: record {number} is not game {number} of the tournament {definition.name}: {wrong}")
        faulted = {fault.seat for fault in entry.faults}
        schedule.report_result(entry.result.ranks, faulted)
        if suspension:
            suspension.add(job.seats, faulted)
    return schedule
