"""Real Dask workers that answer with objects to load: nothing runs in the client, and honest workers play all games."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fa_cli.cluster.connection import connect
from fa_cli.cluster.worker_check import probe_workers
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import define, games

from .harness import Cluster
from .runs import play_on

HOSTILE = Path(__file__).parents[1] / "fakes/hostile_worker.py"
OPTIONS = {"turn_limit": "2", "side": "five"}


def hostile_worker(cluster: Cluster, evil: str, mark: Path) -> None:
    preload = {"DASK_DISTRIBUTED__WORKER__PRELOAD": str([str(HOSTILE)]), "PYTHONPATH": str(HOSTILE.parents[2])}
    cluster.add_worker("\x1b[31mhostile", EVIL=evil, MARK=str(mark), **preload)


@pytest.mark.parametrize(
    "evil",
    [
        "object",
        "exception",
        pytest.param("nested", marks=pytest.mark.slow),
        pytest.param("class", marks=pytest.mark.slow),
        pytest.param("event", marks=pytest.mark.slow),
        pytest.param("large", marks=pytest.mark.slow),
        pytest.param("zeros", marks=pytest.mark.slow),
        pytest.param("text", marks=pytest.mark.slow),
        pytest.param("deep", marks=pytest.mark.slow),
        pytest.param("exit", marks=pytest.mark.slow),
    ],
)
def test_nothing_runs_in_the_client(
    tmp_path: Path, cluster: Cluster, evil: str, capfd: pytest.CaptureFixture[str]
) -> None:
    mark = tmp_path / "ran-in-"
    hostile_worker(cluster, evil, mark)
    cluster.add_worker()
    bots = dice(tmp_path, "a", "b", "c", before="time.sleep(0.01)")  # the other worker does not end before it answers
    definition, paths = define(tmp_path, bots, games=12, times=False, options=OPTIONS)
    watcher = play_on(cluster, definition, paths)
    assert len(games(paths)) == 12
    assert not Path(f"{mark}{os.getpid()}").exists(), "code of the worker ran here"
    assert any("hostile" in text for text in watcher.warnings)
    assert "you have won" not in "".join(capfd.readouterr())


@pytest.mark.slow
@pytest.mark.parametrize("evil", ["object", "exception", "large", "text"])
def test_nothing_runs_where_workers_are_checked(tmp_path: Path, cluster: Cluster, evil: str) -> None:
    mark = tmp_path / "ran-in-"
    hostile_worker(cluster, evil, mark)
    cluster.add_worker()
    client = connect(cluster.address)
    try:
        rows = {row.name: row for row in probe_workers(client, sandboxed=False)}
    finally:
        client.close()
    assert rows["worker-1"].problems == []
    assert rows["\x1b[31mhostile"].problems
    assert all(len(problem) < 500 for problem in rows["\x1b[31mhostile"].problems)
    assert not Path(f"{mark}{os.getpid()}").exists(), "code of the worker ran here"
