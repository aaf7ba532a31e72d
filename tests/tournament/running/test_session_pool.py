"""The sessions of a worker: which are kept for the next game."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import read_bot
from fa_cli.isolation.limits import Limits
from fa_cli.tournament.running.session_pool import SessionPool
from fa_cli.tournament.schedule import NEW_PROCESS, Job

from ..helpers import dice


@pytest.fixture
def pool(tmp_path: Path) -> SessionPool:
    return SessionPool(dict(enumerate(map(read_bot, dice(tmp_path, "a", "b", "c")))), Limits(sandbox=False))


def test_no_threads_while_no_session_ends(pool: SessionPool, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: Thread) -> None:
        raise AssertionError("a thread is started")

    monkeypatch.setattr(Thread, "start", refuse)
    monkeypatch.setattr("fa_cli.tournament.running.session_pool.ThreadPoolExecutor", refuse)
    first = pool.sessions_for(Job(0, 0, 0, (0, 1, 0), 0))
    second = pool.sessions_for(Job(1, 0, 0, (0, 0, 2), 0))
    assert second[:2] == [first[0], first[2]]
    assert len({*first, *second}) == 4


def test_new_processes_end_before_the_next_game(pool: SessionPool, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[BotSession] = []
    monkeypatch.setattr(BotSession, "close", closed.append)
    job = Job(0, 0, 0, (0, 1), NEW_PROCESS)
    first = pool.sessions_for(job)
    assert closed == []
    second = pool.sessions_for(job)
    assert {*closed} == {*first}
    pool.sessions_for(Job(1, 0, 0, (0, 1), 0))
    pool.sessions_for(Job(2, 1, 0, (0, 1), 0))
    assert {*closed} == {*first, *second}
