"""The compiled engines play exactly as the plain ones: the same simulations give the same logs, byte by byte.

`make test-compiled` runs this with FA_COMPILED, the folder into which the compiled wheel was unpacked.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fa_cli.games import GAMES, is_compiled
from fa_cli.games.game import Game

PLAIN = str(Path(__file__).parent.parent)
COMPILED = os.environ.get("FA_COMPILED", "")
GAMES_EACH = "30"

pytestmark = pytest.mark.skipif(not COMPILED, reason="make test-compiled runs it")


def fa(package: str, folder: Path, *arguments: str) -> str:
    """What the `fa` prints whose package is in that place; it is run in `folder`, where there is none."""
    done = subprocess.run(
        [sys.executable, "-m", "fa_cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": package},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def test_the_version_tells_which_engines_there_are(tmp_path: Path) -> None:
    assert "compiled" in fa(COMPILED, tmp_path, "--version")
    assert not is_compiled()
    assert "compiled" not in fa(PLAIN, tmp_path, "--version")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_simulations_give_the_same_bytes(game: Game, tmp_path: Path) -> None:
    logs = []
    for number, setting in enumerate(game.default_variants):
        options = [argument for name, value in setting.items() for argument in ("--option", f"{name}={value}")]
        for players in map(str, game.players):
            pair = []
            for which, package in (("plain", PLAIN), ("compiled", COMPILED)):
                log = tmp_path / f"{number}-{players}-{which}.log"
                command = ("--players", players, "--games", GAMES_EACH, "--seed", "same", *options)
                fa(package, tmp_path, "simulate", game.name, "-o", str(log), *command)
                pair.append(log)
            assert pair[0].read_bytes() == pair[1].read_bytes()
            logs.append(str(pair[0]))
    fa(COMPILED, tmp_path, "replay", "verify", *logs)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_tournaments_give_the_same_bytes(game: Game, tmp_path: Path) -> None:
    """The bots play by the observation, the events and the legal actions, as the referee writes them."""
    logs = []
    for which, package in (("plain", PLAIN), ("compiled", COMPILED)):
        command = ("--game", game.name, "--games", "12", "--seed", "same", "--no-times", "--jobs", "1", "--name", "t")
        fa(package, tmp_path, "--home", which, "tournament", "run", "greedy", "planner", "random", *command)
        logs.append((tmp_path / which / "logs/t.log").read_bytes())
    assert logs[0] == logs[1]
