"""Rows as a table, JSON, CSV or Markdown. Scripts see the same field names whatever the table's headings say."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any

import typer

from ..columns import Column as Column
from ..columns import columns_of
from ..text import printable, printable_lines

_MARKUP = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
_FORMULA = ("=", "+", "-", "@")
"""What a formula begins with in spreadsheets."""
Row = Mapping[str, Any]
"""Field name to value: str, bool, int, float, None, or a list of these."""


class Format(Enum):
    """How rows are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


FormatOption = Annotated[Format, typer.Option("--format", help="How to print it.")]
"""The `--format` of every command that prints rows; its default is `Format.TABLE`."""


def number(field: str, heading: str, decimals: int = 0) -> Column:
    """A column of numbers, with so many decimals in tables and unrounded elsewhere."""
    return Column(field, heading, lambda value: f"{value:.{decimals}f}", right=True)


def percent(field: str, heading: str, decimals: int = 1) -> Column:
    """A column of shares from 0 to 1, in percent in tables."""
    return Column(field, heading, lambda value: f"{100 * value:.{decimals}f}%", right=True)


def show(rows: Iterable[Row], columns: Sequence[Column], format: Format = Format.TABLE) -> None:
    """Print the columns of the rows on stdout. A row without a field has None there."""
    print(_FORMATS[format](list(rows), columns))


def show_rows(row: type, rows: Iterable[Any], format: Format, beside: Collection[str] = ()) -> None:
    """Print rows that are Structs of this type; the fields `beside` are for programs only."""
    wide = format in (Format.JSON, Format.CSV)
    columns = [column for column in columns_of(row) if wide or column.field not in beside]
    show([fields_of(one) for one in rows], columns, format)


def fields_of(row: Any) -> dict[str, Any]:
    """A Struct's fields by name."""
    return {name: getattr(row, name) for name in row.__struct_fields__}


def _as_table(rows: list[Row], columns: Sequence[Column]) -> str:
    return _tabulate([[printable(_cell(row, column)) for column in columns] for row in rows], columns, "simple")


def _as_markdown(rows: list[Row], columns: Sequence[Column]) -> str:
    cells = [[_markdown(_cell(row, column)) for column in columns] for row in rows]
    headed = [column._replace(heading=_markdown(column.heading.replace("\n", " "))) for column in columns]
    return _tabulate(cells, headed, "pipe")


def _markdown(text: str) -> str:
    """The text as Markdown that shows just it: no markup, HTML or link comes of it."""
    escaped = _MARKUP.sub(r"\\\g<0>", printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return escaped.replace("://", "&#58;//").replace("www.", "www&#46;").replace("@", "&#64;")


def _cell(row: Row, column: Column) -> str:
    value = row.get(column.field)
    return "" if value is None else column.write(value)


def _tabulate(cells: list[list[str]], columns: Sequence[Column], style: str) -> str:
    from tabulate import tabulate

    sides = ["right" if column.right else "left" for column in columns]
    headings = [printable_lines(column.heading) for column in columns]
    return tabulate(cells, headings, style, disable_numparse=True, colalign=sides if cells else None)


def _as_json(rows: list[Row], columns: Sequence[Column]) -> str:
    import json

    if not rows:
        return "[]"
    lines = [json.dumps({column.field: row.get(column.field) for column in columns}) for row in rows]
    return "[\n  " + ",\n  ".join(lines) + "\n]"


def csv_line(row: Row, columns: Sequence[Column]) -> list[object]:
    """The cells of a row."""
    return [_plain(row.get(column.field)) for column in columns]


def _as_csv(rows: list[Row], columns: Sequence[Column]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_plain(column.field) for column in columns])
    writer.writerows(csv_line(row, columns) for row in rows)
    return text.getvalue().rstrip("\n")


def _plain(value: Any) -> object:
    """A value in one CSV cell: lists with spaces between, texts printable and, with a ' in front, none a formula."""
    if isinstance(value, list | tuple):
        text = " ".join(str(_plain(part)) for part in value)
        return _plain(text) if any(isinstance(part, str) for part in value) else text
    if not isinstance(value, str):
        return value
    return f"'{printable(value)}" if value.startswith(_FORMULA) else printable(value)


_FORMATS: Mapping[Format, Callable[[list[Row], Sequence[Column]], str]] = {
    Format.TABLE: _as_table,
    Format.JSON: _as_json,
    Format.CSV: _as_csv,
    Format.MARKDOWN: _as_markdown,
}


def is_watched() -> bool:
    """Whether a person looks: stdout is a terminal."""
    return sys.stdout.isatty()
