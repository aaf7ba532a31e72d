"""The rules of a game, RULES.md, rendered for a terminal: whole, or the paragraphs about a decision."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from io import StringIO
from typing import TYPE_CHECKING, Any

from ..games.game import Game
from ..printing.terminal import cells

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.markdown import Markdown
    from rich.table import Table

_LIST_ITEM = re.compile(r"- |[0-9]+\. ")


def source(game: Game) -> str:
    """The game's RULES.md."""
    return files(game.rules).joinpath("RULES.md").read_text(encoding="utf-8")


def renderable(markdown: str) -> Markdown:
    """Markdown for a Rich console, with code blocks in the terminal's own colours, and words of tables kept whole."""
    from rich.markdown import Markdown, TableElement
    from rich.table import Table

    class WordTable(TableElement):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> Any:
            for table in super().__rich_console__(console, options):
                assert isinstance(table, Table)
                _keep_words_whole(table, console, options)
                yield table

    class WordMarkdown(Markdown):
        elements = Markdown.elements | {"table_open": WordTable}

    return WordMarkdown(markdown, hyperlinks=False, code_theme="ansi_dark")


def _keep_words_whole(table: Table, console: Console, options: ConsoleOptions) -> None:
    """Set widths of columns at which no word is broken, if the table fits with them: the widest is narrowed first."""
    from rich.measure import Measurement

    texts = [[str(text) for text in (column.header, *column.cells)] for column in table.columns]
    least = [max((cells(word) for text in column for word in text.split()), default=1) for column in texts]
    widths = [max(map(cells, column)) for column in texts]
    for column, width in zip(table.columns, widths, strict=True):
        column.overflow, column.width = "fold", width
    excess = Measurement.get(console, options.update(max_width=10**6), table).maximum - options.max_width
    while excess > 0 and widths != least:
        widest = max(range(len(widths)), key=lambda index: widths[index] * (widths[index] > least[index]))
        widths[widest] -= 1
        excess -= 1
    for column, width in zip(table.columns, widths, strict=True):
        column.width = None if excess > 0 else width


def whole(game: Game, width: int, colours: bool = False) -> list[str]:
    """All rules, as lines of at most `width` columns."""
    return _rendered(source(game), width, colours)


def paragraphs(game: Game, starts: Sequence[str], width: int, colours: bool = False) -> list[str]:
    """The parts of RULES.md that begin with one of `starts`, as lines."""
    return _rendered("\n\n".join(parts(game, starts)), width, colours)


def parts(game: Game, starts: Sequence[str]) -> list[str]:
    """The parts of RULES.md that begin with one of `starts`: a paragraph, list item, table or section each."""
    lines = source(game).splitlines()
    indexes = (next((at for at, line in enumerate(lines) if line.startswith(start)), None) for start in starts)
    return ["\n".join(_part(lines, index)) for index in indexes if index is not None]


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
