"""Tournaments with bots that ask a model: killed and resumed, within a budget, and with a key that nobody sees."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fa_cli.errors import LogError
from fa_cli.models.exchanges import BudgetSpent, Exchanges, read_exchanges, stated_totals
from fa_cli.models.model import ModelRun
from fa_cli.replay.log_file import read_log
from tests.conftest import Fa
from tests.inside import fa as fa

from .helpers import KEY, KEY_ENV, SANDBOXED, model_bot
from .server import TOKENS_IN, TOKENS_OUT, Provider, completion, provider

ONCE = ("--duplicate", "off")  # duplicates have processes of their own, and each bot takes a second to start
GAME = ("--game", "manhattan", "--players", "2", *ONCE, "--move-time", "20s", "--name", "test")
PRICES = {"price_in": 1.0, "price_out": 10.0, "max_tokens": 100}
COST = (TOKENS_IN * 1.0 + TOKENS_OUT * 10.0) / 1e6


def run(
    fa: Fa, *bots: str | Path, games: int = 4, jobs: int = 2, **environment: str
) -> subprocess.CompletedProcess[str]:
    numbers = ("--games", str(games), "--jobs", str(jobs))
    return fa("tournament", "run", *bots, *GAME, *numbers, **{KEY_ENV: KEY} | environment)


def metas(tmp_path: Path) -> dict[int, dict[str, Any]]:
    return {index: entry.meta for index, entry in enumerate(read_log(tmp_path / "logs/test.log"))}


def exchanges(tmp_path: Path) -> int:
    """How many exchanges the records state; checked against the file beside the log."""
    games = metas(tmp_path)
    found = read_exchanges(tmp_path / "logs/test.exchanges", games)
    stated = sum(each.exchanges for meta in games.values() for each in stated_totals(meta) if each)
    assert stated == sum(len(seat) for game in found.values() for seat in game.values())
    return stated


@pytest.mark.slow
def test_a_tournament_that_a_provider_disturbs(fa: Fa, tmp_path: Path) -> None:
    """No faults, a key that is in no file, and exchanges that are those of the records."""
    faults = [
        fault for each in ("429", "500", "cut", "closed", "content-type", "wrong-json") for fault in (each, "", "")
    ]
    with provider(*faults, illegal=0.02) as server:
        bots = [model_bot(tmp_path / name, server, illegal="random", **PRICES) for name in ("one", "two")]
        done = run(fa, *bots, "greedy", games=3, jobs=1)  # each pair once; a second worker has bots of its own to start
        assert done.returncode == 0, done.stderr
        assert exchanges(tmp_path) == len(server.paid)
        assert [each.faults for each in read_log(tmp_path / "logs/test.log")] == [[]] * 3
        assert len(server.paid) > 150 and not server.faults
        assert all(each["Authorization"] == f"Bearer {KEY}" for each in server.headers)
        verified = fa("tournament", "verify", "test")
        assert verified.returncode == 0
        assert f"{len(server.paid):,} exchanges with language models, each as the records have it" in verified.stdout
        assert KEY not in done.stdout + done.stderr
        check_columns(fa, tmp_path, done.stdout, len(server.paid))
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert len(files) > 8
        assert [path for path in files if KEY.encode() in path.read_bytes()] == []
        assert (tmp_path / "logs/test.exchanges").stat().st_mode & 0o077 == 0


def check_columns(fa: Fa, tmp_path: Path, printed: str, paid: int) -> None:
    """Tokens, cost and illegal share are in the leaderboard, and none of them for a bot without a model."""
    assert printed.split("\n")[0].split()[-3:] == ["tokens", "cost", "illegal"]
    rows = {row["bot"]: row for row in json.loads(fa("leaderboard", "test", "--format", "json").stdout)}
    assert [rows["greedy"][name] for name in ("tokens", "cost", "illegal")] == [None] * 3
    models = [rows["one"], rows["two"]]
    assert sum(row["tokens"] for row in models) == paid * (TOKENS_IN + TOKENS_OUT)
    assert sum(row["cost"] for row in models) == pytest.approx(paid * COST)
    for name, row in (("one", models[0]), ("two", models[1])):
        totals = [
            each
            for entry in read_log(tmp_path / "logs/test.log")
            for bot, each in zip(entry.players, stated_totals(entry.meta), strict=True)
            if bot == name and each
        ]
        assert row["illegal"] == sum(each.illegal for each in totals) / sum(each.exchanges for each in totals)


@pytest.mark.slow
def test_tokens_that_are_not_stated_are_the_most_possible(
    fa: Fa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.models.server.completion", lambda *said: completion(*said) | {"usage": None})
    monkeypatch.setattr("fa_cli.cli.tables.width", lambda: 200)
    with provider() as server:
        done = run(fa, model_bot(tmp_path / "one", server, plain=True, **PRICES), "greedy", games=1)
        most = sum(len(body.encode()) + PRICES["max_tokens"] for body in server.paid)
    assert re.search(rf" {most} ", done.stdout)
    assert "tokens: where a provider does not say how many, the most possible" in " ".join(done.stderr.split())


@pytest.mark.slow
def test_exchanges_that_were_changed_are_noticed(fa: Fa, tmp_path: Path) -> None:
    with provider() as server:
        assert run(fa, model_bot(tmp_path / "one", server, plain=True), "greedy", games=1).returncode == 0
    path, games = tmp_path / "logs/test.exchanges", metas(tmp_path)
    read_exchanges(path, games)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE exchanges SET answer = replace(answer, 'stop', 'halt') WHERE id = 1")
    with pytest.raises(LogError, match=r"game 1, seat [01]: not the exchanges that the record states"):
        read_exchanges(path, games)
    verified = fa("tournament", "verify", "test")
    assert verified.returncode == 1
    assert "not the exchanges that the record states" in verified.stdout
    for removed in (tmp_path / "tournaments/test.json", tmp_path / "logs/test.log"):
        removed.unlink()
    taken = fa("tournament", "run", "random", "greedy", *GAME)
    assert (taken.returncode, "there are exchanges with models in logs/test.exchanges already" in taken.stderr) == (
        2,
        True,
    )
    path.unlink()
    with pytest.raises(LogError, match="are missing, and game 1 had some"):
        read_exchanges(path, games)


@pytest.mark.slow
@pytest.mark.parametrize("whole_group", [False, True])
def test_killed_and_resumed_it_never_pays_twice(tmp_path: Path, whole_group: bool) -> None:
    """An answer that was received is found again. One that was under way is asked for with the same label, unless a
    worker survives its run until the answer is there."""
    with provider(pause=0.05) as server:
        bot = model_bot(tmp_path / "one", server, plain=True, timeout=60.0)  # on a busy machine a second is not enough
        command = [sys.executable, "-m", "fa_cli", "tournament"]
        begin = [*command, "run", str(bot), "greedy", *GAME, "--games", "3", "--jobs", "2"]
        environment = {**os.environ, KEY_ENV: KEY, "FA_COMPILE": "0"}
        kills = 0
        for wanted in (21, 60, 10**9):
            arguments = begin if not kills else [*command, "resume", "test", "--jobs", "2"]
            process = subprocess.Popen(
                arguments,
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            while process.poll() is None and len(server.paid) < wanted:
                time.sleep(0.005)
            if wanted < 10**9:
                (os.killpg if whole_group else os.kill)(process.pid, signal.SIGKILL)
                kills += 1
            error = process.communicate()[1]
        assert process.returncode == 0, error.decode()
        needed = exchanges(tmp_path)
        labels = Counter(each["Idempotency-Key"] for each in server.headers)
        assert len(labels) == needed
        twice = [label for label, count in labels.items() if count > 1]
        assert len(twice) <= (2 * kills if whole_group else 0)
        assert all(entry.faults == [] for entry in read_log(tmp_path / "logs/test.log"))


@pytest.mark.slow
def test_a_budget_stops_before_it_is_exceeded(fa: Fa, tmp_path: Path) -> None:
    with provider() as server:
        bot = model_bot(tmp_path / "one", server, plain=True, **PRICES)
        done = run_with_budget(fa, bot, server, "0.09")
        assert done.returncode == 2
        assert "of the budget of 0.09 is spent" in done.stderr
        assert "resume with: fa tournament resume test" in done.stderr
        assert "Traceback" not in done.stderr
        paid = len(server.paid)
        assert 0 < paid * COST <= 0.09
        again = fa("tournament", "resume", "test", "--budget", "0.09", **{KEY_ENV: KEY})
        assert again.returncode == 2
        assert len(server.paid) * COST <= 0.09
        assert fa("tournament", "resume", "test", "--budget", "5", **{KEY_ENV: KEY}).returncode == 0
        assert exchanges(tmp_path) == len(server.paid)


@pytest.mark.slow
def test_a_bot_has_a_budget_of_its_own(fa: Fa, tmp_path: Path) -> None:
    with provider() as server:
        poor, rich = (
            model_bot(tmp_path / name, server, plain=True, **PRICES, budget=most)
            for name, most in (("p", 0.05), ("r", 9))
        )
        key = {KEY_ENV: KEY}
        done = fa("tournament", "run", poor, rich, *GAME, "--games", "1", "--budget", "9", **key)
        assert done.returncode == 2
        assert "of the budget of p of 0.05 is spent" in done.stderr
        assert "give a larger budget in its bot.toml, and resume with --update, to go on" in done.stderr
        (poor / "bot.toml").write_text((poor / "bot.toml").read_text().replace("budget = 0.05", "budget = 5"))
        assert fa("tournament", "resume", "test", "--update", **key).returncode == 0


def test_a_budget_is_for_all_versions_of_a_bot(tmp_path: Path) -> None:
    run = ModelRun(str(tmp_path / "test.exchanges"))
    for bot, most in (("talker", 0.5), ("talker+2", 0.4), ("talk", 0.9), ("talker+x", 0.9)):
        with closing(Exchanges(run, bot, 1.0)) as file:
            file.reserve(0, 0, bot, most)
    for bot in ("talker", "talker+3"):
        with closing(Exchanges(run, bot, 1.0)) as file, pytest.raises(BudgetSpent, match=r"0\.9000 of the budget"):
            file.reserve(0, 0, bot, 0.2)


def run_with_budget(fa: Fa, bot: Path, server: Provider, budget: str) -> subprocess.CompletedProcess[str]:
    arguments = ("tournament", "run", bot, "greedy", *GAME, "--games", "2", "--jobs", "2", "--budget", budget)
    return fa(*arguments, **{KEY_ENV: KEY})


@pytest.mark.slow
def test_a_provider_that_stays_away_stops_the_run(fa: Fa, tmp_path: Path) -> None:
    with provider() as server:
        bot = model_bot(tmp_path / "one", server, plain=True, timeout=0.2)
        server.always = "500"
        arguments = ("tournament", "run", bot, "greedy", *GAME[:-4], "--move-time", "5s", "--name", "test")
        done = fa(*arguments, "--games", "1", "--jobs", "1", **{KEY_ENV: KEY})
        assert done.returncode == 2
        assert "one can't play: 127.0.0.1 answered with status 500; game 1 is played again later" in done.stderr
        assert (
            "fa: one can't play: 127.0.0.1 answered with status 500; the 0 games before are kept; resume with: fa "
            "tournament resume test" in " ".join(done.stderr.split())
        )
        server.always = ""
        assert fa("tournament", "resume", "test", **{KEY_ENV: KEY}).returncode == 0
        assert [each.faults for each in read_log(tmp_path / "logs/test.log")] == [[]]


SPY = """
import json, os, pathlib, socket
if __name__ == "__main__":
    seen = {"environ": dict(os.environ), "files": {}, "net": ""}
    for path in ("/proc/self/environ", "/proc/1/environ", "bot.toml"):
        try:
            seen["files"][path] = pathlib.Path(path).read_bytes().decode("utf-8", "replace")
        except OSError as error:
            seen["files"][path] = str(error)
    try:
        socket.create_connection((HOST, PORT), 2)
        seen["net"] = "open"
    except OSError as error:
        seen["net"] = str(error)
    import sys
    print(json.dumps(seen), file=sys.stderr, flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not SANDBOXED, reason="no sandbox here")
def test_a_bot_sees_no_key_and_no_network(fa: Fa, tmp_path: Path) -> None:
    with provider() as server:
        bot = model_bot(tmp_path / "spy", server, plain=True)
        text = (bot / "bot.py").read_text()
        spy = SPY.replace("HOST", '"127.0.0.1"').replace("PORT", str(server.server_port))
        (bot / "bot.py").write_text(text.replace('if __name__ == "__main__":', spy + '\nif __name__ == "__main__":'))
        done = fa(
            "tournament",
            "run",
            bot,
            "greedy",
            *GAME,
            "--games",
            "1",
            "--stderr",
            "out",
            "--sandbox",
            "auto",
            **{KEY_ENV: KEY},
        )
        assert done.returncode == 0, done.stderr
        (written,) = [file.read_text() for file in (tmp_path / "out").glob("spy.*")][:1]
        assert KEY not in written
        seen = json.loads(written.splitlines()[0])
        assert set(seen["environ"]) >= {"FA_MODEL_SOCKET", "HOME"}
        assert KEY_ENV not in seen["environ"]
        assert seen["net"] not in ("", "open")


@pytest.mark.slow
def test_wrong_input_gets_one_sentence(fa: Fa, tmp_path: Path) -> None:
    with provider() as server:
        bot = model_bot(tmp_path / "one", server, plain=True)
        found = (
            fa("tournament", "run", bot, "greedy", *GAME).stderr,
            fa("match", bot, "greedy", "--game", "manhattan").stderr,
            fa("bot", "check", bot).stderr,
        )
        for stderr in found:
            assert "fa: one needs the key of 127.0.0.1: set the environment variable LOOPBACK_KEY" in stderr.replace(
                str(tmp_path) + "/", ""
            )
        assert not (tmp_path / "tournaments").exists()
        budget = fa("tournament", "run", "random", "greedy", *GAME, "--budget", "1").stderr
        assert "--budget is for bots with a language model, and none of these has one" in " ".join(budget.split())
        free = model_bot(tmp_path / "free", server, plain=True, price_in=0, price_out=0)
        without_budget = re.sub("(?m)^budget = .*\n", "", (free / "bot.toml").read_text())
        (free / "bot.toml").write_text(without_budget)
        for amount in ("1", "0"):
            unpriced = fa("tournament", "run", free, "greedy", *GAME, "--budget", amount, **{KEY_ENV: KEY}).stderr
            assert "a budget needs prices: set price_in and price_out in its bot.toml" in " ".join(unpriced.split())
        other = model_bot(tmp_path / "other", server, plain=True, model="gpt-0")
        wrong = run(fa, other, "greedy", games=1)
        assert wrong.returncode == 2
        assert f"has no model 'gpt-0' at {server.url}: set model or base_url" in " ".join(wrong.stderr.split())
        assert "Traceback" not in wrong.stderr
        assert server.paid == []
