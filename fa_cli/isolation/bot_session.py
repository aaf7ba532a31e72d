"""A session with a bot's own process."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from .. import mypyc_attr
from ..errors import StartRefused, SupervisorLost
from ..game_result import Failure, FaultKind, Loss, Refused
from ..protocol.session import Session
from .bot_process import BotProcess
from .discovery import Bot
from .limits import DEFAULT_LIMITS, Limits
from .stderr_tail import StderrFile


@mypyc_attr(allow_interpreted_subclasses=True)
class BotSession(Session):
    """A session that starts the bot's process when it needs one. `close` must be called.

    `stderr_path`: a file to which the bot's stderr is appended, see `StderrFile`.
    """

    def __init__(self, bot: Bot, limits: Limits = DEFAULT_LIMITS, stderr_path: Path | None = None) -> None:
        super().__init__(self.start_process, limits.start, limits.end)
        self.bot = bot
        self.limits = limits
        self.process_kind: type[BotProcess] = BotProcess
        self.excuses_refusal = False
        """Whether `start` raises StartRefused if the bot was refused memory, processes, files or disk."""
        self._stderr_file: BinaryIO | None = StderrFile(stderr_path) if stderr_path else None

    @property
    def stderr_problem(self) -> str:
        """Why the file of the bot's stderr is incomplete; "" if it is not."""
        file = self._stderr_file
        return file.problem if isinstance(file, StderrFile) else ""

    def start_process(self) -> BotProcess:
        """Start the bot's process. Raises OSError."""
        bot = self.bot
        all_cores = bot.threads > 1
        return self.process_kind(bot.command, bot.folder, self._stderr_file, self.limits, bot.path, all_cores)

    def fail(self, failure: Failure) -> Failure:
        """Like `Session.fail`. Raises SupervisorLost for a `Loss`, and StartRefused (see `excuses_refusal`)."""
        super().fail(failure)
        if isinstance(failure, Loss):
            lost = f"the process of fa that supervises {self.bot.name} was killed"
            raise SupervisorLost(f"{lost}, by a person or for want of memory; try again", self._seat)
        if isinstance(failure, Refused) and failure.kind is FaultKind.START and self.excuses_refusal:
            raise StartRefused(f"{self.bot.name} {failure.detail}", self._seat)
        return failure

    def close(self) -> str | None:
        """Like `Session.close`; also closes the file of the bot's stderr."""
        exit_status = super().close()
        if self._stderr_file:
            self._stderr_file.close()
            self._stderr_file = None
        return exit_status
