"""Measures a cluster of many workers on this machine: `python -m tests.cluster.many_workers [WORKERS ...]` [16 64].

Bots think 20 ms a decision, asleep. Prints when the first games arrive, what a game costs coordinator and scheduler,
and how long Ctrl-C takes.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fa_cli.isolation.supervision.procfs import cpu_seconds
from fa_cli.tournament.running.run_status import read_status
from tests.tournament.helpers import dice

from .harness import Cluster, await_registered, running_cluster

START, PLAY = 60, 60
"""Seconds in which processes start, not counted; and seconds of play that are."""


def measure(folder: Path, cluster: Cluster, workers: int) -> str:
    """Play on these workers, interrupt, and say what it took."""
    bots = dice(folder / "bots", "a", "b", "c", before="time.sleep(0.02)")
    command = [sys.executable, "-m", "fa_cli", "tournament", "run", *bots, "--home", folder, "--name", "many"]
    began = time.monotonic()
    run = subprocess.Popen([*map(str, command), "--games", "999999", "--executor", cluster.address, "--quiet"])
    while not _games(folder):
        time.sleep(0.1)
    first = time.monotonic() - began
    time.sleep(START)
    pids = run.pid, cluster.scheduler.pid
    before = _games(folder), *map(cpu_seconds, pids)
    time.sleep(PLAY)
    games, *spent = (now - then for now, then in zip((_games(folder), *map(cpu_seconds, pids)), before, strict=True))
    interrupted = time.monotonic()
    run.send_signal(signal.SIGINT)
    run.wait()
    coordinator, scheduler = (1000 * seconds / games for seconds in spent)
    return (
        f"{workers} workers: first game after {first:.1f} s; {games / PLAY:.1f} games a second; per game "
        f"{coordinator:.2f} ms of the coordinator, {scheduler:.2f} ms of the scheduler; "
        f"Ctrl-C took {time.monotonic() - interrupted:.1f} s"
    )


def _games(folder: Path) -> int:
    status = read_status(folder / "logs" / "many.status")
    return status.done if status else 0


def main(counts: list[int]) -> None:
    """Print a line for each number of workers."""
    for workers in counts:
        with tempfile.TemporaryDirectory() as name, running_cluster(Path(name)) as cluster:
            for worker in [cluster.add_worker(wait=False) for _ in range(workers)]:
                await_registered(worker)
            print(measure(Path(name), cluster, workers), flush=True)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [16, 64])
