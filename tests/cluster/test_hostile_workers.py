"""Real Dask workers that answer with objects to load: nothing runs in the client, and honest workers play all games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from fa_cli.cluster.connection import connect
from fa_cli.cluster.worker_check import probe_workers
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import define, games

from .harness import Cluster, await_registered
from .runs import play_on

HOSTILE = Path(__file__).parents[1] / "fakes/hostile_worker.py"
OPTIONS = {"turn_limit": "2", "side": "five"}


def add_hostile_workers(cluster: Cluster, evils: Sequence[str], mark: Path) -> None:
    preload = {"DASK_DISTRIBUTED__WORKER__PRELOAD": str([str(HOSTILE)]), "PYTHONPATH": str(HOSTILE.parents[2])}
    for evil in evils:
        cluster.add_worker(f"\x1b[31m{evil}", wait=False, EVIL=evil, MARK=str(mark), **preload)
    for worker in cluster.workers:
        await_registered(worker)


@pytest.mark.slow
@pytest.mark.parametrize(
    "evils",
    [("object", "exception"), ("nested", "class", "event", "large"), ("zeros", "text", "deep", "exit")],
)
def test_nothing_runs_in_the_client(
    tmp_path: Path, cluster: Cluster, evils: Sequence[str], capfd: pytest.CaptureFixture[str]
) -> None:
    mark = tmp_path / "ran-in-"
    add_hostile_workers(cluster, evils, mark)
    cluster.add_worker()
    bots = dice(tmp_path, "a", "b", "c", before="time.sleep(0.01)")  # the other worker does not end before they answer
    definition, paths = define(tmp_path, bots, games=24, times=False, options=OPTIONS)
    watcher = play_on(cluster, definition, paths)
    assert len(games(paths)) == 24
    assert not Path(f"{mark}{os.getpid()}").exists(), "code of a worker ran here"
    assert [evil for evil in evils if not any(f"31m{evil}" in text for text in watcher.warnings)] == [], (
        watcher.warnings
    )
    assert "you have won" not in "".join(capfd.readouterr())


@pytest.mark.slow
def test_nothing_runs_where_workers_are_checked(tmp_path: Path, cluster: Cluster) -> None:
    mark, evils = tmp_path / "ran-in-", ("object", "exception", "large", "text")
    add_hostile_workers(cluster, evils, mark)
    cluster.add_worker("good")
    client = connect(cluster.address)
    try:
        rows = {row.name: row for row in probe_workers(client, sandboxed=False)}
    finally:
        client.close()
    assert rows.pop("good").problems == []
    assert len(rows) == len(evils)
    assert all(row.problems for row in rows.values())
    assert all(len(problem) < 500 for row in rows.values() for problem in row.problems)
    assert not Path(f"{mark}{os.getpid()}").exists(), "code of a worker ran here"
