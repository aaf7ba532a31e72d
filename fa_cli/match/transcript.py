"""All that is said between bots and the referee, as it is said, with what the bots write to stderr."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from time import monotonic

from ..isolation.bot_process import BotProcess
from ..isolation.bot_session import BotSession
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..text import printable
from .recording import RecordingProcess

PrintLine = Callable[[str], None]
SHORT = 600
"""Characters of a message that are shown at most, unless all are."""
_LONGEST_STDERR = 4000  # characters of a line there
_OBSERVATION = re.compile(r'"observation":(\{)')


class Transcript:
    """What is said to and by one bot goes to `tell`, a line each: seconds since the start, who, and which way.

    `>` is what the bot is told, `<` what it answers, `!` what it writes to stderr. Unless `whole`, observations and the
    ends of long messages are left out.
    """

    def __init__(self, name: str, tell: PrintLine, since: float, whole: bool = False) -> None:
        self._name = name
        self._tell = tell
        self._since = since
        self._whole = whole
        self._took = ""

    def note(self, mark: str, line: bytes) -> None:
        """A line that was sent (`>`) or received (`<`)."""
        text = printable(line.rstrip(b"\r\n").decode("utf-8", "backslashreplace"))
        shown = text if self._whole else shorten(text)
        took, self._took = self._took, ""
        self._say(mark, f"{shown}{took if mark == '<' else ''}")

    def time(self, seconds: float) -> None:
        """A decision was answered, or the time for it is up."""
        self._took = f"  ({1000 * seconds:.1f} ms)"

    def stderr(self, line: bytes) -> None:
        """A line that the bot wrote there."""
        self._say("!", printable(line.rstrip(b"\r\n").decode("utf-8", "backslashreplace"))[:_LONGEST_STDERR])

    def _say(self, mark: str, text: str) -> None:
        self._tell(f"[{monotonic() - self._since:8.3f}] {self._name} {mark} {text}")


def shorten(text: str) -> str:
    """A message without its observation, and no longer than `SHORT`."""
    found = _OBSERVATION.search(text)
    if found:
        try:
            _, end = json.JSONDecoder().raw_decode(text, found.start(1))
            text = f"{text[: found.start(1)]}{{...}}{text[end:]}"
        except (ValueError, RecursionError):
            pass  # a bot's own line, which need not be JSON
    return text if len(text) <= SHORT else f"{text[:SHORT]}... ({len(text)} characters)"


class TranscribedSession(BotSession):
    """A session of which a transcript is made, if one is given."""

    def __init__(self, bot: Bot, limits: Limits, transcript: Transcript | None) -> None:
        super().__init__(bot, limits)
        self._transcript = transcript
        if transcript:
            self.process_kind = RecordingProcess
            self._stderr_file = _Lines(transcript.stderr)

    def start_process(self) -> BotProcess:
        """As `BotSession.start_process`, heard by the transcript."""
        process = super().start_process()
        if isinstance(process, RecordingProcess) and self._transcript:
            process.hearer = self._transcript
        return process


class _Lines(io.BytesIO):
    """A file that keeps nothing: each line that is written to it goes to `tell`."""

    def __init__(self, tell: Callable[[bytes], None]) -> None:
        super().__init__()
        self._say = tell
        self._begun = b""

    def write(self, data: object) -> int:
        """Take some bytes, lines or parts of lines."""
        assert isinstance(data, bytes | bytearray | memoryview)
        *lines, self._begun = (self._begun + bytes(data)).split(b"\n")
        for line in lines:
            self._say(line)
        if len(self._begun) > _LONGEST_STDERR:
            self.close_line()
        return len(data)

    def close_line(self) -> None:
        """What was written since the last newline is a line, too."""
        if self._begun:
            self._say(self._begun)
            self._begun = b""

    def close(self) -> None:
        """Nothing more comes."""
        self.close_line()
        super().close()
