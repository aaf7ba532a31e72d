"""A run on an overloaded machine warns once; one with a game per core on an idle machine does not."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from fa_cli.printing.text import counted
from fa_cli.system import cores
from fa_cli.tournament.running import overload, workers
from fa_cli.tournament.running.overload import CoreTimes, OverloadWatch
from tests import forks
from tests.conftest import Fa
from tests.inside import fa as fa

BUSY = "while True: pass"
THINKS = """
from time import process_time
from fa_cli.bot import run


def choose(decide, start):
    end = process_time() + 0.005
    while process_time() < end:
        pass
    return decide["legal"][0]

run(choose, wants=["legal"])
"""
RUN = ("tournament", "run", "--players", "2", "--game", "manhattan", "--seed", "x", "--sandbox", "none")
needs_schedstat = pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="no run delays here")


@pytest.fixture
def one_core() -> Iterator[None]:
    """This process and those that it starts have one core, as on a smaller machine: that takes fewer games."""
    before = os.sched_getaffinity(0)
    processes = (0, forks._SERVER._forkserver_pid)  # that one starts the workers
    for process in processes:
        os.sched_setaffinity(process, {min(before)})
    yield
    for process in processes:
        os.sched_setaffinity(process, before)


@contextmanager
def busy(programs: int) -> Iterator[None]:
    """Programs that keep every core busy, this many on each."""
    with ExitStack() as stack:
        for core in sorted(os.sched_getaffinity(0)) * programs:
            program = stack.enter_context(subprocess.Popen([sys.executable, "-c", BUSY]))
            stack.callback(program.kill)
            os.sched_setaffinity(program.pid, {core})
        yield


@contextmanager
def first_in_line() -> Iterator[None]:
    """This process and those that it starts run before all ordinary ones, as if the machine had nothing else to do."""
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except OSError:
        pytest.skip("needs the right to run first")
    try:
        yield
    finally:
        os.sched_setscheduler(0, *before)


def waiting_share() -> float:
    """The share of half a second of work in which this process waited for a core."""
    times = CoreTimes()
    times.sample()
    end = time.process_time() + 0.5
    while time.process_time() < end:
        pass
    time.sleep(max(0.0, overload._SAMPLE_SECONDS - 0.4))
    ran, waited = times.sample()
    assert ran > 0.4
    return waited / (ran + waited)


@pytest.mark.slow
@needs_schedstat
def test_waiting_is_measured(one_core: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overload.procfs, "tree", lambda pid: [])  # the busy programs are ours
    with busy(2):
        assert waiting_share() > overload._MOST_WAITING
        with first_in_line():
            assert waiting_share() < 0.1


@needs_schedstat
def test_samples_are_not_taken_too_often() -> None:
    times = CoreTimes()
    times.sample()
    assert times.sample() == (0.0, 0.0)


def bots(folder: Path) -> list[Path]:
    paths = [folder / "a.py", folder / "b.py"]
    for path in paths:
        path.write_text(THINKS)
    return paths


@pytest.mark.slow
@needs_schedstat
def test_a_run_beside_busy_programs_warns_once(
    fa: Fa, one_core: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overload, "_WINDOW", 1.0)
    with busy(1):
        done = fa(*RUN, *bots(tmp_path), "--jobs", cores(), "--games", 4 * cores())
    assert done.returncode == 0
    assert done.stderr.count("warning: the machine is overloaded, so clocks are unreliable: ") == 1


@needs_schedstat
@pytest.mark.slow
def test_more_games_than_cores_warn_too(
    fa: Fa, one_core: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overload, "_WINDOW", 1.0)
    jobs = 3 * cores()
    done = fa(*RUN, *bots(tmp_path), "--jobs", jobs, "--games", 2 * jobs)
    assert f"use --jobs {cores()} or fewer ({jobs} games share {counted(cores(), 'core')})" in done.stderr


@pytest.mark.slow
@needs_schedstat
def test_a_game_per_core_on_an_idle_machine_is_no_overload(
    fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overload, "_WINDOW", 1.0)
    judged, sampled = [], []
    add = OverloadWatch.add
    monkeypatch.setattr(OverloadWatch, "add", lambda watch, *sample: sampled.append(sample) or add(watch, *sample))
    monkeypatch.setattr(overload, "_warning", lambda share, jobs: judged.append(share) or "")
    monkeypatch.setattr(workers, "_CONTEXT", multiprocessing.get_context("spawn"))  # forks are not first in line
    with first_in_line():
        done = fa(*RUN, *bots(tmp_path), "--jobs", cores(), "--games", 4 * cores())
    assert done.returncode == 0
    assert sum(ran + waited for ran, waited, _ in sampled) > overload._WINDOW, "no window was judged"
    assert judged == []


def test_a_window_is_judged_alone_and_once() -> None:
    watch = OverloadWatch()
    assert watch.add(9.0, 0.9, 2) == ""  # not enough yet
    assert watch.add(0.5, 0.0, 2) == ""  # 9%
    assert watch.add(5.0, 4.9, 2) == ""
    assert "waited for a core 50% of the time; stop other programs, or use fewer --jobs" in watch.add(0.0, 0.1, 2)
    assert watch.add(5.0, 50.0, 2) == ""


@pytest.mark.parametrize(
    ("jobs", "remedy"),
    [
        (0, "; stop other programs there, or start fewer workers or threads (--nworkers, --nthreads)"),
        (1, "; stop other programs"),
        (2, "; stop other programs, or use fewer --jobs"),
        (9, "; use --jobs 4 or fewer (9 games share 4 cores)"),
    ],
)
def test_the_remedy(monkeypatch: pytest.MonkeyPatch, jobs: int, remedy: str) -> None:
    monkeypatch.setattr(overload, "cores", lambda: 4)
    assert OverloadWatch().add(5.0, 15.0, jobs).endswith(f"75% of the time{remedy}")


def test_without_run_delays_nothing_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overload.procfs, "run_and_delay", lambda pid: None)
    assert CoreTimes().sample() == (0.0, 0.0)
    watch = OverloadWatch()
    assert [watch.add(0.0, 0.0, 8) for _ in range(100)] == [""] * 100
