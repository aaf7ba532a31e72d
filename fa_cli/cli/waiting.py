"""The progress of work that takes longer than a second: a bar on stderr that is erased at the end."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

from ..printing.terminal import cut_middle
from ..printing.text import printable

if TYPE_CHECKING:
    from rich.progress import Progress

_SILENT_SECONDS = 1.0
"""Work that takes no longer shows nothing."""
_INTERVAL = 0.1
"""Seconds between two updates."""
_BAR = 16
"""The width of the bar alone."""


class WaitingBar:
    """Shows on a terminal what is being done, and how far it is. It can be closed and used again."""

    def __init__(self, quiet: bool) -> None:
        self._shows = not quiet and sys.stderr.isatty()
        self._began: float | None = None
        self._next = 0.0
        self._bar: Progress | None = None

    def report(self, text: str, done: int, total: int) -> None:
        """`done` parts of `total` are done of what the text names."""
        now = monotonic()
        if self._began is None:
            self._began, self._next = now, now + _SILENT_SECONDS
        if self._shows and now >= self._next:
            self._next = now + _INTERVAL
            bar = self._bar = self._bar or _started_bar()
            what = cut_middle(printable(text), max(1, bar.console.width - _BAR - len("  100%  ")))
            bar.update(bar.task_ids[0], description=what, completed=done, total=max(1, total))

    def close(self) -> None:
        """Erase the bar."""
        if self._bar:
            self._bar.stop()
        self._bar = self._began = None


def _started_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(_BAR), TextColumn("{task.percentage:>3.0f}%  {task.description}", markup=False))
    bar = Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=4)
    bar.add_task("")
    bar.start()
    return bar
