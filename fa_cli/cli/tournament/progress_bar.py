"""The progress of a run, on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections import defaultdict
from time import monotonic
from typing import TYPE_CHECKING, Self

from ...printing.terminal import cut_middle, print_line
from ...printing.text import clock_time, counted, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress

    from ...replay.log_entry import LogEntry

LINE_SECONDS = 5.0
"""Time between two plain lines."""
_BAR = 16
"""The width of the bar alone."""
_SHORTEST_NAME = 6
"""A name with less room is not shown."""


def progress_listener(games: int, quiet: bool) -> Silent:
    """The display that fits stderr, a listener of a run. `games`: in the whole tournament."""
    if quiet:
        return Silent(games)
    return Bar(games) if sys.stderr.isatty() else Lines(games)


class Silent:
    """Prints only warnings and that a run is stopping. Counts for the classes that print more."""

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


class Lines(Silent):
    """A plain line every few seconds, and one at the end."""

    def __init__(self, games: int) -> None:
        super().__init__(games)
        self._printed_at = monotonic()
        self._printed_done = -1

    def tick(self) -> None:
        """Print a line if one is due."""
        if monotonic() - self._printed_at >= LINE_SECONDS:
            self._print_progress()

    def __exit__(self, *error: object) -> None:
        if self._printed_done != self.done:
            self._print_progress()

    def _print_progress(self) -> None:
        self._printed_at = monotonic()
        self._printed_done = self.done
        leader = f", {self.leader()}" if self.leader() else ""
        left = f", {self.left} left" if self.done < self.games else ""
        print(f"{self.done}/{self.games} games, {self.rate:.1f}/s{left}{leader}", file=sys.stderr, flush=True)


class Bar(Silent):
    """A progress bar that moves."""

    _bar: Progress

    def __enter__(self) -> Self:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._bar = Progress(
            BarColumn(_BAR),
            MofNCompleteColumn(),
            TextColumn("games  {task.fields[rate]}/s  {task.fields[left]} left  {task.fields[leader]}", markup=False),
            console=Console(stderr=True),
            refresh_per_second=4,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=self.games, rate="0.0", left="-:--", leader="")
        return self

    def __exit__(self, *error: object) -> None:
        self.tick()
        self._bar.stop()

    def tick(self) -> None:
        """Redraw the bar."""
        rate, left = f"{self.rate:.1f}", self.left
        used = _BAR + len(f" {self.games}/{self.games} games  {rate}/s  {left} left  ")
        leader = self.leader(self._bar.console.width - used)
        self._bar.update(self._task, total=self.games, completed=self.done, rate=rate, left=left, leader=leader)

    def _print(self, line: str) -> None:
        """Print above the bar."""
        self._bar.console.print(printable(line), markup=False, highlight=False, emoji=False)
