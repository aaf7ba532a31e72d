"""`fa games` lists the games, their players and options; `fa rules GAME` shows the rules as played here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...columns import Column
from ..tables import Format, FormatOption, is_watched, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...games.game import Game

COLUMNS = (
    Column("game", "game"),
    Column("title", "title"),
    Column("players", "players", lambda players: " ".join(str(count) for count in players)),
    Column("option", "option"),
    Column("values", "values"),
    Column("default", "default"),
    Column("rated_apart", "rated apart", lambda apart: "yes" if apart else ""),
)


def games(format: FormatOption = Format.TABLE) -> None:
    """The games: how many play, and the options with their values. `--option NAME=VALUE` sets one."""
    from ...games import GAMES

    show((row for game in GAMES for row in _rows(game)), COLUMNS, format)


def _rows(game: Game) -> Iterator[dict[str, Any]]:
    """One row per option; a game without any has one row."""
    import msgspec

    from ...games.options import describe_values

    about = {"game": game.name, "title": game.title, "players": list(game.players)}
    fields = msgspec.structs.fields(game.options)
    for field in fields:
        yield about | {
            "option": field.name,
            "values": describe_values(game.options, field.name),
            "default": field.default,
            "rated_apart": field.name in game.variant_options,
        }
    if not fields:
        yield about


def rules(game: Annotated[str, typer.Argument(metavar="GAME", help="One of the names in `fa games`.")]) -> None:
    """The rules of a game as played here, with their numbered rulings; paged on a terminal."""
    from importlib.resources import files

    from ...games import find_game

    text = files(find_game(game).rules).joinpath("RULES.md").read_text(encoding="utf-8")
    if is_watched():
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        with console.pager():
            console.print(Markdown(text, hyperlinks=False))
    else:
        print(text, end="")
