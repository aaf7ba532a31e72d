"""The games that `fa` plays. A further game is one folder here and one line in `GAMES`."""

from __future__ import annotations

from ..errors import UnknownGame
from .core import Game
from .fifth_avenue import GAME as FIFTH_AVENUE

GAMES: tuple[Game, ...] = (FIFTH_AVENUE,)


def find_game(name: str) -> Game:
    """The game of that name. Raises UnknownGame."""
    for game in GAMES:
        if game.name == name:
            return game
    raise UnknownGame(f"no game {name!r}; there are {', '.join(game.name for game in GAMES)}")
