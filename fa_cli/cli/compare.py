"""`fa compare`: whether one bot is better than another, by how much, and how sure that is."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import UsageError
from ..text import printable
from .leaderboard import logs_of
from .tables import Column, Format, FormatOption, number, percent, show
from .views import interval_of, percents

if TYPE_CHECKING:
    from ..tournament.compare import Comparison


class PartChoice(Enum):
    """What `--by` takes here: parts that both bots are in."""

    SIDE = "side"
    VARIANT = "variant"
    PLAYERS = "players"
    GAME = "game"


def _signed(decimals: int) -> Any:
    return lambda value: f"{value:+.{decimals}f}"


_COLUMNS = (
    *(Column("part", "games of"), Column("first", "first"), Column("second", "second"), Column("verdict", "better")),
    *(number("blocks", "blocks"), number("games", "games")),
    Column("difference", "difference", _signed(3), right=True),
    Column("difference_interval", "95%", interval_of(_signed(3)), right=True),
    *(
        number("p_value", "p", 4),
        percent("ahead", "ahead"),
        percents("ahead_interval", "95%"),
        percent("level", "level"),
    ),
    Column("elo", "Elo", _signed(0), right=True),
    Column("elo_interval", "95%", interval_of(_signed(0)), right=True),
    Column("points_difference", "points", _signed(1), right=True),
    Column("points_interval", "95%", interval_of(_signed(1)), right=True),
)
_NARROW = {"first", "second", "level", "elo", "elo_interval"}
"""What the paragraph says already, so that the table fits."""


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="A bot's name.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another's.")],
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Tournaments, or paths of logs; none means all.")
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only games of this one.")] = None,
    by: Annotated[PartChoice | None, typer.Option(help="Also a row for each of these.")] = None,
    format: FormatOption = Format.TABLE,
) -> None:
    """Is A better than B, by how much, how sure: from the deals that both played, as the logs have them.

    The difference is that of their mean place scores: the share of rivals that a bot ranks ahead of, ties half.
    """
    from ..games import find_game
    from ..tournament.compare import Comparison
    from ..tournament.standings import By, fold

    if game is not None:
        find_game(game)
    if first == second:
        raise UsageError(f"{first} is as good as {second}; name two bots")
    comparison = Comparison(first, second, By(by.value) if by else None)
    logs = logs_of(names or [])
    fold(logs, [comparison], game)
    where = " ".join(names or ["the logs"])
    for name in comparison.unseen():
        raise UsageError(f"{name} has not played{f' {game}' if game else ''} in {where}")
    rows = comparison.rows()
    if not rows[0]["blocks"]:
        raise UsageError(f"{first} and {second} have not played the same deals in {where}")
    if format is Format.TABLE:
        print(printable(_paragraph(comparison, rows[0])), end="\n\n")
    wide = format in (Format.JSON, Format.CSV)
    show(rows, _COLUMNS if wide else [column for column in _COLUMNS if column.field not in _NARROW], format)
    sys.stdout.flush()


def _paragraph(comparison: Comparison, row: dict[str, Any]) -> str:
    """The answer, in sentences."""
    first, second = comparison.pair
    low, high = row["difference_interval"]
    better = row["verdict"]
    if better:
        answer = f"{better} is better than {second if better == first else first}"
    else:
        answer = f"It is not known whether {first} or {second} is better"
    text = [
        f"{answer}: over {row['blocks']} deals {first} scores {row['difference']:+.3f} against {second} "
        f"(95% interval {low:+.3f} to {high:+.3f}, p = {row['p_value']:.2g}), "
        f"where +1 is always ahead of everybody and -1 always behind."
    ]
    if row["games"]:
        text.append(_meetings(first, second, row))
    if row["points_interval"]:
        low, high = row["points_interval"]
        text.append(f"Its points differ by {row['points_difference']:+.1f} a game ({low:+.1f} to {high:+.1f}).")
    failed = [
        f"{name} failed in {count}" for name, count in zip(comparison.pair, comparison.faults, strict=True) if count
    ]
    if failed:
        text.append(f"Games lost by a fault are in this: {' and '.join(failed)}.")
    return " ".join(text)


def _meetings(first: str, second: str, row: dict[str, Any]) -> str:
    low, high = row["ahead_interval"]
    text = (
        f"In the {row['games']} games with both, {first} ranks ahead of {second} in {100 * row['ahead']:.1f}% "
        f"({100 * low:.1f} to {100 * high:.1f}%, ties half)"
    )
    if row["elo"] is None:
        return f"{text}."
    return f"{text}, which is {row['elo']:+.0f} Elo ({interval_of(_signed(0))(row['elo_interval'])})."
