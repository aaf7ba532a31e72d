"""`fa bots` lists the bots that ship with `fa`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from ...printing.columns import KEY, ON_REQUEST, text
from ..common import say
from ..help import explained
from ..tables import Format, TableOptions, show_rows


def _games_in_table(names: Sequence[str]) -> str:
    from ...games import MODULES

    return "all" if set(names) == set(MODULES) else " ".join(names)


class ShippedBotRow(msgspec.Struct, frozen=True):
    """A bot that ships with `fa`."""

    bot: Annotated[str, text("bot", "the bot's name; commands take it in place of a path", importance=KEY)]
    language: Annotated[str, text("language", "the programming language", importance=2)]
    games: Annotated[
        list[str], text("games", "list: the games that it plays", _games_in_table, folds=True, importance=1)
    ]
    description: Annotated[str, text("description", "how it plays, in one line", folds=True)]
    path: Annotated[str, text("path", "its file or folder", importance=ON_REQUEST)]


@explained(
    "shipped-bots",
    ("List the shipped bots", "fa bots"),
    ("Print their paths", "fa bots --format csv"),
)
def bots(table: TableOptions) -> None:
    """List the bots that ship with fa.

    Commands take their names: `fa tournament run mine.py greedy planner`.
    """
    from ...isolation.shipped_bots import FOLDER, shipped_paths

    show_rows(ShippedBotRow, (_row(name, path) for name, path in shipped_paths().items()), table)
    if table.format is Format.TABLE:
        say(f"they are in {FOLDER}")


def _row(name: str, path: Path) -> ShippedBotRow:
    from ...games import MODULES
    from ...isolation.discovery import description_of, read_toml
    from ...isolation.shipped_bots import language_of

    toml = read_toml(path) if path.is_dir() else None
    games = toml.games if toml and toml.games else list(MODULES)
    return ShippedBotRow(name, language_of(path), games, description_of(path), str(path))
