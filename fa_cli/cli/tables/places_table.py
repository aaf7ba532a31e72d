"""The places of a tournament as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...printing.columns import ON_REQUEST, columns_of
from ...printing.rows import fields_of
from ...printing.terminal import print_line
from ...results.places import PlaceRow, place_fields, place_rows
from . import Format, TableOptions, show

if TYPE_CHECKING:
    from ...tournament.schedule import Schedule


def show_places(schedule: Schedule, table: TableOptions) -> None:
    """Print the places and, in a terminal, the lines that the format adds."""
    is_table = table.format is Format.TABLE
    shown = set(place_fields(schedule)) - set(schedule.definition.format_spec.fields_in_lines if is_table else ())
    columns = [
        column if column.field in shown else column._replace(importance=ON_REQUEST) for column in columns_of(PlaceRow)
    ]
    show(map(fields_of, place_rows(schedule)), columns, table)
    placing = schedule.results.placing
    if is_table and placing:
        for line in placing.lines():
            print_line(line)
