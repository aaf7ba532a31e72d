"""A bot that is refused something at its start that another one at the table has: the game is played again."""

from __future__ import annotations

import multiprocessing
import os
import resource
from pathlib import Path

from fa_cli.game_result import FaultKind
from fa_cli.replay.verify import check
from fa_cli.tournament.definition import TournamentPaths
from fa_cli.tournament.running.job_queue import Task
from fa_cli.tournament.running.live_actions import shared_actions
from fa_cli.tournament.running.watchdog import GameWatch
from fa_cli.tournament.running.workers import WorkerConfig, work
from fa_cli.tournament.running.workers import _decode_result as decode_result
from fa_cli.tournament.running.workers import _encode as encode
from fa_cli.tournament.schedule import Schedule
from tests.fakes import within
from tests.tournament.helpers import dice

from .test_lost_supervisors import GAMES
from .test_run import define, entries, play

LOCK = """
import errno, fcntl, os, sys
lock = open({path!r}, "a")
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
lock.close()
"""
FAILS = "import os, sys\nos.path.exists({path!r}) and sys.exit('OSError: [Errno 28] No space left on device')\n"


def prefixed(bot: Path, start: str) -> Path:
    bot.write_text(start + bot.read_text())
    return bot


def faults(place: TournamentPaths) -> list[tuple[str, FaultKind]]:
    records = [entry.record() for entry in entries(place)]
    assert not any(check(record) for record in records)
    return [(record.players[fault.seat], fault.kind) for record in records for fault in record.faults]


def test_what_another_bot_has_is_no_fault(tmp_path: Path) -> None:
    """One bot holds a lock from its first decision on, and the other one can't start as long as it does."""
    path = str(tmp_path / "lock")
    hold = f"import fcntl; lock = open({path!r}, 'a'); fcntl.flock(lock, fcntl.LOCK_SH)"
    bots = [*dice(tmp_path, "hog", before=hold), *dice(tmp_path, "victim")]
    prefixed(bots[1], LOCK.format(path=path))
    definition, place = define(tmp_path, bots, **GAMES | {"games": 8})
    play(definition, place)
    assert faults(place) == []


def test_a_bot_that_can_not_start_alone_either_has_a_fault(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    bots = dice(tmp_path, "a", "poor")
    prefixed(bots[1], FAILS.format(path=str(flag)))
    definition, place = define(tmp_path, bots, **GAMES | {"games": 4})
    flag.touch()
    play(definition, place, 2)
    assert faults(place) == [("poor", FaultKind.START)] * 4


def test_a_worker_that_may_start_no_thread(tmp_path: Path) -> None:
    """It answers its first game with a sentence."""
    definition, _ = define(tmp_path, dice(tmp_path, "a", "b"), games=4)
    job = Schedule(definition).next_job()
    assert job
    ours, theirs = multiprocessing.Pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            if os.getuid() == 0:  # who has no such limit
                os.setresuid(61234, 61234, 61234)
            work(theirs, 0, WorkerConfig(definition, None), GameWatch().cells, shared_actions())
        finally:
            os._exit(0)
    theirs.close()
    ours.send_bytes(encode([Task(job)]))
    with within(30):
        size = int.from_bytes(os.read(ours.fileno(), 4), "little")
        result = decode_result(os.read(ours.fileno(), size))
        os.waitpid(child, 0)
    assert result.shortage == "no more threads can be started (see ulimit -u and ulimit -v)"
