"""Keeping a process's stderr: the end of it in memory, the beginning of it in a file."""

from __future__ import annotations

from typing import BinaryIO

from .limits import MIB

STDERR_FILE = 64 * MIB
"""The most bytes of a process's stderr that are written to a file: the first ones."""


class Tail:
    """The last `kept` bytes of a stream in memory; the first `STDERR_FILE` bytes in `file`, if there is one."""

    def __init__(self, file: BinaryIO | None, kept: int) -> None:
        self._last = bytearray()
        self._kept = kept
        self._file = file
        self._room = STDERR_FILE

    def add(self, chunk: bytes) -> None:
        """Append to the stream."""
        self._last += chunk
        if len(self._last) > 2 * self._kept:
            del self._last[: -self._kept]
        if self._file and self._room > 0:
            self._file.write(chunk[: self._room])
            self._room -= len(chunk)

    def text(self) -> str:
        """The last `kept` bytes; those that are not UTF-8 as escapes."""
        return self._last[-self._kept :].decode("utf-8", "backslashreplace")
