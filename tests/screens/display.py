"""A pseudo-terminal that shows what a full-screen program draws, for tests."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pyte

from tests.play.terminal import Seat

KEYS = {
    "right": "\x1b[C", "left": "\x1b[D", "up": "\x1b[A", "down": "\x1b[B",
    "home": "\x1b[H", "end": "\x1b[F", "pageup": "\x1b[5~", "pagedown": "\x1b[6~",
    "enter": "\r", "escape": "\x1b", "tab": "\t", "shift+right": "\x1b[1;2C", "ctrl+c": "\x03", "backspace": "\x7f",
}  # fmt: skip
RESTORED = "\x1b[?1049l", "\x1b[?25h"
"""Back from the alternate screen, with a cursor."""


class Display(Seat):
    """`fa ARGS...` in a terminal whose screen can be read."""

    def __init__(self, folder: Path, *args: str | Path, rows: int = 24, columns: int = 80, **environment: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self.ended = False
        super().__init__(folder, *args, rows=rows, columns=columns, **environment)
        self.modes = termios.tcgetattr(self._file)

    @property
    def rows(self) -> list[str]:
        """What the screen shows."""
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        """All rows."""
        return "\n".join(self.rows)

    def until(self, check: str | Callable[[str], bool], seconds: float = 30) -> str:
        """Wait for a text, or until a check of the screen is true, and until nothing more is drawn."""
        test = check if callable(check) else lambda text: check in text
        end = time.monotonic() + seconds
        while not test(self.text):
            assert not self.ended and time.monotonic() < end, f"{check!r} did not come:\n{self.text}"
            self._feed(0.2)
        return self.settle(0.1)

    def settle(self, seconds: float = 0.4) -> str:
        """Wait until nothing more is drawn; returns the screen."""
        end = time.monotonic() + 10
        while self._feed(seconds) and time.monotonic() < end:
            pass
        return self.text

    def press(self, *keys: str) -> None:
        """Press keys: names in `KEYS`, or texts that are typed."""
        for key in keys:
            self.type(KEYS.get(key, key))

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the terminal."""
        self.screen.resize(rows, columns)
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def end(self) -> int:
        """Wait for the end of the program; returns its exit code. The terminal must be as it was before."""
        until = time.monotonic() + 30
        while not self.ended and time.monotonic() < until:
            self._feed(0.5)
        assert self.ended, f"it did not end:\n{self.text}"
        modes = termios.tcgetattr(self._file)
        assert modes == self.modes, "the terminal's modes are not restored"
        _, status = os.waitpid(self.pid, 0)
        os.close(self._file)
        return os.waitstatus_to_exitcode(status)

    def hang_up(self) -> int:
        """Close the terminal's window; returns the exit code of the program, which has 10 seconds to end."""
        os.close(self._file)
        until = time.monotonic() + 10
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > until:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.05)

    def _feed(self, seconds: float) -> bool:
        """Draw what comes within this time; whether anything came."""
        if self.ended or not select.select([self._file], [], [], seconds)[0]:
            return False
        try:
            chunk = os.read(self._file, 65536)
        except OSError:  # how Linux reports the end
            chunk = b""
        self.ended = not chunk
        text = self._decoder.decode(chunk)
        self.raw += text
        self._stream.feed(text)
        return bool(chunk)
