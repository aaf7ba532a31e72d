"""Jobs that are handed out twice are counted once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fa_cli.game_result import GameResult
from fa_cli.replay.log_entry import LogEntry
from fa_cli.tournament.running.dispatcher import Dispatcher
from fa_cli.tournament.running.job_queue import JobQueue, JobResult
from fa_cli.tournament.running.suspension import Suspension
from fa_cli.tournament.schedule import NEW_PROCESS, Schedule
from tests.tournament.helpers import definition, setting


def make_queue(warnings: list[str], **options: Any) -> JobQueue:
    schedule = Schedule(definition([setting(4, 4)], 16))
    queue = JobQueue(schedule, Suspension(0), (), warnings.append, **options)
    queue.fill(6, 6)
    return queue


def result(index: int, seed: str = "") -> JobResult:
    game = GameResult([1, 2, 3, 4], [4, 3, 2, 1], "businesses")
    return JobResult(index, LogEntry(0, "fifth-avenue", {}, ["a", "b", "c", "d"], seed, 0, [], game, "", {}))


def test_the_first_result_counts() -> None:
    queue = make_queue([])
    job = queue.waiting(False)[0]
    queue.hand_out(job)
    queue.hand_back(job)
    assert queue.waiting(True)[0] == job
    queue.add_result(result(0, "late"))
    assert job not in queue.waiting(False)
    queue.add_result(result(0, "later"))
    played = queue.take(0)
    assert played
    assert played[1].seed == "late"
    queue.add_result(result(0, "latest"))
    assert queue.take(0) is None


def test_jobs_are_handed_back_once() -> None:
    queue = make_queue([])
    jobs = list(queue.waiting(False))
    for job in jobs[:3]:
        queue.hand_out(job)
    queue.add_result(result(1))
    for job in reversed(jobs[:3] * 2):
        queue.hand_back(job)
    assert [job.index for job in queue.waiting(False)] == [0, 2, 3, 4, 5]
    assert [job.index for job in queue.waiting(True)] == [0, 2]


def test_a_result_that_nobody_asked_for_is_dropped() -> None:
    queue = make_queue([])
    queue.add_result(result(3))
    assert queue.take(3) is None
    assert len(queue) == 6


def test_a_stuck_game_is_played_again_once_though_it_is_handed_back() -> None:
    warnings: list[str] = []
    queue = make_queue(warnings)
    job = queue.waiting(False)[0]
    queue.hand_out(job)
    queue.add_stuck(job, 2)
    queue.hand_back(job)
    assert [(other.index, other.process_slot) for other in queue.waiting(True)] == [(0, NEW_PROCESS)]
    assert len(warnings) == 1


def test_jobs_that_are_taken_back_have_not_begun() -> None:
    """When stopping only those before a game that has begun are played; a late result counts as begun."""
    queue = make_queue([])
    jobs = list(queue.waiting(False))
    for job in jobs[:5]:
        queue.hand_out(job)
    queue.take_back([jobs[4], jobs[1], jobs[3]])
    assert [job.index for job in queue.waiting(False)] == [1, 3, 4, 5]
    assert [job.index for job in queue.waiting(True)] == [1]
    queue.add_result(result(3))
    assert [job.index for job in queue.waiting(True)] == [1]
    queue.add_result(result(4))
    assert [job.index for job in queue.waiting(False)] == [1, 5]
    queue.hand_out(queue.waiting(False)[1])
    assert [job.index for job in queue.waiting(True)] == [1]


def test_all_jobs_are_taken_back() -> None:
    queue = make_queue([])
    jobs = list(queue.waiting(False))
    queue.hand_out(jobs[0])
    queue.take_back(jobs[:1])
    assert queue.waiting(True) == []
    assert [job.index for job in queue.waiting(False)] == [0, 1, 2, 3, 4, 5]


def test_a_game_for_new_processes_is_not_passed_over() -> None:
    """The log waits for it; a worker has the bot processes of other games, but for this one it starts some anyway."""
    queue = make_queue([])
    jobs = list(queue.waiting(False))
    queue.hand_out(jobs[0])
    queue.add_stuck(jobs[0], 2)
    worker = SimpleNamespace(process_slots={jobs[1].process_slot})
    dispatcher = Dispatcher(None, queue, 1, pytest.fail)  # type: ignore[arg-type]
    chosen = dispatcher._choose_job(worker, stopping=False)  # type: ignore[arg-type]
    assert chosen
    assert (chosen.index, chosen.process_slot) == (0, NEW_PROCESS)


def test_a_lost_supervisor_is_a_fault_the_second_time() -> None:
    warnings: list[str] = []
    queue = make_queue(warnings)
    job = queue.waiting(False)[0]
    for seat, failing in ((2, {}), (1, {}), (2, {}), (0, {2: "lost its supervisor twice"})):
        task = queue.hand_out(queue.waiting(False)[0])
        assert {seat: failure.detail for seat, failure in task.failures.items()} == failing
        queue.add_result(JobResult(job.index, None, lost_seat=seat))
        assert queue.waiting(False)[0].process_slot == NEW_PROCESS
    names = [f"bot{bot}" for bot in job.seats]
    lost = f"game 1 ({', '.join(names)}) lost the process of fa that supervises"
    assert warnings[1] == f"{lost} {names[1]}; it is played again"
    assert warnings[2] == f"{lost} {names[2]}; it is played again, and {names[2]} fails in it"
