"""Who keeps failing plays no more, from the same game on whatever the number of workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fa_cli.errors import Interrupted
from fa_cli.game_result import SUSPENDED
from fa_cli.isolation.limits import Limits
from fa_cli.isolation.sandbox.bubblewrap import why_not
from fa_cli.tournament.running.suspension import Suspension
from tests.conftest import Fa
from tests.fakes import assert_none_left, processes_of
from tests.inside import inside as inside
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import Watcher, define_short, entries, play


def test_counting() -> None:
    bench = Suspension(3)
    for game in range(3):
        assert bench.suspended_seats((0, 1)) == (), game
        bench.add((0, 1), {1})
    assert bench.suspended_seats((0, 1)) == (1,)
    assert bench.suspended_seats((1, 0, 1)) == (0, 2)
    assert bench.suspended_seats((0, 2)) == ()


def test_who_fails_seldom_plays_on() -> None:
    bench, never = Suspension(3), Suspension(0)
    for game in range(100):
        for one in (bench, never):
            one.add((0, 1), {1} if game % 11 == 10 else set())
    assert bench.suspended_seats((0, 1)) == ()
    for _ in range(3):
        bench.add((0, 1), {1})
        never.add((0, 1), {1})
    assert bench.suspended_seats((0, 1)) == (1,)
    assert never.suspended_seats((0, 1)) == ()


def failing(folder: Path) -> list[Path]:
    """Two bots that play, and one that fails at its second decision in most of its games."""
    good = dice(folder, "a", "b")
    return good + dice(folder, "bad", before="asked > 1 and seed[-1] < 'd' and sys.exit('no more')")


def outcome(place: object) -> list[object]:
    return [
        (entry.number, entry.players, entry.faults, entry.result, [fault["detail"] for fault in told])
        for entry in entries(place)  # type: ignore[arg-type]
        for told in [entry.meta.get("fault_details", [])]
    ]


@pytest.mark.slow
def test_the_log_does_not_depend_on_the_workers(tmp_path: Path) -> None:
    bots = failing(tmp_path / "bots")
    found = []
    for jobs in (1, 3):
        definition, place = define_short(tmp_path, bots, f"jobs{jobs}", games=14, limits=Limits(max_faults=3))
        play(definition, place, jobs)
        found.append(outcome(place))
    assert found[0] == found[1]
    details = [detail for game in found[0] for detail in game[4]]  # type: ignore[index]
    assert details[:3].count(SUSPENDED.detail) == 0
    assert set(details[3:]) == {SUSPENDED.detail}
    assert len(details) > 6


@pytest.mark.slow
def test_going_on_remembers(tmp_path: Path) -> None:
    bots = failing(tmp_path / "bots")
    definition, place = define_short(tmp_path, bots, "whole", games=22, limits=Limits(max_faults=2))
    play(definition, place, 2)
    parted, other = define_short(tmp_path, bots, "parted", games=22, limits=Limits(max_faults=2))
    with pytest.raises(Interrupted):
        play(parted, other, 2, Watcher(interrupt_at=[3]))
    play(parted, other, 2)
    assert outcome(place) == outcome(other)


DAEMON = "asked == 1 and os.system('setsid sh -c \"sleep 61; : {marker}\" >/dev/null 2>&1 &')"


@pytest.mark.parametrize("sandbox", ["none", "bwrap"])
def test_nothing_is_left_of_a_tournament_that_is_killed(sandbox: str, tmp_path: Path) -> None:
    if sandbox == "bwrap" and why_not():
        pytest.skip(f"there is no sandbox here: {why_not()}")
    marker = f"fa-marker-{os.getpid()}-{sandbox}"
    bots = dice(tmp_path / "bots", "a", "b", before=f"{DAEMON.format(marker=marker)}; time.sleep(0.01)")
    command = [sys.executable, "-m", "fa_cli", "tournament", "run", *map(str, bots), "--sandbox", sandbox, "--jobs=2"]
    process = subprocess.Popen([*command, "--games=200"], cwd=tmp_path, stderr=subprocess.DEVNULL)
    log = tmp_path / "logs/fifth-avenue-1.log"
    while not (log.exists() and log.stat().st_size > 300):
        assert process.poll() is None
        time.sleep(0.02)
    assert processes_of(marker)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert_none_left(marker, 5.0)
    assert_none_left(tmp_path, 5.0)


@pytest.mark.slow
def test_the_sandbox_is_kept_in_the_definition(inside: Fa, tmp_path: Path) -> None:
    if why_not():
        pytest.skip(f"there is no sandbox here: {why_not()}")
    bots = dice(tmp_path / "bots", "a", "b")
    limits = ("--sandbox", "bwrap", "--memory=500MB", "--max-faults=0")
    done = inside("tournament", "run", *bots, "--games=2", "--name=x", *limits)
    assert done.returncode == 0, done.stderr
    limits = json.loads((tmp_path / "tournaments/x.json").read_text())["limits"]
    assert (limits["sandbox"], limits["memory"], limits["bench"]) == (True, 500_000_000, 0)


@pytest.mark.slow
def test_without_bubblewrap(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    bots = dice(tmp_path / "bots", "a", "b")
    sentence = "bubblewrap is not installed; Debian: apt-get install bubblewrap"
    refused = fa("tournament", "run", *bots, "--games=2", "--sandbox=bwrap", PATH=str(tmp_path / "empty"))
    assert (refused.returncode, refused.stderr) == (
        2,
        f"fa: bots can't be sandboxed here: {sentence}; --sandbox none runs them without\n",
    )
    done = fa("tournament", "run", *bots, "--games=2", PATH=str(tmp_path / "empty"))
    assert done.returncode == 0, done.stderr
    warning = f"warning: bots are not sandboxed and can do anything your account can ({sentence})\n"
    assert done.stderr.count(warning) == 2
    assert done.stderr.endswith(warning)


@pytest.mark.parametrize("option", ["--memory=much", "--file-size=0", "--line=1XB"])
def test_bad_limits(inside: Fa, option: str, tmp_path: Path) -> None:
    done = inside("tournament", "run", *dice(tmp_path / "bots", "a", "b"), option)
    assert done.returncode == 2
    name, text = option.split("=")
    assert done.stderr == f"fa: {name}: invalid size {text!r}: use e.g. 1GB, 500MB or 64KiB\n"


@pytest.mark.slow
def test_what_a_bot_says_does_nothing_to_a_terminal(inside: Fa, tmp_path: Path) -> None:
    talk, answer = r"\x1b]0;owned\x07<script>\u202e\n", r'{"action": "\\u001b[2J<script>"}'
    before = f"asked > 1 and [sys.stderr.write('{talk}'), print('{answer}'), sys.exit(1)]"
    (loud,) = dice(tmp_path / "bots", "loud", before=before)
    done = inside("tournament", "run", *dice(tmp_path / "bots", "a"), loud, "--games=2", "--name=x")
    assert "faults of loud: 2 illegal" in done.stderr
    assert r"\x1b[2J<script>" in done.stderr
    commands = ("tournament", "show", "x"), ("replay", "show", "logs/x.log"), ("leaderboard",)
    shown = [done, *(inside(*words) for words in commands)]
    for text in [part for one in shown for part in (one.stdout, one.stderr)]:
        assert not set(text) & set("\x1b\x07\u202e"), text
