"""A report as Markdown, to paste into a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..printing.columns import columns_of
from ..printing.formats import as_markdown as table_as_markdown
from ..printing.formats import escaped
from ..printing.grid import grid
from ..printing.rows import fields_of, meanings_of_marks, used_columns

if TYPE_CHECKING:
    from ..leaderboard.overview.all_tables import Overview
    from ..viewer.report_page import Table

_FIELDS = (
    "rank",
    "rank_range",
    "bot",
    "games",
    "strength",
    "strength_interval",
    "wins",
    "wins_interval",
    "faults",
    "suspended",
)


def as_markdown(tables: Overview, places: Table | None, title: str, sentences: Sequence[str]) -> str:
    """Places and leaderboard below the first sentence, then the others and the number of faults."""
    from ..stats.faults import describe_faults

    rows = [fields_of(row) for row in tables.board.rows]
    declared = [column for column in columns_of(type(tables.board.rows[0])) if column.field in _FIELDS]
    columns = used_columns(rows, declared)
    notes = [*meanings_of_marks(rows, columns), *tables.board.notes]
    first, *others = sentences
    placed = ["\n".join(_lines(places))] if places else []
    paragraphs = [escaped(first), *placed, table_as_markdown(rows, columns, notes), *map(escaped, others)]
    return "\n\n".join([f"### {escaped(title)}", *paragraphs, describe_faults(tables.faults)])


def _lines(table: Table) -> list[str]:
    """A table of the page as lines of Markdown."""
    cells = [[escaped(str(cell)) for cell in row] for row in table.rows]
    return grid([escaped(heading) for heading in table.headings], cells, table.right, "pipe")
