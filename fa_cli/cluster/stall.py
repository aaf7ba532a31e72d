"""A run on a cluster whose games nobody plays: the user is warned, then the run stops."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..tournament.running.workers import WorkerLost

_NOTICE = 3.0
"""Seconds without progress before the user is warned."""


class Stall:
    """How long nobody has played. The run stops after `wait` seconds. `warn` takes sentences for the user."""

    def __init__(self, wait: float, warn: Callable[[str], None]) -> None:
        self._wait = wait
        self._warn = warn
        self._since = 0.0
        self._has_warned = False

    def end(self) -> None:
        """Somebody plays, or nothing is left to play."""
        self._since, self._has_warned = 0.0, False

    def check(self, reason: str, remedy: str) -> None:
        """Nobody plays now. Without a remedy there is no warning. Raises WorkerLost after `wait` seconds."""
        now = time.monotonic()
        self._since = self._since or now
        if now - self._since > self._wait:
            raise WorkerLost(f"{reason}, for {self._wait:.0f} seconds")
        if remedy and now - self._since > _NOTICE and not self._has_warned:
            self._has_warned = True
            self._warn(f"{reason}; {remedy}")
