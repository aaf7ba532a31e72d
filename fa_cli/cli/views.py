"""Other tables over the same games as a leaderboard: the matrix, the seats, the faults."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..columns import Column
from ..errors import UsageError
from ..text import printable
from . import common
from .tables import Format, show, show_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..leaderboard.leaderboards import Selection
    from ..stats.head_to_head import HeadToHead, HeadToHeadRow


class View(Enum):
    """A table beside the leaderboard."""

    MATRIX = "matrix"
    SEATS = "seats"
    FAULTS = "faults"


MatrixOption = Annotated[bool, typer.Option("--matrix", help="Who ranks ahead of whom, and how often.")]
SeatsOption = Annotated[bool, typer.Option("--seats", help="What each seat is worth, whoever sits there.")]
FaultsOption = Annotated[bool, typer.Option("--faults", help="How often each bot failed, by kind.")]


def chosen(**flags: bool) -> View | None:
    """The view whose flag is set. Raises UsageError if there are several."""
    views = [name for name, is_set in flags.items() if is_set]
    if len(views) > 1:
        raise UsageError(f"--{views[0]} and --{views[1]} are two tables; ask for one at a time")
    return View(views[0]) if views else None


def show_view(view: View, selection: Selection, format: Format) -> None:
    """Print the view over the games of the selection. Raises UsageError where there are none."""
    from ..leaderboard import leaderboards
    from ..stats.faults import FaultRow
    from ..stats.head_to_head import HeadToHead
    from ..stats.seat_values import SeatRow

    makers: dict[View, Callable[[Selection], Any]] = {
        View.MATRIX: leaderboards.head_to_head,
        View.SEATS: leaderboards.seat_values,
        View.FAULTS: leaderboards.faults,
    }
    found = makers[view](selection)
    rows = found.rows() if isinstance(found, HeadToHead) else found
    if not rows:
        raise UsageError(f"there are no games{f' of {selection.game}' if selection.game else ''} for this table")
    if isinstance(found, HeadToHead):
        _show_matrix(found, rows, format)
        _say_cycles(found)
    else:
        show_rows(SeatRow if view is View.SEATS else FaultRow, rows, format)


def _say_cycles(meetings: HeadToHead) -> None:
    """Which bots no order of strengths shows as they are."""
    from ..stats.cycles import cycles

    sys.stdout.flush()
    for cycle in cycles(meetings):
        common.say(f"cycle: {' beats '.join([*cycle, cycle[0]])}; no ranking can show that")


def _show_matrix(meetings: HeadToHead, rows: list[HeadToHeadRow], format: Format) -> None:
    """A square for people; a row for each pair for programs."""
    from ..stats.head_to_head import HeadToHeadRow

    if format in (Format.JSON, Format.CSV):
        show_rows(HeadToHeadRow, rows, format)
        return
    order = meetings.bots()
    square = []
    for bot in order:
        cells: dict[str, Any] = {"": bot}
        for rival in order:
            row = meetings.row(bot, rival) if bot != rival else None
            cells[f"against {rival}"] = f"{100 * row.ahead:.1f}% of {row.games}" if row else None
        square.append(cells)
    columns = [
        Column("", "ranks ahead of"),
        *(Column(f"against {rival}", printable(rival), right=True) for rival in order),
    ]
    show(square, columns, format)
