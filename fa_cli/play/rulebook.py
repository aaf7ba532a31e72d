"""The rules of a game, by paragraph, on lines that a terminal has room for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import zip_longest

from ..games.game import Game
from .terminal import folded

_EMPHASIS = re.compile(r"\*\*|\*(?=\w)|(?<=[\w.])\*")
_ITEM = re.compile(r"- |[0-9]+\. ")


def paragraphs(game: Game, starts: Sequence[str], width: int) -> list[str]:
    """The paragraphs and items of RULES.md that begin so; of a heading, its section."""
    text = files(game.rules).joinpath("RULES.md").read_text(encoding="utf-8").splitlines()
    lines: list[str] = []
    for start in starts:
        at = next((number for number, line in enumerate(text) if line.startswith(start)), None)
        if at is not None:
            lines += [*_from(text, at), ""]
    return list(_shown(lines[:-1], width))


def whole(game: Game, width: int) -> list[str]:
    """All of it."""
    text = files(game.rules).joinpath("RULES.md").read_text(encoding="utf-8")
    return list(_shown(text.splitlines(), width))


def _from(text: Sequence[str], at: int) -> list[str]:
    """The section, paragraph or item that begins on this line."""
    first = text[at]
    end = at + 1
    if first.startswith("#"):
        level = len(first) - len(first.lstrip("#"))
        while end < len(text) and not re.match(rf"#{{1,{level}}} ", text[end]):
            end += 1
    else:
        while end < len(text) and text[end] and not _ITEM.match(text[end]):
            end += 1
    return list(text[at:end])


def _shown(lines: Sequence[str], width: int) -> Iterator[str]:
    """The lines without Markdown's marks; paragraphs are folded anew, pictures and tables are not."""
    paragraph: list[str] = []
    table: list[str] = []
    in_picture = False
    for line in [*lines, ""]:
        if table and not line.startswith("|"):
            yield from _table(table, width)
            table = []
        starts_new = not line or line.startswith(("#", "|", "```")) or _ITEM.match(line) is not None
        if paragraph and (starts_new or in_picture):
            yield from folded(_plain(" ".join(paragraph)), width, hanging=_ITEM.match(paragraph[0]) is not None)
            paragraph = []
        if line.startswith("```"):
            in_picture = not in_picture
        elif in_picture or not line:
            yield line
        elif line.startswith("#"):
            yield line.lstrip("# ").upper()
        elif line.startswith("|"):
            table.append(line)
        else:
            paragraph.append(line.strip())


def _table(lines: Sequence[str], width: int) -> Iterator[str]:
    """A table's rows with their cells in columns; folded, without columns, where these are too wide."""
    rows = [[_plain(cell.strip()) for cell in line.strip("|").split("|")] for line in lines]
    rows = [row for row in rows if any(cell.strip("-: ") for cell in row)]
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    fits = sum(widths) + 2 * len(widths) <= width
    for row in rows:
        cells = map(str.ljust, row, widths) if fits else row
        yield from [f"  {'  '.join(cells)}".rstrip()] if fits else folded("  ".join(cells), width, "  ")


def _plain(text: str) -> str:
    """Without the marks of bold and code; a star in code is a joker."""
    return "".join(part if place % 2 else _EMPHASIS.sub("", part) for place, part in enumerate(text.split("`")))
