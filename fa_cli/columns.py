"""Columns of tables, declared once: a row is a Struct, and each of its fields says how people and programs see it.

A field is `Annotated` with its column; the field's name is what programs see. Terminal, JSON, CSV, Markdown and
docs/output.md all follow from that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, get_type_hints

Interval = tuple[float, float]
HalfOpen = tuple[float | None, float | None]
"""An interval; an end that is None has no bound."""
Range = tuple[int, int]
"""From the first to the last."""


class Column(NamedTuple):
    """One field of the rows: its name for programs, its heading for people, and how a value is written for people."""

    field: str
    heading: str
    """May have two lines, so names in it are made printable before."""
    write: Callable[[Any], str] = str
    """Never called for None, which is an empty cell."""
    right: bool = False
    """Numbers stand to the right."""
    meaning: str = ""
    """What the field is, for docs/output.md, with its unit; the files are in Markdown."""


def text(heading: str, meaning: str, write: Callable[[Any], str] = str) -> Column:
    """A column of texts."""
    return Column("", heading, write, False, meaning)


def number(heading: str, meaning: str, decimals: int = 0, sign: str = "") -> Column:
    """A column of numbers, with so many decimals in tables and unrounded elsewhere."""
    return Column("", heading, lambda value: f"{value:{sign}.{decimals}f}", True, meaning)


def percent(heading: str, meaning: str, decimals: int = 1, sign: str = "") -> Column:
    """A column of shares from 0 to 1, in percent in tables."""
    return Column("", heading, lambda value: f"{100 * value:{sign}.{decimals}f}%", True, meaning)


def interval(meaning: str, decimals: int, sign: str = "") -> Column:
    """A column of 95% intervals of numbers."""
    return Column("", "95%", interval_of(lambda end: f"{end:{sign}.{decimals}f}"), True, meaning)


def percents(meaning: str, sign: str = "") -> Column:
    """A column of 95% intervals of shares, in percent in tables."""
    return Column("", "95%", interval_of(lambda end: f"{100 * end:{sign}.0f}", "%"), True, meaning)


def ranks(heading: str, meaning: str) -> Column:
    """A column of ranges of ranks: `1-3`, or `2` for one rank."""
    return Column("", heading, lambda ends: "-".join(str(end) for end in dict.fromkeys(ends)), True, meaning)


def interval_of(write: Callable[[float], str], unit: str = "") -> Callable[[Sequence[float | None]], str]:
    """How an interval is written whose ends are written so; an end that is None is open."""

    def written(ends: Sequence[float | None]) -> str:
        texts = ["..." if end is None else write(end) for end in ends]
        return (" to " if texts[1][0] in "+-." or texts[0][0] in "+-." else "-").join(texts) + unit

    return written


@functools.cache
def columns_of(row: type) -> tuple[Column, ...]:
    """The columns of a Struct's rows, in the order of its fields."""
    hints = get_type_hints(row, include_extras=True)
    return tuple(
        meta._replace(field=field)
        for field, hint in hints.items()
        for meta in getattr(hint, "__metadata__", ())
        if isinstance(meta, Column)
    )
