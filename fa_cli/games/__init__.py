"""The games that `fa` plays. A further game is one folder here and one line in `GAMES`."""

from __future__ import annotations

from ..errors import UnknownGame
from .core import Game
from .fifth_avenue import GAME as FIFTH_AVENUE
from .manhattan import GAME as MANHATTAN
from .new_york import GAME as NEW_YORK

GAMES: tuple[Game, ...] = (FIFTH_AVENUE, MANHATTAN, NEW_YORK)


def find_game(name: str) -> Game:
    """The game of that name. Raises UnknownGame."""
    for game in GAMES:
        if game.name == name:
            return game
    raise UnknownGame(f"no game {name!r}; there are {', '.join(game.name for game in GAMES)}")
