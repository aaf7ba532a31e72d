"""Requests to stop a run: Ctrl-C, or a signal that asks the process to end."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from types import FrameType
from typing import Any

from .workers import FROM_TERMINAL

_SIGNALS = (*FROM_TERMINAL, signal.SIGTERM)


class StopRequests:
    """A context that counts stop signals instead of obeying them. Enter it in the main thread."""

    def __init__(self) -> None:
        self.count = 0
        self._previous_handlers: Mapping[int, Any] = {}

    def __enter__(self) -> StopRequests:
        self._previous_handlers = {number: signal.signal(number, self._count_request) for number in _SIGNALS}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)

    def _count_request(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
