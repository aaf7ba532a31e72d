"""Tables besides the leaderboard over the same games: head to head, seats and faults."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..columns import Column, Interval, write_p
from ..errors import UsageError
from ..option_group import OptionGroup
from ..text import counted, printable
from . import common
from .tables import Format, show, show_rows, shows_all_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..leaderboard.leaderboards import Selection
    from ..stats.head_to_head import HeadToHead, HeadToHeadRow
    from ..stats.luck.seat_values import SeatImbalance, SeatRow


SIGNIFICANT = 0.05
"""Seats with a smaller joint p-value are said to differ."""


class View(Enum):
    """A table besides the leaderboard."""

    MATRIX = "matrix"
    SEATS = "seats"
    FAULTS = "faults"


MatrixOption = Annotated[
    bool,
    typer.Option(
        "--matrix", help="Print how often each bot ranks ahead of each other.", rich_help_panel=OptionGroup.TABLE
    ),
]
SeatsOption = Annotated[
    bool,
    typer.Option(
        "--seats", help="Print what each seat is worth, whoever sits there.", rich_help_panel=OptionGroup.TABLE
    ),
]
FaultsOption = Annotated[
    bool,
    typer.Option("--faults", help="Print how often each bot failed, by kind.", rich_help_panel=OptionGroup.TABLE),
]


def chosen(**flags: bool) -> View | None:
    """The view whose flag is set. Raises UsageError if several are."""
    names = [name for name, is_set in flags.items() if is_set]
    if len(names) > 1:
        raise UsageError(f"--{names[0]} and --{names[1]} are two tables; ask for one at a time")
    return View(names[0]) if names else None


def show_view(view: View, selection: Selection, format: Format) -> None:
    """Print the view over the selected games. Raises UsageError if there are none."""
    from ..leaderboard import leaderboards
    from ..stats.faults import FaultRow
    from ..stats.head_to_head import HeadToHead
    from ..stats.luck.seat_values import SeatRow

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
        _show_matrix(result, rows, format)
        _report_cycles(result)
    elif view is View.SEATS:
        show_rows(SeatRow, rows, format, narrow={"caveats", "p_value"} if format is Format.TABLE else {"caveats"})
        if format is Format.TABLE:
            _show_joint_tests(result)
    else:
        show_rows(FaultRow, rows, format)


def _show_joint_tests(rows: Sequence[SeatRow]) -> None:
    """Print below a table whether seats differ, once for each game and number of players."""
    print()
    for row in rows:
        if row.seat == 0:
            verdict = "the seats differ" if row.p_value < SIGNIFICANT else "no sign that the seats differ"
            print(f"{row.game}, {counted(row.players, 'player')}: {verdict} (joint p = {write_p(row.p_value)})")


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


def _show_matrix(head_to_head: HeadToHead, rows: list[HeadToHeadRow], format: Format) -> None:
    """Print a square matrix, or in JSON and CSV a row for each pair."""
    from ..stats.head_to_head import HeadToHeadRow

    if shows_all_fields(format):
        show_rows(HeadToHeadRow, rows, format)
        return
    bots = head_to_head.bots()
    matrix: list[dict[str, str | None]] = [
        {"": bot, **{rival: _matrix_cell(head_to_head, bot, rival) for rival in bots}} for bot in bots
    ]
    columns = [Column("", "ranks ahead of"), *(Column(bot, printable(bot), right=True) for bot in bots)]
    show(matrix, columns, format)


def _report_cycles(head_to_head: HeadToHead) -> None:
    """Report on stderr the bots that beat each other in a cycle."""
    from ..stats.cycles import cycles

    sys.stdout.flush()
    for cycle in cycles(head_to_head):
        common.say(f"cycle: {' beats '.join([*cycle, cycle[0]])}; no ranking can show that")


def _matrix_cell(head_to_head: HeadToHead, bot: str, rival: str) -> str | None:
    """The share of games in which the bot ranks ahead of the rival; None if they never met."""
    row = head_to_head.row(bot, rival) if bot != rival else None
    return f"{100 * row.ahead:.1f}% of {row.games}" if row else None
