"""The progress of a run: counted, and told on stderr as far as it must be."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Self

from ...printing.terminal import cut_middle, print_line
from ...printing.text import clock_time, counted, printable

if TYPE_CHECKING:
    from ...replay.log_entry import LogEntry

_SHORTEST_NAME = 6
"""A name with less room is not shown."""


class RunProgress:
    """Hears of a run: counts games, and prints only warnings and that it is stopping. Other classes print more."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.done = 0
        self._done_before = 0  # in earlier runs
        self._started = monotonic()
        self._played: defaultdict[str, int] = defaultdict(int)
        self._wins: defaultdict[str, float] = defaultdict(float)
        self.evidence: Callable[[], str] = str
        """How near the test of --until is to a decision, shown in place of the leader; empty without one."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def begin(self, done: int) -> None:
        """The run starts, with `done` games in the log."""
        self.done = self._done_before = done
        self._started = monotonic()

    def expect(self, games: int) -> None:
        """The tournament now has this number of games."""
        self.games = games

    def played(self, entry: LogEntry) -> None:
        """A game was written to the log."""
        self.done += 1
        self.known(entry)

    def known(self, entry: LogEntry) -> None:
        """Count the wins of a game, which may be of an earlier run. As in leaderboards, who has failed has not won."""
        from ...leaderboard.labels import bots_of

        ranks = entry.result.ranks
        share = 1 / max(1, ranks.count(1))
        failed = {fault.seat for fault in entry.faults}
        for seat, (bot, rank) in enumerate(zip(bots_of(entry.players), ranks, strict=True)):
            self._played[bot] += 1
            if rank == 1 and seat not in failed:
                self._wins[bot] += share

    def tick(self) -> None:
        """Time has passed."""

    def stopping(self, running: int) -> None:
        """The user asked to stop."""
        self._print(f"fa: finishing {counted(running, 'game')} in progress; press Ctrl-C again to stop now")

    def warn(self, text: str) -> None:
        """Print a warning; the run continues."""
        self._print(f"warning: {text}")

    def _print(self, line: str) -> None:
        print_line(line, sys.stderr, flush=True)

    @property
    def rate(self) -> float:
        """Games per second in this run."""
        return (self.done - self._done_before) / max(1e-6, monotonic() - self._started)

    @property
    def left(self) -> str:
        """The remaining time, as `1:05` or `2:00:00`."""
        if not self.rate:
            return "-:--"
        return clock_time((self.games - self.done) / self.rate)

    def leader(self, columns: int | None = None) -> str:
        """The bot with the largest share of wins, in words; empty before the first one.

        With `columns` in at most this width, the name cut; empty if there is no room for a name.
        """
        if evidence := printable(self.evidence()):
            return evidence if columns is None else cut_middle(evidence, columns)
        if not any(self._wins.values()):
            return ""
        best = max(self._played, key=lambda bot: self._wins[bot] / self._played[bot])
        share = f" leads with {100 * (self._wins[best] / self._played[best]):.0f}% wins"
        if columns is None:
            return printable(best) + share
        room = columns - len(share)
        return cut_middle(printable(best), room) + share if room >= _SHORTEST_NAME else ""
