"""`--sort`: rows of a leaderboard by one of its columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...printing.text import did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ...printing.columns import Column

_ASCENDING = {"place", "rank", "rank_range", "mean_rank", "mean_rank_interval", "bot", "eliminated_in"}
"""Fields whose lowest value comes first; of others it is the highest."""


class Sorting:
    """A column to sort by, and the direction."""

    def __init__(self, text: str, columns: Sequence[Column], parts: Collection[str]) -> None:
        """`text` is a field, a heading or one of the `parts` (for its rank); a leading `-` reverses the order.

        Raises UsageError for a column that is not one of `columns`.
        """
        self._reverse = text.startswith("-")
        asked = text.removeprefix("-")
        fields = {_plain(f"{column.part} {column.heading}"): column.field for column in columns}
        fields |= {_plain(column.field): column.field for column in columns}
        fields |= {_plain(part): f"{part} rank" for part in parts}
        if _plain(asked) not in fields:
            names = [*(column.field for column in columns if not column.part), *parts]
            near = did_you_mean(asked, [*names, *fields])
            raise UsageError(f"no column {asked!r} to sort by{near} (columns: {listed(names, 40)})")
        self._field = fields[_plain(asked)]
        self._part = next((part for part in parts if self._field.startswith(f"{part} ")), "")

    def sort(self, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rows in the order; those without a value come last, and equal ones stay in theirs."""
        field = self._field
        known = [row for row in rows if row.get(field) is not None]
        is_ascending = field.removeprefix(f"{self._part} ") in _ASCENDING
        # `reverse` keeps the order of equal rows
        ordered = sorted(known, key=lambda row: row[field], reverse=is_ascending == self._reverse)
        return [*ordered, *(row for row in rows if row.get(field) is None)]


def _plain(text: str) -> str:
    """The text in lower case, with one blank between words whatever stands there."""
    return re.sub(r"[-_\s]+", " ", text.strip().lower())
