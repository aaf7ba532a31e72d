"""`fa tournament collusion`: which two bots help each other more than chance allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from ...text import printable
from ..tables import Format, FormatOption, show_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...results import PlayedGame
    from ...stats.collusion import Collusion, CollusionRow


_NARROW = {"p_value", "blocks", "first_interval", "second_interval"}
"""What does not fit beside the rest."""


def collusion(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Tournaments, or paths of logs.")],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only games of this one.")] = None,
    alpha: Annotated[
        float, typer.Option(min=1e-6, max=0.5, help="How often a pool of honest bots may have a pair that is flagged.")
    ] = 0.05,
    format: FormatOption = Format.TABLE,
) -> None:
    """Which two bots help each other more than chance allows, at tables of three and more.

    What a bot gains: how much more often it ranks ahead of third ones when the other is at the table; the pair's gain
    is the mean of both. It says that a pair does so, and not why.
    """
    from ...games import find_game
    from ...leaderboard.leaderboards import read_games
    from ...stats.collusion import Collusion, CollusionRow
    from ..leaderboard import logs_of
    from ..ratings import selected

    if game is not None:
        find_game(game)

    def looked_at(games: Iterable[PlayedGame]) -> Collusion:
        made = Collusion()
        for one in games:
            made.add(one)
        return made

    found = read_games(selected(logs_of(names), game), looked_at)
    rows = found.rows(alpha)
    if not rows:
        raise UsageError(f"nothing can be said of the pairs in {' '.join(names)}: {_why_not(found)}")
    if format is Format.TABLE:
        print(printable(_sentence(found, rows, alpha)), end="\n\n")
    show_rows(CollusionRow, rows, format, beside=_NARROW)


def _why_not(found: Collusion) -> str:
    from ...stats import collusion as limits

    if not found.games:
        return f"there are no games at tables of {limits.MIN_SEATS} or more"
    return (
        f"it takes {limits.MIN_BOTS} bots, of whom two have met in {limits.MIN_BLOCKS} deals, and third ones with "
        f"and without each of them; {found.skipped} of {found.games} games have a fault or the same bot twice"
    )


def _sentence(found: Collusion, rows: list[CollusionRow], alpha: float) -> str:
    """The answer."""
    flagged = [f"{row.first} and {row.second}" for row in rows if row.flagged]
    few = len(flagged) == 1
    which = "No two bots help" if not flagged else f"{', '.join(flagged)} {'help' if few else 'each help'}"
    left = f"; {found.skipped} games with a fault or the same bot twice are left out" if found.skipped else ""
    return (
        f"{which} each other more than chance allows (alpha {alpha:g} for all {len(rows)} pairs), "
        f"over {found.games} games{left}."
    )
