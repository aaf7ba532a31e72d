"""Tables besides the leaderboard over the same games: head to head, seats, faults, and the places of a format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import msgspec

from ...errors import UsageError
from ...option import Option, OptionGroup
from ...printing.columns import KEY, Caveat, Column, Interval, columns_of
from ...printing.rows import Row, fields_of
from ...printing.terminal import Tone, print_line
from ...printing.text import counted
from ...results.verdict import SIGNIFICANT
from .. import common
from . import Format, TableOptions, fits, show, show_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...leaderboard.leaderboards import Selection
    from ...stats.head_to_head import HeadToHeadRow
    from ...stats.luck.seat_values import SeatImbalance
    from ...tournament.schedule import Schedule


AnyRow = TypeVar("AnyRow")
EVEN = 0.5
_CERTAIN = "*"
"""Marks shares of which chance is no explanation."""
_MISFIT = "!"
"""Marks pairs whose results one number per bot does not explain."""


class _Cell(NamedTuple):
    """A pair in a matrix."""

    row: HeadToHeadRow
    is_misfit: bool

    @property
    def marks(self) -> str:
        return _CERTAIN * _is_certain(self.row) + _MISFIT * self.is_misfit


class ViewOptions(msgspec.Struct, frozen=True):
    """Tables that a command prints in place of the leaderboard, one at a time."""

    matrix: Annotated[bool, Option("Print how often each bot ranks ahead of each other.", group=OptionGroup.TABLE)] = (
        False
    )
    seats: Annotated[bool, Option("Print what each seat is worth, whoever sits there.", group=OptionGroup.TABLE)] = (
        False
    )
    faults: Annotated[bool, Option("Print how often each bot failed, by kind.", group=OptionGroup.TABLE)] = False

    def chosen(self) -> str:
        """The option that is set; empty if none is. Raises UsageError if several are."""
        names = [name for name, is_set in msgspec.structs.asdict(self).items() if is_set]
        if len(names) > 1:
            raise UsageError(f"--{names[0]} and --{names[1]} are two tables; ask for one at a time")
        return "".join(names)

    def show(self, selection: Selection, table: TableOptions) -> None:
        """Print the chosen table of the selected games. Raises UsageError if there are none."""
        from ...leaderboard import queries
        from ...leaderboard.leaderboards import read_selection
        from ...results.verdict import joint_tests
        from ...stats.faults import KINDS, FaultRow
        from ...stats.luck.seat_values import SeatRow

        if self.matrix:
            _show_pairs(selection, table)
        elif self.seats:
            seats = _some(read_selection(selection, queries.seat_values), selection)
            show_rows(SeatRow, seats, table, joint_tests(seats))
        else:
            columns = [column._replace(if_any=column.field in KINDS) for column in columns_of(FaultRow)]
            faults = _some(read_selection(selection, queries.faults), selection)
            show(map(fields_of, faults), columns, table)


def _some(rows: list[AnyRow], selection: Selection) -> list[AnyRow]:
    """The rows. Raises UsageError if there are none."""
    if not rows:
        raise UsageError(f"no games{f' of {selection.game}' if selection.game else ''} for this table")
    return rows


def warn_of_seats(imbalances: Sequence[SeatImbalance]) -> None:
    """Warn of bots whose seats were not balanced."""
    if imbalances:
        others = len({each.bot for each in imbalances} - {imbalances[0].bot})
        more = f" and {counted(others, 'other bot')} had unbalanced seats" if others else ""
        common.warn(
            f"seats were not balanced: {imbalances[0]}{more}; fa leaderboard --seats shows what seats are worth"
        )


def describe_ratio(value: float, interval: Interval) -> str:
    """A variance ratio of rotations in words."""
    low, high = interval
    return (
        f"100 games with rotated deals are as precise as {100 * value:.0f} with fresh deals "
        f"(variance ratio {value:.2f}, 95% interval {low:.2f} to {high:.2f})"
    )


def _show_pairs(selection: Selection, table: TableOptions) -> None:
    """Print a square matrix; for programs and with chosen columns a row for each pair."""
    from ...leaderboard.leaderboards import head_to_head
    from ...results.early_stops import mark_stopped_pairs
    from ...stats.head_to_head import HeadToHeadRow

    pairs, fit = head_to_head(selection)
    rows = _some(pairs.rows(), selection)
    mark_stopped_pairs(rows, selection)
    if not table.is_for_people or table.columns:
        show_rows(HeadToHeadRow, rows, table)
        return
    could_stop_early = any(Caveat.STOPPED_EARLY.value in row.caveats for row in rows)
    misfits = fit.misfit_pairs if fit and not could_stop_early else []
    bots = pairs.bots()
    matrix: list[dict[str, Any]] = [{"number": number, "bot": bot} for number, bot in enumerate(bots, 1)]
    for row in rows:
        is_misfit = (row.bot, row.rival) in misfits or (row.rival, row.bot) in misfits
        matrix[bots.index(row.bot)][f"vs {row.rival}"] = _Cell(row, is_misfit)
    columns, notes = _matrix_columns(bots, matrix, rows, table)
    if any(map(_is_certain, rows)):
        notes.append(f"{_CERTAIN} beyond chance: 95% sure for all pairs of the table together")
    if misfits and fit:
        notes.append(f"{_MISFIT} {fit.sentence}")
    show(matrix, columns, table, notes=notes)


def _matrix_columns(
    bots: Sequence[str], matrix: Sequence[Row], rows: Sequence[HeadToHeadRow], table: TableOptions
) -> tuple[list[Column], list[str]]:
    """The columns of a matrix in the longest form that fits, and what must be said of them below it."""
    first = Column("bot", "ranks ahead of", importance=KEY)
    long = [Column(f"vs {bot}", bot, _long_cell, True, tone=_tone) for bot in bots]
    if fits(matrix, [first, *long], table):
        return [first, *long], []
    met = dict.fromkeys([min(row.games for row in rows), max(row.games for row in rows)])
    note = f"cells are percent of {' to '.join(f'{games:,}' for games in met)} games per pair"
    short = [column._replace(write=_short_cell) for column in long]
    if fits(matrix, [first, *short], table):
        return [first, *short], [note]
    numbered = [column._replace(heading=f"{number} ") for number, column in enumerate(short, 1)]
    return [Column("number", "", right=True, importance=KEY), first, *numbered], [f"columns are bots by number; {note}"]


def _long_cell(cell: _Cell) -> str:
    """The share of games in which the bot ranks ahead of the rival, and their number."""
    return f"{100 * cell.row.ahead:.1f}% of {cell.row.games}{cell.marks}"


def _short_cell(cell: _Cell) -> str:
    """The share in whole percent."""
    return f"{100 * cell.row.ahead:.0f}{cell.marks or ' '}"


def _is_certain(row: HeadToHeadRow) -> bool:
    """Whether one of the two is ahead more often than chance explains; never after too few deals for an interval."""
    return not row.caveats and row.adjusted_p < SIGNIFICANT


def _tone(cell: _Cell) -> Tone | None:
    if not _is_certain(cell.row):
        return None
    return Tone.GOOD if cell.row.ahead > EVEN else Tone.BAD


def show_places(schedule: Schedule, table: TableOptions, alone: bool = False) -> None:
    """Print the places and, in a terminal, the lines that the format adds. `alone`: no leaderboard stands below."""
    from ...results.places import PlaceRow, place_fields, place_rows

    is_table = table.format is Format.TABLE
    rows, placing = place_rows(schedule), schedule.results.placing
    lines = list(placing.lines()) if is_table and placing else []
    hidden = schedule.definition.format_spec.fields_in_lines if lines or (is_table and not alone) else ()
    shown = set(place_fields(schedule)) - set(hidden)
    columns = [column.shown_if(column.field in shown) for column in columns_of(PlaceRow)]
    show(map(fields_of, rows), columns, table)
    for line in lines:
        print_line(line)
