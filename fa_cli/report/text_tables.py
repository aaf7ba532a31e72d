"""Rows as tables of texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..printing.columns import ON_REQUEST, columns_of
from ..printing.rows import cell_text, fields_of, meanings_of_marks, used_columns
from ..viewer.report_page import Table

STANDING_FIELDS = (
    *("rank", "rank_range", "bot", "games", "strength", "strength_interval", "wins", "wins_interval", "points"),
    *("points_interval", "mean_rank", "mean_rank_interval", "faults", "suspended", "ms"),
)
"""What a report shows of a leaderboard: all but TrueSkill's ratings, which depend on the order of games."""


def table_of(
    caption: str, row: type, structs: Sequence[Any], fields: Collection[str] | None = None, keys: int = 1
) -> Table:
    """A table of Structs of the type `row`: their columns that tables show, or those of these fields.

    Columns without any value are left out. `keys` as in `Table`.
    """
    rows = [fields_of(struct) for struct in structs]
    chosen = [column for column in columns_of(row) if column.field in fields] if fields else columns_of(row)
    columns = [
        column
        for column in used_columns(rows, chosen)
        if (fields or column.importance != ON_REQUEST) and any(cell_text(row, column) for row in rows)
    ]
    return Table(
        caption,
        [column.heading for column in columns],
        [column.right for column in columns],
        [[cell_text(row, column) for column in columns] for row in rows],
        meanings_of_marks(rows, columns),
        keys,
    )
