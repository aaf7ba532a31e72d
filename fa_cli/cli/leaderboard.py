"""`fa leaderboard`: ratings and results of bots, from the logs alone."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UsageError
from . import common, views
from .tables import Column, Format, FormatOption, number, percent, show
from .views import FaultsOption, MatrixOption, SeatsOption, interval, percents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..isolation.discovery import Skipped
    from ..leaderboard.boards import Leaderboard
    from ..leaderboard.seat_boards import BotsInSeats
    from ..leaderboard.standings import Standings
    from ..stats.stopping import Answer
    from ..tournament.versions import Versions

    Shown = Standings | BotsInSeats | Leaderboard | Versions


class ByChoice(Enum):
    """What `--by` takes."""

    SIDE = "side"
    SEAT = "seat"
    VARIANT = "variant"
    PLAYERS = "players"
    GAME = "game"
    VERSION = "version"


_WHO = (number("rank", "rank"), Column("bot", "bot"))
_WHAT = (
    number("games", "games"),
    number("rating", "rating", 2),
    number("mu", "mu", 2),
    number("sigma", "sigma", 2),
    percent("wins", "wins"),
    percents("wins_interval", "95%"),
    number("points", "points", 1),
    interval("points_interval", "95%", 1),
    number("mean_rank", "mean rank", 2),
    interval("mean_rank_interval", "95%", 2),
    number("faults", "faults"),
    number("ms", "ms", 2),
)
_SIDE_BY_SIDE = {"games", "rating", "sigma", "wins", "points"}
"""What fits side by side in a table."""
_MANY = 4
"""With more parts only the ratings fit."""


def leaderboard(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Tournaments, or paths of logs; none means all.")
    ] = None,
    by: Annotated[ByChoice | None, typer.Option(help="Ratings and results apart, side by side.")] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only games of this one.")] = None,
    matrix: MatrixOption = False,
    seats: SeatsOption = False,
    faults: FaultsOption = False,
    format: FormatOption = Format.TABLE,
) -> None:
    """Bots by rating (mu - 3 sigma), with wins, points, faults and times, as the logs have it.

    A first place that n share is 1/n of a win for each. Intervals take the games of one deal as one.
    """
    from ..games import find_game
    from ..leaderboard.played import games_of
    from ..results import By
    from .ratings import board_of, by_seat

    if game is not None:
        find_game(game)
    view = views.chosen(matrix=matrix, seats=seats, faults=faults)
    if view:
        views.show_view(view, logs_of(names) if names else None, game, format)
        return
    standings: Shown
    if by is ByChoice.SEAT:
        standings = by_seat(logs_of(names) if names else None, game)
    elif by is ByChoice.VERSION:
        from ..tournament.versions import Versions

        logs = logs_of(names or [])
        standings = versions = Versions(logs)
        for one in games_of(logs, game):
            versions.add(one)
    else:
        standings = board_of(logs_of(names) if names else None, By(by.value) if by else None, game)
    if not standings.games:
        raise UsageError(f"there are no games{f' of {game}' if game else ''} in {' '.join(names or ['the logs'])}")
    skipped = _skipped(names or [])
    show_board(standings, format, skipped=skipped)
    for bot in skipped:
        common.warn(str(bot))
    if by is not ByChoice.VERSION and len(names or ()) != 1:
        _tell_versions(names or [])


def _skipped(names: Sequence[str]) -> list[Skipped]:
    """The bots that could not take part in the tournaments of these names."""
    from ..tournament.definition import load

    files = [common.tournaments_folder() / f"{name}.json" for name in names if "/" not in name]
    return [bot for file in files if file.exists() for bot in load(file).skipped]


def _tell_versions(names: Sequence[str]) -> None:
    """Which names stood for different files in these tournaments."""
    from ..leaderboard.leaderboards import readable_logs
    from ..tournament.versions import several_versions

    found = several_versions(logs_of(names) if names else readable_logs(common.logs_folder()))
    for name, count in found.items():
        common.say(
            f"{name} had {count} versions, told apart by their files; its row is that of all (--by version splits it)"
        )


def show_board(
    standings: Shown,
    format: Format = Format.TABLE,
    apart: bool = True,
    answer: Answer | None = None,
    skipped: Sequence[Skipped] = (),
) -> None:
    """Print the leaderboard; its parts, if it has any, stand beside each other, unless `apart` is false.

    `answer`: of the tournament's sequential test, if it has one; a field of the two bots' rows. `skipped` bots have a
    row with the reason, except in tables.
    """
    rows, columns = standings.rows(), _columns(standings.parts() if apart else [], format)
    if answer:
        rows = [row | {"sequential": answer.field(row["bot"])} for row in rows]
        columns = [*columns, Column("sequential", "sequential test")]
    if skipped and format is not Format.TABLE:
        rows = [*rows, *({"bot": bot.name, "skipped": bot.reason} for bot in skipped)]
        columns = [*columns, Column("skipped", "skipped")]
    show(rows, columns, format)
    sys.stdout.flush()  # what is told on stderr comes after it


def _columns(parts: Sequence[str], format: Format) -> list[Column]:
    if not parts:
        return [*_WHO, *_WHAT]
    if format in (Format.JSON, Format.CSV):
        return [*_WHO, *_WHAT, *(_of_part(part, column, "") for part in parts for column in _WHAT)]
    fitting = _SIDE_BY_SIDE if len(parts) <= _MANY else {"rating"}
    told = [column for column in _WHAT if column.field in fitting]
    columns = [*_WHO, number("rating", "rating", 2)]
    for part in parts:
        if format is Format.TABLE:  # the part's name stands once, above the first of its columns, a word a line
            words = part.split(" ")
            heads = ["\n".join([*words, ""]), *["\n" * len(words)] * len(told)]
        else:
            heads = [f"{part} "] * len(told)
        columns += [_of_part(part, column, head) for column, head in zip(told, heads, strict=False)]
    return columns


def _of_part(part: str, column: Column, head: str) -> Column:
    """The same column of one part."""
    return Column(f"{part} {column.field}", head + column.heading, column.write, column.right)


def logs_of(names: Sequence[str]) -> list[Path]:
    """The logs of these names; without any name those of all tournaments. Raises UsageError."""
    if not names:
        from ..leaderboard.leaderboards import tournament_logs

        return tournament_logs(common.logs_folder())
    return list(dict.fromkeys(_log(name) for name in names))


def _log(name: str) -> Path:
    if "/" in name or name.endswith(".log"):
        return Path(name)
    path = common.log_path(name)
    if not path.exists():
        raise UsageError(f"there is no tournament {name} ({path} is not there)")
    return path
