"""Keeping what a process writes: the end of it in memory, the beginning of it in a file."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import BinaryIO

from .limits import MIB

STDERR_FILE = 64 * MIB
"""The most bytes of a process's stderr that are written to a file: the first ones."""


class StderrFile(io.FileIO):
    """A file to which stderr is appended. What it can't take is dropped: no game ends because a disk is full.

    Raises OSError if this process may open no more files.
    """

    def __init__(self, path: Path) -> None:
        self.problem = ""
        """Why the file is incomplete; "" while it is not."""
        self._path = path
        try:
            super().__init__(path, "ab")
        except OSError as error:
            super().__init__(os.devnull, "ab")
            self._give_up(error)

    def write(self, data: object) -> int:
        """Write bytes, as many as fit. Returns how many were given."""
        assert isinstance(data, bytes | bytearray | memoryview)
        unwritten = memoryview(data)
        while unwritten and not self.problem:
            try:
                unwritten = unwritten[super().write(unwritten) :]
            except OSError as error:
                self._give_up(error)
        return len(data)

    def _give_up(self, error: OSError) -> None:
        self.problem = f"{self._path}: {error.strerror}"


class Tail:
    """The last `kept` bytes of a stream in memory; the first `room` bytes in `file`, if there is one."""

    def __init__(self, file: BinaryIO | None, kept: int, room: int) -> None:
        self._last = bytearray()
        self._kept = kept
        self._file = file
        self._room = room

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
