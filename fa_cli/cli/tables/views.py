"""Tables besides the leaderboard over the same games: head to head, seats and faults."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from ...errors import UsageError
from ...option import Option, OptionGroup
from ...printing.columns import KEY, Column, Interval, columns_of
from ...printing.rows import Row, fields_of
from ...printing.terminal import Tone
from ...printing.text import counted
from .. import common
from . import TableOptions, fits, show, show_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...leaderboard.leaderboards import Selection
    from ...stats.head_to_head import HeadToHead, HeadToHeadRow
    from ...stats.luck.seat_values import SeatImbalance


EVEN = 0.5
_CERTAIN = "*"
"""Marks shares of which chance is no explanation."""


class View(Enum):
    """A table besides the leaderboard."""

    MATRIX = "matrix"
    SEATS = "seats"
    FAULTS = "faults"


MatrixOption = Annotated[bool, Option("Print how often each bot ranks ahead of each other.", group=OptionGroup.TABLE)]
SeatsOption = Annotated[bool, Option("Print what each seat is worth, whoever sits there.", group=OptionGroup.TABLE)]
FaultsOption = Annotated[bool, Option("Print how often each bot failed, by kind.", group=OptionGroup.TABLE)]


def chosen(**flags: bool) -> View | None:
    """The view whose flag is set. Raises UsageError if several are."""
    names = [name for name, is_set in flags.items() if is_set]
    if len(names) > 1:
        raise UsageError(f"--{names[0]} and --{names[1]} are two tables; ask for one at a time")
    return View(names[0]) if names else None


def show_view(view: View, selection: Selection, table: TableOptions) -> None:
    """Print the view over the selected games. Raises UsageError if there are none."""
    from ...leaderboard import leaderboards
    from ...results.early_stops import mark_stopped_pairs
    from ...results.verdict import joint_tests
    from ...stats.faults import KINDS, FaultRow
    from ...stats.head_to_head import HeadToHead
    from ...stats.luck.seat_values import SeatRow

    queries: dict[View, Callable[[Selection], Any]] = {
        View.MATRIX: leaderboards.head_to_head,
        View.SEATS: leaderboards.seat_values,
        View.FAULTS: leaderboards.faults,
    }
    result = queries[view](selection)
    rows = result.rows() if isinstance(result, HeadToHead) else result
    if not rows:
        raise UsageError(f"there are no games{f' of {selection.game}' if selection.game else ''} for this table")
    if isinstance(result, HeadToHead):
        mark_stopped_pairs(rows, selection)
        _show_matrix(result, rows, table)
        _report_cycles(result)
    elif view is View.SEATS:
        show_rows(SeatRow, rows, table, joint_tests(result))
    else:
        columns = [column._replace(if_any=column.field in KINDS) for column in columns_of(FaultRow)]
        show([fields_of(row) for row in rows], columns, table)


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


def _show_matrix(head_to_head: HeadToHead, rows: list[HeadToHeadRow], table: TableOptions) -> None:
    """Print a square matrix; for programs and with chosen columns a row for each pair."""
    from ...stats.head_to_head import HeadToHeadRow

    if not table.is_for_people or table.columns:
        show_rows(HeadToHeadRow, rows, table)
        return
    bots = head_to_head.bots()
    matrix: list[dict[str, Any]] = [{"number": number, "bot": bot} for number, bot in enumerate(bots, 1)]
    for row in rows:
        matrix[bots.index(row.bot)][f"vs {row.rival}"] = row
    columns, note = _matrix_columns(bots, matrix, rows, table)
    certain = [f"{_CERTAIN} beyond chance: the 95% interval excludes 50%"] if any(map(_is_certain, rows)) else []
    show(matrix, columns, table, notes=[*note, *certain])


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


def _long_cell(row: HeadToHeadRow) -> str:
    """The share of games in which the bot ranks ahead of the rival, and their number."""
    return f"{100 * row.ahead:.1f}% of {row.games}{_CERTAIN if _is_certain(row) else ''}"


def _short_cell(row: HeadToHeadRow) -> str:
    """The share in whole percent."""
    return f"{100 * row.ahead:.0f}{_CERTAIN if _is_certain(row) else ' '}"


def _is_certain(row: HeadToHeadRow) -> bool:
    """Whether one of the two is ahead more often than chance explains; never after too few deals for an interval."""
    low, high = row.ahead_interval
    return not row.caveats and (low > EVEN or high < EVEN)


def _tone(row: HeadToHeadRow) -> Tone | None:
    if not _is_certain(row):
        return None
    return Tone.GOOD if row.ahead > EVEN else Tone.BAD


def _report_cycles(head_to_head: HeadToHead) -> None:
    """Report on stderr the bots that beat each other in a cycle."""
    from ...stats.cycles import cycles

    sys.stdout.flush()
    for cycle in cycles(head_to_head):
        common.say(f"cycle: {' beats '.join([*cycle, cycle[0]])}; no ranking can show that")
