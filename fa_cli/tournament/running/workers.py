"""Worker processes: each plays games with bots of its own, and hands the records over a pipe."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import msgspec

from ...errors import FaError, shortage
from ...games import find_game
from ...isolation.spawn import no_leftover_processes
from ...isolation.supervision.killing import kill_tree, resume_when_orphaned
from ...match.referee import play
from ...replay.record import Record, seat_names
from ...results import Failure, FaultKind
from ..definition import Definition
from ..options import Duplicate
from ..schedule import Job
from .bot_integrity import BotIntegrity
from .session_pool import SessionPool
from .watchdog import NOBODY, GameWatch, Progress

_CONTEXT = multiprocessing.get_context("spawn")  # a fork would share what threads of the parent have in hand
_END_SECONDS = 5.0
_HEADER = 4  # bytes that say how long a worker's message is
_CHUNK = 1 << 20
FROM_TERMINAL = (signal.SIGINT, signal.SIGHUP)
"""Signals that a terminal sends to all processes in it."""


class Task(msgspec.Struct, frozen=True, array_like=True):
    """What a worker is given: a game, the seats that are benched in it, and how other seats fail at its start."""

    job: Job
    suspended: tuple[int, ...] = ()
    failures: dict[int, Failure] = {}

    def absent(self) -> dict[int, Failure]:
        """The seats whose bots are not started, and the fault that each of them has for it."""
        return {**self.failures, **dict.fromkeys(self.suspended, _SUSPENDED)}


class JobResult(msgspec.Struct, frozen=True, array_like=True):
    """What a worker sends back for a job: the game, or why there is none."""

    index: int
    record: Record | None
    packed: bytes = b""
    error: str = ""
    """The end of a traceback: an error of ours, since what a bot does is a fault."""
    changed_bots: dict[int, str] = {}
    """The bots that are not what they were, as in `Identity.check`: there is no game, as one would be another bot's."""
    shortage: str = ""
    """What the machine lacks, if that is why there is no game: a sentence."""
    suspended: tuple[int, ...] = ()
    """As in its task."""


_SUSPENDED = Failure(FaultKind.START, "failed so often that it is benched")
_encode = msgspec.msgpack.Encoder().encode
_decode_task = msgspec.msgpack.Decoder(Task).decode
_decode_settled = msgspec.msgpack.Decoder(JobResult).decode


class WorkerConfig(NamedTuple):
    """What every worker is told once."""

    definition: Definition
    stderr: Path | None
    """A folder for what bots write to stderr."""
    pin: bool = True
    """Whether each worker keeps to one core, with those of its bots that have one thread."""


class WorkerLost(FaError):
    """A worker process is gone, with the game that it played."""


class Worker:
    """A worker process as the main process sees it."""

    def __init__(self, number: int, orders: WorkerConfig) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.number = number
        self.watch = GameWatch()
        arguments = (theirs, number, orders, self.watch.cells)
        self._process = _CONTEXT.Process(target=work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()
        self._received = b""
        self.job: Job | None = None
        """What it plays now."""
        self.process_slots: set[int] = set()
        """Those that it has processes for."""

    def give(self, task: Task) -> None:
        """Let it play. Raises WorkerLost."""
        self.job = task.job
        self.process_slots.add(task.job.process_slot)
        self.watch.begin()
        try:
            self.pipe.send_bytes(_encode(task))
        except OSError:
            raise self._lost() from None

    def receive(self) -> JobResult | None:
        """What it made of its job, once all of it is there: it may be stopped in the middle. Raises WorkerLost."""
        try:
            chunk = os.read(self.pipe.fileno(), _CHUNK)  # there is something: it does not wait
        except OSError:
            chunk = b""
        if not chunk:
            raise self._lost()
        self._received += chunk
        size = int.from_bytes(self._received[:_HEADER], "little")
        if len(self._received) < _HEADER + size:
            return None
        settled = _decode_settled(self._received[_HEADER:])
        self._received = b""
        self.job = None
        return settled

    def is_stuck(self, passed: float) -> bool:
        """Whether its game does not get on; `passed` as in `Watch.is_stuck`."""
        return self.job is not None and self.watch.is_stuck(passed)

    def kill(self) -> None:
        """End it with all that is below it, whatever state it is in."""
        self.pipe.close()
        self._kill()

    def _kill(self) -> None:
        if self._process.pid:
            kill_tree(self._process.pid)
        self._process.join(_END_SECONDS)
        with suppress(ValueError):  # a bot that traces it keeps its death from being seen
            self._process.close()

    def _lost(self) -> WorkerLost:
        self._process.join(_END_SECONDS)
        playing = f" while it played game {self.job.index + 1}" if self.job else ""
        return WorkerLost(f"a worker process ended (exit code {self._process.exitcode}){playing}")

    def dismiss(self, at_once: bool = False) -> None:
        """Tell it to end: after its game, or at once. `wait` must follow."""
        self.pipe.close()
        if at_once and self._process.is_alive():
            self._process.terminate()

    def wait(self) -> None:
        """Until it has ended; it is made to if that takes too long."""
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            self._kill()
        else:
            self._process.close()


def work(pipe: Connection, number: int, orders: WorkerConfig, cells: Any) -> None:
    """A worker process: plays jobs until the pipe ends. `cells`: where it publishes its progress."""
    for from_terminal in FROM_TERMINAL:
        signal.signal(from_terminal, signal.SIG_IGN)  # these are for the main process to decide on
    signal.signal(signal.SIGTERM, _end_now)
    resume_when_orphaned()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if orders.pin:
        keep_to_one_core(number)
    gc.set_threshold(50_000)  # games leave next to no garbage in rings, and looking for it empties the caches
    with no_leftover_processes():
        _play_all(pipe, number, orders, Progress(cells))


def _play_all(pipe: Connection, number: int, orders: WorkerConfig, progress: Progress) -> None:
    bots, limits = orders.definition.bots, orders.definition.limits
    roster = SessionPool(bots, limits, orders.stderr, number, progress.wait)
    identity = BotIntegrity(bots, limits.sandbox)
    at_once = True
    try:
        while True:
            task = _decode_task(pipe.recv_bytes())
            settled = _play_unchanged(task, orders, roster, identity)
            progress.wait(NOBODY, 0.0)
            _send(pipe, _encode(settled))
    except (EOFError, ConnectionError):
        at_once = False  # nobody is there to play for
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        roster.close(at_once)


def _send(pipe: Connection, data: bytes) -> None:
    """Send a message that `Worker.take` can read in pieces. Raises ConnectionError."""
    rest = memoryview(len(data).to_bytes(_HEADER, "little") + data)
    while rest:
        rest = rest[os.write(pipe.fileno(), rest) :]


def keep_to_one_core(number: int) -> None:
    """This process, and what it starts, stays on one of its cores, where the system can do that.

    One of a worker and its bots runs at a time. Waking another core takes longer than what it would be woken for.
    """
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        with suppress(OSError):
            os.sched_setaffinity(0, {cores[number % len(cores)]})


def _end_now(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _end_with_parent() -> None:
    """Whatever ends the main process, nobody is there to write this process's games."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os.kill(os.getpid(), signal.SIGKILL)


def _play_unchanged(task: Task, orders: WorkerConfig, roster: SessionPool, identity: BotIntegrity) -> JobResult:
    """Play it, with bots that are before and after it what they were."""
    index = task.job.index
    absent = task.absent()
    present = [bot for seat, bot in enumerate(task.job.seats) if seat not in absent]
    try:
        changed = identity.check(present)
        if not changed:
            played = play_job(task.job, orders, roster, absent)
            changed = identity.check(present)
        if changed:
            return JobResult(index, None, changed_bots=changed)
        return JobResult(index, *played, suspended=task.suspended)
    except Exception as error:
        if short := shortage(error):
            return JobResult(index, None, shortage=short)
        return JobResult(index, None, b"", traceback.format_exc(limit=-3))


def play_job(
    job: Job, orders: WorkerConfig, roster: SessionPool, absent: Mapping[int, Failure] | None = None
) -> tuple[Record, bytes]:
    """Play one game; its record and packed actions, as the referee returns them."""
    definition = orders.definition
    setting = definition.settings[job.setting]
    game = find_game(setting.game)
    return play(
        game,
        game.make_options(setting.options),
        roster.sessions_for(job),
        seat_names([definition.bots[bot].name for bot in job.seats]),
        definition.seed.of_game(job.number),
        definition.clock,
        meta={"tournament": definition.source(), "number": job.number},
        reveal_seed=definition.duplicate is Duplicate.OFF,
        keep_times=definition.times,
        anonymous=definition.anonymous,
        absent=absent or {},
    )
