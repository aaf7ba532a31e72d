"""The games that `fa` plays, and the entry point for programs that use them (docs/reference/library.md).

To add a game, add a folder here and a line to `MODULES`.

>>> from fa_cli import games
>>> game = games.find_game("manhattan")
>>> state = game.start(game.make_options({}), players=2, seed=games.Seed.from_text("an example"))
>>> state.apply(state.legal()[0])
>>> state.is_over()
False
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import UnknownGame
from ..game_result import rank_seats
from ..printing.text import near_or_all
from .chance import RandomChance
from .seed import Seed

if TYPE_CHECKING:
    from .contract import State
    from .game import Game

    GAMES: tuple[Game, ...]

__all__ = [
    "GAMES",
    "Game",
    "RandomChance",
    "Seed",
    "State",
    "find_game",
    "is_compiled",
    "rank_seats",
]

MODULES = {
    "fifth-avenue": f"{__name__}.fifth_avenue",
    "manhattan": f"{__name__}.manhattan",
    "new-york": f"{__name__}.new_york",
}
"""The modules that define each game's `GAME`, by its name. `find_game` imports them on first use."""
CONTRACT = {"Game": "game", "State": "contract"}
"""Re-exported names and their modules, which are imported on first use."""


def find_game(name: str) -> Game:
    """Return the game with this name. Raises UnknownGame if there is none."""
    if name not in MODULES:
        asked = str(name)[:60]
        raise UnknownGame(f"no game {asked!r}{near_or_all(asked, list(MODULES), 'games')}")
    game: Game = import_module(MODULES[name]).GAME
    return game


def __getattr__(name: str) -> object:
    """Import on first use: all games for `GAMES`, one module for each name in `CONTRACT`."""
    if name == "GAMES":
        return tuple(map(find_game, MODULES))
    if name in CONTRACT:
        return getattr(import_module(f"{__name__}.{CONTRACT[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def is_compiled() -> bool:
    """Return whether the engines are compiled with mypyc. Compiled or not, they play by the same rules."""
    from . import chance

    return not str(chance.__file__).endswith(".py")
