"""The requests that are with a provider: a process that ends waits for their answers, which are paid."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

SETTLING_SECONDS = 600.0
"""How long a process whose run was killed may wait for its last answers."""


class Sending:
    """The requests under way, of all gateways of this process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._ends = False

    @contextmanager
    def begin(self) -> Iterator[bool]:
        """A request is sent and its answer kept. Yields whether it may be sent: not once this process ends."""
        with self._changed:
            may_send = not self._ends
            self._count += may_send
        try:
            yield may_send
        finally:
            with self._changed:
                self._count -= may_send
                self._changed.notify_all()

    def end(self) -> None:
        """Send no more, and wait until what was sent is answered and kept."""
        with self._changed:
            self._ends = True
            self._changed.wait_for(lambda: not self._count, SETTLING_SECONDS)


SENDING = Sending()
