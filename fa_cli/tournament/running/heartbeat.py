"""What a worker publishes of its progress, in memory shared with the main process.

The watchdog of the main process reads it. Publishing must be fast: a worker does it before each decision.
"""

from __future__ import annotations

from typing import Any, Final

MOVES: Final = 0
"""The cell that counts waits."""
SEAT: Final = 1
"""The cell with the seat that the worker waits for."""
SECONDS: Final = 2
"""The cell with the longest time, in seconds, that this wait may take."""
KEPT: Final = 3
REVOKED: Final = 4
"""The worker's tasks beyond the number in the cell `KEPT`, up to the number in the cell `REVOKED`, are taken back."""
CELLS: Final = 5
"""The number of cells."""


class Heartbeat:
    """A worker's side of shared cells: a buffer of at least `CELLS` floats of eight bytes."""

    def __init__(self, cells: Any, /) -> None:
        self._cells = memoryview(cells).cast("B").cast("d")

    def wait(self, seat: int, seconds: float, /) -> None:
        """Publish that a wait of at most `seconds` for a seat's bot begins."""
        cells = self._cells
        cells[SEAT] = seat
        cells[SECONDS] = seconds
        cells[MOVES] += 1.0

    def is_revoked(self, number: int, /) -> bool:
        """Whether the worker's task of this number, from 1, was taken back."""
        revoked = self._cells[REVOKED]  # first: it is written last, so that the other number is there as well
        return bool(self._cells[KEPT] < number <= revoked)
