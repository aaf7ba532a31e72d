"""Worker processes: each plays games with bots of its own, and hands the records over a pipe."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import msgspec

from ...errors import BotError, FaError
from ...games import find_game
from ...games.chance import game_seed
from ...match.referee import play
from ...replay.record import Record, seat_names
from ..definition import Definition, Duplicate
from ..schedule import Job
from .bot_integrity import Identity
from .session_pool import Roster

_CONTEXT = multiprocessing.get_context("spawn")  # a fork would share what threads of the parent have in hand
_END_SECONDS = 5.0
FROM_TERMINAL = (signal.SIGINT, signal.SIGHUP)
"""Signals that a terminal sends to all processes in it."""


class Task(msgspec.Struct, frozen=True, array_like=True):
    """What a worker is given: a game, and the seats that are benched in it."""

    job: Job
    benched: tuple[int, ...] = ()


class Settled(msgspec.Struct, frozen=True, array_like=True):
    """What a worker sends back for a job: the game, or why there is none."""

    index: int
    record: Record | None
    packed: bytes = b""
    trouble: str = ""
    """The end of a traceback: an error of ours, since what a bot does is a fault."""
    changed: str = ""
    """Which bot is not what it was: a sentence."""
    benched: tuple[int, ...] = ()
    """As in its task."""


_encode = msgspec.msgpack.Encoder().encode
_decode_task = msgspec.msgpack.Decoder(Task).decode
_decode_settled = msgspec.msgpack.Decoder(Settled).decode


class Orders(NamedTuple):
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

    def __init__(self, number: int, orders: Orders) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=work, args=(theirs, number, orders), daemon=True)
        self._process.start()
        theirs.close()
        self.job: Job | None = None
        """What it plays now."""
        self.lanes: set[int] = set()
        """Those that it has processes for."""

    def give(self, job: Job, benched: tuple[int, ...] = ()) -> None:
        """Let it play. Raises WorkerLost."""
        self.job = job
        self.lanes.add(job.lane)
        try:
            self.pipe.send_bytes(_encode(Task(job, benched)))
        except OSError:
            raise self._lost() from None

    def take(self) -> Settled:
        """What it made of its job; waits for it. Raises WorkerLost."""
        try:
            settled = _decode_settled(self.pipe.recv_bytes())
        except (EOFError, OSError):
            raise self._lost() from None
        self.job = None
        return settled

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
            self._process.kill()
            self._process.join()
        self._process.close()


def work(pipe: Connection, number: int, orders: Orders) -> None:
    """A worker process: plays jobs until the pipe ends."""
    for from_terminal in FROM_TERMINAL:
        signal.signal(from_terminal, signal.SIG_IGN)  # these are for the main process to decide on
    signal.signal(signal.SIGTERM, _end_now)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if orders.pin:
        keep_to_one_core(number)
    gc.set_threshold(50_000)  # games leave next to no garbage in rings, and looking for it empties the caches
    bots, limits = orders.definition.bots, orders.definition.limits
    roster = Roster(bots, limits, orders.stderr, number)
    identity = Identity(bots, limits.sandbox)
    at_once = True
    try:
        while True:
            task = _decode_task(pipe.recv_bytes())
            pipe.send_bytes(_encode(_settle(task, orders, roster, identity)))
    except (EOFError, ConnectionError):
        at_once = False  # nobody is there to play for
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        roster.close(at_once)


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


def _settle(task: Task, orders: Orders, roster: Roster, identity: Identity) -> Settled:
    """Play it, with bots that are before and after it what they were."""
    index = task.job.index
    try:
        identity.check(task.job.seats)
        played = play_job(task.job, orders, roster, task.benched)
        identity.check(task.job.seats)
        return Settled(index, *played, benched=task.benched)
    except BotError as error:
        return Settled(index, None, changed=str(error))
    except Exception:
        return Settled(index, None, b"", traceback.format_exc(limit=-3))


def play_job(job: Job, orders: Orders, roster: Roster, benched: tuple[int, ...] = ()) -> tuple[Record, bytes]:
    """Play one game; its record and packed actions, as the referee returns them."""
    definition = orders.definition
    setting = definition.settings[job.setting]
    game = find_game(setting.game)
    return play(
        game,
        game.make_options(setting.options),
        roster.seated(job),
        seat_names([definition.bots[bot].name for bot in job.seats]),
        game_seed(bytes.fromhex(definition.seed), job.number),
        definition.clock,
        meta={"tournament": definition.source(), "number": job.number},
        reveal_seed=definition.duplicate is Duplicate.OFF,
        keep_times=definition.times,
        anonymous=definition.anonymous,
        benched=benched,
    )
