"""`fa leaderboard`: ratings and results of bots, from the logs alone."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..columns import Column, columns_of
from ..errors import UsageError
from . import common, views
from .tables import Format, FormatOption, fields_of, show
from .views import FaultsOption, MatrixOption, SeatsOption

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..isolation.discovery import Skipped
    from ..leaderboard.standings import Leaderboard, StandingRow
    from ..stats.stopping import SequentialResult


class ByChoice(Enum):
    """What `--by` takes."""

    SIDE = "side"
    SEAT = "seat"
    VARIANT = "variant"
    PLAYERS = "players"
    GAME = "game"
    VERSION = "version"


class RatingChoice(Enum):
    """What `--rating` takes."""

    STRENGTH = "strength"
    ONLINE = "online"


_FITTED = {"rank_range", "strength", "strength_interval"}
"""What tables for people show of strengths."""
_ONLINE = {"rating", "mu", "sigma"}
"""What they show in place of that with `--rating online`, and of seats."""
_BESIDE = {"games", "strength", "strength_interval", "rating", "sigma", "wins", "points"}
"""What of a part fits beside others."""
_NAMES = 3
"""The columns that name a row: rank, rank range and bot."""
_MANY = 4
"""With more parts only the strengths fit, or the ratings."""


def leaderboard(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Tournaments, or paths of logs; none means all.")
    ] = None,
    by: Annotated[ByChoice | None, typer.Option(help="Ratings and results apart, side by side.")] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only games of this one.")] = None,
    rating: Annotated[
        RatingChoice, typer.Option(help="Rank by fitted strength or by the online TrueSkill rating.")
    ] = RatingChoice.STRENGTH,
    matrix: MatrixOption = False,
    seats: SeatsOption = False,
    faults: FaultsOption = False,
    format: FormatOption = Format.TABLE,
) -> None:
    """Rank bots by strength, with wins, points, faults and times.

    Strengths are fitted to all games at once (docs/statistics.md). A first place that n share is 1/n of a win for each.
    Intervals take the games of one deal as one.
    """
    from ..games import find_game
    from ..leaderboard import leaderboards
    from ..results import By
    from .ratings import selected

    if game is not None:
        find_game(game)
    view = views.chosen(matrix=matrix, seats=seats, faults=faults)
    selection = selected(logs_of(names) if names else None, game)
    if view:
        views.show_view(view, selection, format)
        return
    if by is ByChoice.SEAT:
        standings = leaderboards.leaderboard_in_seats(selection)
    elif by is ByChoice.VERSION:
        from ..tournament.versions import by_version

        logs = logs_of(names or [])
        standings = leaderboards.leaderboard(selection._replace(logs=logs, rename=by_version(logs)))
    else:
        standings = leaderboards.leaderboard(selection, By(by.value) if by else None)
    if not standings.games:
        raise UsageError(f"there are no games{f' of {game}' if game else ''} in {' '.join(names or ['the logs'])}")
    skipped = _skipped(names or [])
    show_board(standings, format, skipped=skipped, online=rating is RatingChoice.ONLINE)
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
    board: Leaderboard,
    format: Format = Format.TABLE,
    apart: bool = True,
    answer: SequentialResult | None = None,
    skipped: Sequence[Skipped] = (),
    online: bool = False,
) -> None:
    """Print the leaderboard; its parts, if it has any, stand beside each other, unless `apart` is false.

    `answer`: of the tournament's sequential test, if it has one; a field of the two bots' rows. `skipped` bots have a
    row with the reason, except in tables. `online`: ranked by rating.
    """
    from ..leaderboard.standings import StandingRow

    board = board.ranked_online() if online else board
    parts = board.parts if apart else {}
    columns = list(columns_of(StandingRow))
    if format in (Format.TABLE, Format.MARKDOWN):
        columns = _for_people(columns, parts, online, format)
    else:
        columns += [_of_part(part, column, "") for part in parts for column in columns[_NAMES:]]
    rows = [fields_of(row) | _beside(row.bot, parts) for row in board.rows]
    if answer:
        rows = [row | {"sequential": answer.field(row["bot"])} for row in rows]
        columns = [*columns, Column("sequential", "sequential test")]
    if skipped and format is not Format.TABLE:
        rows = [*rows, *({"bot": bot.name, "skipped": bot.reason} for bot in skipped)]
        columns = [*columns, Column("skipped", "skipped")]
    show(rows, columns, format)
    sys.stdout.flush()  # what is told on stderr comes after it


def _beside(bot: str, parts: Mapping[str, Mapping[str, StandingRow]]) -> dict[str, Any]:
    """The bot's fields in each part, as `side=five rating`."""
    found = {label: rows[bot] for label, rows in parts.items() if bot in rows}
    return {f"{label} {field}": value for label, row in found.items() for field, value in fields_of(row).items()}


def _for_people(
    every: Sequence[Column], parts: Mapping[str, Mapping[str, StandingRow]], online: bool, format: Format
) -> list[Column]:
    """Those that a table has room for: strengths or ratings, and of each part some, beside each other."""
    columns = [column for column in every if column.field not in (_FITTED if online else _ONLINE)]
    if not parts:
        return columns
    in_seats = any(row.strength is None for rows in parts.values() for row in rows.values())
    hidden, level = (_FITTED, "rating") if online or in_seats else (_ONLINE, "strength")
    of_part = (_BESIDE if len(parts) <= _MANY else {level}) - hidden
    told = [column for column in every if column.field in of_part]
    shown = [column for column in columns if column.field in ("rank", "rank_range", "bot", "strength", "rating")]
    for part in parts:
        if format is Format.TABLE:  # the part's name stands once, above the first of its columns, a word a line
            words = part.split(" ")
            heads = ["\n".join([*words, ""]), *["\n" * len(words)] * len(told)]
        else:
            heads = [f"{part} "] * len(told)
        shown += [_of_part(part, column, head) for column, head in zip(told, heads, strict=False)]
    return shown


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
