"""Tournaments over networks: links that are cut, and clusters that let in only who has a certificate."""

from __future__ import annotations

from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from fa_cli.cluster.connection import connect
from fa_cli.cluster.tls_options import SecurityFiles
from fa_cli.errors import ClusterError
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import define, games, play

from .harness import ROOT, Certificates, await_registered, network, running_cluster
from .runs import AfterGames, descendants, play_on

SHORT: dict[str, Any] = {"times": False, "options": {"turn_limit": "2", "side": "five"}}
CUT_SECONDS = 8.0


@pytest.mark.slow
def test_a_cut_link_loses_and_doubles_no_game(tmp_path: Path) -> None:
    """The games of the machine behind it are given to the other; what it sends when it is back is dropped."""
    bots = dice(tmp_path, "a", "b", "c", before="time.sleep(0.02)")
    wishes = SHORT | {"games": 60}
    local, expected = define(tmp_path / "local", bots, **wishes)
    play(local, expected, 2)
    remote, paths = define(tmp_path, bots, **wishes)
    with network(2) as net, running_cluster(tmp_path, host=net.host) as cluster:
        for namespace in net.namespaces:
            cluster.add_worker(namespace=namespace, PYTHONPATH=str(ROOT))

        def cut() -> None:
            net.cut(1)
            Timer(CUT_SECONDS, net.restore, (1,)).start()

        watcher = play_on(cluster, remote, paths, AfterGames(8, cut), silence=3.0)
    assert paths.log.read_bytes() == expected.log.read_bytes()
    assert [text for text in watcher.warnings if "is silent" in text or "has left" in text]


@pytest.mark.slow
def test_only_who_has_a_certificate_plays(tmp_path: Path, certificates: Certificates) -> None:
    bots = dice(tmp_path, "a", "b")
    wishes = SHORT | {"games": 8}
    local, expected = define(tmp_path / "local", bots, **wishes)
    play(local, expected, 2)
    remote, paths = define(tmp_path, bots, **wishes)
    with running_cluster(tmp_path, certificates) as cluster:
        worker = cluster.add_worker(PYTHONPATH=str(ROOT))
        before = descendants(worker.pid)
        stranger = Certificates(tmp_path / "stranger").files()
        for files in (stranger, SecurityFiles(certificates.ca, stranger.cert, stranger.key)):
            with pytest.raises(ClusterError, match="certificate"):
                play_on(cluster, remote, paths, files=files)
            with pytest.raises(ClusterError, match="certificate"):
                connect(f"dask://{await_registered(worker)}", files)
        with pytest.raises(ClusterError, match="--cluster-ca"):
            play_on(cluster, remote, paths)
        assert games(paths) == []
        assert descendants(worker.pid) == before
        play_on(cluster, remote, paths, files=certificates.files())
    assert paths.log.read_bytes() == expected.log.read_bytes()
