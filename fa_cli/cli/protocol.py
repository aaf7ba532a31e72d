"""`fa protocol schema`: every line that bots hear and say, as a JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any

import typer

app = typer.Typer(help="What bots hear and say.")


@app.callback()
def group() -> None:
    """What bots hear and say."""


@app.command()
def schema(
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Only this game's observation. [default: all]")
    ] = None,
) -> None:
    """Print the JSON Schema of all messages and of every game's observation."""
    import json

    print(json.dumps(whole_schema(game), indent=2))


def whole_schema(game: str | None = None) -> dict[str, Any]:
    """The protocol's schema with the observation and board of this game, or of all. Raises UnknownGame."""
    from ..games import GAMES, find_game
    from ..games.contract import Event
    from ..protocol.schema import protocol_schema

    games = (find_game(game),) if game else GAMES
    boards = {each.name: type(board) for each in games if (board := each.board(each.options())) is not None}
    return protocol_schema({each.name: each.observation for each in games}, boards, Event)
