"""The games that `fa` plays, and the way in for programs that use them (docs/library.md).

A further game is one folder here and one line in `MODULES`.

>>> from fa_cli import games
>>> game = games.find_game("manhattan")
>>> state = game.start(game.make_options({}), players=2, seed=games.seed_from_text("an example"))
>>> state.apply(state.legal()[0])
>>> state.is_over()
False
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import UnknownGame
from ..results import rank_seats
from .chance import RandomChance, game_seed, seed_from_text

if TYPE_CHECKING:
    from .contract import State
    from .game import Game

    GAMES: tuple[Game, ...]

__all__ = [
    "GAMES",
    "Game",
    "RandomChance",
    "State",
    "find_game",
    "game_seed",
    "is_compiled",
    "rank_seats",
    "seed_from_text",
]

MODULES = {
    "fifth-avenue": f"{__name__}.fifth_avenue",
    "manhattan": f"{__name__}.manhattan",
    "new-york": f"{__name__}.new_york",
}
"""By name: the module whose `GAME` it is, imported when the game is first looked for."""
CONTRACT = {"Game": "game", "State": "contract"}
"""The names that this package hands on, and the modules that have them, imported when they are first used."""


def find_game(name: str) -> Game:
    """The game of that name. Raises UnknownGame."""
    if name not in MODULES:
        raise UnknownGame(f"no game {name[:60]!r}; there are {', '.join(MODULES)}")
    game: Game = import_module(MODULES[name]).GAME
    return game


def __getattr__(name: str) -> object:
    """`GAMES`: all of them, imported now; and the contract, `Game` and `State`, when asked for."""
    if name == "GAMES":
        return tuple(map(find_game, MODULES))
    if name in CONTRACT:
        return getattr(import_module(f"{__name__}.{CONTRACT[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def is_compiled() -> bool:
    """Whether the engines are the compiled ones; the rules are the same."""
    from . import chance

    return not str(chance.__file__).endswith(".py")
