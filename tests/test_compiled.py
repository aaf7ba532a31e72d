"""Compiled modules do exactly what plain Python does: the same games, logs, leaderboards and reports, byte by byte.

`make test-compiled` runs this with FA_COMPILED, the folder into which the compiled wheel was unpacked.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fa_cli.games import GAMES, is_compiled
from fa_cli.games.game import Game
from fa_cli.isolation.sandbox import bubblewrap
from fa_cli.replay.log_file import read_log
from tests.seeded_results import BOTS, fa, seeded_results

PLAIN = str(Path(__file__).parent.parent)
COMPILED = os.environ.get("FA_COMPILED", "")
GAMES_EACH = "30"
COMPILED_BOT = """
from fa_cli.bot import run
from fa_cli.games import is_compiled
if not is_compiled():
    raise SystemExit("the engines are plain Python")
run(lambda decide, start: decide["legal"][0], wants=["legal"])
"""

pytestmark = pytest.mark.skipif(not COMPILED, reason="make test-compiled runs it")


def test_the_version_names_the_parts_in_use(tmp_path: Path) -> None:
    assert "(compiled, " in fa(sys.executable, COMPILED, tmp_path, "--version")
    assert not is_compiled()
    assert "(pure Python, " in fa(sys.executable, PLAIN, tmp_path, "--version")


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
                fa(sys.executable, package, tmp_path, "simulate", game.name, "-o", str(log), *command)
                pair.append(log)
            assert pair[0].read_bytes() == pair[1].read_bytes()
            logs.append(str(pair[0]))
    fa(sys.executable, COMPILED, tmp_path, "replay", "verify", *logs)


def test_the_same_tournament_gives_the_same_results(tmp_path: Path) -> None:
    plain = seeded_results(sys.executable, PLAIN, tmp_path / "plain", jobs=1)
    for jobs in (1, 2, 3):
        assert seeded_results(sys.executable, COMPILED, tmp_path / f"compiled-{jobs}", jobs) == plain


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_search_decides_in_the_same_way(game: Game, tmp_path: Path) -> None:
    games = []
    for number, package in enumerate((PLAIN, COMPILED)):
        log = tmp_path / f"{number}.log"
        command = ("--game", game.name, "--seed", "same", "--move-time", "60s", "--quiet", "-o", str(log))
        fa(sys.executable, package, tmp_path, "match", *2 * [str(BOTS / "searcher")], *command)
        games += [entry.record().actions for entry in read_log(log)]
    assert games[0] == games[1]


@pytest.mark.parametrize("sandbox", ["none", "bwrap"])
def test_bots_have_the_compiled_engines_too(sandbox: str, tmp_path: Path) -> None:
    if sandbox == "bwrap" and bubblewrap.why_not():
        pytest.skip(bubblewrap.why_not())
    (tmp_path / "mine.py").write_text(COMPILED_BOT)
    command = ("match", "--quiet", "mine.py", "mine.py", "--game", "manhattan", "--sandbox", sandbox)
    assert " at ply " not in fa(sys.executable, COMPILED, tmp_path, *command)  # as in `start at ply 0`, a fault
