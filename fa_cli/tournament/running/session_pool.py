"""The bots' processes of one worker, kept alive from game to game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ...isolation.bot_session import BotSession
from ...isolation.discovery import Bot
from ...isolation.limits import Limits
from ..schedule import NEW_PROCESS, Job

MOST = 64
"""Processes kept alive at most; beyond it the one that has not played for longest ends."""

OnWait = Callable[[int, float], None]
"""As `BotSession.on_wait`."""
_Key = tuple[int, int, int]


class SessionPool:
    """Sessions by bot, lane, and how many times the bot sits at the table already. `close` must be called."""

    def __init__(
        self,
        bots: Sequence[Bot],
        limits: Limits,
        stderr: Path | None = None,
        worker: int = 0,
        on_wait: OnWait | None = None,
    ) -> None:
        self._bots = bots
        self._limits = limits
        self._stderr = stderr
        self._worker = worker
        self._on_wait = on_wait
        self._sessions: dict[_Key, BotSession] = {}  # the one that played last at the end

    def sessions_for(self, job: Job) -> list[BotSession]:
        """A session for each seat of the job. Those of lane FRESH are new and end before the next job."""
        self._close([key for key in self._sessions if key[1] == NEW_PROCESS])
        at_table: Counter[int] = Counter()
        sessions = []
        for bot in job.seats:
            key = (bot, job.process_slot, at_table[bot])
            at_table[bot] += 1
            session = self._sessions.pop(key, None) or self._open(key)
            self._sessions[key] = session
            sessions.append(session)
        self._close(list(self._sessions)[: -max(MOST, len(sessions))])
        return sessions

    def _close(self, keys: Sequence[_Key]) -> None:
        """Let these exit, all at a time."""
        sessions = [self._sessions.pop(key) for key in keys]
        try:
            with ThreadPoolExecutor(8) as pool:
                list(pool.map(BotSession.close, sessions))
        except RuntimeError:  # there is no memory for a thread
            for session in sessions:
                session.close()

    def _open(self, key: _Key) -> BotSession:
        place, lane, copy = key
        bot = self._bots[place]
        file = self._stderr / f"{bot.name}.{self._worker}.{lane}.{copy}.txt" if self._stderr else None
        session = BotSession(bot, self._limits, file)
        if self._on_wait:
            session.on_wait = self._on_wait
        return session

    def close(self, at_once: bool = False) -> None:
        """Let all processes exit, or stop them at once."""
        if at_once:
            for session in self._sessions.values():
                session.stop()
        self._close(list(self._sessions))
