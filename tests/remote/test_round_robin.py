"""Four remote bots, two language models and two local bots, through kills and cut cables."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cluster.harness import network
from tests.models.helpers import KEY, KEY_ENV, model_bot
from tests.models.server import provider
from tests.remote.hosted import games, hosted
from tests.tournament.helpers import dice

GREEDY = Path(__file__).parents[2] / "bots/greedy.py"
REMOTE = ["anna", "bert", "cleo", "dora"]
GAMES = 28


@pytest.mark.slow
def test_a_round_robin_through_kills_and_cut_cables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run, the host and a cable fail in turn. Nobody loses a game by it, and no answer of a model is paid twice."""
    monkeypatch.setenv(KEY_ENV, KEY)
    (slow,) = dice(tmp_path, "slow", before="time.sleep(0.02)")
    options = ["--host", "0.0.0.0", "--yes"]
    fa = [sys.executable, "-m", "fa_cli", "--home", str(tmp_path), "tournament"]
    with network(1) as net, provider() as server, hosted(tmp_path, *REMOTE, options=options) as host:
        port = host.server.port
        for name in REMOTE[:2]:
            host.connect(name, slow)
        for name in REMOTE[2:]:
            host.connect(name, slow, within=["ip", "netns", "exec", net.namespaces[0]], host=net.host)
        models = [model_bot(tmp_path / name, server) for name in ("one", "two")]
        bots = [*(f"remote:{name}" for name in REMOTE), *map(str, models), f"local={GREEDY}", "greedy"]
        command = [*fa, "run", *bots, "--game", "manhattan", "--players", "2", "--games", str(GAMES), "--name", "t"]
        run = subprocess.Popen([*command, "--seed", "a", "-q", "-j", "2", "--move-time", "60s"], start_new_session=True)
        await_games(tmp_path, 5)
        run.kill()
        run.wait()
        resume = [*fa, "resume", "t", "-q", "-j", "2"]
        run = subprocess.Popen(resume, start_new_session=True)
        await_games(tmp_path, 10)
        net.cut(0)
        time.sleep(4)
        net.restore(0)
        await_games(tmp_path, 15)
        host.server.process.send_signal(signal.SIGKILL)
        host.server.process.wait()
        time.sleep(1)
        with hosted(tmp_path, *REMOTE, options=options, port=port):
            assert run.wait(300) == 0
        subprocess.run([*fa, "verify", "t"], check=True, capture_output=True)
        twice = len(server.paid_labels) - len({*server.paid_labels})
        assert twice <= 2, "one for each worker that is killed with its run"
    played = games(tmp_path)
    assert len(played) == GAMES
    assert not any(entry.faults for entry in played)


def await_games(home: Path, number: int) -> None:
    """Wait until the log has so many games."""
    from fa_cli.replay.log_file import read_log

    log, end = home / "logs/t.log", time.monotonic() + 300
    while not log.exists() or sum(1 for _ in read_log(log)) < number:
        assert time.monotonic() < end, "too few games"
        time.sleep(0.2)
