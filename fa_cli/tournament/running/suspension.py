"""Suspends bots after too many faults: their seats get a fault at the start of each further game.

Whether a bot is suspended in a game depends only on the games before it in the log. A game that began before those were
known is played again if it had the wrong bots suspended, so the log does not depend on the number of workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from ...game_result import ABSENT, SUSPENDED, Failure
from ...printing.text import counted
from ...replay.log_entry import LogEntry
from ...replay.record import fault_detail

_SHARE = 0.1
"""A bot that fails in a smaller share of its games is unlucky rather than broken, and is not suspended."""


class Suspension:
    """Counts faults and decides who is suspended. `limit` is `Limits.max_faults`; 0 never suspends a bot.

    `remote`: the bots whose absence when a run began does not count, since a network may be the reason.
    """

    def __init__(self, limit: int, remote: Collection[int] = ()) -> None:
        self._limit = limit
        self._remote = remote
        self._games: Counter[int] = Counter()
        self._faults: Counter[int] = Counter()
        self._suspended = set[int]()

    def add_game(self, seats: Sequence[int], entry: LogEntry) -> list[int]:
        """Count a game of the log, with a bot per seat in `seats`. Returns bots now suspended."""
        excused = {
            fault.seat
            for fault in entry.faults
            if seats[fault.seat] in self._remote
            and Failure(fault.kind, fault_detail(entry.meta, fault)) in (ABSENT, SUSPENDED)
        }
        return self.add(seats, {fault.seat for fault in entry.faults} - excused)

    def add(self, seats: Sequence[int], faulted: Iterable[int]) -> list[int]:
        """Count a game: `seats` has a bot per seat, `faulted` the seats with a fault. Returns bots now suspended."""
        before = set(self._suspended)
        for bot in seats:  # in half the time of Counter.update
            self._games[bot] += 1
        for seat in faulted:
            bot = seats[seat]
            self._faults[bot] += 1
            if 0 < self._limit <= self._faults[bot] >= _SHARE * self._games[bot]:
                self._suspended.add(bot)
        return sorted(self._suspended - before)

    def describe(self, bot: int) -> str:
        """What became of a suspended bot, in words."""
        faults, games = counted(self._faults[bot], "fault"), counted(self._games[bot], "game")
        return f"suspended after {faults} in {games}: it loses the rest of its games (--max-faults)"

    def suspended_seats(self, seats: Sequence[int]) -> tuple[int, ...]:
        """The seats of suspended bots."""
        return tuple(seat for seat, bot in enumerate(seats) if bot in self._suspended) if self._suspended else ()
