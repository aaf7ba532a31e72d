"""The protocol's JSON Schema with the observations of games."""

from __future__ import annotations

from typing import Any


def whole_schema(game_name: str | None = None) -> dict[str, Any]:
    """The protocol's schema with the observations and boards of this game, or of all. Raises UnknownGame."""
    from ...games import GAMES, find_game
    from ...games.contract import Event
    from ...protocol.schema import protocol_schema

    games = (find_game(game_name),) if game_name else GAMES
    boards = {game.name: type(board) for game in games if (board := game.board(game.options())) is not None}
    return protocol_schema({game.name: game.observation for game in games}, boards, Event)
