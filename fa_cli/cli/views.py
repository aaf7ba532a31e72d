"""Other tables over the same games as a leaderboard: the matrix, the seats, the faults."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import UsageError
from ..text import printable
from . import common
from .tables import Column, Format, number, percent, show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ..stats.head_to_head import HeadToHead


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


def interval_of(write: Callable[[float], str], unit: str = "") -> Callable[[Sequence[float | None]], str]:
    """How an interval is written whose ends are written so; an end that is None is open."""

    def told(ends: Sequence[float | None]) -> str:
        texts = ["..." if end is None else write(end) for end in ends]
        return (" to " if texts[1][0] in "+-." or texts[0][0] in "+-." else "-").join(texts) + unit

    return told


def interval(field: str, heading: str, decimals: int) -> Column:
    """A column of intervals."""
    return Column(field, heading, interval_of(lambda end: f"{end:.{decimals}f}"), right=True)


def percents(field: str, heading: str) -> Column:
    """A column of intervals of shares, in percent in tables."""
    return Column(field, heading, interval_of(lambda end: f"{100 * end:.0f}", "%"), right=True)


_SEATS = (
    *(Column("game", "game"), number("players", "players"), number("seat", "seat"), number("games", "games")),
    *(percent("wins", "wins"), percents("wins_interval", "95%"), percent("expected", "expected")),
    *(number("mean_rank", "mean rank", 2), interval("mean_rank_interval", "95%", 2)),
    *(number("points", "points", 1), interval("points_interval", "95%", 1), number("p_value", "p", 4)),
)
_MEETINGS = (
    *(Column("bot", "bot"), Column("rival", "rival"), number("games", "games"), percent("ahead", "ahead")),
    *(percents("ahead_interval", "95%"), percent("level", "level")),
    number("points_difference", "points difference", 1),
)


def show_view(view: View, logs: Sequence[Path] | None, game: str | None, format: Format) -> None:
    """Print the view over the games of these logs, or of all tournaments. Raises UsageError where there are none."""
    from ..leaderboard.leaderboards import tournament_logs
    from ..leaderboard.played import games_of
    from ..stats.faults import FaultCounts
    from ..stats.head_to_head import HeadToHead
    from .ratings import seat_rows

    if view is View.SEATS:
        rows = seat_rows(logs, game)
    else:
        made: HeadToHead | FaultCounts = HeadToHead() if view is View.MATRIX else FaultCounts()
        for one in games_of(tournament_logs(common.logs_folder()) if logs is None else logs, game):
            made.add(one)
        rows = made.rows()
    if not rows:
        raise UsageError(f"there are no games{f' of {game}' if game else ''} for this table")
    if view is View.SEATS:
        show(rows, _SEATS, format)
    elif isinstance(made, HeadToHead):
        _show_matrix(made, rows, format)
    else:
        show(rows, _fault_columns(), format)


def _fault_columns() -> list[Column]:
    from ..stats.faults import KINDS

    first = (Column("bot", "bot"), number("games", "games"), number("faults", "faults"), percent("share", "share"))
    return [*first, *(number(kind, kind) for kind in KINDS)]


def _show_matrix(matrix: HeadToHead, rows: list[dict[str, Any]], format: Format) -> None:
    """A square for people; a row for each pair for programs."""
    if format in (Format.JSON, Format.CSV):
        show(rows, _MEETINGS, format)
        return
    order = matrix.bots()
    square = []
    for bot in order:
        cells: dict[str, Any] = {"": bot}
        for rival in order:
            row = matrix.row(bot, rival)
            cells[f"against {rival}"] = f"{100 * row['ahead']:.1f}% of {row['games']}" if row else None
        square.append(cells)
    columns = [
        Column("", "ranks ahead of"),
        *(Column(f"against {rival}", printable(rival), right=True) for rival in order),
    ]
    show(square, columns, format)
