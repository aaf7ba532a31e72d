"""Rows of cells as lines of text, laid out for a width: columns are hidden by importance, long cells cut or folded.

What still does not fit is printed in blocks of columns, each with the columns that name the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from .columns import KEPT, KEY, Column
from .grid import grid
from .terminal import Tone, cells, cut_middle, folded, padded, painted

_GAP = "  "
_HEAD = 2
"""The lines of headings and dashes."""
_COMFORTABLE = 24
"""The width that texts keep as long as there are columns to hide."""
_LEAST = 16
"""The width that texts keep before a table is printed in blocks."""
_LEAST_IN_BLOCKS = 7


class Cell(NamedTuple):
    """A printable text and its colour."""

    text: str
    tone: Tone | None = None


class Layout(NamedTuple):
    """A table as lines, and what is missing from it."""

    lines: list[str]
    hidden: list[Column]
    has_cuts: bool
    """Whether a cell was cut."""
    blocks: list[list[_Sized]]
    colours: bool

    def continued(self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None) -> list[str]:
        """More rows of the same columns, without headings if all columns fit into a line.

        Columns stay as wide as they are; without a width the rows get wider instead of their cells being cut.
        """
        lines = []
        for block in self.blocks:
            sized = [column.resized([row[columns.index(column.column)] for row in rows], width) for column in block]
            is_only = len(self.blocks) == 1
            lines += [*([] if is_only else [""]), *_render(sized, len(rows), self.colours, with_head=not is_only)]
        return lines


class _Sized(NamedTuple):
    """A column with its cells and the width that it has."""

    column: Column
    cells: Sequence[Cell]
    width: int
    natural: int
    """The width of its widest cell."""

    def narrowed(self, most: int) -> _Sized:
        """The column with at most this width, if it has texts; a heading stays whole."""
        heading = cells(self.column.heading)
        return self if self.column.right else self._replace(width=min(self.width, max(most, heading)))

    def resized(self, texts: Sequence[Cell], width: int | None) -> _Sized:
        """The column with other cells."""
        natural = max(self.width, *(cells(cell.text) for cell in texts))
        return _Sized(self.column, texts, natural if width is None else self.width, natural)

    def lines(self, row: int) -> list[str]:
        """The lines of a cell, not cut and not padded."""
        text = self.cells[row].text
        is_folded = self.column.folds and self.natural > self.width
        return folded(text, self.width, hanging=0) if is_folded else [text]

    def printed(self, row: int, colours: bool) -> list[str]:
        """The lines of a cell, as wide as the column."""
        lines = [padded(cut_middle(line, self.width), self.width, self.column.right) for line in self.lines(row)]
        return [painted(line, self.cells[row].tone) for line in lines] if colours else lines

    def is_cut(self) -> bool:
        """Whether a cell is too wide for the column."""
        rows = range(len(self.cells) if self.natural > self.width else 0)
        return any(cells(line) > self.width for row in rows for line in self.lines(row))


def lay_out(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None, colours: bool) -> Layout:
    """The table with lines of at most `width` columns; None: with all columns, as wide as they are."""
    sized = [_sized(column, [row[index] for row in rows]) for index, column in enumerate(columns)]
    hidden: list[Column] = []
    blocks = [sized]
    if width is not None:
        shown, hidden = _hide(sized, width)
        blocks = _fit(shown, width)
    lines = [line for block in blocks for line in ["", *_render(block, len(rows), colours)]]
    return Layout(lines[1:], hidden, any(column.is_cut() for block in blocks for column in block), blocks, colours)


def _sized(column: Column, texts: Sequence[Cell]) -> _Sized:
    natural = max(cells(text) for text in (column.heading, *(cell.text for cell in texts)))
    return _Sized(column, texts, natural, natural)


def _total(columns: Sequence[_Sized]) -> int:
    """The width of the table; parts are at least as wide as the words of their names."""
    groups = _groups(columns)
    return sum(_sum(group) + _lacking(group) for group in groups) + len(_GAP) * (len(groups) - 1)


def _sum(columns: Sequence[_Sized]) -> int:
    """The width of neighbours with the gaps between them."""
    return sum(column.width for column in columns) + len(_GAP) * (len(columns) - 1)


def _lacking(group: Sequence[_Sized]) -> int:
    """The width that the longest word of a part's name needs beyond that of its columns."""
    return max(0, max(map(cells, group[0].column.part.split()), default=0) - _sum(group))


def _groups(columns: Sequence[_Sized]) -> list[list[_Sized]]:
    """Neighbours about the same part of the results."""
    return [list(group) for _, group in groupby(columns, key=lambda column: column.column.part)]


def _hide(columns: Sequence[_Sized], width: int) -> tuple[list[_Sized], list[Column]]:
    """The columns that stay where texts have a comfortable width, and the hidden ones."""
    shown = [column.narrowed(_COMFORTABLE) for column in columns]
    hidden: list[Column] = []
    while _total(shown) > width:
        least = min(column.column.importance for column in shown)
        if least >= KEPT:
            break
        hidden += [column.column for column in shown if column.column.importance == least]
        shown = [column for column in shown if column.column.importance != least]
    return shown, hidden


def _fit(columns: Sequence[_Sized], width: int) -> list[list[_Sized]]:
    """The columns in one block, texts as wide as there is room; or in several, if texts would get too narrow."""
    room = width - _total(columns)
    if room >= 0:
        return [_widened(columns, room)]
    narrow = _narrowed(columns, width)
    if _total(narrow) <= width:
        return [narrow]
    return [_narrowed(_narrowed(block, width), width, _LEAST_IN_BLOCKS) for block in _blocks(columns, width)]


def _widened(columns: Sequence[_Sized], room: int) -> list[_Sized]:
    """The columns with the room that is left, from left to right."""
    widened = []
    for column in columns:
        added = min(room, column.natural - column.width)
        widened.append(column._replace(width=column.width + added))
        room -= added
    return widened


def _narrowed(columns: Sequence[_Sized], width: int, least: int = _LEAST) -> list[_Sized]:
    """The columns, the widest texts narrowed first, until they fit or no text can be narrower."""
    narrowed = list(columns)
    while _total(narrowed) > width:
        narrower = [column.narrowed(max(least, column.width - 1)) for column in narrowed]
        able = [index for index, column in enumerate(narrower) if column.width < narrowed[index].width]
        if not able:
            break
        widest = max(able, key=lambda index: narrowed[index].width)
        narrowed[widest] = narrower[widest]
    return narrowed


def _blocks(columns: Sequence[_Sized], width: int) -> list[list[_Sized]]:
    """The columns in blocks of at most this width, each with the key columns; parts stay together if they can."""
    keys = [column for column in columns if column.column.importance == KEY]
    others = [column for column in columns if column.column.importance != KEY]
    blocks = [keys]
    for group in _groups(others):
        whole = _total([*keys, *group]) <= width
        for piece in [group] if whole else [[column] for column in group]:
            if _total([*blocks[-1], *piece]) > width and len(blocks[-1]) > len(keys):
                blocks.append(keys)
            blocks[-1] = [*blocks[-1], *piece]
    return blocks


def _render(columns: Sequence[_Sized], count: int, colours: bool, with_head: bool = True) -> list[str]:
    """The lines of a table: its head, which is the names of parts, headings and dashes, and the rows."""
    columns = [column for group in _groups(columns) for column in _with_room_for_part(group)]
    headings = [padded(column.column.heading, column.width, column.column.right) for column in columns]
    rows = [["\n".join(column.printed(row, colours)) for column in columns] for row in range(count)]
    lines = grid(headings, rows, [column.column.right for column in columns], "simple")
    return [line.rstrip() for line in ([*_part_lines(columns), *lines] if with_head else lines[_HEAD:])]


def _with_room_for_part(group: Sequence[_Sized]) -> list[_Sized]:
    """The columns of a part, the last one widened if the part's name needs it."""
    return [*group[:-1], group[-1]._replace(width=group[-1].width + _lacking(group))]


def _part_lines(columns: Sequence[_Sized]) -> list[str]:
    """The lines that name parts, each over its columns."""
    widths = [_sum(group) for group in _groups(columns)]
    names = [folded(group[0].column.part, width, 0) for group, width in zip(_groups(columns), widths, strict=True)]
    if not any(column.column.part for column in columns):
        return []
    return [
        _GAP.join(padded(name, width) for name, width in zip(line, widths, strict=True))
        for line in zip_longest(*names, fillvalue="")
    ]
