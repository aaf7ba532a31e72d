"""Columns of tables. A row is a Struct; each of its fields is annotated with heading, unit, format and importance.

The field's name is the name in JSON and CSV. Terminal, JSON, CSV, Markdown and docs/reference/output.md follow from
this one declaration.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypedDict, Unpack, get_type_hints

from .terminal import Tone
from .text import html_table

Interval = tuple[float, float]
HalfOpen = tuple[float | None, float | None]
"""An interval; an end that is None has no bound."""
Range = tuple[int, int]
"""The first and the last rank."""
_INTERVAL = "95%"


_SMALLEST_P = 1e-300
"""Smaller p-values are not computed exactly: floats end there."""
_SURELY_1 = 1 - 1e-9
"""Larger p-values are 1 but for rounding errors."""


class Caveat(enum.Enum):
    """Why a 95% interval may hold the true value less often than that."""

    FEW_BLOCKS = "few-blocks"
    OUT_OF_RANGE = "out-of-range"
    """It holds values that are impossible."""
    STOPPED_EARLY = "stopped-early"
    """The number of games depended on the results."""
    SEVERAL_VERSIONS = "several-versions"
    """It is about several versions of a bot together."""


ON_REQUEST = 0
"""The importance of columns that are in JSON and CSV, and in tables only if they are asked for."""
KEPT = 10
"""The importance of columns that every table keeps. Those from 1 to 9 are hidden, the smallest first, where a table is
wider than the terminal."""
KEY = 11
"""The importance of columns that name a row: a table that is still too wide is printed in blocks that all have them."""


class Column(NamedTuple):
    """One field of the rows: its name, its heading, and how people see its values."""

    field: str
    heading: str
    """Names in it must be printable."""
    write: Callable[[Any], str] = str
    """Formats a value for people. Never called with None, which is an empty cell."""
    right: bool = False
    """Whether cells are aligned to the right."""
    meaning: str = ""
    """The field's meaning and unit for docs/reference/output.md, in Markdown."""
    importance: int = KEPT
    """When the column is hidden from a table: `ON_REQUEST`, 1 to 9, `KEPT` or `KEY`."""
    folds: bool = False
    """Whether long texts are folded at words, not cut in the middle as names are, where the column is narrow."""
    tone: Callable[[Any], Tone | None] = lambda _: None
    """The colour of a value; never called with None."""
    legend: str = ""
    """An explanation for people who read the column, in a line below tables on a terminal."""
    if_any: bool = False
    """Whether people see the column only if a row has a value other than 0."""
    of_fixed_sample: bool = False
    """Whether values hold only where the number of games did not depend on results; others are None in tables."""
    part: str = ""
    """The part of the results that the column is about, such as `side=five`; headings of neighbours share it."""

    def shown_if(self, is_shown: bool) -> Column:
        """The column; unless `is_shown` only on request."""
        return self if is_shown else self._replace(importance=ON_REQUEST)


class Display(TypedDict, total=False):
    """How a column appears in tables: fields of `Column`."""

    importance: int
    folds: bool
    tone: Callable[[Any], Tone | None]
    legend: str
    if_any: bool
    of_fixed_sample: bool


def text(heading: str, meaning: str, write: Callable[[Any], str] = str, **display: Unpack[Display]) -> Column:
    """A column of texts."""
    return Column("", heading, write, False, meaning, **display)


def numbers(heading: str, meaning: str, **display: Unpack[Display]) -> Column:
    """A column of lists of numbers."""
    return Column("", heading, lambda values: " ".join(map(str, values)), False, meaning, **display)


def number(heading: str, meaning: str, decimals: int = 0, sign: str = "", **display: Unpack[Display]) -> Column:
    """A column of numbers: rounded to `decimals` in tables, unrounded in JSON and CSV."""
    return Column("", heading, lambda value: f"{value:{sign}z.{decimals}f}", True, meaning, **display)


def percent(heading: str, meaning: str, decimals: int = 1, sign: str = "", **display: Unpack[Display]) -> Column:
    """A column of shares from 0 to 1, in percent in tables."""
    return Column("", heading, lambda value: f"{100 * value:{sign}z.{decimals}f}%", True, meaning, **display)


def p_value(heading: str, meaning: str, **display: Unpack[Display]) -> Column:
    """A column of p-values."""
    return Column("", heading, write_p, True, meaning, **display)._replace(of_fixed_sample=True)


def write_p(value: float) -> str:
    """A p-value in two digits: `0.44`, `1.3e-09`, `1`; `>0.99` and `<1e-300` where rounding would give 1 or 0."""
    if value < _SMALLEST_P:
        return f"<{_SMALLEST_P:g}"
    return ">0.99" if 0.995 <= value < _SURELY_1 else f"{value:.2g}"


def p_in_words(value: float) -> str:
    """The same in a sentence: `p = 0.44`, `p > 0.99`."""
    written = write_p(value)
    return f"p {written[0]} {written[1:]}" if written[0] in "<>" else f"p = {written}"


def likelihood(heading: str, meaning: str, **display: Unpack[Display]) -> Column:
    """A column of likelihoods, in percent in tables."""
    return Column("", heading, write_likelihood, True, meaning, **display)._replace(of_fixed_sample=True)


def write_likelihood(value: float) -> str:
    """A likelihood in percent: `97.4%`; `>99.9%` and `<0.1%` instead of certainty."""
    if 0.0005 <= value < 0.9995:
        return f"{100 * value:.1f}%"
    return ">99.9%" if value > 0.5 else "<0.1%"


def interval(meaning: str, decimals: int, sign: str = "", **display: Unpack[Display]) -> Column:
    """A column of 95% intervals of the numbers in the column before it."""
    write = interval_of(lambda end: f"{end:{sign}.{decimals}f}")
    return Column("", _INTERVAL, write, True, meaning, **display)


def percents(meaning: str, sign: str = "", **display: Unpack[Display]) -> Column:
    """A column of 95% intervals of the shares in the column before it, in percent in tables."""
    write = interval_of(lambda end: f"{100 * end:{sign}.0f}", "%")
    return Column("", _INTERVAL, write, True, meaning, **display)


def ranks(heading: str, meaning: str, **display: Unpack[Display]) -> Column:
    """A column of ranges of ranks: `1-3`, or `2` for one rank."""
    return Column("", heading, lambda ends: "-".join(map(str, dict.fromkeys(ends))), True, meaning, **display)


def caveats() -> Column:
    """A column of caveats about the intervals of the row; tables mark the intervals instead."""
    meaning = (
        "list: why intervals of this row may hold less often than 95%: `few-blocks` (fewer than 6 deals), "
        "`out-of-range` (that of `points` includes impossible points), `stopped-early` (a tournament that compared "
        "this bot could end early because of its results), `several-versions` (in `fa compare`: a name stood for bots "
        "with different files); tables mark these intervals with `~`"
    )
    return Column("", "caveats", ", ".join, False, meaning, ON_REQUEST)


def interval_of(write: Callable[[float], str], unit: str = "") -> Callable[[Sequence[float | None]], str]:
    """A formatter of intervals that formats each end with `write`; an end that is None becomes `...`."""

    def write_interval(ends: Sequence[float | None]) -> str:
        low, high = ("..." if end is None else write(end) for end in ends)
        separator = " to " if high[0] in "+-." or low[0] in "+-." else "-"
        return f"{low}{separator}{high}{unit}"

    return write_interval


def best_if_first(rank: float) -> Tone | None:
    """The colour of a rank."""
    return Tone.STRONG if rank == 1 else None


def bad_if_any(faults: object) -> Tone | None:
    """The colour of faults: their number, or a text about one."""
    return Tone.BAD if faults else None


@functools.cache
def columns_of(row: type) -> tuple[Column, ...]:
    """The columns that a Struct declares, in the order of its fields. An interval's heading names what it is of."""
    columns: list[Column] = []
    for field, hint in get_type_hints(row, include_extras=True).items():
        for column in getattr(hint, "__metadata__", ()):
            if isinstance(column, Column):
                heading = f"{columns[-1].heading} {_INTERVAL}" if column.heading == _INTERVAL else column.heading
                columns.append(column._replace(field=field, heading=heading))
    return tuple(columns)


def html_rows(row: type, rows: Iterable[Any]) -> str:
    """Structs of the type `row` as an HTML table, without columns that have no value: how a notebook shows them."""
    structs = list(rows)
    columns = [
        column for column in columns_of(row) if any(getattr(each, column.field) not in (None, []) for each in structs)
    ]
    cells = [[_cell(column, getattr(each, column.field)) for column in columns] for each in structs]
    return html_table([column.heading for column in columns], cells, [column.right for column in columns])


def _cell(column: Column, value: Any) -> str:
    return "" if value is None else column.write(value)
