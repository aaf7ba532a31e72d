"""`--sort`: rows of a leaderboard by one of its columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from ...errors import UsageError
from ...printing.columns import Column
from ...printing.text import did_you_mean, listed

_ASCENDING = {"place", "rank", "rank_range", "mean_rank", "mean_rank_interval", "bot", "eliminated_in"}
"""Fields whose lowest value comes first; of others it is the highest."""


def sort_rows(
    rows: Sequence[dict[str, Any]], text: str, columns: Sequence[Column], parts: Collection[str]
) -> list[dict[str, Any]]:
    """The rows by a column; those without a value come last, and equal ones stay in their order.

    `text` is a field, a heading or one of the `parts` (for its rank); a leading `-` reverses the order.

    Raises UsageError for a column that is not one of `columns`.
    """
    asked = text.removeprefix("-")
    fields = {_plain(f"{column.part} {column.heading}"): column.field for column in columns}
    fields |= {_plain(column.field): column.field for column in columns}
    fields |= {_plain(part): f"{part} rank" for part in parts}
    if _plain(asked) not in fields:
        names = [*(column.field for column in columns if not column.part), *parts]
        near = did_you_mean(asked, [*names, *fields])
        raise UsageError(f"no column {asked!r} to sort by{near} (columns: {listed(names, 40)})")
    field = fields[_plain(asked)]
    part = next((part for part in parts if field.startswith(f"{part} ")), "")
    is_ascending = field.removeprefix(f"{part} ") in _ASCENDING
    known = [row for row in rows if row.get(field) is not None]
    # `reverse` keeps the order of equal rows
    ordered = sorted(known, key=lambda row: row[field], reverse=is_ascending == text.startswith("-"))
    return [*ordered, *(row for row in rows if row.get(field) is None)]


def _plain(text: str) -> str:
    """The text in lower case, with one blank between words whatever stands there."""
    return re.sub(r"[-_\s]+", " ", text.strip().lower())
