"""Playing a tournament: jobs to workers, records to the log in the schedule's order, and stopping in good order.

Workers finish in any order; records wait until all before them are written. So the log depends on the schedule alone
and not on how many workers there are.
"""

from __future__ import annotations

import os
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
from ...protocol.bots import Bot
from ...protocol.channel import Failure
from ...protocol.processes import leaving_nothing
from ...replay.files import LogWriter, read_log
from ...replay.record import Record
from ...results import FaultKind
from ...stats.stopping import answer
from ..definition import Definition, Place, hide, publish
from ..proof.audit import difference
from ..proof.verified_prefix import remember
from ..schedule import FRESH, Course, Job
from .suspension import Bench
from .watchdog import Hangs
from .workers import FROM_TERMINAL, Orders, Settled, Task, Worker, WorkerLost

TICK = 0.25
"""Seconds between two looks at the clock and the signals."""
_AHEAD = 8
"""Games per worker that may be begun beyond the first that is not written."""
_REMEMBER_SECONDS = 20
"""What was written since then is played again when a run that was killed is gone on with."""
_SIGNALS = (*FROM_TERMINAL, signal.SIGTERM)


class Watcher(Protocol):
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


class Stop:
    """Counts the wishes to stop: Ctrl-C, or a signal to end. To be entered in the main thread."""

    def __init__(self) -> None:
        self.wishes = 0
        self._before: Mapping[int, Any] = {}

    def __enter__(self) -> Stop:
        self._before = {number: signal.signal(number, self._wish) for number in _SIGNALS}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _wish(self, number: int, frame: FrameType | None) -> None:
        self.wishes += 1


class _AtOnce(Exception):
    """Stop without waiting for the games that run: somebody wants it, or they are not needed."""


class Run:
    """One run of a tournament, from the log's end to the last game; `resume` is the command that plays the rest.

    The bots `absent` are not started: their seats have a fault.
    """

    def __init__(
        self,
        definition: Definition,
        place: Place,
        *,
        jobs: int,
        watcher: Watcher,
        resume: str,
        stderr: Path | None = None,
        pin: bool = True,
        absent: Collection[int] = (),
    ) -> None:
        self._definition = definition
        self._place = place
        self._watcher = watcher
        self._orders = Orders(definition, stderr, pin)
        self._most = jobs
        self._resume = resume
        self._workers: list[Worker] = []
        self.course = Course(definition)
        """How far it is."""
        self._settled: dict[int, Settled] = {}
        self._waiting: deque[Job] = deque()
        self._given: dict[int, Job] = {}
        self._bench = Bench(definition.limits.bench)
        self._hangs = Hangs()
        self._out = dict.fromkeys(absent, "did not start when the tournament was resumed")
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
        with Stop() as stop, leaving_nothing(), LogWriter(self._place.log, private=True) as log:
            self.course = follow(self._definition, self._place.log, self._bench)
            self.written = self._begun = self.course.told
            self._watcher.begin(self.written)
            self._watcher.expect(self.course.games)
            at_once = True
            try:
                if not self.course.is_over:
                    hide(self._place)  # it was finished once, or an earlier version began it
                    self._hire(range(min(self._most, max(1, self.course.games - self.written))))
                self._loop(log, stop)
                at_once = False
            except _AtOnce:
                pass
            except WorkerLost as error:
                if not stop.wishes:  # else who wished it told the workers too
                    raise WorkerLost(f"{error}; {self._kept()}") from None
            finally:
                self._dismiss(at_once)
                remember(self._place.log, log.mark)
        if self.course.is_over:
            publish(self._place)
        else:
            raise Interrupted(f"stopped after {self.written} of {self.course.games} games; go on with: {self._resume}")

    @property
    def answer(self) -> str:
        """What was found out of the two bots that the tournament compares; empty if it compares none."""
        until, judge = self._definition.until, self.course.judge
        return answer(until, judge.test, [bot.name for bot in self._definition.bots]) if until and judge else ""

    def _kept(self) -> str:
        return f"the {self.written} games before are kept, go on with: {self._resume}"

    def _hire(self, numbers: Iterable[int]) -> None:
        """Start workers of these numbers, deaf to what a terminal sends from their first moment."""
        before = {number: signal.signal(number, signal.SIG_IGN) for number in FROM_TERMINAL}
        try:
            for number in numbers:
                self._workers.append(Worker(number, self._orders))
        finally:
            for signal_number, handler in before.items():
                signal.signal(signal_number, handler)

    def _dismiss(self, at_once: bool) -> None:
        for worker in self._workers:
            worker.dismiss(at_once)
        for worker in self._workers:
            worker.wait()

    def _loop(self, log: LogWriter, stop: Stop) -> None:
        told = False
        while True:
            self._deal_out(bool(stop.wishes))
            busy = {worker.pipe: worker for worker in self._workers if worker.job}
            if stop.wishes and not told:
                told = True
                self._watcher.stopping(len(busy))
            if stop.wishes > 1:
                raise _AtOnce
            if not busy:
                return
            for pipe in wait(list(busy), TICK):
                settled = busy[pipe].take()  # type: ignore[index]  # only pipes were given
                if settled and settled.changed:
                    self._leave_out(settled)
                elif settled:
                    self._settled[settled.index] = settled
            self._watch()
            self._write(log)
            self._watcher.tick()
            if time.monotonic() > self._remembered + _REMEMBER_SECONDS:
                remember(self._place.log, log.mark)
                self._remembered = time.monotonic()
            if self.course.is_decided:
                raise _AtOnce

    def _deal_out(self, stopping: bool) -> None:
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
                self._given[job.index] = job
                worker.give(Task(job, self._bench.seats(job.seats), self._failures(job)))

    def _failures(self, job: Job) -> dict[int, Failure]:
        """The seats that fail at the start of this game for what happened before."""
        out = {seat: self._out[bot] for seat, bot in enumerate(job.seats) if bot in self._out}
        return self._hangs.failures(job.index) | {seat: Failure(FaultKind.START, why) for seat, why in out.items()}

    def _play_again(self, job: Job) -> None:
        """Play a game that has begun once more: by processes of its own, that have not seen its deal."""
        self._waiting.appendleft(msgspec.structs.replace(job, lane=FRESH))

    def _leave_out(self, settled: Settled) -> None:
        """A bot's files are not what they were: it fails from here on, and the others play on."""
        for bot, what in settled.changed.items():
            if bot not in self._out:
                path = self._definition.bots[bot].path
                self._watcher.warn(f"{path} {what}: it fails the rest of its games (resume --update plays on with it)")
        self._out |= settled.changed
        self._play_again(self._given[settled.index])

    def _watch(self) -> None:
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
            if not self._hangs.add(job.index, seat):
                raise WorkerLost(f"{stuck}, again")
            failing = ", ".join(names[seat] for seat in self._hangs.failures(job.index))
            self._watcher.warn(f"{stuck}; it is played again{f', and {failing} fails in it' if failing else ''}")
            self._hire([worker.number])
            self._play_again(job)

    def _look_ahead(self, count: int) -> None:
        """The next so many jobs, or as many as are known before more results are."""
        while count and (job := self.course.next()):
            self._waiting.append(job)
            count -= 1

    def _choose(self, worker: Worker, stopping: bool) -> Job | None:
        """The first job in a lane that the worker has processes for, else the first."""
        possible = [job for job in self._waiting if not stopping or job.index < self._begun]
        return next((job for job in possible if job.lane in worker.lanes), possible[0] if possible else None)

    def _write(self, log: LogWriter) -> None:
        """Write what follows on the log's end."""
        while not self.course.is_decided and (settled := self._settled.pop(self.written, None)):
            if settled.short:
                raise WorkerLost(settled.short)
            if settled.record is None:
                raise RuntimeError(f"game {settled.index + 1} could not be played: {settled.trouble}")
            job = self._given.pop(settled.index)
            if settled.benched != self._bench.seats(job.seats):
                self._play_again(job)
                return
            self._bench.add(job.seats, {fault.seat for fault in settled.record.faults})
            try:
                log.append(settled.record, settled.packed)
            except LogError as error:
                raise LogError(f"{error}; {self._kept()}") from None
            self.written += 1
            self._tell(settled.record)

    def _tell(self, record: Record) -> None:
        """A game was written: what follows from it, and who wants to know."""
        expected = self.course.games
        self.course.tell(record.result.ranks, {fault.seat for fault in record.faults})
        self._watcher.played(record)
        self.course.peek()  # what a format makes of the result may be more games
        if self.course.games != expected:
            self._watcher.expect(self.course.games)


def default_jobs(bots: Sequence[Bot]) -> int:
    """One game per core; fewer for bots that use several cores themselves."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // max(bot.threads for bot in bots))


def follow(definition: Definition, log: Path, bench: Bench | None = None) -> Course:
    """The tournament as far as its log goes, once each game is seen to be the one that belongs in its place.

    Its faults are counted in `bench`. Raises LogError for a log of something else, or one that was changed.
    """
    course = Course(definition)
    if not log.exists():
        return course
    for entry in read_log(log):
        job = course.next()
        if job is None:
            raise LogError(f"{log}: it has more than the {course.told} games of {definition.name}")
        wrong = difference(entry, job, definition)
        if wrong:
            raise LogError(
                f"{log}: record {course.told + 1} is not game {course.told + 1} of the tournament {definition.name}: "
                f"{wrong}"
            )
        faulted = {fault.seat for fault in entry.faults}
        course.tell(entry.result.ranks, faulted)
        if bench:
            bench.add(job.seats, faulted)
    return course
