"""`fa games` and `fa rules`: every game is listed with its options, and ships with its rules."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from fa_cli.cli import app
from fa_cli.games import GAMES
from fa_cli.games.game import Game
from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa
from tests.play.terminal import Seat


def test_every_option_of_every_game_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["games", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["game"], row["option"]) for row in rows] == [
        (game.name, field.name) for game in GAMES for field in msgspec.structs.fields(game.options)
    ]
    side = rows[0]
    assert side == {
        "game": "fifth-avenue",
        "title": "Fifth Avenue",
        "players": [2, 3, 4],
        "option": "side",
        "values": "five or six",
        "default": "five",
        "rated_apart": True,
    }


def test_as_a_table(fa: Fa) -> None:
    done = fa("games")
    assert (done.returncode, done.stderr) == (0, "")
    assert "fifth-avenue  Fifth Avenue  2 3 4" in done.stdout


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_rules(fa: Fa, game: Game) -> None:
    done = fa("rules", game.name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# ")
    assert game.title in done.stdout.splitlines()[0]


def test_rules_on_a_terminal_are_folded_and_without_marks(tmp_path: Path) -> None:
    shown = Seat(tmp_path, "rules", "fifth-avenue", PAGER="cat").wait("\0")
    lines = shown.splitlines()
    assert lines[0].strip() == "Fifth Avenue"
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line.startswith("#") or "**" in line]


def test_rules_of_no_game(fa: Fa) -> None:
    done = fa("rules", "chess\x1b[1m")
    assert_refused(done, "no game 'chess\\x1b[1m'; the games are fifth-avenue")


def test_rules_where_the_terminal_lacks_characters(fa: Fa) -> None:
    done = fa("rules", "fifth-avenue", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
