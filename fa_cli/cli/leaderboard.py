"""`fa leaderboard`: ratings and results of bots, from the logs alone."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import UsageError
from . import common
from .tables import Column, Format, FormatOption, number, percent, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..tournament.standings import Standings


class ByChoice(Enum):
    """What `--by` takes."""

    SIDE = "side"
    VARIANT = "variant"
    PLAYERS = "players"
    GAME = "game"


def _interval(ends: list[float]) -> str:
    return f"{100 * ends[0]:.1f}-{100 * ends[1]:.1f}%"


_WHO = (number("rank", "rank"), Column("bot", "bot"))
_WHAT = (
    number("games", "games"),
    number("rating", "rating", 2),
    number("mu", "mu", 2),
    number("sigma", "sigma", 2),
    percent("wins", "wins"),
    Column("wins_interval", "95%", _interval, right=True),
    number("points", "points", 1),
    number("faults", "faults"),
    number("ms", "ms/decision", 2),
)
_SIDE_BY_SIDE = {2: {"games", "rating", "mu", "sigma", "wins", "points", "faults"}}
_MANY_SIDES = {"games", "rating", "wins", "points"}


def leaderboard(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Tournaments, or paths of logs; none means all.")
    ] = None,
    by: Annotated[ByChoice | None, typer.Option(help="Ratings and results apart, side by side.")] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only games of this one.")] = None,
    format: FormatOption = Format.TABLE,
) -> None:
    """Bots by rating (mu - 3 sigma), with wins, points, faults and times, as the logs have it.

    A first place that n share is 1/n of a win for each. The interval is Wilson's, with the games of one deal as one.
    """
    from ..games import find_game
    from ..tournament.standings import By, stand

    if game is not None:
        find_game(game)
    standings = stand(_logs(names or []), By(by.value) if by else None, game)
    if not standings.games:
        raise UsageError(f"there are no games{f' of {game}' if game else ''} in {' '.join(names or ['the logs'])}")
    show_board(standings, format)


def show_board(standings: Standings, format: Format = Format.TABLE) -> None:
    """Print the leaderboard; its parts, if it has any, stand beside each other."""
    show(standings.rows(), _columns(standings.parts(), format), format)


def _columns(parts: Sequence[str], format: Format) -> list[Column]:
    if not parts:
        return [*_WHO, *_WHAT]
    told: Any = {column.field for column in _WHAT}
    if format in (Format.TABLE, Format.MARKDOWN):
        told = _SIDE_BY_SIDE.get(len(parts), _MANY_SIDES) if len(parts) > 1 else told
    overall = [*_WHAT] if format in (Format.JSON, Format.CSV) else [number("rating", "rating", 2)]
    line = " " if format is Format.MARKDOWN else "\n"
    apart = [
        Column(f"{part} {column.field}", f"{part}{line}{column.heading}", column.write, column.right)
        for part in parts
        for column in _WHAT
        if column.field in told
    ]
    return [*_WHO, *overall, *apart]


def _logs(names: Sequence[str]) -> list[Path]:
    """The logs of these names; without any name those of all tournaments. Raises UsageError."""
    if not names:
        from ..tournament.standings import is_of_tournament

        return [path for path in sorted(common.logs_folder().glob("*.log")) if is_of_tournament(path)]
    return list(dict.fromkeys(_log(name) for name in names))


def _log(name: str) -> Path:
    if "/" in name or name.endswith(".log"):
        return Path(name)
    path = common.log_path(name)
    if not path.exists():
        raise UsageError(f"there is no tournament {name} ({path} is not there)")
    return path
