"""The games that `fa` plays. A further game is one folder here and one line in `MODULES`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import UnknownGame

if TYPE_CHECKING:
    from .core import Game

    GAMES: tuple[Game, ...]

MODULES = {
    "fifth-avenue": f"{__name__}.fifth_avenue",
    "manhattan": f"{__name__}.manhattan",
    "new-york": f"{__name__}.new_york",
}
"""By name: the module whose `GAME` it is, imported when the game is first looked for."""


def find_game(name: str) -> Game:
    """The game of that name. Raises UnknownGame."""
    if name not in MODULES:
        raise UnknownGame(f"no game {name!r}; there are {', '.join(MODULES)}")
    game: Game = import_module(MODULES[name]).GAME
    return game


def __getattr__(name: str) -> tuple[Game, ...]:
    """`GAMES`: all of them, imported now."""
    if name == "GAMES":
        return tuple(map(find_game, MODULES))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def is_compiled() -> bool:
    """Whether the engines are the compiled ones; the rules are the same."""
    from . import chance

    return not str(chance.__file__).endswith(".py")
