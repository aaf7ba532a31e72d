"""Rows printed while they are read, in constant memory, for tables that can have a million."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from ...errors import LogError
from ...printing import formats
from ...printing.columns import Column, columns_of
from ...printing.layout import lay_out
from ...printing.rows import Row, fields_of
from ...printing.terminal import has_colours
from . import Format, TableOptions, choose, explain_below, headed, show, table_cells, write

_FIRST = 250
"""Rows by which columns are chosen and sized; a table of so many is printed as any other."""
_PIECE = 200
_MARKDOWN_HEAD = 2
"""Lines of headings."""


def stream_rows(row: type, rows: Iterable[Any], options: TableOptions) -> None:
    """Print Structs of the type `row`, whose intervals have no caveats, as they come. Raises UsageError.

    The first rows of a table size its columns. Later texts that are wider are cut on a terminal, and push what follows
    anywhere else. A LogError of `rows` is raised when all rows before it are printed.
    """
    columns = choose(columns_of(row), options)
    damages: list[LogError] = []
    fields = map(fields_of, _undamaged(rows, damages))
    first = list(islice(fields, _FIRST + 1)) if options.is_for_people else []
    if len(first) <= _FIRST:
        show(chain(first, fields), columns_of(row), options)
    elif options.format is Format.TABLE:
        _stream_table(first, fields, columns, options.fit_width)
    else:
        write(_markdown_pieces(first, fields, columns))
    for damage in damages:
        raise damage


def _undamaged(rows: Iterable[Any], damages: list[LogError]) -> Iterator[Any]:
    try:
        yield from rows
    except LogError as error:
        damages.append(error)


def _pieces(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while piece := list(islice(rows, _PIECE)):
        yield piece


def _stream_table(first: Sequence[Row], rows: Iterator[Row], columns: Sequence[Column], width: int | None) -> None:
    headings = headed(columns)
    layout = lay_out(headings, table_cells(first, columns), width, has_colours())

    def pieces() -> Iterator[str]:
        yield _text(layout.lines)
        for piece in _pieces(rows):
            yield _text(layout.continued(headings, table_cells(piece, columns), width))

    write(pieces())
    explain_below(layout, columns)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _markdown_pieces(first: Sequence[Row], rows: Iterator[Row], columns: Sequence[Column]) -> Iterator[str]:
    yield formats.as_markdown(first, columns, []) + "\n"
    for piece in _pieces(rows):
        yield _text(formats.as_markdown(piece, columns, []).split("\n")[_MARKDOWN_HEAD:])
