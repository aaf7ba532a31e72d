"""`fa protocol schema`: every message to and from bots, as a JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any

from ..option import Option
from .framework.commands import Group
from .help import explained


@explained(
    "protocol",
    ("Write the schema to a file", "fa protocol schema > schema.json"),
    ("Print the observation of one game", "fa protocol schema --game manhattan"),
)
def schema(
    game: Annotated[str | None, Option("Print only this game's observation. [default: all]", "GAME")] = None,
) -> None:
    """Print the JSON Schema of all messages and of the games' observations."""
    import json

    print(json.dumps(whole_schema(game), indent=2))


GROUP = Group("Print the messages to and from bots.", {"schema": schema})


def whole_schema(game_name: str | None = None) -> dict[str, Any]:
    """The protocol's schema with the observations and boards of this game, or of all. Raises UnknownGame."""
    from ..games import GAMES, find_game
    from ..games.contract import Event
    from ..protocol.schema import protocol_schema

    games = (find_game(game_name),) if game_name else GAMES
    boards = {game.name: type(board) for game in games if (board := game.board(game.options())) is not None}
    return protocol_schema({game.name: game.observation for game in games}, boards, Event)
