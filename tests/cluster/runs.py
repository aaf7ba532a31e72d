"""Tournaments that tests play on clusters."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fa_cli.cluster.connection import connect
from fa_cli.cluster.coordinator.dask_executor import ClusterExecutor
from fa_cli.cluster.tls_options import NO_FILES, SecurityFiles
from fa_cli.isolation.supervision.procfs import children, tree
from fa_cli.tournament.definition import Definition, TournamentPaths
from fa_cli.tournament.running.run import Run
from tests.tournament.running.test_run import Watcher

from .harness import Cluster


def play_on(
    cluster: Cluster,
    definition: Definition,
    paths: TournamentPaths,
    watcher: Watcher | None = None,
    *,
    jobs: int = 0,
    wait: float = 60.0,
    silence: float = 30.0,
    files: SecurityFiles = NO_FILES,
) -> Watcher:
    """Play a tournament on a cluster."""
    watcher = watcher or Watcher()
    client = partial(connect, cluster.address, files)
    executor = partial(ClusterExecutor, address=cluster.address, connect=client, wait=wait, silence=silence)
    Run(definition, paths, jobs=jobs, listener=watcher, resume="fa tournament resume test", executor=executor).play()
    return watcher


class AfterGames(Watcher):
    """Calls a function when so many games are in the log; notes all warnings."""

    def __init__(self, games: int, action: Callable[[], object]) -> None:
        super().__init__()
        self._games = games
        self._action = action

    def tick(self) -> None:
        if self._games and len(self.records) >= self._games:
            self._games = 0
            self._action()


def descendants(pid: int) -> set[int]:
    """All processes below one."""
    return set(tree(pid)) - {pid}


def are_gone(processes: set[int], seconds: float = 10.0) -> bool:
    """Whether all processes end in time; zombies have ended."""
    until = time.monotonic() + seconds
    while any(_is_alive(pid) for pid in processes):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


__all__ = ["AfterGames", "are_gone", "children", "descendants", "play_on"]
