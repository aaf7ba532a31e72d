"""Rules on terminals of several widths: no line is too wide, and no word is broken or cut."""

from __future__ import annotations

import re

import pytest

from fa_cli.games import GAMES
from fa_cli.games.game import Game
from fa_cli.play import rulebook

WORD = re.compile(r"[\w'-]+")


@pytest.mark.parametrize("width", [60, 72, 80, 120])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_word_is_broken(game: Game, width: int) -> None:
    lines = rulebook.whole(game, width)
    assert max(map(len, lines)) <= width
    assert set(WORD.findall("\n".join(lines))) <= set(WORD.findall(rulebook.source(game)))
    assert not any("…" in line for line in lines)
