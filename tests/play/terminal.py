"""A pseudo-terminal that runs `fa play`, for tests."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

PROMPT = "Your choice, or help > "
MORE = "-- Enter for more, q to close --"
_CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")


class Seat:
    """`fa ARGS...` in a terminal, of 24 rows and 80 columns by default."""

    def __init__(self, folder: Path, *args: str | Path, rows: int = 24, columns: int = 80, **environment: str) -> None:
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a read may end within a letter
        self._read = 0
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "VIRTUAL_ENV")}
        self.pid, self._file = pty.fork()
        if self.pid == 0:
            for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)  # a job in the background would hand on that they are ignored
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.chdir(folder)
            command = [sys.executable, "-m", "fa_cli", *map(str, args)]
            os.execve(sys.executable, command, kept | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | environment)

    def wait(self, *ends: str, seconds: float = 60) -> str:
        """Output without colours, up to one of these endings; at the end of the program all the rest.

        At a pause Enter is typed.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            shown = plain(self.raw[self._read :])
            if shown.endswith(ends or (PROMPT,)):
                self._read = len(self.raw)
                return shown
            if shown.endswith(MORE) and shown.count(MORE) > shown.count(f"{MORE}\n"):
                self.type("\n")
            if select.select([self._file], [], [], 0.5)[0]:
                try:
                    chunk = os.read(self._file, 65536)
                except OSError:  # so Linux tells the end
                    chunk = b""
                if not chunk:
                    self._read = len(self.raw)
                    return shown
                self.raw += self._decoder.decode(chunk)
        raise AssertionError(f"nothing more came: {self.raw[-2000:]}")

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self._file, text.encode())

    def say(self, text: str) -> str:
        """Type a line; returns the output up to the next prompt."""
        self.type(f"{text}\n")
        return self.wait()

    def status(self) -> int:
        """The exit code, once the program has ended."""
        self.wait("\0")
        _, status = os.waitpid(self.pid, 0)
        os.close(self._file)
        return os.waitstatus_to_exitcode(status)

    def lines(self) -> list[str]:
        """All output so far, as lines."""
        return plain(self.raw).split("\n")


def plain(text: str) -> str:
    """The text without colours and cursor movements."""
    return _CODES.sub("", text).replace("\r\n", "\n").replace("\r", "")
