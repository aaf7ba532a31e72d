"""The games against their golden playthroughs: a difference is either a mistake or to be read and regenerated."""

from __future__ import annotations

from typing import Any

import pytest

from fa_cli.games import GAMES
from fa_cli.games.game import Game

from .regenerate import FOLDER, path_of, playthrough, variants

ALL = [(game, players, options) for game in GAMES for players, options in variants(game)]


@pytest.mark.parametrize(("game", "players", "options"), ALL, ids=[path_of(*variant).stem for variant in ALL])
def test_playthrough(game: Game, players: int, options: dict[str, Any]) -> None:
    expected = path_of(game, players, options).read_text(encoding="utf-8")
    assert playthrough(game, players, options).splitlines() == expected.splitlines()


def test_no_file_is_left_over() -> None:
    games = tuple(f"{game.name}-" for game in GAMES)
    left_over = {path.name for path in FOLDER.glob("*.txt") if path.name.startswith(games)}
    assert left_over == {path_of(*variant).name for variant in ALL}
