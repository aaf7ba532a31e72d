"""Rows as tables of texts, and the report as Markdown, to paste into a pull request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..leaderboard.overview.all_tables import Overview
from ..leaderboard.standings import StandingRow
from ..printing.columns import ON_REQUEST, columns_of
from ..printing.formats import as_markdown, escaped
from ..printing.grid import grid
from ..printing.rows import cell_text, fields_of, meanings_of_marks, used_columns
from ..stats.faults import describe_faults
from ..viewer.report_page import Table

STANDING_FIELDS = (
    *("rank", "rank_range", "bot", "games", "strength", "strength_interval", "wins", "wins_interval", "points"),
    *("points_interval", "mean_rank", "mean_rank_interval", "faults", "suspended", "ms"),
)
"""What a report shows of a leaderboard: all but TrueSkill's ratings, which depend on the order of games."""
_PASTED_FIELDS = {*STANDING_FIELDS} - {"points", "points_interval", "mean_rank", "mean_rank_interval", "ms"}


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


def text_to_paste(tables: Overview, places: Table | None, title: str, sentences: Sequence[str]) -> str:
    """Places and leaderboard below the first sentence, then the others and the number of faults."""
    rows = [fields_of(row) for row in tables.board.rows]
    declared = [column for column in columns_of(StandingRow) if column.field in _PASTED_FIELDS]
    columns = used_columns(rows, declared)
    notes = [*meanings_of_marks(rows, columns), *tables.board.notes]
    first, *others = sentences
    placed = ["\n".join(_lines(places))] if places else []
    paragraphs = [escaped(first), *placed, as_markdown(rows, columns, notes), *map(escaped, others)]
    return "\n\n".join([f"### {escaped(title)}", *paragraphs, describe_faults(tables.faults)])


def _lines(table: Table) -> list[str]:
    """A table of the page as lines of Markdown."""
    cells = [[escaped(str(cell)) for cell in row] for row in table.rows]
    return grid([escaped(heading) for heading in table.headings], cells, table.right, "pipe")
