"""Bot sessions that record the dialogue between referee and bot, line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any, Protocol

import msgspec

from ..game_result import Failure
from ..isolation.bot_process import BotProcess
from ..isolation.bot_session import BotSession
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..isolation.transport.base import Transport
from ..isolation.transport.remote import RemoteTransport, is_remote

UNKNOWN_FIELDS: dict[str, object] = {"fa_check": {"later": [1, None, '\u00e4 "quoted" \\ text'], "version": 2.5}}
"""A field that no bot knows, as a later version of the protocol might add it."""
_GREETING = 2
"""The lines before a process's first game: `hello`, and the answer to it."""
_NEVER = Event()


class DialogueListener(Protocol):
    """Receives the lines exchanged between a bot and its session."""

    def note(self, mark: str, line: bytes) -> None:
        """A line was sent (`>`) or received (`<`)."""

    def time(self, seconds: float) -> None:
        """A decision was answered, or its time ran out, after this many seconds."""


class Dialogue:
    """A listener that keeps the lines since the process or its last game began, and the times of decisions."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.slowest = 0.0
        """The time of the slowest decision in seconds."""
        self.total = 0.0
        """The time of all decisions in seconds."""
        self.decisions = 0

    def note(self, mark: str, line: bytes) -> None:
        """Keep a line that was sent (`>`) or received (`<`)."""
        text = line.rstrip(b"\r\n").decode("utf-8", "backslashreplace")
        if text.startswith('{"type":"hello"'):
            self.lines.clear()
        elif text.startswith('{"type":"start"'):
            del self.lines[_GREETING:]
        self.lines.append(f"{mark} {text}")

    def time(self, seconds: float) -> None:
        """Count the time of a decision."""
        self.slowest = max(self.slowest, seconds)
        self.total += seconds
        self.decisions += 1


class Recording(Transport):
    """A transport whose dialogue goes to a listener; can add unknown fields to the messages sent."""

    def __init__(self, listener: DialogueListener, adds_unknown: bool, interrupted: Event, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._listener = listener
        self._adds_unknown = adds_unknown
        self._interrupted = interrupted

    def ask(self, line: bytes, seconds: float) -> bytes | Failure:
        line = self._sent(line)
        answer = super().ask(line, seconds)
        self._drain_stderr()  # so that a transcript has it before the answer
        if line.startswith(b'{"type":"decide"'):
            self._listener.time(self.spent)
        if isinstance(answer, bytes):
            self._listener.note("<", answer)
        return answer

    def _is_given_up(self) -> bool:
        return self._interrupted.is_set()

    def send(self, line: bytes, seconds: float) -> Failure | None:
        return super().send(self._sent(line), seconds)

    def quit(self, line: bytes, seconds: float) -> str | None:
        return super().quit(self._sent(line), seconds)

    def unsolicited_output(self) -> str:
        """What the bot did without being asked, as a phrase that begins with a verb; empty if nothing."""
        failure = self._unasked_output()
        return failure.detail if failure else ""

    def _sent(self, line: bytes) -> bytes:
        if self._adds_unknown:
            line = with_unknown(line)
        self._listener.note(">", line)
        return line


class _RecordingProcess(Recording, BotProcess):
    """A bot's process."""


class _RecordingRemote(Recording, RemoteTransport):
    """A remote bot's program."""


def recording(
    bot: Bot, listener: DialogueListener, adds_unknown: bool = False, interrupted: Event = _NEVER
) -> Callable[..., Recording]:
    """What makes the recorded transports of a bot, given the arguments of `BotProcess`."""
    return partial(_RecordingRemote if is_remote(bot.path) else _RecordingProcess, listener, adds_unknown, interrupted)


def with_unknown(line: bytes) -> bytes:
    """A message of the referee with additional fields, also in its nested objects, as a later version might send it."""
    message: dict[str, Any] = json.loads(line)
    for name in ("clock", "observation"):
        if isinstance(message.get(name), dict):
            message[name] |= UNKNOWN_FIELDS
    kind = {"type": message.pop("type")}
    return msgspec.json.encode(kind | {"fa_first": []} | message | UNKNOWN_FIELDS) + b"\n"


class RecordingSession(BotSession):
    """A session that keeps the dialogue. Once `interrupted` is set it does not wait for the bot."""

    def __init__(self, bot: Bot, limits: Limits, adds_unknown: bool, interrupted: Event) -> None:
        super().__init__(bot, limits)
        self.dialogue = Dialogue()
        self.make_transport = recording(bot, self.dialogue, adds_unknown, interrupted)

    @property
    def answer_seconds(self) -> float:
        """What its clock counted for the latest answer of the process."""
        return self._process.spent if self._process else 0.0

    def unsolicited_output(self) -> str:
        """What the process did without being asked (it wrote something, or ended); empty if nothing."""
        return self._process.unsolicited_output() if isinstance(self._process, Recording) else ""

    def end_input(self) -> str | None:
        """Close the bot's stdin without a `quit`; returns how the process exited, None if it did not."""
        if not isinstance(self._process, BotProcess):
            return None
        exit_text = BotProcess.quit(self._process, b"", self.limits.end)
        self._forget()
        return exit_text
