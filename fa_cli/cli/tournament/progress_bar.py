"""The progress of a run, on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING, Self

from ...printing.text import printable
from ...tournament.running.progress import RunProgress

if TYPE_CHECKING:
    from rich.progress import Progress

LINE_SECONDS = 5.0
"""Time between two plain lines."""
_BAR = 16
"""The width of the bar alone."""


def progress_listener(games: int, quiet: bool) -> RunProgress:
    """The display that fits stderr, a listener of a run. `games`: in the whole tournament."""
    if quiet:
        return RunProgress(games)
    return Bar(games) if sys.stderr.isatty() else Lines(games)


class Lines(RunProgress):
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


class Bar(RunProgress):
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
