"""`fa tournament collusion`: which two bots help each other more than chance allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import UsageError
from ...option import Argument, Option
from ...printing.terminal import print_line
from ...printing.text import counted
from ..common import GameOption, select
from ..help import explained
from ..tables import Format, TableOptions, show_rows

if TYPE_CHECKING:
    from ...stats.teams.collusion import Collusion, CollusionRow


@explained(
    "statistics",
    ("Test all pairs of bots", "fa tournament collusion spring"),
    ("Test two tournaments together, with fewer false alarms", "fa tournament collusion spring autumn --alpha 0.01"),
)
def collusion(
    names: Annotated[list[str], Argument("Names, or paths of their files or logs.", "TOURNAMENT...")],
    game: GameOption = None,
    alpha: Annotated[float, msgspec.Meta(ge=1e-6, le=0.5), Option("Flag a pair in this share of honest pools.")] = 0.05,
    *,
    table: TableOptions,
) -> None:
    """Find pairs of bots that help each other more than chance allows.

    It needs tables of three and more. A bot's gain: how much more often it ranks ahead of third bots when the other is
    at the table. The pair's gain is the mean of both. The result shows that a pair gains, not why.
    """
    from ...leaderboard.leaderboards import collect
    from ...stats.teams.collusion import Collusion, CollusionRow

    collusion = collect(select(names, game), Collusion, Collusion.add)
    rows = collusion.rows(alpha)
    if not rows:
        raise UsageError(f"no pair can be tested in {' '.join(names)}: {_why_not(collusion)}")
    if table.format is Format.TABLE:
        print_line(_sentence(collusion, rows, alpha))
        print()
    show_rows(CollusionRow, rows, table)


def _why_not(collusion: Collusion) -> str:
    from ...stats.teams import collusion as limits

    if not collusion.games:
        return f"no games at tables of {limits.MIN_SEATS} or more"
    return (
        f"it takes {limits.MIN_BOTS} bots, of whom two have met in {limits.MIN_BLOCKS} deals, and third ones with "
        f"and without each of them; {collusion.skipped:,} of {collusion.games:,} games have a fault or the same bot "
        "twice"
    )


def _sentence(collusion: Collusion, rows: list[CollusionRow], alpha: float) -> str:
    flagged = [f"{row.first} and {row.second}" for row in rows if row.flagged]
    verb = "help" if len(flagged) == 1 else "each help"
    pairs = f"{', '.join(flagged)} {verb}" if flagged else "No two bots help"
    count = collusion.skipped
    left_out = f"; {counted(count, 'game')} with a fault or the same bot twice skipped" if count else ""
    return (
        f"{pairs} each other more than chance allows (alpha {alpha:g} for all {len(rows)} pairs), "
        f"over {counted(collusion.games, 'game')}{left_out}."
    )
