"""Sessions for checking a bot: one that keeps what was said, and one for opponents that need no process."""

from __future__ import annotations

import json
from collections import deque
from contextlib import nullcontext
from typing import Any, Protocol

import msgspec

from ..isolation.bot_process import BotProcess
from ..isolation.bot_session import BotSession
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..results import Failure
from .check.baton_threads import Baton

UNKNOWN: dict[str, object] = {"fa_check": {"later": [1, None, "\u00e4"], "version": 2.5}}
"""A field that no bot knows."""
_LINES = 6  # kept of what was said: the last
_LENGTH = 240  # characters kept of each


class DialogueListener(Protocol):
    """Who hears what is said between a bot and its session."""

    def note(self, mark: str, line: bytes) -> None:
        """A line that was sent (`>`) or received (`<`)."""

    def time(self, seconds: float) -> None:
        """A decision was answered, or the time for it is up."""


class Dialogue:
    """The last that was said between a bot and its session, and the longest that it took for a decision."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=_LINES)
        self.slowest = 0.0
        """In seconds."""
        self.total = 0.0
        self.decisions = 0

    def note(self, mark: str, line: bytes) -> None:
        """A line that was sent (`>`) or received (`<`)."""
        text = line.rstrip(b"\r\n").decode("utf-8", "backslashreplace")
        more = f"... ({len(text)} characters)" if len(text) > _LENGTH else ""
        self._lines.append(f"{mark} {text[:_LENGTH]}{more}")

    def time(self, seconds: float) -> None:
        """A decision was answered, or the time for it is up."""
        self.slowest = max(self.slowest, seconds)
        self.total += seconds
        self.decisions += 1

    def lines(self) -> list[str]:
        """The last lines, in order."""
        return list(self._lines)


class RecordingProcess(BotProcess):
    """Notes what is said, and on demand puts fields into it that no bot knows."""

    hearer: DialogueListener
    adds_unknown = False
    turn: Baton | None = None

    def ask(self, line: bytes, seconds: float) -> bytes | Failure:
        """As `BotProcess.ask`."""
        line = self._sent(line)
        with self.turn.passed_on() if self.turn else nullcontext():
            answer = super().ask(line, seconds)
        self._drain_stderr()  # what it wrote there comes before its answer
        if line.startswith(b'{"type":"decide"'):
            self.hearer.time(self.spent)
        if isinstance(answer, bytes):
            self.hearer.note("<", answer)
        return answer

    def _is_given_up(self) -> bool:
        return self.turn is not None and self.turn.interrupted.is_set()

    def send(self, line: bytes, seconds: float) -> Failure | None:
        """As `BotProcess.send`."""
        return super().send(self._sent(line), seconds)

    def quit(self, line: bytes, seconds: float) -> str | None:
        """As `BotProcess.quit`."""
        return super().quit(self._sent(line), seconds)

    def unasked(self) -> str:
        """What there is to read that was not asked for; empty if there is nothing."""
        failure = self._unasked_output()
        return failure.detail if failure else ""

    def _sent(self, line: bytes) -> bytes:
        if self.adds_unknown:
            line = with_unknown(line)
        self.hearer.note(">", line)
        return line


def with_unknown(line: bytes) -> bytes:
    """A message of the referee as a later version might write it: with fields more, in what is within it too."""
    message: dict[str, Any] = json.loads(line)
    for name in ("clock", "observation"):
        if isinstance(message.get(name), dict):
            message[name] |= UNKNOWN
    kind = {"type": message.pop("type")}
    return msgspec.json.encode(kind | {"fa_first": []} | message | UNKNOWN) + b"\n"


class RecordingSession(BotSession):
    """A session that keeps the dialogue. `turn`: passed on while its bot is waited for."""

    process_kind = RecordingProcess

    def __init__(self, bot: Bot, limits: Limits, adds_unknown: bool = False, turn: Baton | None = None) -> None:
        super().__init__(bot, limits)
        self._turn = turn
        self.dialogue = Dialogue()
        self._adds_unknown = adds_unknown

    def start_process(self) -> BotProcess:
        """As `BotSession.start_process`, recorded."""
        process = super().start_process()
        assert isinstance(process, RecordingProcess)
        process.hearer = self.dialogue
        process.adds_unknown = self._adds_unknown
        process.turn = self._turn
        return process

    def unasked(self) -> str:
        """What the process did that nobody asked for: it wrote something, or ended; empty if it did not."""
        return self._connection.unasked() if isinstance(self._connection, RecordingProcess) else ""

    def end_input(self) -> str | None:
        """Close the input without a word: how the process exited, None if it did not."""
        if not isinstance(self._connection, BotProcess):
            return None
        ended = BotProcess.quit(self._connection, b"", self.limits.end)
        self._forget()
        return ended
