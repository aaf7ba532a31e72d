"""The rules of a game, RULES.md, rendered for a terminal: whole, or the paragraphs about a decision."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from io import StringIO
from typing import TYPE_CHECKING

from ..games.game import Game

if TYPE_CHECKING:
    from rich.markdown import Markdown

_LIST_ITEM = re.compile(r"- |[0-9]+\. ")


def source(game: Game) -> str:
    """The game's RULES.md."""
    return files(game.rules).joinpath("RULES.md").read_text(encoding="utf-8")


def renderable(markdown: str) -> Markdown:
    """Markdown for a Rich console, with code blocks in the terminal's own colours."""
    from rich.markdown import Markdown

    return Markdown(markdown, hyperlinks=False, code_theme="ansi_dark")


def whole(game: Game, width: int, colours: bool = False) -> list[str]:
    """All rules, as lines of at most `width` columns."""
    return _rendered(source(game), width, colours)


def paragraphs(game: Game, starts: Sequence[str], width: int, colours: bool = False) -> list[str]:
    """The parts of RULES.md that begin with one of `starts`, as lines: a paragraph, list item, table or section."""
    lines = source(game).splitlines()
    parts = []
    for start in starts:
        index = next((index for index, line in enumerate(lines) if line.startswith(start)), None)
        if index is not None:
            parts.append("\n".join(_part(lines, index)))
    return _rendered("\n\n".join(parts), width, colours)


def _part(lines: Sequence[str], first: int) -> Sequence[str]:
    """The section, table, paragraph or list item that begins at this index."""
    end = first + 1
    if lines[first].startswith("#"):
        level = len(lines[first]) - len(lines[first].lstrip("#"))
        while end < len(lines) and not re.match(rf"#{{1,{level}}} ", lines[end]):
            end += 1
    else:
        while end < len(lines) and lines[end] and not _LIST_ITEM.match(lines[end]):
            end += 1
    return lines[first:end]


def _rendered(markdown: str, width: int, colours: bool) -> list[str]:
    from rich.console import Console

    console = Console(
        file=StringIO(),
        width=width,
        force_terminal=colours,
        color_system="standard" if colours else None,
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(renderable(markdown))
    lines = "\n".join(line.rstrip() for line in capture.get().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines.strip("\n")).splitlines()
