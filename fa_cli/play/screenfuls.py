"""The person's terminal: output pauses at each screenful, and Tab completes input."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ..printing.terminal import folded, has_colours

Complete = Callable[[str, str], list[str]]
"""(the text before the word, the beginning of the word) -> its completions."""
_MAX_WIDTH = 100
"""Columns in use on a wider terminal."""
_MORE = "-- Enter for more, q to close --"


class Terminal:
    """Standard input and output. If they are not a terminal, nothing pauses and nothing is coloured."""

    def __init__(self, no_colour: bool = False) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        name = os.environ.get("TERM", "")
        self.colours = has_colours() and not no_colour
        self.many_colours = "256" in name or "COLORTERM" in os.environ
        self._used = 0  # rows printed since the last input
        self._typed_ahead = ""
        self._complete: Complete | None = None
        self._readline = _readline() if self.is_terminal else None
        if self._readline:
            self._readline.set_completer(self._candidate)
            self._readline.set_completer_delims(" ")
            libedit = "libedit" in (self._readline.__doc__ or "")
            self._readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")

    @property
    def width(self) -> int:
        """The width in columns."""
        return min(_MAX_WIDTH, shutil.get_terminal_size((80, 24)).columns)

    @property
    def height(self) -> int:
        """The height in rows; practically unlimited without a terminal."""
        return shutil.get_terminal_size((80, 24)).lines if self.is_terminal else 1000

    def room(self) -> int:
        """The rows left on this screen above the prompt."""
        return self.height - 1 - self._used

    def block(self, lines: Sequence[str]) -> None:
        """Print lines that belong together, on a new screen if they do not fit on this one."""
        if self._used and len(lines) > self.room():
            self.pause()
        self.say(lines)

    def say(self, lines: Sequence[str]) -> None:
        """Print lines, each at most as long as the terminal is wide."""
        for line in lines:
            if self.room() < 1 and self.pause():
                break
            print(line)
            self._used += 1
        sys.stdout.flush()

    def write(self, text: str, indent: str = "") -> None:
        """Print a sentence, folded to the terminal's width."""
        self.say(folded(indent + text, self.width))

    def pause(self) -> bool:
        """Wait for Enter; whether q was typed, which closes what is being shown."""
        if self.is_terminal and not self._typed_ahead:
            self._typed_ahead = self._read(_MORE).strip()
        self._used = 0
        is_closed = self._typed_ahead == "q"
        if is_closed:
            self._typed_ahead = ""
        return is_closed

    def ask(self, prompt: str, complete: Complete) -> str:
        """Read a line, or return what was typed at the last pause. Raises EOFError, KeyboardInterrupt."""
        typed_ahead, self._typed_ahead = self._typed_ahead, ""
        if typed_ahead:
            return typed_ahead
        self._complete = complete
        try:
            return self._read(prompt)
        finally:
            self._complete = None

    def _read(self, prompt: str) -> str:
        try:
            typed = input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()
            raise
        except UnicodeDecodeError:
            typed = ""
        if not self.is_terminal:
            print(typed)
        self._used = 0
        return typed

    def _candidate(self, prefix: str, index: int) -> str | None:
        """Called by readline: the completion with this index of a word's prefix; None after the last."""
        if self._complete is None or self._readline is None:
            return None
        before = self._readline.get_line_buffer()[: self._readline.get_begidx()]
        candidates = self._complete(before, prefix)
        return candidates[index] + " " if index < len(candidates) else None


def _readline() -> Any:
    """The readline module; None if this Python has none."""
    try:
        import readline
    except ImportError:
        return None
    return readline
