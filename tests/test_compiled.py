"""The compiled engines play exactly as the plain ones: the same simulations give the same logs, byte by byte.

`make test-compiled` runs this with FA_COMPILED, the Python of an environment in which the compiled wheel is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fa_cli.games import GAMES, is_compiled
from fa_cli.games.core import Game

ROOT = Path(__file__).parent.parent
COMPILED = os.environ.get("FA_COMPILED", "")
GAMES_EACH = "30"

pytestmark = pytest.mark.skipif(not COMPILED, reason="make test-compiled runs it")


def fa(python: str, folder: Path, *arguments: str) -> str:
    """What the `fa` of that Python prints: the plain one is the one of this checkout, which the other must not find."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-m", "fa_cli", *arguments],
        cwd=ROOT if python == sys.executable else folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def test_the_version_tells_which_engines_there_are(tmp_path: Path) -> None:
    assert "compiled" in fa(COMPILED, tmp_path, "--version")
    assert not is_compiled()
    assert "compiled" not in fa(sys.executable, tmp_path, "--version")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_simulations_give_the_same_bytes(game: Game, tmp_path: Path) -> None:
    for number, setting in enumerate(game.tour):
        options = [argument for name, value in setting.items() for argument in ("--option", f"{name}={value}")]
        for players in map(str, game.players):
            logs = []
            for python in (sys.executable, COMPILED):
                log = tmp_path / f"{number}-{players}-{len(logs)}.log"
                command = ("--players", players, "--games", GAMES_EACH, "--seed", "same", *options)
                fa(python, tmp_path, "simulate", game.name, "-o", str(log), *command)
                logs.append(log)
            assert logs[0].read_bytes() == logs[1].read_bytes()
            fa(COMPILED, tmp_path, "replay", "verify", str(logs[0]))
