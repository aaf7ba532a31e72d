"""Who has failed so often that it plays no more: its seats are played on without it, by a fault at the start.

Whether a bot is benched in a game follows from the games before it in the log alone. A game that was begun when less
was known is played again where that comes out differently, so that the log does not depend on how many are played at
the same time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

_SHARE = 0.1
"""Who fails less often than this has bad luck rather than a bad program."""


class Suspension:
    """The faults so far. `limit` as in `Limits.bench`."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._games: Counter[int] = Counter()
        self._faults: Counter[int] = Counter()
        self._suspended = set[int]()

    def add(self, seats: Sequence[int], faulted: Iterable[int]) -> None:
        """Count a game: the bot in each seat, and the seats that had a fault."""
        self._games.update(seats)
        for seat in faulted:
            bot = seats[seat]
            self._faults[bot] += 1
            if 0 < self._limit <= self._faults[bot] >= _SHARE * self._games[bot]:
                self._suspended.add(bot)

    def suspended_seats(self, seats: Sequence[int]) -> tuple[int, ...]:
        """The seats whose bots are benched."""
        return tuple(seat for seat, bot in enumerate(seats) if bot in self._suspended) if self._suspended else ()
