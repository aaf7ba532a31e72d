"""Questions about results: the same rows and lines as those of the commands."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fa_cli.cli import app
from tests.apart import run_apart
from tests.conftest import Fa
from tests.damage import flip_bit
from tests.inside import fa as fa
from tests.mcp_server.client import assistant
from tests.tournament.helpers import dice


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two tournaments."""
    home = tmp_path_factory.mktemp("played")
    bots = [str(path) for path in dice(home / "bots", "a", "b", "c")]
    run = ["--home", str(home), "--quiet", "tournament", "run", *bots, "--seed", "x", "--sandbox", "none"]
    for name, options in (("spring", ["--games", "12"]), ("cup", ["--game", "manhattan", "--games", "12"])):
        assert app.run([*run, "--name", name, *options]) == 0
    return home


@pytest.mark.slow
def test_results(played: Path, fa: Fa) -> None:
    def printed(*words: str) -> str:
        done = fa("--home", played, "--quiet", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    boards = [
        (arguments, json.loads(printed("leaderboard", *words, "--format", "json")))
        for arguments, words in [
            ({}, []),
            ({"tournament": "cup"}, ["cup"]),
            ({"game": "fifth-avenue"}, ["--game", "fifth-avenue"]),
        ]
    ]
    rows = json.loads(printed("compare", "a", "b", "spring", "--format", "json"))
    sentence = printed("compare", "a", "b", "spring").split("\n")[0]
    whole = printed("replay", "show", str(played / "logs/spring.log"), "--game", "3", "--boards", "turns")

    async def session() -> None:
        async with assistant(played) as client:
            listed = (await client.get("list_tournaments")).content
            assert listed["tournaments"] == [
                {"name": "cup", "state": "finished"},
                {"name": "spring", "state": "finished"},
            ]
            assert listed["logs"] == ["cup", "spring"]
            for arguments, standings in boards:
                board = await client.get("leaderboard", **arguments)
                assert board.content["rows"] == standings
                assert all(row["bot"] in board.text for row in standings)
            compared = await client.get("compare_bots", first="a", second="b", tournament="spring")
            assert compared.content["rows"] == rows
            assert compared.text.split("\n")[0] == sentence
            shown = await client.get("show_game", log="spring", game=3, boards="turns")
            assert shown.text.split("\n")[:200] == whole.split("\n")[:200]
            assert (await client.get("verify_log", log="cup")).text.endswith("all good")
            refused = await client.refused("compare_bots", first="a", second="bb", game="manhattan")
            assert refused == "bb has not played manhattan in the logs; did you mean b?"

    run_apart(session())


@pytest.mark.slow
def test_damaged_logs(played: Path, tmp_path: Path) -> None:
    """They are named in a sentence, and others can be read."""
    home = tmp_path / "home"
    shutil.copytree(played, home)
    flip_bit(home / "logs/cup.log")
    (home / "logs/text.log").write_text("this is no log\n")
    (home / "tournaments/broken.json").write_text("{")

    async def session() -> None:
        async with assistant(home) as client:
            assert {"name": "broken", "state": "unreadable"} in (await client.get("list_tournaments")).content[
                "tournaments"
            ]
            verified = (await client.get("verify_log", log="cup")).content
            assert verified["bad"] > 0
            assert verified["findings"][0].startswith("record ")
            assert "text.log" in await client.refused("verify_log", log="text")
            assert "text.log" in await client.refused("show_game", log="text")
            assert (await client.get("leaderboard", tournament="spring")).content["games"] == 12

    run_apart(session())
