"""The bot sessions of one worker, kept alive from game to game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ...isolation.bot_session import BotSession
from ...isolation.discovery import Bot
from ...isolation.limits import Limits
from ...models.model import ModelRun
from ..schedule import NEW_PROCESS, Job

MAX_SESSIONS = 64
"""Sessions kept alive; beyond this number the least recently used one ends."""

OnWait = Callable[[int, float], None]
"""The listener for waits, as `BotSession.on_wait`."""
_Key = tuple[int, int, int]
"""Bot, process slot, and copy: 0 for the bot's first seat at the table, 1 for its second."""


class SessionPool:
    """A pool of bot sessions, of bots by index; more bots may join. Call `close` at the end."""

    def __init__(
        self,
        bots: Mapping[int, Bot],
        limits: Limits,
        stderr: Path | None = None,
        worker: int = 0,
        on_wait: OnWait | None = None,
        models: ModelRun | None = None,
    ) -> None:
        self.bots = bots
        self._limits = limits
        self._stderr = stderr
        self._worker = worker
        self._on_wait = on_wait
        self._models = models
        self._sessions: dict[_Key, BotSession] = {}  # the most recently used one last

    def sessions_for(self, job: Job) -> list[BotSession]:
        """A session for each seat of the job. Those of slot `NEW_PROCESS` are new and end before the next job."""
        self._close([key for key in self._sessions if key[1] == NEW_PROCESS])
        sessions = []
        for seat, bot in enumerate(job.seats):
            key = (bot, job.process_slot, job.seats[:seat].count(bot))
            session = self._sessions.pop(key, None) or self._open(key)
            self._sessions[key] = session
            session.game = job.index
            sessions.append(session)
        self._close(list(self._sessions)[: -max(MAX_SESSIONS, len(sessions))])
        return sessions

    def stderr_problem(self) -> str:
        """Why a file of stderr is incomplete; "" if none is."""
        return next(filter(None, (session.stderr_problem for session in self._sessions.values())), "")

    def _close(self, keys: Sequence[_Key]) -> None:
        """Close these sessions in parallel."""
        if not keys:  # as before most games: starting a pool takes longer than the rest of `sessions_for`
            return
        sessions = [self._sessions.pop(key) for key in keys]
        try:
            with ThreadPoolExecutor(8) as pool:
                list(pool.map(BotSession.close, sessions))
        except RuntimeError:  # not enough memory for a thread
            for session in sessions:
                session.close()

    def _open(self, key: _Key) -> BotSession:
        index, slot, copy = key
        bot = self.bots[index]
        file = self._stderr / f"{bot.name}.{self._worker}.{slot}.{copy}.txt" if self._stderr else None
        session = BotSession(bot, self._limits, file, self._models)
        if self._on_wait:
            session.on_wait = self._on_wait
        return session

    def close(self, at_once: bool = False) -> None:
        """Let all bot processes exit, or stop them at once."""
        if at_once:
            for session in self._sessions.values():
                session.stop()
        self._close(list(self._sessions))
