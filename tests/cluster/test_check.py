"""`fa cluster check` with real workers: what each can play, and why some are rejected."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fa_cli.cluster import worker_check
from fa_cli.cluster.batch_messages import engine_version
from fa_cli.isolation.sandbox.bubblewrap import why_not
from fa_cli.kits.languages import LANGUAGES
from fa_cli.system import cores
from tests.conftest import Fa

from .harness import ROOT, Certificates, Cluster, await_registered, network, rows_of, running_cluster, with_version


def without_fa(folder: Path) -> str:
    """A folder on whose account `fa_cli` can't be imported, as where it is not installed."""
    (folder / "none/fa_cli").mkdir(parents=True)
    source = """raise ModuleNotFoundError("No module named 'fa_cli'", name="fa_cli")\n"""
    (folder / "none/fa_cli/__init__.py").write_text(source)
    return str(folder / "none")


def test_a_worker_that_can_not_start_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk, which has no place for what a process prints."""

    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(worker_check, "run_to_end", fail)
    with ThreadPoolExecutor() as pool:  # Playwright leaves its event loop running in this thread
        report = pool.submit(asyncio.run, worker_check.report()).result()
    answer = worker_check._read_answer({"status": "OK", "result": report})
    assert answer == "the check fails there: no process can be started: No space left on device"


@pytest.mark.slow
def test_what_workers_have_and_lack(fa: Fa, cluster: Cluster, tmp_path: Path) -> None:
    none = fa("cluster", "check", cluster.address)
    assert none.returncode == 1
    dask_address = cluster.address.replace("dask", "tcp")
    assert none.stderr == (
        f"fa: {cluster.address} has no workers; start one with: dask worker {dask_address} --nthreads 1\n"
    )
    good = cluster.add_worker("good", wait=False, PYTHONPATH=str(ROOT))
    bare = cluster.add_worker("bare", wait=False, PYTHONPATH=without_fa(tmp_path))
    poor = cluster.add_worker("poor", wait=False, PYTHONPATH=str(ROOT), PATH="/nowhere", XDG_CACHE_HOME="/dev/null")
    old = cluster.add_worker("old", wait=False, PYTHONPATH=with_version(tmp_path, "0.0.9"))
    addresses = {worker.output.stem: await_registered(worker) for worker in (good, bare, poor, old)}
    done = fa("cluster", "check", cluster.address, "--format", "json", COLUMNS="500")
    rows = rows_of(done.stdout)
    assert {name: row["worker"] for name, row in rows.items()} == addresses
    assert rows["good"]["engine"] == engine_version()
    assert rows["good"]["languages"] == [name for name, each in LANGUAGES.items() if not each.missing()]
    assert rows["good"]["python"] == sys.version.split()[0]
    assert (rows["good"]["threads"], rows["good"]["cores"]) == (1, cores())
    assert max(row["speed"] for row in rows.values() if row["speed"]) == 1.0
    assert not why_not() or rows["good"]["problems"]
    assert rows["poor"]["languages"] == ["python"]
    assert rows["poor"]["sandbox"] is False
    assert len(rows["poor"]["problems"]) == 2
    assert rows["bare"]["engine"] is None
    assert done.returncode == 1
    sentences = {name: [line for line in done.stderr.splitlines() if addresses[name] in line] for name in addresses}
    assert "fa is not installed there, or is too old: pip install 'fa-cli[cluster]'" in sentences["bare"][0]
    assert "bots can't be sandboxed there: bubblewrap is not installed" in sentences["poor"][0]
    (sentence,) = sentences["old"]
    assert "it has fa 0.0.9 " in sentence
    assert f"and this machine {engine_version()}: install the same version" in sentence
    lenient = fa("cluster", "check", cluster.address, "--format", "json", "--sandbox", "none")
    assert len(rows_of(lenient.stdout)["poor"]["problems"]) == 1
    assert "it can't store bots: no place to build bots: /dev/null/fa/bots" in lenient.stderr


@pytest.mark.slow
def test_a_frozen_worker_does_not_hold_up_the_others(fa: Fa, cluster: Cluster) -> None:
    cluster.add_worker("good", PYTHONPATH=str(ROOT))
    frozen = cluster.add_worker("frozen", PYTHONPATH=str(ROOT))
    frozen.freeze()
    done = fa("cluster", "check", cluster.address, "--format", "json", COLUMNS="500")
    rows = rows_of(done.stdout)
    assert rows["frozen"]["problems"] == ["it does not answer within 20 seconds"]
    assert rows["good"]["engine"] == engine_version()
    assert (done.returncode, "1 worker of 2 rejected" in done.stderr) == (1, True)


@pytest.mark.slow
def test_only_a_client_with_a_certificate_gets_in(fa: Fa, certificates: Certificates, tmp_path: Path) -> None:
    """Options name it, or the configuration of Dask."""
    with running_cluster(tmp_path, certificates) as cluster:
        cluster.add_worker("good", PYTHONPATH=str(ROOT))
        within = fa("cluster", "check", cluster.address, *certificates.options(), "--format", "json")
        assert list(rows_of(within.stdout)) == ["good"]
        without = fa("cluster", "check", cluster.address)
        assert (without.returncode, without.stdout) == (2, "")
        assert "a scheduler that uses TLS needs --cluster-ca" in without.stderr
        stranger = Certificates(tmp_path / "stranger")
        stranger.ca = certificates.ca
        refused = fa("cluster", "check", cluster.address, *stranger.options())
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "it refused the certificate of --cluster-cert" in refused.stderr
        tls = "DASK_DISTRIBUTED__COMM__TLS__"
        configured = {f"{tls}CA_FILE": str(certificates.ca), f"{tls}CLIENT__CERT": str(certificates.cert)}
        configured[f"{tls}CLIENT__KEY"] = str(certificates.key)
        done = fa("cluster", "check", cluster.address, "--format", "json", **configured)
        assert list(rows_of(done.stdout)) == ["good"]


@pytest.mark.slow
def test_a_worker_behind_a_cut_cable(fa: Fa, tmp_path: Path) -> None:
    with network(2) as net, running_cluster(tmp_path, host=net.host) as cluster:
        for name, namespace in zip(("good", "far"), net.namespaces, strict=True):
            cluster.add_worker(name, namespace, PYTHONPATH=str(ROOT))

        def problems() -> dict[str, list[str]]:
            rows = rows_of(fa("cluster", "check", cluster.address, "--format", "json").stdout)
            return {name: row["problems"] for name, row in rows.items()}

        assert problems() == {"good": [], "far": []}
        net.cut(1)
        cut = problems()
        assert cut["good"] == []
        # whether Dask notices before the check does depends on the machine's load
        reasons = (["it does not answer within 20 seconds"], ["the scheduler can't reach it"], None)
        assert cut.get("far") in reasons
        net.restore(1)
        until = time.monotonic() + 120
        while problems() != {"good": [], "far": []}:
            assert time.monotonic() < until, cluster.workers[-1].printed()
            if cluster.workers[-1].has_ended():  # it noticed the cut: a service manager would start another
                cluster.add_worker("far", net.namespaces[1], PYTHONPATH=str(ROOT))
