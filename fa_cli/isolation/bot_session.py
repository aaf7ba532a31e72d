"""A session with a bot's own process."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from ..protocol.session import Session
from .bot_process import BotProcess
from .discovery import Bot
from .limits import DEFAULT_LIMITS, Limits


class BotSession(Session):
    """The session of a bot whose process is started when it is needed. `close` must be called.

    `stderr_path`: a file that takes what the bot writes to stderr, added at its end. Raises OSError if that can't be
    opened.
    """

    process_kind: type[BotProcess] = BotProcess

    def __init__(self, bot: Bot, limits: Limits = DEFAULT_LIMITS, stderr_path: Path | None = None) -> None:
        super().__init__(self.start_process, limits.start, limits.end)
        self.bot = bot
        self.limits = limits
        self._stderr_file: BinaryIO | None = stderr_path.open("ab") if stderr_path else None

    def start_process(self) -> BotProcess:
        """The bot's process, started. Raises OSError."""
        bot = self.bot
        spread = bot.threads > 1
        return self.process_kind(bot.command, bot.folder, self._stderr_file, self.limits, bot.path, spread)

    def close(self) -> str | None:
        """As `Session.close`."""
        ended = super().close()
        if self._stderr_file:
            self._stderr_file.close()
            self._stderr_file = None
        return ended
