"""Rows as a table, JSON, CSV or Markdown. JSON and CSV have the same field names whatever a table's headings are."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ...errors import Impossible
from ...option import Option, OptionGroup, Unit
from ...printing.columns import KEPT, ON_REQUEST, Column, columns_of
from ...printing.rows import Row, cell_text, fields_of, meanings_of_marks, used_columns
from ...printing.terminal import as_encoded, cells, folded, has_colours, print_line, width
from ...printing.text import did_you_mean, printable
from ..common import say

if TYPE_CHECKING:
    from ...printing.layout import Cell, Layout

_INTERVALS = "95%: the interval holds the true value in 95 of 100 tournaments like this one"


class Format(Enum):
    """How rows are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


class TableOptions(msgspec.Struct, frozen=True):
    """How a command prints its rows. On a terminal tables are made to fit; anywhere else they are not cut."""

    format: Annotated[Format, Option("Print in this format.", group=OptionGroup.OUTPUT)] = Format.TABLE
    wide: Annotated[
        bool,
        Option(
            "Show all columns and whole names, even if lines get wider than the terminal.", group=OptionGroup.OUTPUT
        ),
    ] = False
    columns: Annotated[
        list[str],
        Option(
            "Show these columns, named as in JSON, in this order. [default: those that fit]",
            "A,B,...",
            unit=Unit.COMMAS,
            group=OptionGroup.OUTPUT,
            example="bot,strength,wins",
        ),
    ] = []

    @property
    def is_for_people(self) -> bool:
        """Whether values are rounded, and columns missing that only programs need."""
        return self.format in (Format.TABLE, Format.MARKDOWN)

    @property
    def fit_width(self) -> int | None:
        """The width that tables must fit; None: any width will do."""
        return width() if self.format is Format.TABLE and not self.wide else None


def show(
    rows: Iterable[Row],
    columns: Sequence[Column],
    options: TableOptions,
    explain: bool = True,
    notes: Sequence[str] = (),
    said: Collection[str] = (),
) -> list[Column]:
    """Print the columns of the rows on stdout; returns those that are shown. A missing field counts as None.

    Raises Impossible for unknown columns.

    Below a table for people its `notes` follow, and the caveats of marked intervals but for those that were `said`; on
    a terminal also a legend and the names of hidden columns. `explain` false leaves out the legend.
    """
    from ...printing import formats

    columns = choose(columns, options)
    if not options.is_for_people:
        pieces = formats.json_pieces if options.format is Format.JSON else formats.csv_pieces
        write(pieces(rows, columns))
        return columns
    rows = list(rows)
    if not options.columns:
        columns = used_columns(rows, columns)
    if options.format is Format.TABLE:
        return _print_table(rows, columns, options.fit_width, explain, notes, said)
    print(formats.as_markdown(rows, columns, [*notes, *meanings_of_marks(rows, columns)]))
    return columns


def write(pieces: Iterable[str]) -> None:
    """Write the pieces of a table, the first rows at once."""
    for number, piece in enumerate(pieces):
        sys.stdout.write(piece)
        if number == 1:
            sys.stdout.flush()
    sys.stdout.flush()  # before any line on stderr


def show_rows(row: type, rows: Iterable[Any], options: TableOptions, notes: Sequence[str] = ()) -> None:
    """Print Structs of the type `row`."""
    show([fields_of(struct) for struct in rows], columns_of(row), options, notes=notes)


def fits(rows: Sequence[Row], columns: Sequence[Column], options: TableOptions) -> bool:
    """Whether the table can be printed as it is: no column hidden, no text cut or folded."""
    lines = _layout(rows, columns, None, colours=False).lines
    return options.fit_width is None or max(map(cells, lines)) <= options.fit_width


def fitted_lines(rows: Sequence[Row], columns: Sequence[Column], width: int) -> list[str]:
    """The lines of the table without colours, made to fit this width: headings, dashes, rows, the meanings of marks."""
    layout = _layout(rows, columns, width, colours=False)
    notes = meanings_of_marks(rows, _shown(layout, columns))
    return [*layout.lines, *(line for note in notes for line in folded(note, width))]


def _layout(rows: Sequence[Row], columns: Sequence[Column], width: int | None, colours: bool) -> Layout:
    from ...printing.layout import lay_out

    return lay_out(headed(columns), table_cells(rows, columns), width, colours)


def headed(columns: Sequence[Column]) -> list[Column]:
    """The columns with headings that can be printed."""
    return [column._replace(heading=_text(column.heading), part=_text(column.part)) for column in columns]


def table_cells(rows: Sequence[Row], columns: Sequence[Column]) -> list[list[Cell]]:
    """The cells of a table, by row."""
    from ...printing.layout import Cell

    def cell(row: Row, column: Column) -> Cell:
        value = row.get(column.field)
        return Cell(_text(cell_text(row, column)), None if value is None else column.tone(value))

    return [[cell(row, column) for column in columns] for row in rows]


def _text(raw: str) -> str:
    return as_encoded(printable(raw), sys.stdout)


def choose(columns: Sequence[Column], options: TableOptions) -> list[Column]:
    """The columns that the options ask for, else those that the format shows. Raises Impossible."""
    if options.columns:
        named = [_named(name, columns) for name in options.columns]
        for column in named:
            if named.count(column) > 1:
                raise Impossible(f"column {column.field} is named twice in --columns", "columns")
        return [column._replace(importance=max(KEPT, column.importance)) for column in named]
    return [column for column in columns if not options.is_for_people or column.importance != ON_REQUEST]


def _named(name: str, columns: Sequence[Column]) -> Column:
    """The column with this field or heading. Raises Impossible."""
    for column in columns:
        if name in (column.field, f"{column.part} {column.heading}".strip()):
            return column
    fields = [column.field for column in columns if not column.part]
    parts = [column.field for column in columns if column.part]
    more = f", and for each part e.g. {parts[0]}" if parts else ""
    near = did_you_mean(name, [*fields, *parts])
    raise Impossible(f"no column {name!r}{near} (columns: {', '.join(fields)}{more})", "columns")


def _print_table(
    rows: Sequence[Row],
    columns: Sequence[Column],
    fit_width: int | None,
    explain: bool,
    notes: Sequence[str],
    said: Collection[str],
) -> list[Column]:
    # of marked values the marks are explained
    columns = [column._replace(legend="") if meanings_of_marks(rows, [column]) else column for column in columns]
    layout = _layout(rows, columns, fit_width, has_colours())
    print("\n".join(layout.lines))
    shown = _shown(layout, columns)
    for note in (*notes, *(meaning for meaning in meanings_of_marks(rows, shown) if meaning not in said)):
        print_line(note)
    sys.stdout.flush()  # before any line on stderr
    explain_below(layout, columns, explain)
    return shown


def _shown(layout: Layout, columns: Sequence[Column]) -> list[Column]:
    hidden = {column.field for column in layout.hidden}
    return [column for column in columns if column.field not in hidden]


def explain_below(layout: Layout, columns: Sequence[Column], explain: bool = True) -> None:
    """On a terminal, print the legend of a table, if `explain`, and what is missing from it, on stderr."""
    if width() is not None:
        shown = _shown(layout, columns)
        _print_legend(shown if explain else [])
        _say_what_is_missing([column for column in columns if column not in shown], layout.has_cuts)


def _print_legend(columns: Sequence[Column]) -> None:
    for legend in dict.fromkeys(f"{column.heading}: {column.legend}" for column in columns if column.legend):
        say(legend)
    if any(column.heading.endswith("95%") for column in columns):
        say(_INTERVALS)


def _say_what_is_missing(hidden: Sequence[Column], has_cuts: bool) -> None:
    headings = ", ".join(dict.fromkeys(column.heading for column in hidden))
    if hidden:
        say(f"hidden to fit: {headings} (--wide shows all columns, --columns A,B,... those you choose)")
    elif has_cuts:
        say("names are cut to fit; --wide shows them whole")
