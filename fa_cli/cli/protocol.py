"""`fa protocol schema`: every message to and from bots, as a JSON Schema."""

from __future__ import annotations

from typing import Annotated

from ..option import Option
from .framework.commands import Group
from .games.whole_schema import whole_schema
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
