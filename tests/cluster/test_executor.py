"""Tournaments on real Dask workers come out as on one machine, whatever happens to workers and scheduler."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from fa_cli.errors import Interrupted
from fa_cli.tournament.definition import load
from fa_cli.tournament.running.job_queue import WorkerLost
from tests.conftest import Fa, assert_refused
from tests.inside import inside as inside
from tests.tournament.helpers import dice
from tests.tournament.running.test_kill import FORMATS
from tests.tournament.running.test_run import Watcher, define, entries, games, play

from .harness import Cluster, await_registered, with_version
from .runs import AfterGames, are_gone, descendants, play_on

SLOWLY = "time.sleep(0.01)"
SHORT = {"turn_limit": "2", "side": "five"}


def test_the_log_is_that_of_a_local_run(tmp_path: Path, cluster: Cluster) -> None:
    bots = dice(tmp_path, "a", "b", "c")
    wishes: dict[str, Any] = {"games": 24, "times": False, "options": SHORT}
    local, expected = define(tmp_path / "local", bots, **wishes)
    play(local, expected, 2)
    for _ in range(2):
        cluster.add_worker(wait=False)
    remote, paths = define(tmp_path, bots, **wishes)
    watcher = play_on(cluster, remote, paths)
    assert paths.log.read_bytes() == expected.log.read_bytes()
    assert watcher.warnings == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--executor", "dask://127.0.0.1:1"], "no scheduler at dask://127.0.0.1:1: nothing listens on port 1 (start"),
        (["--executor", "dask://"], "invalid cluster 'dask://': use dask://HOST:PORT"),
        (
            ["--executor", "spark"],
            "invalid executor 'spark': use local (this machine) or dask://HOST:PORT (the scheduler of a Dask cluster), "
            "e.g. dask://192.168.1.5:8786",
        ),
        (["--executor", "dask://127.0.0.1:1", "--stderr", "x"], "--stderr can't be used with a cluster"),
        (["--cluster-wait", "-1s"], "--cluster-wait: invalid duration '-1s'"),
    ],
)
def test_wrong_options_play_nothing(inside: Fa, tmp_path: Path, options: list[str], sentence: str) -> None:
    done = inside("tournament", "run", *dice(tmp_path / "bots", "a", "b"), *options)
    assert_refused(done, sentence)
    assert [path.name for path in tmp_path.iterdir()] == ["bots"]


@pytest.mark.slow
def test_every_format(tmp_path: Path, cluster: Cluster) -> None:
    """One after another on the same workers."""
    bots = dice(tmp_path, "a", "b", "c", "d")
    for _ in range(2):
        cluster.add_worker(wait=False)
    for wishes in FORMATS[1:]:
        wishes = wishes | {"options": SHORT, "times": False}
        local, expected = define(tmp_path / f"local-{wishes['schedule']}", bots, **wishes)
        play(local, expected, 2)
        remote, paths = define(tmp_path / wishes["schedule"], bots, **wishes)
        play_on(cluster, remote, paths)
        assert paths.log.read_bytes() == expected.log.read_bytes(), wishes["schedule"]


@pytest.mark.slow
def test_bots_that_fail_are_suspended_as_locally(tmp_path: Path, cluster: Cluster) -> None:
    """Games that began before a suspension was known are played again; the paths in tracebacks are those of here."""
    crashing = "1 / 0 if asked > 3 else None"
    bots = [*dice(tmp_path, "a", "b", "c"), *dice(tmp_path / "x", "wrong", before=crashing)]
    wishes: dict[str, Any] = {"games": 48, "times": False, "options": SHORT, "limits": {"bench": 3}}
    local, expected = define(tmp_path / "local", bots, **wishes)
    play(local, expected, 2)
    for _ in range(2):
        cluster.add_worker(wait=False)
    remote, paths = define(tmp_path, bots, **wishes)
    play_on(cluster, remote, paths)
    assert games(paths) == games(expected)
    assert any("is suspended" in str(entry.meta) for entry in entries(paths))
    assert paths.log.read_bytes() == expected.log.read_bytes()
    timed, paths = define(tmp_path / "timed", bots, games=8, options=SHORT)  # only with times a log has tracebacks
    play_on(cluster, timed, paths)
    assert f"{tmp_path}/x/wrong.py" in str([entry.meta for entry in entries(paths)])


WISHES: dict[str, Any] = {"games": 48, "times": False, "options": SHORT}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a local run of `WISHES` with three bots."""
    folder = tmp_path_factory.mktemp("local")
    local, paths = define(folder, dice(folder, "a", "b", "c"), **WISHES)
    play(local, paths, 2)
    return paths.log.read_bytes()


@pytest.mark.slow
def test_a_killed_worker_leaves_no_bot_and_no_gap(tmp_path: Path, cluster: Cluster, expected: bytes) -> None:
    bots = dice(tmp_path, "a", "b", "c", before=SLOWLY)
    victim, other = cluster.add_worker(), cluster.add_worker()
    below: set[int] = set()

    def kill() -> None:
        below.update(descendants(victim.pid))
        victim.kill()

    remote, paths = define(tmp_path, bots, **WISHES)
    watcher = play_on(cluster, remote, paths, AfterGames(8, kill))
    assert len(below) > 3
    assert are_gone(below)
    assert paths.log.read_bytes() == expected
    assert [text for text in watcher.warnings if "worker-0" in text and "has left" in text]
    assert are_gone(_bots_of(other.pid))


def _bots_of(pid: int) -> set[int]:
    """The processes of bots below one."""
    return {below for below in descendants(pid) if "a.py" in _command(below)}


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


@pytest.mark.slow
def test_a_frozen_worker_that_thaws_counts_once(tmp_path: Path, cluster: Cluster, expected: bytes) -> None:
    bots = dice(tmp_path, "a", "b", "c", before=SLOWLY)
    frozen = cluster.add_worker()
    cluster.add_worker()
    remote, paths = define(tmp_path, bots, **WISHES)

    class Thawing(AfterGames):
        def warn(self, text: str) -> None:
            super().warn(text)
            if "is silent" in text:  # its games are handed back: let others play them first
                threading.Timer(2.0, frozen.thaw).start()

    watcher = play_on(cluster, remote, paths, Thawing(8, frozen.freeze), silence=3.0)
    frozen.thaw()
    assert [text for text in watcher.warnings if "is silent" in text]
    assert paths.log.read_bytes() == expected


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.1, 3.0], ids=["gone when looked at", "back when looked at"])
def test_a_scheduler_that_restarts_is_found_again(
    tmp_path: Path, cluster: Cluster, expected: bytes, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr("fa_cli.cluster.coordinator.scheduler_link._POLL_SECONDS", seconds)
    bots = dice(tmp_path, "a", "b", "c", before=SLOWLY)
    cluster.add_worker()

    def restart() -> None:
        cluster.scheduler.kill()
        threading.Thread(target=start_again).start()

    def start_again() -> None:
        cluster.start_scheduler()
        cluster.add_worker(wait=False)  # Dask's workers end with their scheduler

    remote, paths = define(tmp_path, bots, **WISHES)
    watcher = play_on(cluster, remote, paths, AfterGames(8, restart), wait=120)
    assert paths.log.read_bytes() == expected
    assert [text for text in watcher.warnings if "is lost" in text]


@pytest.mark.slow
def test_a_lost_scheduler_stops_the_run_so_that_it_can_be_resumed(
    tmp_path: Path, cluster: Cluster, expected: bytes
) -> None:
    bots = dice(tmp_path, "a", "b", "c", before=SLOWLY)
    worker = cluster.add_worker()
    below: set[int] = set()

    def kill() -> None:
        below.update(descendants(worker.pid))
        cluster.scheduler.kill()

    remote, paths = define(tmp_path, bots, **WISHES)
    with pytest.raises(WorkerLost, match=r"scheduler at dask://\S+ is lost.*resume with: fa tournament resume test"):
        play_on(cluster, remote, paths, AfterGames(8, kill), wait=2)
    assert are_gone(below)
    done = len(games(paths))
    assert 8 <= done < 48
    play(remote, paths, 2)
    assert paths.log.read_bytes() == expected


@pytest.mark.slow
def test_a_run_without_workers_waits_and_stops(tmp_path: Path, cluster: Cluster) -> None:
    remote, paths = define(tmp_path, dice(tmp_path, "a", "b", "c"), games=12, options=SHORT)
    watcher = Watcher()
    with pytest.raises(WorkerLost, match="has no worker, for 5 seconds; the 0 games before are kept; resume with"):
        play_on(cluster, remote, paths, watcher, wait=5)
    assert len(watcher.warnings) == 1
    assert f"start one with: dask worker {cluster.dask_address}" in watcher.warnings[0]
    home, on_cluster = tmp_path / "home", ("--executor", cluster.address)
    command = [sys.executable, "-m", "fa_cli", "--home", str(home), "tournament", "run", "greedy", "random"]
    command += ["--name", "idle", "--cluster-wait", "1s", *on_cluster]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith(f"resume with: fa --home {home} tournament resume idle {' '.join(on_cluster)}\n")


@pytest.mark.slow
def test_ctrl_c_and_resume(tmp_path: Path, cluster: Cluster, expected: bytes) -> None:
    """Once: the games in progress are finished. Twice: they end at once, with their bots."""
    bots = dice(tmp_path, "a", "b", "c", before=SLOWLY)
    worker = cluster.add_worker()
    remote, paths = define(tmp_path, bots, **WISHES)
    for interrupts in ([8], [8, 8]):
        with pytest.raises(Interrupted, match="stopped after"):
            play_on(cluster, remote, paths, Interrupting(interrupts))
        assert 8 <= len(games(paths)) < 48
        assert are_gone(_bots_of(worker.pid))
    play_on(cluster, remote, paths)
    assert paths.log.read_bytes() == expected


class Interrupting(AfterGames):
    """Presses Ctrl-C as often as `games` has entries, after so many games."""

    def __init__(self, games: list[int]) -> None:
        super().__init__(games[0], lambda: [os.kill(os.getpid(), signal.SIGINT) for _ in games])


@pytest.mark.slow
def test_a_killed_run_leaves_no_bot(tmp_path: Path, cluster: Cluster) -> None:
    bots = dice(tmp_path, "a", "b", "c", before=SLOWLY)
    worker = cluster.add_worker()
    command = [sys.executable, "-m", "fa_cli", "--home", str(tmp_path), "tournament", "run", *map(str, bots)]
    command += ["--name", "killed", "--games", "600", "--executor", cluster.address]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = tmp_path / "logs/killed.log"
    until = time.monotonic() + 60
    while not (log.exists() and log.stat().st_size > 1500) and time.monotonic() < until:
        time.sleep(0.1)
    below = _bots_of(worker.pid)
    run.kill()
    run.wait()
    assert below
    assert are_gone(below)
    assert load(tmp_path / "tournaments/killed.json").games == 600


C_BOT = """#include <stdio.h>
#include <string.h>
char line[1 << 20];
int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\\"type\\":\\"decide\\"")) {
            char *first = strstr(line, "\\"legal\\":[\\"") + 10, *end = strchr(first, '"');
            printf("{\\"action\\":\\"%.*s\\"}\\n", (int)(end - first), first);
        } else if (strstr(line, "\\"hello\\"")) {
            puts("{\\"type\\":\\"ready\\",\\"wants\\":[\\"legal\\"]}");
        } else if (strstr(line, "\\"start\\"")) {
            puts("{\\"type\\":\\"ready\\"}");
        }
        fflush(stdout);
    }
}
"""


def c_bot(folder: Path) -> Path:
    """A bot in C, which must be built."""
    folder.mkdir()
    (folder / "bot.c").write_text(C_BOT)
    (folder / "bot.toml").write_text('command = "./bot"\nbuild = "cc -O1 -o bot bot.c"\n')
    return folder


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_a_bot_is_built_on_the_worker_and_where_it_can_not_be_others_play_it(tmp_path: Path, cluster: Cluster) -> None:
    bots = [*dice(tmp_path, "a", "b"), c_bot(tmp_path / "native")]
    local, expected = define(tmp_path / "local", bots, **WISHES)
    play(local, expected, 2)
    no_compiler = tmp_path / "bin"
    no_compiler.mkdir()
    for program in ("sh", "bwrap", "setpriv", "prlimit"):
        if found := shutil.which(program):
            (no_compiler / program).symlink_to(found)
    cluster.add_worker(PATH=str(no_compiler), XDG_CACHE_HOME=str(tmp_path / "poor"))
    remote, paths = define(tmp_path, bots, **WISHES)
    watcher = Watcher()
    with pytest.raises(WorkerLost, match=r"no worker at \S+ can play the next games \(.*resume with"):
        play_on(cluster, remote, paths, watcher, wait=4)
    assert [text for text in watcher.warnings if "worker worker-0" in text and "can't run native" in text]
    cluster.add_worker(XDG_CACHE_HOME=str(tmp_path / "rich"))
    play_on(cluster, remote, paths)
    assert paths.log.read_bytes() == expected.log.read_bytes()
    assert list((tmp_path / "rich/fa/bots").glob("native-*"))


@pytest.mark.slow
def test_a_full_disk_and_another_version_keep_a_worker_out(tmp_path: Path, cluster: Cluster, expected: bytes) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can mount a small disk")
    bots = dice(tmp_path, "a", "b", "c")
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], check=True)
    try:
        (disk / "ballast").write_bytes(bytes(4096))
        cluster.add_worker("full", XDG_CACHE_HOME=str(disk))
        cluster.add_worker("old", PYTHONPATH=with_version(tmp_path, "0.0.1"))
        cluster.add_worker("good")
        remote, paths = define(tmp_path, bots, **WISHES)
        watcher = play_on(cluster, remote, paths)
        assert paths.log.read_bytes() == expected
        warnings = "\n".join(watcher.warnings)
        assert "worker full" in warnings
        assert "No space left on device" in warnings
        assert "worker old" in warnings
        assert "it has fa 0.0.1 " in warnings
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.slow
def test_a_worker_that_joins_later_plays_too(tmp_path: Path, cluster: Cluster, expected: bytes) -> None:
    bots = dice(tmp_path, "a", "b", "c", before=SLOWLY)
    cluster.add_worker()
    late: list[Any] = []
    remote, paths = define(tmp_path, bots, **WISHES)
    play_on(cluster, remote, paths, AfterGames(2, lambda: late.append(cluster.add_worker(wait=False))))
    assert paths.log.read_bytes() == expected
    assert await_registered(late[0])
