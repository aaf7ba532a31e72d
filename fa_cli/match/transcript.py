"""Transcripts: all messages between referee and bots as they are sent, and the stderr of the bots."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from time import monotonic

from ..isolation.bot_session import BotSession
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..models.model import ModelRun
from ..printing.text import printable
from .recording import recording

PrintLine = Callable[[str], None]
SHORT = 600
"""The most characters of a message in a transcript that is not whole."""
_MAX_STDERR_LINE = 4000  # characters
_OBSERVATION = re.compile(r'"observation":(\{)')


class Transcript:
    """Prints the dialogue with one bot, a line for each message: seconds since the start, name, direction, message.

    `>` marks a message to the bot, `<` its answer, `!` a line of its stderr. Unless `whole`, observations and the ends
    of long messages are omitted.
    """

    def __init__(self, name: str, print_line: PrintLine, start: float, whole: bool = False) -> None:
        self._name = name
        self._print_line = print_line
        self._start = start
        self._whole = whole
        self._decision_time = ""

    def note(self, mark: str, line: bytes) -> None:
        """Print a line that was sent (`>`) or received (`<`)."""
        text = printable(line.rstrip(b"\r\n").decode("utf-8", "backslashreplace"))
        message = text if self._whole else shorten(text)
        decision_time, self._decision_time = self._decision_time, ""
        self._print(mark, f"{message}{decision_time if mark == '<' else ''}")

    def time(self, seconds: float) -> None:
        """Print the time of a decision with the next line."""
        self._decision_time = f"  ({1000 * seconds:.1f} ms)"

    def stderr(self, line: bytes) -> None:
        """Print a line of the bot's stderr."""
        self._print("!", printable(line.rstrip(b"\r\n").decode("utf-8", "backslashreplace"))[:_MAX_STDERR_LINE])

    def _print(self, mark: str, text: str) -> None:
        self._print_line(f"[{monotonic() - self._start:8.3f}] {self._name} {mark} {text}")


def shorten(text: str) -> str:
    """A message without its observation, and no longer than `SHORT`."""
    match = _OBSERVATION.search(text)
    if match:
        try:
            _, end = json.JSONDecoder().raw_decode(text, match.start(1))
            text = f"{text[: match.start(1)]}{{...}}{text[end:]}"
        except (ValueError, RecursionError):
            pass  # a line of a bot, which need not be JSON
    return text if len(text) <= SHORT else f"{text[:SHORT]}... ({len(text)} characters)"


class TranscribedSession(BotSession):
    """A session that writes to a transcript, if there is one."""

    def __init__(self, bot: Bot, limits: Limits, transcript: Transcript | None, models: ModelRun | None = None) -> None:
        super().__init__(bot, limits, models=models)
        if transcript:
            self.make_transport = recording(bot, transcript)
            self._stderr_file = _LineWriter(transcript.stderr)


class _LineWriter(io.BytesIO):
    """A file that passes each line to a function and stores nothing."""

    def __init__(self, write_line: Callable[[bytes], None]) -> None:
        super().__init__()
        self._write_line = write_line
        self._incomplete = b""

    def write(self, data: object) -> int:
        """Write bytes, which may be whole lines or parts of lines."""
        assert isinstance(data, bytes | bytearray | memoryview)
        *lines, self._incomplete = (self._incomplete + bytes(data)).split(b"\n")
        for line in lines:
            self._write_line(line)
        if len(self._incomplete) > _MAX_STDERR_LINE:
            self.close_line()
        return len(data)

    def close_line(self) -> None:
        """Write the incomplete line, if there is one."""
        if self._incomplete:
            self._write_line(self._incomplete)
            self._incomplete = b""

    def close(self) -> None:
        self.close_line()
        super().close()
