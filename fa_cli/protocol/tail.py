"""What is kept of a process's stderr."""

from __future__ import annotations

from typing import BinaryIO

from .limits import MIB

STDERR_FILE = 64 * MIB
"""How much of a process's stderr goes to a file, in bytes: the first."""


class Tail:
    """The last of a stream in memory, and the first of it in a file if there is one."""

    def __init__(self, file: BinaryIO | None, kept: int) -> None:
        self._last = bytearray()
        self._kept = kept
        self._file = file
        self._room = STDERR_FILE

    def add(self, chunk: bytes) -> None:
        """What it wrote next."""
        self._last += chunk
        if len(self._last) > 2 * self._kept:
            del self._last[: -self._kept]
        if self._file and self._room > 0:
            self._file.write(chunk[: self._room])
            self._room -= len(chunk)

    def text(self) -> str:
        """The last of it; bytes that are no UTF-8 as escapes."""
        return self._last[-self._kept :].decode("utf-8", "backslashreplace")
