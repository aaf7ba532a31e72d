"""Worker processes: each plays games with its own bot processes and sends the records through a pipe."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import msgspec

from ...errors import LogError, ProviderAway, StartRefused, SupervisorLost, shortage
from ...game_result import Failure, FaultKind
from ...games import find_game
from ...games.game import Game
from ...isolation.bot_session import BotSession
from ...isolation.discovery import Bot, hide_bots
from ...isolation.sandbox.hidden import hide, hide_home
from ...isolation.spawn import no_leftover_processes
from ...isolation.supervision.killing import kill_tree, resume_when_orphaned
from ...match.referee import play
from ...models.exchanges import add_totals
from ...models.model import ModelRun
from ...models.sending import SENDING
from ...replay.log_entry import LogEntry, entry_of
from ...replay.record import seat_names
from ...system import safe_path
from ..definition import Definition
from ..request import Duplicate
from ..schedule import Job
from .bot_integrity import BotIntegrity
from .heartbeat import Heartbeat
from .job_queue import JobResult, Task, WorkerLost
from .live_actions import PERIOD, ActionsPublisher, published_actions, shared_actions
from .overload import CoreTimes
from .session_pool import OnWait, SessionPool
from .watchdog import NO_SEAT, PREPARATION, GameWatch

_CONTEXT = multiprocessing.get_context("spawn")  # a forked child would inherit locks held by other threads
_END_SECONDS = 5.0
_HEADER = 4  # bytes before each result of a worker: its length
_CHUNK = 1 << 16  # bytes read at once; the C library maps memory for larger buffers, which takes longer than reading
FROM_TERMINAL = (signal.SIGINT, signal.SIGHUP)
"""Signals that a terminal sends to all its processes."""
_encode = msgspec.msgpack.Encoder().encode
_decode_tasks = msgspec.msgpack.Decoder(list[Task]).decode
_decode_result = msgspec.msgpack.Decoder(JobResult).decode


class WorkerConfig(NamedTuple):
    """Settings that all workers of a run share."""

    definition: Definition
    stderr: Path | None
    """A folder for the stderr of bots."""
    pin: bool = True
    """Whether each worker stays on one core, together with its single-threaded bots."""
    models: ModelRun | None = None
    """What bots with a model share."""
    home: Path | None = None
    """The tournament's home, which bots in the sandbox don't see; None where there is none."""


class Worker:
    """The main process's handle of a worker process."""

    def __init__(self, number: int, config: WorkerConfig) -> None:
        self.pipe, worker_end = _CONTEXT.Pipe()
        self.number = number
        self.watch = GameWatch()
        self._actions = shared_actions()
        arguments = (worker_end, number, config, self.watch.cells, self._actions)
        self._process = _CONTEXT.Process(target=work, args=arguments, daemon=True)
        with safe_path():
            self._process.start()
        worker_end.close()
        self._received = b""
        self.jobs: deque[Job] = deque()
        """The jobs that it has: it is playing the first; none if it is idle."""
        self.since = 0.0
        """The Unix time at which the first of them began."""
        self.pace = inf
        """Seconds for a game, by those that it finished last."""
        self._assigned = 0
        self._unsent: list[Task] = []
        self.process_slots: set[int] = set()
        """The process slots that it has played; it may have kept their bot processes."""

    def assign(self, task: Task) -> None:
        """Give a task to the worker, which plays its tasks in this order. Call `send` after the last one."""
        if not self.jobs:
            self.since = time.time()
            self.watch.begin()
        self.jobs.append(task.job)
        self._assigned += 1
        self.process_slots.add(task.job.process_slot)
        self._unsent.append(task)

    def send(self) -> None:
        """Send the tasks given since the last call in one message. Raises WorkerLost."""
        if not self._unsent:
            return
        message = _encode(self._unsent)
        self._unsent.clear()
        try:
            self.pipe.send_bytes(message)
        except OSError:
            raise self._lost() from None

    def revoke(self) -> list[Job]:
        """Take back all jobs but the first. A game that begins at this moment still has its result."""
        revoked = list(self.jobs)[1:]
        if revoked:
            self.jobs = deque([self.jobs[0]])
            self.watch.revoke(self._assigned - len(revoked), self._assigned)
        return revoked

    def receive(self) -> list[JobResult]:
        """Read from the pipe; returns the results that are complete.

        Never blocks on a worker that stops in the middle of a message. Raises WorkerLost.
        """
        try:
            chunk = os.read(self.pipe.fileno(), _CHUNK)  # the pipe is readable, so this does not block
        except OSError:
            chunk = b""
        if not chunk:
            raise self._lost()
        self._received += chunk
        results = list(self._whole_results())
        if results:
            now = time.time()
            self.since, self.pace = now, max(0.0, now - self.since) / len(results)
        return results

    def _whole_results(self) -> Iterator[JobResult]:
        """Take the results that were received whole."""
        start = 0
        while len(self._received) >= start + _HEADER:
            begin = start + _HEADER
            end = begin + int.from_bytes(self._received[start:begin], "little")
            if len(self._received) < end:
                break
            result = _decode_result(self._received[begin:end])
            start = end
            if result.revoked:
                continue
            if self.jobs and self.jobs[0].index == result.index:
                self.jobs.popleft()
            yield result
        self._received = self._received[start:]

    @property
    def actions(self) -> list[int]:
        """The numbers of the actions of its game so far, at most about a second old."""
        return published_actions(self._actions, self.jobs[0].index) if self.jobs else []

    def is_stuck(self, elapsed: float) -> bool:
        """Whether its game makes no progress; `elapsed` as in `GameWatch.is_stuck`."""
        return bool(self.jobs) and self.watch.is_stuck(elapsed)

    def kill(self) -> None:
        """Kill the worker and all its descendants, even if they are stopped."""
        self.pipe.close()
        if self._process.pid:
            kill_tree(self._process.pid)
        self._process.join(_END_SECONDS)
        with suppress(ValueError):  # a bot that traces the worker can hide that it has ended
            self._process.close()

    def _lost(self) -> WorkerLost:
        self._process.join(_END_SECONDS)
        playing = f" while it played game {self.jobs[0].index + 1}" if self.jobs else ""
        return WorkerLost(f"a worker process ended (exit code {self._process.exitcode}){playing}")

    def dismiss(self, at_once: bool = False) -> None:
        """Ask the worker to end: after its game, or at once. Call `wait` afterwards."""
        self.pipe.close()
        if at_once and self._process.is_alive():
            self._process.terminate()

    def wait(self) -> None:
        """Wait until the worker has ended; kill it if that takes more than five seconds."""
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            self.kill()
        else:
            self._process.close()


def work(pipe: Connection, number: int, config: WorkerConfig, cells: Any, memory: Any) -> None:
    """The main function of a worker process: plays tasks until the pipe is closed.

    It publishes its progress in the shared memory `cells`, and the actions of its game in `memory`.
    """
    for terminal_signal in FROM_TERMINAL:
        signal.signal(terminal_signal, signal.SIG_IGN)  # the main process decides what they mean
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FROM_TERMINAL)  # bots would inherit what the dispatcher has blocked
    signal.signal(signal.SIGTERM, _end_now)
    resume_when_orphaned()
    actions = ActionsPublisher(memory)
    try:
        threading.Thread(target=_publish_and_end_with_parent, args=[actions], daemon=True).start()
    except RuntimeError as error:  # the user may start no more
        _refuse(pipe, error)
        return
    if config.pin:
        keep_to_one_core(number)
    gc.set_threshold(50_000)  # games make hardly any reference cycles, and each collection empties the CPU's caches
    with no_leftover_processes():
        _play_all(pipe, number, config, Heartbeat(cells), actions)


def _refuse(pipe: Connection, error: RuntimeError) -> None:
    """Answer the first task with what the machine lacks."""
    with suppress(EOFError, ConnectionError):
        task = next(_tasks(pipe))
        _send(pipe, JobResult(task.job.index, None, shortage=shortage(error)))


def _play_all(
    pipe: Connection, number: int, config: WorkerConfig, progress: Heartbeat, actions: ActionsPublisher
) -> None:
    bots = dict(enumerate(config.definition.bots))
    if config.home:
        hide_home(config.home)
    hide([config.stderr] if config.stderr else [])
    hide_bots(config.definition.bots)  # from each other
    player = _GamePlayer(config, bots, number, progress.wait, actions)
    times, at_once = CoreTimes(), True
    try:
        for count, task in enumerate(_tasks(pipe), start=1):
            if progress.is_revoked(count):
                _send(pipe, JobResult(task.job.index, None, revoked=True))
                continue
            progress.wait(NO_SEAT, PREPARATION)
            bots.update(task.bots)
            hide_bots(task.bots.values())
            result = msgspec.structs.replace(player.play(task), core_times=times.sample())
            progress.wait(NO_SEAT, 0.0)
            _send(pipe, result)
    except (EOFError, ConnectionError):
        at_once = False  # the main process has closed the pipe: let the bots exit by themselves
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the bots get their time to end
        player.pool.close(at_once)


def _tasks(pipe: Connection) -> Iterator[Task]:
    """The tasks that the main process sends. Raises EOFError when it closes the pipe."""
    while True:
        yield from _decode_tasks(pipe.recv_bytes())


def _send(pipe: Connection, result: JobResult) -> None:
    """Send a result in a message that `Worker.receive` can read in pieces. Raises ConnectionError."""
    data = _encode(result)
    unsent = memoryview(len(data).to_bytes(_HEADER, "little") + data)
    while unsent:
        unsent = unsent[os.write(pipe.fileno(), unsent) :]


def keep_to_one_core(number: int) -> None:
    """Pin this process and its descendants to one core, where the system supports that.

    Only one of a worker and its bots runs at a time, and waking another core takes longer than a typical decision.
    """
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        with suppress(OSError):
            os.sched_setaffinity(0, {cores[number % len(cores)]})


def _end_now(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough
    raise SystemExit(128 + number)


def _publish_and_end_with_parent(actions: ActionsPublisher) -> None:
    """Publish the game so far, until the main process ends; then end this process: nothing can write its games."""
    parent = multiprocessing.parent_process()
    if parent:
        while parent.is_alive():
            actions.publish()
            parent.join(PERIOD)
        SENDING.end()  # answers under way are paid: the next run finds them
        os.kill(os.getpid(), signal.SIGKILL)


class _GamePlayer:
    """Plays a worker's games, with the bots of `bots`; more of them may join. Close the `pool` at the end."""

    def __init__(
        self,
        config: WorkerConfig,
        bots: Mapping[int, Bot],
        number: int,
        on_wait: OnWait,
        actions: ActionsPublisher,
    ) -> None:
        definition = config.definition
        self._definition = definition
        self.pool = SessionPool(bots, definition.limits, config.stderr, number, on_wait, config.models)
        self._integrity = BotIntegrity(bots, definition.limits.sandbox)
        self._setting = cache(self._read_setting)
        self._actions = actions

    def play(self, task: Task) -> JobResult:
        """Play a game whose bots' files are unchanged before and after it."""
        index = task.job.index
        absent = task.absent_seats()
        present = [bot for seat, bot in enumerate(task.job.seats) if seat not in absent]
        try:
            changed = self._integrity.check_before(present)
            if not changed:
                entry = self._play(task.job, absent)
                changed = self._integrity.check(present)
            if changed:
                return JobResult(index, None, changed_bots=changed)
            return JobResult(index, entry, suspended=task.suspended, stderr_problem=self.pool.stderr_problem())
        except SupervisorLost as error:
            return JobResult(index, None, lost_seat=error.seat)
        except ProviderAway as error:
            return JobResult(index, None, away=str(error), is_final=error.final)
        except LogError as error:  # the file of exchanges
            return JobResult(index, None, away=str(error), is_final=True)
        except Exception as error:
            if short := shortage(error):
                return JobResult(index, None, shortage=short)
            return JobResult(index, None, traceback.format_exc(limit=-3))

    def _play(self, job: Job, absent: Mapping[int, Failure]) -> LogEntry:
        """Play one game; returns its record as the log stores it.

        If a bot is refused memory, processes, files or disk at its start, others of the same user may have them. Then
        all bots are stopped, that one is started first, and the game is played again; at most once.
        """
        try:
            return self._play_with(self._sessions(job, True), job, absent)
        except StartRefused as refused:
            seat = refused.seat
        self.pool.close(at_once=True)
        sessions = self._sessions(job, False)
        try:
            failure = sessions[seat].greet()
        except SupervisorLost as lost:
            raise SupervisorLost(str(lost), seat) from None
        if failure:
            absent = {**absent, seat: Failure(FaultKind.START, failure.detail)}
        return self._play_with(sessions, job, absent)

    def _sessions(self, job: Job, excuses_refusal: bool) -> list[BotSession]:
        sessions = self.pool.sessions_for(job)
        for session in sessions:
            session.excuses_refusal = excuses_refusal
        return sessions

    def _play_with(self, sessions: list[BotSession], job: Job, absent: Mapping[int, Failure]) -> LogEntry:
        definition, bots = self._definition, self.pool.bots
        game, options, reveal_seed = self._setting(job.setting)
        record, packed = play(
            game,
            options,
            sessions,
            seat_names([bots[bot].name for bot in job.seats]),
            definition.deal_seed.of_game(job.number),
            definition.clock,
            meta={"tournament": definition.source(), "number": job.number},
            reveal_seed=reveal_seed,
            keep_times=definition.times,
            anonymous=definition.anonymous,
            absent=absent,
            actions=self._actions.begin(job.index),
        )
        add_totals(record.meta, (session.model_totals() for session in sessions))
        return entry_of(record, packed)

    def _read_setting(self, index: int) -> tuple[Game, msgspec.Struct, bool]:
        """The game of a setting, its options, and whether bots get the seed at the end."""
        setting = self._definition.settings[index]
        game = find_game(setting.game)
        is_fresh = self._definition.duplicate_of(setting) is Duplicate.OFF
        return game, game.make_options(setting.options), is_fresh
