"""Columns of tables. A row is a Struct; each of its fields is annotated with heading, unit and format.

The field's name is the name in JSON and CSV. Terminal, JSON, CSV, Markdown and docs/reference/output.md follow from
this one declaration.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, get_type_hints

Interval = tuple[float, float]
HalfOpen = tuple[float | None, float | None]
"""An interval; an end that is None has no bound."""
Range = tuple[int, int]
"""From the first to the last."""


_SMALLEST_P = 1e-300
"""Smaller p-values are not computed exactly: floats end there."""


class Caveat(enum.Enum):
    """Why a 95% interval may hold the true value less often than that."""

    FEW_BLOCKS = "few-blocks"
    OUT_OF_RANGE = "out-of-range"
    """It holds values that are impossible."""
    STOPPED_EARLY = "stopped-early"
    """The number of games depended on the results."""


class Column(NamedTuple):
    """One field of the rows: its name, its heading, and how people see its values."""

    field: str
    heading: str
    """May have two lines. Names in it must be printable."""
    write: Callable[[Any], str] = str
    """Formats a value for people. Never called with None, which is an empty cell."""
    right: bool = False
    """Whether cells are aligned to the right."""
    meaning: str = ""
    """The field's meaning and unit for docs/reference/output.md, in Markdown."""


def text(heading: str, meaning: str, write: Callable[[Any], str] = str) -> Column:
    """A column of texts."""
    return Column("", heading, write, False, meaning)


def number(heading: str, meaning: str, decimals: int = 0, sign: str = "") -> Column:
    """A column of numbers: rounded to `decimals` in tables, unrounded in JSON and CSV."""
    return Column("", heading, lambda value: f"{value:{sign}.{decimals}f}", True, meaning)


def percent(heading: str, meaning: str, decimals: int = 1, sign: str = "") -> Column:
    """A column of shares from 0 to 1, in percent in tables."""
    return Column("", heading, lambda value: f"{100 * value:{sign}.{decimals}f}%", True, meaning)


def p_value(heading: str, meaning: str) -> Column:
    """A column of p-values."""
    return Column("", heading, write_p, True, meaning)


def write_p(value: float) -> str:
    """A p-value in two digits: `0.44`, `1.3e-09`; `>0.99` and `<1e-300` where rounding would give 1 or 0."""
    if value < _SMALLEST_P:
        return f"<{_SMALLEST_P:g}"
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2g}"


def likelihood(heading: str, meaning: str) -> Column:
    """A column of likelihoods, in percent in tables."""
    return Column("", heading, write_likelihood, True, meaning)


def write_likelihood(value: float) -> str:
    """A likelihood in percent: `97.4%`; `>99.9%` and `<0.1%` instead of certainty."""
    if 0.0005 <= value < 0.9995:
        return f"{100 * value:.1f}%"
    return ">99.9%" if value > 0.5 else "<0.1%"


def interval(meaning: str, decimals: int, sign: str = "") -> Column:
    """A column of 95% intervals of numbers."""
    return Column("", "95%", interval_of(lambda end: f"{end:{sign}.{decimals}f}"), True, meaning)


def percents(meaning: str, sign: str = "") -> Column:
    """A column of 95% intervals of shares, in percent in tables."""
    return Column("", "95%", interval_of(lambda end: f"{100 * end:{sign}.0f}", "%"), True, meaning)


def ranks(heading: str, meaning: str) -> Column:
    """A column of ranges of ranks: `1-3`, or `2` for one rank."""
    return Column("", heading, lambda ends: "-".join(str(end) for end in dict.fromkeys(ends)), True, meaning)


def caveats() -> Column:
    """A column of caveats about the intervals of the row; tables mark the intervals instead."""
    meaning = (
        "list: why intervals of this row may hold less often than 95%: `few-blocks` (fewer than 6 deals), "
        "`out-of-range` (that of `points` includes impossible points), `stopped-early` (a tournament that compared "
        "this bot could end early because of its results); tables mark these intervals with `~`"
    )
    return Column("", "caveats", ", ".join, False, meaning)


def interval_of(write: Callable[[float], str], unit: str = "") -> Callable[[Sequence[float | None]], str]:
    """A formatter of intervals that formats each end with `write`; an end that is None becomes `...`."""

    def write_interval(ends: Sequence[float | None]) -> str:
        low, high = ("..." if end is None else write(end) for end in ends)
        separator = " to " if high[0] in "+-." or low[0] in "+-." else "-"
        return f"{low}{separator}{high}{unit}"

    return write_interval


@functools.cache
def columns_of(row: type) -> tuple[Column, ...]:
    """The columns that a Struct declares, in the order of its fields."""
    hints = get_type_hints(row, include_extras=True)
    return tuple(
        annotation._replace(field=field)
        for field, hint in hints.items()
        for annotation in getattr(hint, "__metadata__", ())
        if isinstance(annotation, Column)
    )


def html_rows(row: type, rows: Iterable[Any]) -> str:
    """Structs of the type `row` as an HTML table, without columns that have no value: how a notebook shows them."""
    structs = list(rows)
    columns = [
        column for column in columns_of(row) if any(getattr(each, column.field) not in (None, []) for each in structs)
    ]
    cells = [[_cell(column, getattr(each, column.field)) for column in columns] for each in structs]
    return html_table([column.heading for column in columns], cells, [column.right for column in columns])


def html_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[bool] = (), caption: str = ""
) -> str:
    """Texts, all of them escaped, as an HTML table. `right`: whether the cells of a column are aligned to the right."""
    from html import escape

    aligned = [' style="text-align: right"' if at < len(right) and right[at] else "" for at in range(len(headings))]
    head = "".join(f"<th{style}>{escape(text)}</th>" for style, text in zip(aligned, headings, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{style}>{escape(text)}</td>' for style, text in zip(aligned, row, strict=True))}</tr>\n"
        for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>\n" if caption else ""
    return f"<table>\n{title}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"


def _cell(column: Column, value: Any) -> str:
    return "" if value is None else column.write(value)
