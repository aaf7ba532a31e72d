"""`fa games` lists the games, their players and options; `fa rules GAME` shows the rules as played here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from ...option import Argument
from ...printing.columns import KEY, numbers, text
from ..help import explained
from ..tables import TableOptions, show_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...games.game import Game


class OptionRow(msgspec.Struct):
    """An option of a game. A game without options has one row, with None for its fields."""

    game: Annotated[str, text("game", "the game's name for commands", importance=KEY)]
    title: Annotated[str, text("title", "its title", importance=1)]
    players: Annotated[list[int], numbers("players", "list: the numbers of players", importance=3)]
    option: Annotated[str | None, text("option", "an option's name")] = None
    values: Annotated[str | None, text("values", "its values, in words", folds=True)] = None
    default: Annotated[int | str | bool | None, text("default", "its default")] = None
    rated_apart: Annotated[
        bool | None,
        text(
            "rated apart",
            "whether each value has ratings of its own",
            lambda apart: "yes" if apart else "",
            importance=2,
        ),
    ] = None


@explained(
    "tournaments",
    ("List the games and their options", "fa games"),
    ("Print them for a program", "fa games --format json"),
)
def games(table: TableOptions) -> None:
    """List the games, their numbers of players and their options.

    Commands set an option with `--option NAME=VALUE`.
    """
    from ...games import GAMES

    show_rows(OptionRow, (row for game in GAMES for row in _rows(game)), table)


def _rows(game: Game) -> Iterator[OptionRow]:
    from ...games.option_words import describe_values

    players, fields = list(game.players), msgspec.structs.fields(game.options)
    for field in fields:
        values = describe_values(game.options, field.name)
        is_apart = field.name in game.variant_options
        yield OptionRow(game.name, game.title, players, field.name, values, field.default, is_apart)
    if not fields:
        yield OptionRow(game.name, game.title, players)


@explained(
    "play",
    ("Read the rules of Manhattan", "fa rules manhattan"),
    ("Write them to a file, as Markdown", "fa rules new-york > rules.md"),
)
def rules(game: Annotated[str, Argument("The game; `fa games` lists them.", "GAME")]) -> None:
    """Show the rules of a game as played here, with numbered rulings."""
    from ...games import find_game
    from ...play import rulebook
    from ..help.pages import show_markdown

    show_markdown(rulebook.source(find_game(game)))
