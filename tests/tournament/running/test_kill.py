"""Runs of every format, killed at many random moments and resumed, end as those that were never interrupted."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fa_cli.leaderboard.leaderboards import Selection, leaderboard
from tests.conftest import further
from tests.tournament.helpers import dice
from tests.tournament.running.test_run import define, games, play

KILLS = 3
FORMATS: list[dict[str, Any]] = [
    {"schedule": "round-robin", "games": 24, "duplicate": "permutations", "players": 2},
    {"schedule": "gauntlet", "games": 16, "challengers": ["c"]},
    {"schedule": "swiss", "rounds": 2, "sets": 3},
    {"schedule": "knockout", "sets": 2},
    {"schedule": "ladder", "games": 20, "players": 2},
]


def ratings(log: Path) -> list[dict[str, Any]]:
    rows = leaderboard(Selection(Path("nowhere"), print, [log])).rows
    return [msgspec.structs.asdict(row) | {"ms": None} for row in rows]


@pytest.mark.parametrize("wishes", [FORMATS[0], *further(*FORMATS[1:])], ids=lambda one: one["schedule"])
def test_killed_at_random_moments_it_comes_out_the_same(tmp_path: Path, wishes: dict[str, Any]) -> None:
    bots = dice(tmp_path, "a", "b", "c", "d", before="time.sleep(0.004)")
    wishes = wishes | {"options": {"turn_limit": "2", "side": "five"}}
    whole, expected = define(tmp_path / "whole", bots, **wishes)
    began = time.monotonic()
    play(whole, expected, 2)
    takes = time.monotonic() - began
    definition, place = define(tmp_path, bots, **wishes)
    generator = random.Random(wishes["schedule"])
    command = [sys.executable, "-m", "fa_cli", "--home", str(tmp_path), "tournament", "resume", "test"]
    killed, done = 0, [0]
    for attempt in range(KILLS + 1):
        run = [*command, "--jobs", str(1 + attempt % 3)]
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if attempt < KILLS:
            while process.poll() is None and not (place.log.exists() and len(games(place)) > done[-1]):
                time.sleep(0.005)
            time.sleep(generator.uniform(0, takes / KILLS))
            process.kill()
        error = process.communicate()[1]
        assert process.returncode in ((0, -signal.SIGKILL) if attempt < KILLS else (0,)), error
        killed += process.returncode == -signal.SIGKILL
        done.append(len(games(place)) if place.log.exists() else 0)
    assert killed >= 2
    assert done == sorted(done)
    assert games(place) == games(expected)
    assert ratings(place.log) == ratings(expected.log)
    assert definition.source() == whole.source()
