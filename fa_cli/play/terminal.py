"""The terminal: what is written there stops at each screenful; what is typed can be completed with Tab."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any

Complete = Callable[[str, str], list[str]]
"""(the words before, the word that is begun) -> what it can be."""
_MOST = 100
"""Columns that are written at most."""
_MORE = "-- Enter for more --"


class Terminal:
    """Standard input and output. Where they are no terminal nothing stops, and nothing is coloured."""

    def __init__(self, no_colour: bool = False) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        name = os.environ.get("TERM", "")
        self.colours = sys.stdout.isatty() and not (no_colour or os.environ.get("NO_COLOR") or name in ("", "dumb"))
        self.many_colours = "256" in name or "COLORTERM" in os.environ
        self._used = 0  # rows since the person last typed something
        self._ahead = ""
        self._complete: Complete | None = None
        self._readline = _readline() if self.is_terminal else None

    @property
    def width(self) -> int:
        """Columns."""
        return min(_MOST, shutil.get_terminal_size((80, 24)).columns)

    @property
    def height(self) -> int:
        """Rows; without a terminal, as many as one needs."""
        return shutil.get_terminal_size((80, 24)).lines if self.is_terminal else 1000

    def room(self) -> int:
        """Rows that are left for what is to be seen together with the prompt."""
        return self.height - 1 - self._used

    def block(self, lines: Sequence[str]) -> None:
        """Lines that belong together; they begin a new screen if they do not fit on this one."""
        if self._used and len(lines) > self.room():
            self.pause()
        self.say(lines)

    def say(self, lines: Sequence[str]) -> None:
        """Write lines, no longer than the terminal is wide."""
        for line in lines:
            if self.room() < 1:
                self.pause()
            print(line)
            self._used += 1
        sys.stdout.flush()

    def tell(self, text: str, indent: str = "") -> None:
        """Write a sentence, on as many lines as it needs."""
        self.say(folded(text, self.width, indent))

    def pause(self) -> None:
        """Wait for Enter."""
        if self.is_terminal and not self._ahead:
            self._ahead = self._read(_MORE).strip()
        self._used = 0

    def ask(self, prompt: str, complete: Complete) -> str:
        """What is typed, or was typed at the last pause. Raises EOFError at the end of the input, KeyboardInterrupt."""
        ahead, self._ahead = self._ahead, ""
        if ahead:
            return ahead
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

    def _candidates(self, begun: str, number: int) -> str | None:
        """Called by readline: the candidate of that number for the word that is begun."""
        if self._complete is None or self._readline is None:
            return None
        before = self._readline.get_line_buffer()[: self._readline.get_begidx()]
        found = self._complete(before, begun)
        return found[number] + " " if number < len(found) else None

    def begin(self) -> None:
        """Let Tab complete."""
        if self._readline:
            self._readline.set_completer(self._candidates)
            self._readline.set_completer_delims(" ")
            libedit = "libedit" in (self._readline.__doc__ or "")
            self._readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


def folded(text: str, width: int, indent: str = "", hanging: bool = True) -> list[str]:
    """The text on lines of at most so many columns; `hanging`: those after the first are indented two more."""
    return wrap(text, width, initial_indent=indent, subsequent_indent=indent + "  " * hanging) or [""]


def _readline() -> Any:
    """The line editor; None where Python has none."""
    try:
        import readline
    except ImportError:
        return None
    return readline
