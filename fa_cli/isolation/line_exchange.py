"""The usual exchange with a bot: one line there, one line back. line_exchange.c does the same, compiled.

Whatever is not usual (a full pipe, output to stderr, no answer in time) ends the exchange, and the caller continues.
"""

from __future__ import annotations

import os
import select
from math import ceil
from time import monotonic
from typing import Final

ANSWERED: Final = -4
"""All was written, and what was read is one line."""
LATE: Final = -1
"""Nothing was written: it is too late."""
UNASKED: Final = -2
"""Nothing was written: there was output, or the end of it, before."""
CLOSED: Final = -3
"""Nothing was written: the bot's input is closed."""
_READ: Final = 65536
"""Bytes read at most: what a pipe holds."""


class LineExchange:
    """The non-blocking pipes of a bot: its stdin, stdout and stderr as this process's descriptors.

    `max_line`: the most bytes of an answer, with its newline.
    """

    def __init__(self, stdin: int, stdout: int, stderr: int, max_line: int) -> None:
        self._stdin, self._stdout, self._stderr, self._max_line = stdin, stdout, stderr, max_line
        self._poller = select.poll()
        self._poller.register(stdout, select.POLLIN)
        self._poller.register(stderr, select.POLLIN)
        self._only_answer = [(stdout, select.POLLIN)]

    def ignore_stderr(self) -> None:
        """Poll stderr no more: it has ended."""
        self._poller.unregister(self._stderr)

    def ask(self, line: bytes, seconds: float, latest: float, /) -> tuple[int, bytes | None, float, float]:
        """Write a line unless it is later than `latest`, wait for output, and read it if there is none to stderr too.

        Returns how many bytes were written or one of the constants above, what was read (None: nothing; b"": its end),
        and when the exchange began and ended, as `time.monotonic` tells. Raises OSError if stdout can't be read.
        """
        if self._poller.poll(0):
            return UNASKED, None, 0.0, 0.0
        started = monotonic()
        if started > latest:
            return LATE, None, started, started
        chunk: bytes | None = None
        try:
            written = os.write(self._stdin, line)
        except BlockingIOError:
            written = 0
        except OSError:
            return CLOSED, None, started, started
        if written == len(line) and self._poller.poll(ceil(seconds * 1000)) == self._only_answer:
            try:
                chunk = os.read(self._stdout, _READ)
            except BlockingIOError:
                chunk = None
        if chunk and chunk.find(b"\n") + 1 == len(chunk) <= self._max_line:
            return ANSWERED, chunk, started, monotonic()
        return written, chunk, started, monotonic()
