"""`fa compare`: whether one bot is better than another, by how much, and how sure that is."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from ..columns import interval_of
from ..errors import UsageError
from ..text import printable
from .leaderboard import logs_of
from .tables import Format, FormatOption, show_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ..results import PlayedGame
    from ..stats.comparison import Comparison, ComparisonRow


class PartChoice(Enum):
    """What `--by` takes here: parts that both bots are in."""

    SIDE = "side"
    VARIANT = "variant"
    PLAYERS = "players"
    GAME = "game"


_NARROW = {"first", "second", "level", "elo", "elo_interval", "fixed_sample", "sequential"}
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
    from ..leaderboard.leaderboards import read_games
    from ..results import By
    from ..stats.comparison import Comparison, ComparisonRow
    from .ratings import selected

    if game is not None:
        find_game(game)
    if first == second:
        raise UsageError(f"{first} is as good as {second}; name two bots")

    def compared(games: Iterable[PlayedGame]) -> Comparison:
        made = Comparison(first, second, By(by.value) if by else None)
        for one in games:
            made.add(one)
        return made

    logs = logs_of(names or [])
    comparison = read_games(selected(logs if names else None, game), compared)
    where = " ".join(names or ["the logs"])
    for name in comparison.unseen():
        raise UsageError(f"{name} has not played{f' {game}' if game else ''} in {where}")
    sequential = Sequential(logs, (first, second))
    rows = comparison.rows()
    for row in rows:
        row.fixed_sample, row.sequential = sequential.is_fixed, sequential.found
    if not rows[0].blocks:
        raise UsageError(f"{first} and {second} have not played the same deals in {where}")
    if format is Format.TABLE:
        print(printable(f"{_paragraph(comparison, rows[0])}{sequential.sentence}"), end="\n\n")
    show_rows(ComparisonRow, rows, format, beside=_NARROW)
    sys.stdout.flush()


class Sequential:
    """Which of some tournaments were to end when it was known which of two bots is better; what was found of a pair.

    An interval or a p-value takes the number of games as given before; there it followed from what the games showed.
    """

    def __init__(self, logs: Sequence[Path], pair: tuple[str, str]) -> None:
        from ..tournament.definition import load
        from ..tournament.running.run import schedule_from_log

        self._first = pair[0]
        self._names: list[str] = []
        self._found: list[str] = []
        for log in logs:
            place = log.parent.parent / "tournaments" / f"{log.stem}.json"
            definition = load(place) if place.exists() else None
            if definition is None or not definition.stopping_rule:
                continue
            self._names.append(definition.name)
            answer = schedule_from_log(definition, log).sequential_result
            if answer and {answer.first, answer.second} == set(pair):
                self._found.append(answer.field(pair[0]) or "")

    @property
    def is_fixed(self) -> bool:
        """Whether p-values and intervals hold."""
        return not self._names

    @property
    def found(self) -> str | None:
        """What the first bot is by the last of the sequential tests."""
        return self._found[-1] if self._found else None

    @property
    def sentence(self) -> str:
        """What a reader of the answer must know besides; empty if there is nothing."""
        if not self._names:
            return ""
        text = (
            f" The p-value and the intervals do not hold here: {' and '.join(self._names)} was to end as soon as "
            "it was known which of two bots is better, so the number of games follows from what they showed."
        )
        return text + (f" By the sequential test {self._first} is {self._found[-1]}." if self._found else "")


def _paragraph(comparison: Comparison, row: ComparisonRow) -> str:
    """The answer, in sentences."""
    first, second = comparison.pair
    low, high = row.difference_interval
    better = row.verdict
    if better:
        answer = f"{better} is better than {second if better == first else first}"
    else:
        answer = f"It is not known whether {first} or {second} is better"
    text = [
        f"{answer}: over {row.blocks} deals {first} scores {row.difference:+.3f} against {second} "
        f"(95% interval {low:+.3f} to {high:+.3f}, p = {row.p_value:.2g}), "
        f"where +1 is always ahead of everybody and -1 always behind."
    ]
    if row.games:
        text.append(_meetings(first, second, row))
    if row.points_interval:
        low, high = row.points_interval
        text.append(f"Its points differ by {row.points_difference:+.1f} a game ({low:+.1f} to {high:+.1f}).")
    failed = [
        f"{name} failed in {count}" for name, count in zip(comparison.pair, comparison.faults, strict=True) if count
    ]
    if failed:
        text.append(f"Games lost by a fault are in this: {' and '.join(failed)}.")
    return " ".join(text)


def _meetings(first: str, second: str, row: ComparisonRow) -> str:
    low, high = row.ahead_interval or (0.0, 1.0)
    text = (
        f"In the {row.games} games with both, {first} ranks ahead of {second} in {100 * (row.ahead or 0.0):.1f}% "
        f"({100 * low:.1f} to {100 * high:.1f}%, ties half)"
    )
    if row.elo is None or row.elo_interval is None:
        return f"{text}."
    return f"{text}, which is {row.elo:+.0f} Elo ({interval_of(lambda end: f'{end:+.0f}')(row.elo_interval)})."
