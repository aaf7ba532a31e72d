"""Plays the games of a run on the workers of a Dask cluster, in batches that are sent again when they get lost."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import msgspec

from ...errors import BotError, shortage
from ...printing.text import cut
from ...tournament.running.executor import TICK
from ...tournament.running.job_queue import JobQueue, JobResult, WorkerLost
from ...tournament.running.run_status import GameInProgress
from ...tournament.running.workers import WorkerConfig
from ...tournament.schedule import Job
from ..batch_messages import (
    Answer,
    ArchivePiece,
    Batch,
    FalseAnswer,
    OtherVersion,
    decode_answer,
    encode,
    engine_version,
    pack_definition,
)
from ..bot_archives import ArchiveFolder
from .answer_check import check_answer
from .batches import BatchSize, Flight, RemoteWorker
from .scheduler_link import Outcome, SchedulerLink
from .watches import SpeedWatch, Stall
from .workforce import SHOWN, Workforce

if TYPE_CHECKING:
    from distributed import Client

SILENCE = 30.0
"""Seconds without a sign of a worker after which its games are given to others. Healthy ones report every second."""
_PIECE = 8 << 20
"""Most bytes of bots in one message."""
_STOP_SECONDS = 3.0
"""Seconds that a run which was asked to stop waits for batches under way; `resume` plays what is missing then."""
_MOST_LOSSES = 10
"""Losses of the connection in a row, without a finished game, after which a run stops."""
_NOT_INSTALLED = re.compile(r"No module named .{0,3}fa_cli")


class ClusterExecutor:
    """The workers of the cluster at `address`, `dask://HOST:PORT`: an executor. `connect` returns a new client of it.

    `jobs`: the most games at a time; 0: one for each thread of a worker. `wait`: seconds to wait for the scheduler, or
    for a worker that can play.
    """

    def __init__(
        self,
        config: WorkerConfig,
        queue: JobQueue,
        jobs: int,
        warn: Callable[[str], None],
        address: str,
        connect: Callable[[], Client],
        wait: float = 60.0,
        silence: float = SILENCE,
    ) -> None:
        self._definition = config.definition
        self._packed = pack_definition(config.definition)
        self._pin = config.pin
        self._queue = queue
        self._max_games = jobs
        self._warn = warn
        self._address = address
        self._connect = connect
        self._archives = ArchiveFolder(config.definition.bots)
        self._link: SchedulerLink | None = None
        names = [bot.name for bot in config.definition.bots]
        threads = max(bot.threads for bot in config.definition.bots)
        self._workers = Workforce(queue, warn, silence, names, threads)
        self._flights: dict[str, Flight] = {}
        self._size = BatchSize()
        self._speed = SpeedWatch()
        self._run = hashlib.sha256(self._packed + str(time.time_ns()).encode()).hexdigest()[:12]
        self._sent = 0
        self._stopping = False
        self._stopping_since = 0.0
        self._was_lost = False
        self._losses = 0
        self._losses_since_result = 0
        self._stall = Stall(wait, warn)

    @property
    def busy(self) -> int:
        """The games that are being played or wait for a worker; none when stopping has taken too long."""
        if self._stopping_since and time.monotonic() - self._stopping_since > _STOP_SECONDS:
            return 0
        playing = {job.index for flight in self._flights.values() for job in flight.jobs if not flight.is_given_up}
        return len(playing) + len(self._queue.waiting(self._stopping))

    @property
    def playing(self) -> list[GameInProgress]:
        """The first game of each batch, as many as games can be played at a time."""
        flights = [flight for flight in self._flights.values() if flight.jobs and not flight.is_given_up]
        flights.sort(key=lambda flight: flight.since)
        first = [(flight.jobs[0], flight.since) for flight in flights[: self._games_at_a_time()]]
        return [
            GameInProgress(job.index, since, job.setting, list(job.seats), job.number)
            for job, since in sorted(first, key=lambda pair: pair[0].index)
        ]

    def start(self, games: int) -> None:
        """Connect to the scheduler. Raises FaError."""
        self._link = SchedulerLink(self._connect)

    def dismiss(self, at_once: bool) -> None:
        """Give up what is still being played, and disconnect. The workers end their bots soon after."""
        if self._link:
            self._link.close()
        self._archives.close()

    def close(self) -> None:
        """Wait for nothing: workers of a cluster end by themselves."""

    def assign_jobs(self, stopping: bool) -> None:
        """Send batches to workers with room for them. When stopping, only jobs before a game that has already begun."""
        assert self._link
        self._stopping = stopping
        if stopping and not self._stopping_since:
            self._stopping_since = time.monotonic()
            self._warn(f"games that take more than {_STOP_SECONDS:g} more seconds are dropped; resume plays them again")
        self._update_workers(self._link)
        threads = self._games_at_a_time()
        if not stopping:
            window = self._size.window(threads)
            self._queue.fill(max(0, window - len(self._queue)), window)
        has_sent = True
        while has_sent and len(self._queue):
            has_sent = False
            if self._max_games and len(self._flights) >= self._max_games:
                return
            for address, worker in self._workers.by_load():
                has_sent |= self._send_to(address, worker, threads)

    def collect_results(self) -> None:
        """Wait for answers, at most `TICK` seconds. Raises WorkerLost if nobody has been able to play for too long."""
        assert self._link
        for outcome in self._link.outcomes(TICK):
            self._add_outcome(outcome)
        self._workers.check_leases(self._size.mean)
        self._check_stalled(self._link)
        if slow := self._speed.slow_worker():
            name, ratio = slow
            self._warn(f"worker {name} is slow: its games take {ratio:.1f} times as long as the same bots' elsewhere")

    def _games_at_a_time(self) -> int:
        slots = self._workers.slots()
        return min(slots, self._max_games or slots)

    def _update_workers(self, link: SchedulerLink) -> None:
        """Take note of workers that came, went or reported, and of a scheduler that was lost or found again."""
        seen = link.workers
        self._was_lost = bool(link.lost_since)
        has_lost = link.losses != self._losses
        if has_lost:
            self._warn(f"the scheduler at {self._address} is lost; waiting for it to come back")
        self._losses_since_result += link.losses - self._losses
        self._losses = link.losses
        if self._losses_since_result > _MOST_LOSSES:
            raise WorkerLost(f"the connection to {self._address} broke {_MOST_LOSSES} times, and no game was finished")
        for address in [address for address in self._workers if has_lost or address not in seen]:
            for key in self._workers.remove(address, quietly=has_lost or self._was_lost):
                self._flights.pop(key, None)
                link.cancel(key)
        self._workers.update(seen)

    def _send_to(self, address: str, worker: RemoteWorker, threads: int) -> bool:
        """Send a batch to a worker, if it can play any of the queued jobs. The first only prepares the bots."""
        jobs = self._choose_jobs(worker, self._size.games(len(self._queue), threads))
        if not jobs:
            return False
        needed = sorted({bot for job in jobs for bot in self._queue.bots_to_start(job)})
        try:
            pieces, is_complete = self._pieces(worker, [bot for bot in needed if bot not in worker.ready])
        except BotError:
            return True
        can_play = is_complete and worker.has_answered
        self._send(address, worker, jobs if can_play else [], needed if is_complete else [], pieces)
        return True

    def _choose_jobs(self, worker: RemoteWorker, most: int) -> list[Job]:
        """Queued jobs that the worker can play: those of process slots that it has already, else those of the first."""
        in_transit = {bot for flight in worker.flights.values() for bot in flight.bots}
        unable = worker.failed.keys() | in_transit
        able = [
            job
            for job in self._queue.waiting(self._stopping)
            if unable.isdisjoint(job.seats) and self._workers.may_play(worker, job.index)
        ]
        kept = [job for job in able if job.process_slot in worker.process_slots]
        return kept[:most] or [job for job in able if job.process_slot == able[0].process_slot][:most]

    def _pieces(self, worker: RemoteWorker, bots: Collection[int]) -> tuple[list[ArchivePiece], bool]:
        """The next pieces of the archives of these bots, and whether they complete all of them.

        Raises BotError if a bot's files have changed, after it was taken out of the tournament; WorkerLost if they
        can't be packed here.
        """
        pieces: list[ArchivePiece] = []
        left = _PIECE
        for bot in bots:
            try:
                piece = self._archives.piece(bot, worker.sent.get(bot, 0), left)
            except (BotError, OSError) as error:
                lacking = shortage(error) or (isinstance(error, OSError) and (error.strerror or str(error)))
                if lacking:
                    path = self._definition.bots[bot].path
                    raise WorkerLost(f"{path} can't be packed for the workers: {lacking}") from None
                self._queue.fail_bots({bot: "was changed while games were played"})
                raise
            pieces.append(piece)
            worker.sent[bot] = piece.offset + len(piece.data)
            left -= len(piece.data)
            if worker.sent[bot] < piece.size:
                return pieces, False
        return pieces, True

    def _send(
        self, address: str, worker: RemoteWorker, jobs: list[Job], needed: list[int], pieces: list[ArchivePiece]
    ) -> None:
        assert self._link
        tasks = [self._queue.hand_out(job) for job in jobs]
        worker.process_slots.update(job.process_slot for job in jobs)
        bots = {bot for job in jobs for bot in job.seats} | {piece.bot for piece in pieces}
        known = {bot: msgspec.structs.replace(self._definition.bots[bot], command=(), folder="") for bot in bots}
        batch = encode(Batch(self._packed, self._pin, known, needed, pieces, tasks))
        self._sent += 1
        first = jobs[0].index + 1 if jobs else 0
        key = (
            f"fa-{self._definition.name}-{self._run}-{self._sent}-game-{first}-{hashlib.sha256(batch).hexdigest()[:12]}"
        )
        by_game = {task.job.index: task for task in tasks}
        flight = Flight(address, jobs, [piece.bot for piece in pieces], by_game, needed)
        self._flights[key] = worker.flights[key] = flight
        self._link.submit(key, address, batch)

    def _add_outcome(self, outcome: Outcome) -> None:
        flight = self._flights.pop(outcome.key, None)
        if flight is None:
            return
        worker = self._workers.get(flight.address)
        if worker:
            worker.flights.pop(outcome.key, None)
        if worker and worker.is_false:
            return
        if outcome.error is not None:
            self._add_error(worker, flight, outcome.error)
            return
        try:
            answer = decode_answer(outcome.answer)
            seconds = time.monotonic() - flight.began
            check_answer(answer, flight.tasks, flight.needed, self._definition, seconds)
            self._add_answer(worker, flight, answer)
        except FalseAnswer as error:
            self._workers.give_up(flight)
            if worker:
                worker.is_false = True
                self._workers.reject(worker, f"its answer can't be true: {cut(str(error), SHOWN)}")
        except OtherVersion as error:
            self._workers.give_up(flight)
            if worker and outcome.answer:
                has = f"has fa {error}" if str(error) else "has another version of fa"
                self._workers.reject(worker, f"it {has}, and this machine {engine_version()}: install the same version")

    def _add_error(self, worker: RemoteWorker | None, flight: Flight, error: BaseException) -> None:
        """Dask has no result: the worker died or lacks `fa`, or the scheduler was lost."""
        self._workers.give_up(flight)
        if worker is None or self._was_lost or isinstance(error, ConnectionError):
            return
        worker.sent = {}
        text = str(error)  # of an exception there it is a pickle, which nobody loads
        if _NOT_INSTALLED.search(text):
            self._workers.reject(worker, "fa is not installed there: pip install 'fa-cli[cluster]'")
        elif "KilledWorker" not in text and type(error).__name__ not in ("FutureCancelledError", "CancelledError"):
            self._workers.add_problem(worker, "its Dask worker answers with an exception (see what it prints)")

    def _add_answer(self, worker: RemoteWorker | None, flight: Flight, answer: Answer) -> None:
        jobs = {job.index: job for job in flight.jobs}
        if worker:
            self._workers.note_answer(worker, answer)
        for result in answer.results:
            job = jobs[result.index]
            if not self._is_problem(worker, result):
                jobs.pop(job.index)
                self._size.add(result.seconds)
                self._queue.add_result(result)
                self._losses_since_result = 0
                self._workers.note_played(job.index, flight.address)
                if worker:
                    self._speed.add(worker.name, job.setting, job.seats, result.seconds)
        for index, seat in answer.stuck.items():
            if not flight.is_given_up:
                self._workers.note_stuck(index, flight.address)
                self._queue.add_stuck(jobs.pop(index), seat)
        if flight.jobs:
            self._size.grow()
        if worker and len(jobs) == len(flight.jobs) > 0 and not (answer.missing or answer.failed or answer.problem):
            self._workers.add_problem(worker, "it answers without having played")
        for job in reversed([] if flight.is_given_up else list(jobs.values())):
            self._queue.hand_back(job)

    def _is_problem(self, worker: RemoteWorker | None, result: JobResult) -> bool:
        """Whether a game failed because of the worker, which is then rejected. Then another one plays it."""
        if result.entry is not None:
            return False
        if worker:
            lines = (result.shortage or result.error).strip().splitlines() or ["it gives no reason"]
            self._workers.reject(worker, cut(lines[-1], SHOWN))
        return True

    def _check_stalled(self, link: SchedulerLink) -> None:
        """Warn if jobs wait and nobody plays. Raises WorkerLost after `wait` seconds."""
        playing = any(not flight.is_given_up for flight in self._flights.values())
        if not link.lost_since and (playing or not self.busy):
            self._stall.end()
            return
        remedy = "" if link.lost_since else f"start one with: dask worker {link.location} --nthreads 1"
        self._stall.check(self._why_stalled(link), remedy)

    def _why_stalled(self, link: SchedulerLink) -> str:
        if link.lost_since:
            return f"the scheduler at {self._address} is lost"
        if not list(self._workers):
            return f"the scheduler at {self._address} has no worker"
        reasons = "; ".join(dict.fromkeys(self._workers.why_idle()))
        reason = f" ({cut(reasons, 2 * SHOWN)})" if reasons else ""
        return f"no worker at {self._address} can play the next games{reason}"
