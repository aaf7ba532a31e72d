"""The process that plays batches for one thread of a Dask worker, with the worker processes of local tournaments.

Its end of the pipe to the Dask worker closes however that worker ends, and then it kills all that it has started.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path

import msgspec

from ..errors import BotError, SupervisorLost, shortage
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..isolation.sandbox.bubblewrap import why_not
from ..isolation.spawn import no_leftover_processes
from ..isolation.supervision.killing import kill_below, resume_when_orphaned
from ..match.referee import STDERR_KEPT
from ..system import safe_path
from ..tournament.running.executor import TICK
from ..tournament.running.job_queue import JobResult, Task, WorkerLost
from ..tournament.running.workers import FROM_TERMINAL, Worker, WorkerConfig
from ..tournament.setup import greet_all
from .batch_messages import (
    Answer,
    Batch,
    OtherVersion,
    decode_batch,
    encode,
    engine_version,
    unpack_definition,
)
from .bot_archives import BotStore

_IDLE_SECONDS = 5.0
"""Bots end when no batch has come for so long."""


def main(descriptor: int) -> None:
    """Answer batches until the other end of the socket is closed."""
    for number in FROM_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_peer, args=(descriptor,), daemon=True).start()
    resume_when_orphaned()
    with safe_path():
        resource_tracker.ensure_running()  # its process is one that no_leftover_processes must spare
    with Connection(descriptor) as pipe, no_leftover_processes(), _claimed_core() as core:
        _serve(pipe, BatchPlayer(core))


def _end_with_peer(descriptor: int) -> None:
    """Kill all descendants and this process when the Dask worker closes its end, or ends."""
    poller = select.poll()
    poller.register(descriptor, 0)  # only the end of the connection counts, not what can be read
    poller.poll()
    kill_below(os.getpid())
    os._exit(0)


def _serve(pipe: Connection, player: BatchPlayer) -> None:
    while True:
        if not pipe.poll(_IDLE_SECONDS):
            player.rest()
        try:
            pipe.send_bytes(encode(player.answer(pipe.recv_bytes())))
        except (EOFError, ConnectionError):
            return


@contextmanager
def _claimed_core() -> Iterator[int | None]:
    """The index of a core that no other worker on this machine has claimed; None if all are taken.

    The claim is a name of a socket, which the kernel gives back when this process ends.
    """
    with socket.socket(socket.AF_UNIX) as claim:
        for index, core in enumerate(sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []):
            with suppress(OSError):
                claim.bind(f"\0fa-worker-core-{core}")
                yield index
                return
        yield None


class BatchPlayer:
    """Plays batches, one after the other. `core`: the index of the core to stay on; None: any."""

    def __init__(self, core: int | None) -> None:
        self._core = core
        self._definition = b""
        self._config: WorkerConfig | None = None
        self._worker: Worker | None = None
        self._ready: dict[int, Bot] = {}

    def answer(self, data: bytes) -> Answer:
        """Play a batch of this version."""
        try:
            batch = decode_batch(data)
        except OtherVersion:
            return Answer(problem=f"it has fa {engine_version()}")
        try:
            return self._play(batch)
        except (BotError, SupervisorLost) as error:
            return Answer(problem=str(error))
        except OSError as error:
            return Answer(problem=shortage(error) or f"{error.filename or 'its disk'}: {error.strerror}")

    def rest(self) -> None:
        """End the bots until the next batch."""
        if self._worker:
            self._worker.dismiss()
            self._worker.wait()
            self._worker = None

    def _play(self, batch: Batch) -> Answer:
        if batch.definition != self._definition:
            self._begin(batch)
        assert self._config
        limits = self._config.definition.limits
        if limits.sandbox and (reason := why_not()):
            return Answer(problem=f"bots can't be sandboxed there: {reason}")
        answer = Answer()
        self._prepare(batch, limits, answer)
        for task in batch.tasks:
            absent = task.absent_seats()
            if all(bot in self._ready for seat, bot in enumerate(task.job.seats) if seat not in absent):
                try:
                    own = {bot: self._ready.get(bot, batch.bots[bot]) for bot in task.job.seats}
                    given = msgspec.structs.replace(task, bots=own)
                    if (lost := self._play_task(given, answer)) >= 0:
                        lost = self._play_task(given, answer)
                    if lost >= 0:
                        answer.stuck[task.job.index] = lost
                except WorkerLost as error:
                    answer.problem = str(error)
                    self._kill_worker()
                    break
        answer.results = [self._as_sent(batch, result) for result in answer.results]
        answer.ready = [bot for bot in batch.needed if bot in self._ready]
        return answer

    def _begin(self, batch: Batch) -> None:
        """Get ready for another tournament."""
        self.rest()
        self._ready.clear()
        pin = batch.pin and self._core is not None
        self._config = WorkerConfig(unpack_definition(batch.definition), None, pin)
        self._definition = batch.definition

    def _prepare(self, batch: Batch, limits: Limits, answer: Answer) -> None:
        """Unpack, build and start once the bots of a batch; the answer gets those without files, or that don't run."""
        store = BotStore()
        for piece in batch.pieces:
            store.add(batch.bots[piece.bot], piece)
        for index in batch.needed:
            if index in self._ready:
                continue
            try:
                found = store.find(batch.bots[index], limits.sandbox)
                if found:
                    self._ready[index] = greet_all([found], limits)[0]
                else:
                    answer.missing.append(index)
            except BotError as error:
                answer.failed[index] = str(error)

    def _play_task(self, task: Task, answer: Answer) -> int:
        """Play one game. Returns -1, or the seat of a bot whose supervisor was killed; then there is no result.

        Raises WorkerLost if its process ends.
        """
        assert self._config
        worker = self._worker = self._worker or Worker(self._core or 0, self._config)
        began = time.monotonic()
        worker.assign(task)
        worker.send()
        elapsed = 0.0
        while True:
            before = time.monotonic()
            if wait([worker.pipe], TICK) and (received := worker.receive()):
                break
            elapsed = min(time.monotonic() - before, 2 * TICK)
            if worker.is_stuck(elapsed):
                answer.stuck[task.job.index] = worker.watch.seat
                self._kill_worker()
                return -1
        (result,) = received
        if result.changed_bots:  # on this machine: its files are sent again
            for index in result.changed_bots:
                BotStore().forget(self._ready.pop(index))
        elif result.lost_seat < 0:
            answer.results.append(msgspec.structs.replace(result, seconds=time.monotonic() - began))
        return result.lost_seat

    def _kill_worker(self) -> None:
        if self._worker:
            self._worker.kill()
            self._worker = None

    def _as_sent(self, batch: Batch, result: JobResult) -> JobResult:
        """A result in which bots have the paths of the sender's machine: bots' own errors name their files."""
        entry = result.entry
        if entry is None or "fault_details" not in entry.meta:
            return result
        paths = {}
        for index, bot in self._ready.items():
            if index in batch.bots:
                paths[str(Path(bot.path).parent)] = str(Path(batch.bots[index].path).parent)
        text = msgspec.json.encode(entry.meta["fault_details"]).decode()
        for here, there in paths.items():
            text = text.replace(here, there)
        details = msgspec.json.decode(text)
        for each in details:
            if "stderr" in each:
                each["stderr"] = each["stderr"][-STDERR_KEPT:]  # the sender's paths may be longer
        meta = entry.meta | {"fault_details": details}
        return msgspec.structs.replace(result, entry=msgspec.structs.replace(entry, meta=meta))
