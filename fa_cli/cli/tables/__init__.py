"""Rows as a table, JSON, CSV or Markdown. JSON and CSV have the same field names whatever a table's headings are."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any

import typer

from ...columns import Caveat, columns_of
from ...columns import Column as Column
from ...option_group import OptionGroup
from ...text import printable, printable_lines

_MARKUP = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
_FORMULA = ("=", "+", "-", "@")
"""Spreadsheets read a cell that begins with one of these as a formula."""
Row = Mapping[str, Any]
"""Field name to value: str, bool, int, float, None, or a list of these."""


MARK = "~"
CAVEATS = {
    Caveat.FEW_BLOCKS.value: "fewer than 6 deals: too few to tell how much results vary",
    Caveat.OUT_OF_RANGE.value: "the interval includes impossible points: too few deals for points that vary this much",
    Caveat.STOPPED_EARLY.value: "a tournament could end early because of this bot's results: the interval holds the "
    "true value less often than 95%",
}
"""What marks mean, by caveat."""


class Format(Enum):
    """How rows are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


FormatOption = Annotated[
    Format, typer.Option("--format", help="Print in this format.", rich_help_panel=OptionGroup.OUTPUT)
]
"""The `--format` of every command that prints rows; its default is `Format.TABLE`."""


class Marked(tuple[float, ...]):
    """An interval with caveats, marked in tables."""

    caveats: Sequence[str] = ()


def marked(interval: Sequence[float] | None, caveats: Sequence[str]) -> Sequence[float] | None:
    """The interval with these caveats, if there are any."""
    if not interval or not caveats:
        return interval
    value = Marked(interval)
    value.caveats = caveats
    return value


def show(rows: Iterable[Row], columns: Sequence[Column], format: Format = Format.TABLE, explain: bool = True) -> None:
    """Print the columns of the rows on stdout. A missing field counts as None.

    Below a table with marked intervals, their caveats follow, unless `explain` is false.
    """
    rows = list(rows)
    print(_FORMATS[format](rows, columns))
    if explain and format in (Format.TABLE, Format.MARKDOWN):
        values = [row.get(column.field) for row in rows for column in columns]
        present = {caveat for value in values if isinstance(value, Marked) for caveat in value.caveats}
        for caveat, explanation in CAVEATS.items():
            if caveat in present:
                print(f"{MARK} {explanation}" if format is Format.TABLE else f"\n\\{MARK} {explanation}")


def shows_all_fields(format: Format) -> bool:
    """Whether the format is for programs and has every field; tables and Markdown leave some out, so that they fit."""
    return format in (Format.JSON, Format.CSV)


def show_rows(row: type, rows: Iterable[Any], format: Format = Format.TABLE, narrow: Collection[str] = ()) -> None:
    """Print Structs of the type `row`. Table and Markdown lack the fields `narrow`, so that they fit."""
    columns = [column for column in columns_of(row) if shows_all_fields(format) or column.field not in narrow]
    show([fields_of(struct) for struct in rows], columns, format)


def fields_of(row: Any) -> dict[str, Any]:
    """A Struct's fields by name, its intervals marked if it has caveats."""
    fields = {name: getattr(row, name) for name in row.__struct_fields__}
    caveats: list[str] = fields.get("caveats", [])
    if not caveats:
        return fields
    on_points = {"points_interval": caveats}
    on_others = [caveat for caveat in caveats if caveat != Caveat.OUT_OF_RANGE.value]
    return {
        name: marked(value, on_points.get(name, on_others)) if name.endswith("_interval") else value
        for name, value in fields.items()
    }


def _as_table(rows: list[Row], columns: Sequence[Column]) -> str:
    return _tabulate([[printable(_cell(row, column)) for column in columns] for row in rows], columns, "simple")


def _as_markdown(rows: list[Row], columns: Sequence[Column]) -> str:
    cells = [[_markdown(_cell(row, column)) for column in columns] for row in rows]
    headed = [column._replace(heading=_markdown(column.heading.replace("\n", " "))) for column in columns]
    return _tabulate(cells, headed, "pipe")


def _markdown(text: str) -> str:
    """The text with markup, HTML and links escaped, so that Markdown renders it literally."""
    escaped = _MARKUP.sub(r"\\\g<0>", printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return escaped.replace("://", "&#58;//").replace("www.", "www&#46;").replace("@", "&#64;")


def _cell(row: Row, column: Column) -> str:
    value = row.get(column.field)
    return "" if value is None else column.write(value) + (MARK if isinstance(value, Marked) else "")


def _tabulate(cells: list[list[str]], columns: Sequence[Column], style: str) -> str:
    from tabulate import tabulate

    alignments = ["right" if column.right else "left" for column in columns]
    headings = [printable_lines(column.heading) for column in columns]
    return tabulate(cells, headings, style, disable_numparse=True, colalign=alignments if cells else None)


def _as_json(rows: list[Row], columns: Sequence[Column]) -> str:
    import json

    if not rows:
        return "[]"
    lines = [json.dumps({column.field: row.get(column.field) for column in columns}) for row in rows]
    return "[\n  " + ",\n  ".join(lines) + "\n]"


def csv_line(row: Row, columns: Sequence[Column]) -> list[object]:
    """The cells of a row."""
    return [_csv_cell(row.get(column.field)) for column in columns]


def _as_csv(rows: list[Row], columns: Sequence[Column]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_csv_cell(column.field) for column in columns])
    writer.writerows(csv_line(row, columns) for row in rows)
    return text.getvalue().rstrip("\n")


def _csv_cell(value: Any) -> object:
    """A CSV cell: lists are joined by spaces, texts are printable, and a leading ' disarms formulas."""
    if isinstance(value, list | tuple):
        text = " ".join(str(_csv_cell(part)) for part in value)
        return _csv_cell(text) if any(isinstance(part, str) for part in value) else text
    if not isinstance(value, str):
        return value
    return f"'{printable(value)}" if value.startswith(_FORMULA) else printable(value)


_FORMATS: Mapping[Format, Callable[[list[Row], Sequence[Column]], str]] = {
    Format.TABLE: _as_table,
    Format.JSON: _as_json,
    Format.CSV: _as_csv,
    Format.MARKDOWN: _as_markdown,
}


def is_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout.isatty()
