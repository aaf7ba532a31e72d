"""Rows as JSON, CSV and Markdown."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from .columns import Column
from .grid import grid
from .rows import Row, cell_text
from .text import printable

_MARKUP = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
_FORMULA = ("=", "+", "-", "@")
"""Spreadsheets read a cell that begins with one of these as a formula."""
_PLAIN = frozenset((int, float, type(None)))
"""Types whose values are CSV cells as they are."""


def json_pieces(rows: Iterable[Row], columns: Sequence[Column]) -> Iterator[str]:
    """A list of objects, one per line."""
    import json

    fields = [column.field for column in columns]
    start = "["
    for row in rows:
        yield f"{start}\n  " + json.dumps(dict(zip(fields, map(row.get, fields), strict=True)))
        start = ","
    yield "\n]\n" if start == "," else "[]\n"


def csv_pieces(rows: Iterable[Row], columns: Sequence[Column]) -> Iterator[str]:
    """A line of field names, then a line per row."""
    fields = [column.field for column in columns]
    return csv_lines(fields, (map(row.get, fields) for row in rows))


def csv_lines(fields: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The same of rows that are values in the order of the fields."""
    import csv

    line = csv.writer(SimpleNamespace(write=str), lineterminator="\n").writerow  # which returns what `write` returns
    yield line(csv_line(fields))
    for row in rows:
        yield line(csv_line(row))


def csv_line(values: Iterable[object]) -> list[object]:
    """The cells of a row with these values."""
    return [
        _csv_text(value) if type(value) is str else value if type(value) in _PLAIN else _csv_cell(value)
        for value in values
    ]


def _csv_cell(value: Any) -> object:
    """A CSV cell: lists joined by spaces, what is unknown empty, texts printable, a leading ' against formulas."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        text = " ".join("" if part is None else str(_csv_cell(part)) for part in value)
        return _csv_cell(text) if any(isinstance(part, str) for part in value) else text
    return _csv_text(value) if isinstance(value, str) else value


@functools.lru_cache(maxsize=1024)
def _csv_text(text: str) -> str:
    """Names and variants stand in a million rows."""
    return f"'{printable(text)}" if text.startswith(_FORMULA) else printable(text)


def as_markdown(rows: Sequence[Row], columns: Sequence[Column], notes: Sequence[str]) -> str:
    """A table with aligned pipes; below it a paragraph for each note."""
    headings = [escaped(f"{column.part} {column.heading}".strip()) for column in columns]
    texts = [[escaped(cell_text(row, column)) for column in columns] for row in rows]
    lines = grid(headings, texts, [column.right for column in columns], "pipe")
    return "\n".join([*lines, *(f"\n{escaped(note)}" for note in notes)])


def escaped(text: str) -> str:
    """The text with markup, HTML and links escaped, so that Markdown renders it literally."""
    escaped = _MARKUP.sub(r"\\\g<0>", printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return escaped.replace("://", "&#58;//").replace("www.", "www&#46;").replace("@", "&#64;")
