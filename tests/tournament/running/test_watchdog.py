"""Bots that stop who plays with them: the run goes through, the other bots lose nothing, and no process is left."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from fa_cli.errors import Interrupted
from fa_cli.game_result import FaultKind
from fa_cli.replay.log_file import read_log
from fa_cli.replay.verify import check
from fa_cli.tournament.running import dispatcher, watchdog
from fa_cli.tournament.running.heartbeat import Heartbeat
from fa_cli.tournament.running.job_queue import JobQueue, JobResult, Task
from fa_cli.tournament.running.watchdog import NO_SEAT, GameWatch, StuckGames
from fa_cli.tournament.running.workers import Worker, WorkerConfig
from fa_cli.tournament.schedule import Job, Schedule
from tests.conftest import further
from tests.fakes import assert_none_left, within
from tests.tournament.helpers import dice

from .test_run import Watcher, define, entries, games, play

# whom a bot stops without the sandbox: 1 is its supervisor, 2 the supervisor server, 3 the worker
STOP = """
    above = os.getppid()
    for _ in range({level} - 1):
        above = int(open(f"/proc/{{above}}/stat").read().rpartition(")")[2].split()[1])
    os.kill(above, 19)
"""
# whether a bot is the first to ask for this file, of all that ask at the same time
FIRST = """
def first(path):
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
"""


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "SLACK", 3.0)
    monkeypatch.setattr(watchdog, "WAIT_FACTOR", 1.0)


def stopper(folder: Path, name: str, level: int, when: str) -> Path:
    """A bot that stops somebody above it before it answers, when this is true."""
    (path,) = dice(folder, name, before=f"{when} and stop()")
    path.write_text(path.read_text().replace("NAME =", f"def stop():{STOP.format(level=level)}{FIRST}\nNAME =", 1))
    return path


def faults(place: object) -> list[list[tuple[str, FaultKind]]]:
    found = entries(place)  # type: ignore[arg-type]
    return [[(entry.players[fault.seat], fault.kind) for fault in entry.faults] for entry in found]


def check_that_a_stop_harms_nobody(folder: Path, count: int, when: str) -> None:
    """Bot `b` stops its worker once, when this is true: the log is that of a run in which nothing happened."""
    once = folder / "once"
    bots = [*dice(folder, "a"), stopper(folder, "b", 3, f"{when} and first({str(once)!r})")]
    once.touch()
    definition, place = define(folder / "whole", bots, games=count)
    play(definition, place, 2)
    once.unlink()
    again, other = define(folder, bots, games=count)
    with within(60):
        watcher = play(again, other, 2)
    assert once.exists()
    assert games(other) == games(place)
    assert faults(other) == [[]] * count
    (warning,) = watcher.warnings
    assert "got stuck waiting for b; it is played again" in warning
    assert_none_left(folder, 5.0)


@pytest.mark.slow
def test_a_worker_that_was_stopped_once(tmp_path: Path) -> None:
    """Its game is played again."""
    check_that_a_stop_harms_nobody(tmp_path, 4, "asked == 2")


@pytest.mark.slow
def test_a_worker_that_is_stopped_with_more_games_in_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are played by others; of the game itself only its bot is named. Games last, so that it has more of them."""
    monkeypatch.setattr(dispatcher, "_SUPPLY", 1e9)
    unplayed: list[Job] = []
    take_back = JobQueue.take_back
    monkeypatch.setattr(JobQueue, "take_back", lambda self, jobs: (take_back(self, jobs), unplayed.extend(jobs)))
    check_that_a_stop_harms_nobody(tmp_path, 30, "time.sleep(0.001) or message['id'] > 100")
    assert unplayed


@pytest.mark.slow
def test_who_stops_the_worker_again_and_again_fails(tmp_path: Path) -> None:
    """In each of those games, with `resource`; nobody else does."""
    bots = [*dice(tmp_path, "a", "c"), stopper(tmp_path, "b", 3, "asked == 3")]
    definition, place = define(tmp_path, bots, games=3, players=3)
    with within(110):
        watcher = play(definition, place, 2)
    assert faults(place) == [[("b", FaultKind.RESOURCE)]] * 3
    assert entries(place)[0].meta["fault_details"][0]["detail"] == "left the game stuck 2 times"
    assert len(watcher.warnings) == 6
    assert all(check(entry, entry.index) is None for entry in read_log(place.log))
    assert_none_left(tmp_path, 5.0)


@pytest.mark.parametrize("level", [2, *further(1)])
def test_who_stops_what_starts_it_harms_nobody(tmp_path: Path, level: int) -> None:
    bots = [*dice(tmp_path, "a"), stopper(tmp_path, "b", level, "asked == 2")]
    definition, place = define(tmp_path, bots, games=6)
    with within(60):
        watcher = play(definition, place, 2)
    assert faults(place) == [[]] * 6
    assert watcher.warnings == []
    assert_none_left(tmp_path, 5.0)


def test_ctrl_c_while_a_worker_is_stopped(tmp_path: Path) -> None:
    bots = [*dice(tmp_path, "a"), stopper(tmp_path, "b", 3, "asked == 2 and message['id'] > 60")]
    definition, place = define(tmp_path, bots, games=40)
    watcher = Watcher(interrupt_at=[1])
    with within(60), pytest.raises(Interrupted):
        play(definition, place, 2, watcher)
    assert_none_left(tmp_path, 5.0)


def test_only_time_that_was_seen_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    watch = GameWatch()
    watch.begin()
    progress = Heartbeat(watch.cells)
    progress.wait(1, 2.0)
    assert not watch.is_stuck(0.5)  # it has moved
    allowed = watchdog.SLACK + watchdog.WAIT_FACTOR * 2.0
    assert not watch.is_stuck(allowed - 1)
    assert watch.seat == 1
    progress.wait(NO_SEAT, 0.0)
    assert not watch.is_stuck(allowed)
    assert not watch.is_stuck(watchdog.SLACK - 1)
    assert watch.is_stuck(2.0)
    watch.begin()
    assert not watch.is_stuck(1.0)


def test_who_is_blamed() -> None:
    hangs = StuckGames()
    assert hangs.add(7, 1)
    assert hangs.failures(7) == {}
    assert hangs.add(7, 0)
    assert list(hangs.failures(7)) == [0]
    assert hangs.add(7, 1)
    assert sorted(hangs.failures(7)) == [0, 1]
    assert {failure.kind for failure in hangs.failures(7).values()} == {FaultKind.RESOURCE}
    assert not hangs.add(7, 1)
    assert hangs.failures(8) == {}
    assert hangs.add(8, NO_SEAT)
    assert not hangs.add(8, NO_SEAT)


def test_the_first_game_in_hand_is_not_taken_back(tmp_path: Path) -> None:
    """Even if the worker has not begun it: it is the one that Ctrl-C waits for."""
    definition, _ = define(tmp_path, dice(tmp_path, "a", "b"), games=4)
    schedule = Schedule(definition)
    jobs = [job for _ in range(4) if (job := schedule.next_job())]
    worker = Worker(0, WorkerConfig(definition, None))
    pid = worker._process.pid
    assert pid
    os.kill(pid, signal.SIGSTOP)
    for job in jobs:
        worker.assign(Task(job))
    worker.send()
    assert worker.revoke() == jobs[1:]
    os.kill(pid, signal.SIGCONT)
    results: list[JobResult] = []
    with within(30):
        while worker.jobs:
            results += worker.receive()
    worker.dismiss()
    worker.wait()
    assert [(result.index, result.entry is None) for result in results] == [(jobs[0].index, False)]
