"""The workers of a cluster as a run knows them: who may get games, what their answers show, and who gets no more."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

from ...printing.text import counted, cut
from ...tournament.running.job_queue import JobQueue
from ..batch_messages import Answer
from .batches import Flight, RemoteWorker
from .scheduler_link import SeenWorker

_LEASE = 600.0
"""Seconds after which the games of a batch are given to another worker, though its own reports: or ten times what it
should take."""
SHOWN = 200
"""The most characters shown of a reason that a worker gives."""
_STARTING = 4
"""Workers on the same host that may prepare at a time."""
_MOST_PROBLEMS = 3
"""Problems in a row after which a worker gets no more games."""


class Workforce:
    """The workers by address. `silence`: seconds without a sign after which a worker's games are given to others.

    `names`: of the bots. `threads_per_game`: how many threads of a worker one game needs.
    """

    def __init__(
        self, queue: JobQueue, warn: Callable[[str], None], silence: float, names: list[str], threads_per_game: int
    ) -> None:
        self._queue = queue
        self._warn = warn
        self._silence = silence
        self._names = names
        self._threads_per_game = threads_per_game
        self._workers: dict[str, RemoteWorker] = {}
        self._stuck_at: dict[int, str] = {}
        """The worker that last reported a game as stuck, by the game's index. Another one plays it next."""

    def __iter__(self) -> Iterator[str]:
        return iter(self._workers)

    def get(self, address: str) -> RemoteWorker | None:
        """A worker; None if it has left."""
        return self._workers.get(address)

    def slots(self) -> int:
        """Games that can be played at a time."""
        return sum(worker.slots for worker in self._workers.values() if not worker.rejected)

    def by_load(self) -> list[tuple[str, RemoteWorker]]:
        """The workers that may get a batch now, those with the fewest batches first.

        Of those that have not prepared the bots yet, few on the same host: the first batch starts processes and bots,
        and many at once would make a machine with few cores stand still.
        """
        silent_since = time.monotonic() - self._silence
        preparing = Counter(
            _host(address)
            for address, worker in self._workers.items()
            if not worker.has_answered and not all(flight.is_given_up for flight in worker.flights.values())
        )
        able = []
        for address, worker in self._workers.items():
            if not worker.room() or worker.last_sign <= silent_since:
                continue
            if not worker.has_answered:
                preparing[_host(address)] += 1
            if worker.has_answered or preparing[_host(address)] <= _STARTING:
                able.append((address, worker))
        return sorted(able, key=lambda pair: len(pair[1].flights) / pair[1].slots)

    def update(self, seen: Mapping[str, SeenWorker]) -> None:
        """Take note of workers that came or reported."""
        for address, found in seen.items():
            worker = self._workers.get(address)
            if worker is None:
                slots = max(1, found.threads // self._threads_per_game)
                name = found.name if found.name == address else f"{found.name} ({address})"
                worker = self._workers[address] = RemoteWorker(name.replace("tcp://", "").replace("tls://", ""), slots)
            if found.last_seen != worker.last_seen:
                worker.last_seen = found.last_seen
                worker.last_sign = time.monotonic()

    def remove(self, address: str, quietly: bool) -> Collection[str]:
        """A worker has left: others play its games. Returns the keys of its batches."""
        worker = self._workers.pop(address)
        games = sum(len(flight.jobs) for flight in worker.flights.values() if not flight.is_given_up)
        for flight in worker.flights.values():
            self.give_up(flight)
        if not quietly and not worker.rejected:
            again = f"; {counted(games, 'game')} {'is' if games == 1 else 'are'} played again" if games else ""
            self._warn(f"worker {worker.name} has left{again}")
        return worker.flights.keys()

    def give_up(self, flight: Flight) -> None:
        """Hand back the jobs of a batch, the last first, so that they are queued in order."""
        if not flight.is_given_up:
            flight.is_given_up = True
            for job in reversed(flight.jobs):
                self._queue.hand_back(job)

    def check_leases(self, mean: float) -> None:
        """Hand back the games of workers that are silent, and of batches that take far too long.

        `mean`: seconds of a game.
        """
        now = time.monotonic()
        for worker in self._workers.values():
            silent = now - worker.last_sign > self._silence
            late = [
                flight
                for flight in worker.flights.values()
                if not flight.is_given_up and (silent or now - flight.began > max(_LEASE, 10 * mean * len(flight.jobs)))
            ]
            for flight in late:
                self.give_up(flight)
            if late:
                games = sum(len(flight.jobs) for flight in late)
                self._warn(f"worker {worker.name} is silent; others play its {counted(games, 'game')}")

    def note_answer(self, worker: RemoteWorker, answer: Answer) -> None:
        """What an answer shows about its worker."""
        worker.last_sign = time.monotonic()
        worker.has_answered = worker.has_answered or not answer.problem
        worker.ready = (worker.ready | set(answer.ready)) - set(answer.missing)
        for bot in (*answer.missing, *answer.ready):
            worker.sent.pop(bot, None)
        worker.missing.update(answer.missing)
        if answer.missing and max(worker.missing.values()) > _MOST_PROBLEMS:
            self.reject(worker, "it asks for the files of a bot again and again")
        for result in answer.results:
            if warning := worker.overload.add(*result.core_times, jobs=0):
                self._warn(f"worker {worker.name}: {warning}")
        for bot, reason in answer.failed.items():
            if bot not in worker.failed:
                self._warn(
                    f"worker {worker.name} can't run {self._names[bot]}, so others play its games: {cut(reason, SHOWN)}"
                )
            worker.failed[bot] = reason
            worker.sent.pop(bot, None)
        if answer.problem:
            worker.sent = {}
            self.add_problem(worker, cut(answer.problem, SHOWN))
        elif answer.results:
            worker.problems = 0

    def may_play(self, worker: RemoteWorker, game: int) -> bool:
        """Whether it was not this worker that last reported the game as stuck."""
        return self._workers.get(self._stuck_at.get(game, "")) is not worker

    def note_stuck(self, game: int, address: str) -> None:
        """A worker reports that a game got stuck."""
        self._stuck_at[game] = address

    def note_played(self, game: int, address: str) -> None:
        """A game was played. If another worker reported it as stuck, count that; too many such reports are no accident.

        A bot is blamed for a stuck game only after two workers in a row have reported it.
        """
        accuser = self._workers.get(self._stuck_at.pop(game, address))
        if accuser and accuser is not self._workers.get(address):
            accuser.unconfirmed += 1
            if accuser.unconfirmed >= _MOST_PROBLEMS:
                self.reject(accuser, "it reports games as stuck that others play")

    def add_problem(self, worker: RemoteWorker, reason: str) -> None:
        """Something went wrong on a worker; too much in a row, or at the start, and it gets no more games."""
        worker.problems += 1
        if worker.problems >= _MOST_PROBLEMS or not worker.has_answered:
            self.reject(worker, reason)
        else:
            self._warn(f"worker {worker.name}: {reason}; its games are played again")

    def reject(self, worker: RemoteWorker, reason: str) -> None:
        """Give a worker no more games."""
        if not worker.rejected:
            worker.rejected = reason
            self._warn(f"worker {worker.name} is not used: {reason}")
        for flight in worker.flights.values():
            self.give_up(flight)

    def why_idle(self) -> list[str]:
        """Why workers get no games, or can't play some of them."""
        reasons = [worker.rejected for worker in self._workers.values() if worker.rejected]
        reasons += [reason for worker in self._workers.values() for reason in worker.failed.values()]
        return reasons + [
            f"game {game + 1} got stuck on worker {worker.name}, so another one must play it"
            for game, address in self._stuck_at.items()
            if (worker := self._workers.get(address))
        ]


def _host(address: str) -> str:
    """The machine of a worker, by its address."""
    return address.rpartition(":")[0]
