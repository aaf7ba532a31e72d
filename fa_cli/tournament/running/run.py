"""Plays a tournament: gives jobs to workers, writes records to the log in the schedule's order, stops in good order.

Workers finish in any order; a record waits until all records before it are written. So the log depends on the schedule
alone and not on the number of workers.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from types import FrameType

from ...errors import Interrupted, LogChanged, LogError
from ...isolation.discovery import Bot
from ...isolation.spawn import no_leftover_processes
from ...isolation.transport.remote import NOT_CONNECTED, is_remote
from ...leaderboard.leaderboards import games_in
from ...leaderboard.live_index import LiveIndex
from ...models.model import ModelRun, exchanges_of
from ...printing.text import counted
from ...replay.log_entry import LogEntry
from ...replay.log_file import read_log
from ...replay.log_writer import LogWriter
from ...replay.record import fault_detail
from ...system import cores, remove_abandoned, safe_path
from ..definition import Definition, TournamentPaths, make_private, make_public
from ..proof.audit import check_is_own, describe_difference
from ..proof.verified_prefix import remember
from ..schedule import Job, Schedule
from .dispatcher import Dispatcher
from .executor import Executor, MakeExecutor
from .job_queue import JobQueue, WorkerLost
from .progress import RunProgress
from .run_status import StatusFile
from .suspension import Suspension
from .workers import FROM_TERMINAL, WorkerConfig

_REMEMBER_SECONDS = 20
"""Seconds between two notes of how far the log is verified and on the disk. After a kill, games since the last note are
verified again when the run is resumed; after a power cut they may be played again."""


@contextmanager
def _stop_requests() -> Iterator[list[int]]:
    """Collects Ctrl-C and other signals that ask the process to end, instead of obeying. Only in the main thread."""
    received: list[int] = []

    def receive(number: int, frame: FrameType | None) -> None:
        received.append(number)

    previous = {number: signal.signal(number, receive) for number in (*FROM_TERMINAL, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


class _StopNow(Exception):
    """Stop without waiting for the games in progress: the user asked for it, or they are not needed."""


class Run:
    """One run of a tournament, from the end of the log to the last game.

    `jobs` is the number of games at a time, `resume` the command that the user can type to play the rest. `absent` has
    the bots that could not be started (indexes in the definition); their seats get a fault. `executor` decides where
    the games are played: by default on this machine. `rated`: whether games are also folded into TrueSkill's ratings as
    they are played. `budget`: what the exchanges of all bots with a model may cost together.
    """

    def __init__(
        self,
        definition: Definition,
        paths: TournamentPaths,
        *,
        jobs: int,
        listener: RunProgress,
        resume: str,
        stderr: Path | None = None,
        pin: bool = True,
        absent: Collection[int] = (),
        executor: MakeExecutor = Dispatcher,
        rated: bool = False,
        budget: float | None = None,
    ) -> None:
        self._definition = definition
        self._paths = paths
        self._listener = listener
        models = ModelRun(str(exchanges_of(paths.log)), budget)
        self._config = WorkerConfig(definition, stderr, pin, models, paths.definition.parent.parent)
        self._max_games = jobs
        self._make_executor = executor
        self._resume = resume
        self._absent = absent
        self._rated = rated
        self._remote = {index for index, bot in enumerate(definition.bots) if is_remote(bot.path)}
        self._suspension = Suspension(definition.limits.max_faults, self._remote)
        self._lost = set[int]()
        """The remote bots that were away in their last game."""
        self._remembered = time.monotonic()
        self.schedule = Schedule(definition)
        """The schedule as far as it has been played."""

    def play(self) -> None:
        """Play all games that are not in the log yet.

        Raises Interrupted, LogError (the log cannot be written, is of another tournament or has another writer),
        WorkerLost. In each case the games finished before are in the log.
        """
        with safe_path():
            resource_tracker.ensure_running()  # its process is one that no_leftover_processes must spare
        with _stop_requests() as stop, no_leftover_processes(), LogWriter(self._paths.log, private=True) as log:
            for path in (*self._paths, self._paths.status):
                remove_abandoned(path)
            self.schedule = schedule_from_log(self._definition, self._paths.log, self._suspension, self._listener.known)
            self._listener.begin(self._written)
            self._listener.expect(self.schedule.games)
            queue = JobQueue(self.schedule, self._suspension, self._absent, self._listener.warn)
            executor = self._make_executor(self._config, queue, self._max_games, self._listener.warn)
            live_index = LiveIndex(self._paths.log, log.position, self._rated)
            at_once = True
            try:
                if not self.schedule.is_over:
                    make_private(self._paths)  # a finished tournament with more games is public, and so are old files
                    executor.start(self.schedule.games - self._written)
                    live_index.prepare()  # while the workers start
                with StatusFile(self._paths.status, self._written) as status:
                    self._loop(executor, queue, log, live_index, stop, status)
                log.check_content()
                at_once = False
            except LogChanged as error:
                live_index.close()
                raise LogError(f"{error}; {self._rescue(queue, log, live_index)}") from None
            except _StopNow:
                pass
            except WorkerLost as error:
                if not stop:  # a signal to the whole process group ends the workers too
                    raise WorkerLost(f"{error}; {self._resume_hint()}") from None
            finally:
                executor.dismiss(at_once)
                if self.schedule.is_over:
                    make_public(self._paths)
                    live_index.finish()  # while the workers end
                live_index.close()
                executor.close()
                remember(self._paths.log, log.position)
        if not self.schedule.is_over:
            games = counted(self.schedule.games, "game")
            raise Interrupted(f"stopped after {self._written:,} of {games}; resume with: {self._resume}")

    @property
    def _written(self) -> int:
        """Games in the log."""
        return self.schedule.known_results

    def _resume_hint(self) -> str:
        verb = "is" if self._written == 1 else "are"
        return f"the {counted(self._written, 'game')} before {verb} kept; resume with: {self._resume}"

    def _loop(
        self,
        executor: Executor,
        queue: JobQueue,
        log: LogWriter,
        live_index: LiveIndex,
        stop: Sequence[int],
        status: StatusFile,
    ) -> None:
        announced = False
        while True:
            executor.assign_jobs(stopping=bool(stop))
            if status.is_due:
                evidence = self.schedule.evidence_text
                status.write(self._written, self.schedule.games, bool(stop), executor.playing, evidence)
            if stop and not announced:
                announced = True
                self._listener.stopping(executor.busy)
            if len(stop) > 1:
                raise _StopNow
            if not executor.busy:
                return
            if live_index.is_due:
                live_index.update()
            executor.collect_results()
            log.check()
            self._write_results(queue, log, live_index)
            self._listener.tick()
            if time.monotonic() > self._remembered + _REMEMBER_SECONDS:
                log.sync()
                remember(self._paths.log, log.position)
                self._remembered = time.monotonic()
            if self.schedule.is_decided:
                raise _StopNow

    def _write_results(self, queue: JobQueue, log: LogWriter, live_index: LiveIndex) -> None:
        """Write finished games to the log, up to the first that is still being played."""
        while not self.schedule.is_decided and (played := queue.take(self._written)):
            job, entry = played
            faulted = {fault.seat for fault in entry.faults}
            for bot in self._suspension.add_game(job.seats, entry):
                if bot in self._absent or not queue.is_out(bot):  # a changed one plays on as another bot
                    self._listener.warn(f"{self._definition.bots[bot].name} is {self._suspension.describe(bot)}")
            if self._remote:
                self._warn_of_lost(job, entry, faulted)
            try:
                log.append_entry(entry)
            except LogChanged:
                self._report(entry, faulted)  # `_rescue` keeps it
                raise
            except LogError as error:
                raise LogError(f"{error}; {self._resume_hint()}") from None
            live_index.add(entry, log.position)
            self._report(entry, faulted)

    def _warn_of_lost(self, job: Job, entry: LogEntry, faulted: Collection[int]) -> None:
        """Say once that a remote bot is away, until it has played a game."""
        self._lost.difference_update(bot for seat, bot in enumerate(job.seats) if seat not in faulted)
        for fault in entry.faults:
            bot = job.seats[fault.seat]
            if bot in self._remote - self._lost and fault_detail(entry.meta, fault).endswith(NOT_CONNECTED):
                self._lost.add(bot)
                name = self._definition.bots[bot].name
                self._listener.warn(f"{name} is no longer connected; it loses games by a fault until it connects again")

    def _rescue(self, queue: JobQueue, log: LogWriter, live_index: LiveIndex) -> str:
        """Write the games that were played, also those that are not in the log yet, to another one; says which."""
        with LogWriter(log.rescue(), private=True) as rescued:
            if len(rescued) >= self._written:
                self._write_results(queue, rescued, live_index)
        lost = self._written - len(rescued)
        kept = (
            f"{counted(len(rescued), 'game')} of {self._written:,}" if lost else f"all {self._written:,} games played"
        )
        return f"{kept} are in {rescued.path}; to play the rest, move it to {log.path}, and then: {self._resume}"

    def _report(self, entry: LogEntry, faulted: Collection[int]) -> None:
        """Pass the result of a written game, and the seats with a fault, to the schedule and the listener."""
        expected = self.schedule.games
        self.schedule.report_result(entry.result.ranks, faulted)
        self._listener.played(entry)
        self.schedule.peek_job()  # the format may add games because of this result
        if self.schedule.games != expected:
            self._listener.expect(self.schedule.games)


def default_jobs(bots: Sequence[Bot]) -> int:
    """One game per core; fewer for bots that use several cores themselves."""
    return max(1, cores() // max(bot.threads for bot in bots))


def schedule_from_log(
    definition: Definition,
    log: Path,
    suspension: Suspension | None = None,
    known: Callable[[LogEntry], None] | None = None,
) -> Schedule:
    """The schedule after all games of the log; each game is checked to be the scheduled one.

    Faults are counted in `suspension`; `known` gets each game. Raises LogError if the log is of another tournament or
    was changed.
    """
    schedule = Schedule(definition)
    if not log.exists():
        return schedule
    for number, entry in enumerate(read_log(log), start=1):
        job = schedule.next_job()
        if job is None:
            raise LogError(f"{log}: it has more than the {schedule.known_results} games of {definition.name}")
        difference = describe_difference(entry, job, definition)
        if difference:
            problem = f"record {number} is not game {number} of the tournament {definition.name}: {difference}"
            before = f"1-{number - 1}" if number > 2 else "1"
            way_out = f"; fa replay extract {log} --game {before} -o NEW keeps what can be resumed"
            raise LogError(f"{log}: {problem}{way_out if number > 1 else ''}")
        faulted = {fault.seat for fault in entry.faults}
        schedule.report_result(entry.result.ranks, faulted)
        if suspension:
            suspension.add_game(job.seats, entry)
        if known:
            known(entry)
    return schedule


def is_finished(definition: Definition, log: Path) -> bool:
    """Whether the last game is in the log, so that the seed is no secret any more.

    The log is read only if the number of games depends on results. Raises LogError if it is damaged, or begins with a
    game of another tournament.
    """
    if definition.stopping_rule or definition.format_spec.fixes_game_count:
        return schedule_from_log(definition, log).is_over
    check_is_own(definition, log)
    return log.exists() and games_in(log) >= definition.games
