"""The jobs of one run: queued, handed out, answered and taken in order, whoever plays them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from ...errors import FaError
from ...game_result import ABSENT, SUSPENDED, Failure, FaultKind
from ...isolation.discovery import Bot
from ...replay.log_entry import LogEntry
from ..schedule import NEW_PROCESS, Job, Schedule
from .suspension import Suspension
from .watchdog import StuckGames

_MOST_AWAY = 3
"""How often a game is begun whose models give no answer, before the run stops."""


class Task(msgspec.Struct, frozen=True, array_like=True):
    """One game for a worker, with the seats of suspended bots and the failures of other seats at its start."""

    job: Job
    suspended: tuple[int, ...] = ()
    failures: dict[int, Failure] = {}
    bots: dict[int, Bot] = {}
    """Bots that the worker does not know yet, by index."""

    def absent_seats(self) -> dict[int, Failure]:
        """The seats whose bots are not started, each with its failure."""
        return {**self.failures, **dict.fromkeys(self.suspended, SUSPENDED)}


class JobResult(msgspec.Struct, frozen=True, array_like=True):
    """A worker's answer to a task: the game, or the reason why it was not played."""

    index: int
    entry: LogEntry | None
    error: str = ""
    """The end of a traceback; an error in `fa` itself, since whatever a bot does wrong is a fault."""
    changed_bots: dict[int, str] = {}
    """Bots whose files have changed, as returned by `BotIntegrity.check`; the game is discarded."""
    shortage: str = ""
    """A sentence on what the machine lacks, if the game failed because of that."""
    suspended: tuple[int, ...] = ()
    """Copied from the task."""
    core_times: tuple[float, float] = (0.0, 0.0)
    """A sample of `CoreTimes`."""
    revoked: bool = False
    """Whether the task was taken back before its game began."""
    stderr_problem: str = ""
    """Why a file of a bot's stderr is incomplete."""
    lost_seat: int = -1
    """The seat of the bot whose supervisor was killed; the game is discarded."""
    away: str = ""
    """Why the provider of a bot's model gave no answer, a sentence; the game is discarded."""
    is_final: bool = False
    """Whether that provider will give none before something is set or paid."""
    seconds: float = 0.0
    """How long the game took, where a worker of a cluster played it."""


class WorkerLost(FaError):
    """A game can't be played, so that the run stops: its worker ended, or what it needs is gone."""


class JobQueue:
    """Jobs on their way from the schedule to the log. A job may be handed out again; its first result counts.

    `absent` has the bots that could not be started (indexes in the definition); their seats get a fault. `warn` takes
    sentences for the user.
    """

    def __init__(
        self, schedule: Schedule, suspension: Suspension, absent: Collection[int], warn: Callable[[str], None]
    ) -> None:
        self._schedule = schedule
        self._bots = schedule.definition.bots
        self._suspension = suspension
        self._absent = dict.fromkeys(absent, ABSENT.detail)
        self._warn = warn
        self._queue: deque[Job] = deque()
        self._assigned: dict[int, Job] = {}
        self._returned = set[int]()
        """The indexes of jobs that were handed out and are queued again."""
        self._results: dict[int, JobResult] = {}
        self._stuck_games = StuckGames()
        self._away = Counter[int]()
        """How often the model of a bot in a game gave no answer, by the game's index."""
        self._begun = schedule.known_results
        """The index after the highest one that was handed out."""

    def fill(self, count: int, ahead: int) -> None:
        """Queue `count` more jobs, fewer if the schedule needs results first.

        Queues none while games have been handed out that are `ahead` games beyond the first that is not in the log.
        """
        if self._begun >= self._schedule.known_results + ahead:
            return
        while count and (job := self._schedule.next_job()):
            self._queue.append(job)
            count -= 1

    def __len__(self) -> int:
        """Queued jobs."""
        return len(self._queue)

    def waiting(self, stopping: bool) -> Sequence[Job]:
        """The queued jobs in order; when stopping, only those before a game that has been handed out."""
        return [job for job in self._queue if job.index < self._begun] if stopping else self._queue

    def hand_out(self, job: Job) -> Task:
        """Remove a queued job; returns it as a task for a worker."""
        self._queue.remove(job)
        self._returned.discard(job.index)
        self._begun = max(self._begun, job.index + 1)
        self._assigned[job.index] = job
        return Task(job, self._suspension.suspended_seats(job.seats), self._start_failures(job))

    def hand_back(self, job: Job) -> None:
        """Queue a job again, before all others, unless it was answered or queued meanwhile."""
        is_open = job.index in self._assigned and job.index not in self._results
        if is_open and job.index not in self._returned:
            self._queue_again(job)

    def take_back(self, jobs: Sequence[Job]) -> None:
        """Queue jobs again whose games have not begun."""
        for job in sorted(jobs, key=lambda job: job.index, reverse=True):
            self.hand_back(job)
        self._begun = 1 + max(self._assigned.keys() - self._returned, default=self._schedule.known_results - 1)

    def add_result(self, result: JobResult) -> None:
        """Keep a result until it is taken; one for a job that has a result already is dropped."""
        job = self._assigned.get(result.index)
        if job is None or result.index in self._results:
            return
        self._begun = max(self._begun, job.index + 1)
        if job.index in self._returned:  # it was handed back, and is answered after all
            self._returned.discard(job.index)
            self._queue = deque(other for other in self._queue if other.index != job.index)
        if result.changed_bots:
            self.fail_bots(result.changed_bots)
            self._play_again(job)
        elif result.lost_seat >= 0:
            self._add_loss(job, result.lost_seat)
        elif result.away:
            self._add_away(job, result)
        else:
            self._results[result.index] = result

    def take(self, index: int) -> tuple[Job, LogEntry] | None:
        """The finished game with this index, ready for the log, and its job; None if it is still being played.

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
        return job, result.entry

    def add_stuck(self, job: Job, seat: int) -> None:
        """A game made no progress while its worker waited for `seat`: play it again, perhaps with a fault.

        Warns. Raises WorkerLost if no bot can be blamed for it.
        """
        names = self._names(job)
        waiting = f"waiting for {names[seat]}" if seat >= 0 else "waiting for none of its bots"
        stuck = f"game {job.index + 1} ({', '.join(names)}) got stuck {waiting}"
        if not self._stuck_games.add(job.index, seat):
            raise WorkerLost(f"{stuck}, again")
        self._play_again_because(stuck, job)

    def _add_loss(self, job: Job, seat: int) -> None:
        """The supervisor of a seat's bot was killed: play the game again, perhaps with a fault. Warns."""
        names = self._names(job)
        self._stuck_games.add_loss(job.index, seat)
        self._play_again_because(
            f"game {job.index + 1} ({', '.join(names)}) lost the process of fa that supervises {names[seat]}", job
        )

    def _add_away(self, job: Job, result: JobResult) -> None:
        """A bot's model gave no answer: play the game again after all others. Warns. Raises WorkerLost in the end."""
        self._away[job.index] += 1
        if result.is_final or self._away[job.index] == _MOST_AWAY:
            raise WorkerLost(result.away)
        self._warn(f"{result.away}; game {job.index + 1} is played again later")
        self._queue.append(msgspec.structs.replace(job, process_slot=NEW_PROCESS))
        self._returned.add(job.index)

    def _names(self, job: Job) -> list[str]:
        return [self._bots[bot].name for bot in job.seats]

    def _play_again_because(self, reason: str, job: Job) -> None:
        """Queue a game again, and warn with the reason and with who fails in it."""
        names = self._names(job)
        failing = ", ".join(names[seat] for seat in self._stuck_games.failures(job.index))
        self._warn(f"{reason}; it is played again{f', and {failing} fails in it' if failing else ''}")
        self._play_again(job)

    def is_out(self, bot: int) -> bool:
        """Whether a bot fails the rest of its games, as was said already."""
        return bot in self._absent

    def fail_bots(self, changed_bots: Mapping[int, str]) -> None:
        """The files of bots have changed, each in the way described: they fail their remaining games; the others play.

        Warns. Raises WorkerLost if a test compares one of them: what it fails must not decide the test.
        """
        rule = self._schedule.definition.stopping_rule
        for bot, change in changed_bots.items():
            path = self._bots[bot].path
            if rule and rule.compares(bot):
                raise WorkerLost(
                    f"{path} {change}, and is compared as it was: put its files back, or begin another test"
                )
            if bot not in self._absent:
                self._warn(
                    f"{path} {change}: it fails the rest of its games (to play on with it, stop; resume --update)"
                )
        self._absent |= changed_bots

    def bots_to_start(self, job: Job) -> list[int]:
        """The bots of a job that a worker must be able to start."""
        suspended, failures = self._suspension.suspended_seats(job.seats), self._start_failures(job)
        return [bot for seat, bot in enumerate(job.seats) if seat not in suspended and seat not in failures]

    def _start_failures(self, job: Job) -> dict[int, Failure]:
        """The seats that fail at the start of this game: their bots are absent, or left the game stuck before."""
        if not self._absent:
            return self._stuck_games.failures(job.index)
        absent = {
            seat: Failure(FaultKind.START, self._absent[bot])
            for seat, bot in enumerate(job.seats)
            if bot in self._absent
        }
        return self._stuck_games.failures(job.index) | absent

    def _play_again(self, job: Job) -> None:
        """Queue a game again, for new bot processes: the old ones have seen its deal."""
        self._queue_again(msgspec.structs.replace(job, process_slot=NEW_PROCESS))

    def _queue_again(self, job: Job) -> None:
        """Queue a job that was handed out before all others."""
        self._queue.appendleft(job)
        self._returned.add(job.index)
