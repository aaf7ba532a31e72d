"""`fa compare`: whether one bot is better than another, by how much, and how certain that is."""

from __future__ import annotations

import sys
from math import ceil
from typing import TYPE_CHECKING, Annotated

import typer

from ..columns import Caveat, interval_of, write_p
from ..errors import UsageError
from ..results import By
from ..terminal import print_line
from ..text import counted, listed
from .common import GameOption, LogNames, describe_logs, logs_named, select
from .declared_options import taking
from .tables import Format, TableOptions, show_rows
from .views import describe_ratio, warn_of_seats

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ..results import PlayedGame
    from ..stats.comparison import Comparison, ComparisonRow


@taking("table", TableOptions)
def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="A bot's name; names of its copies joined by commas.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another's.")],
    names: LogNames = None,
    game: GameOption = None,
    by: Annotated[By | None, typer.Option(help="Add a row for each of these.")] = None,
    *,
    table: TableOptions,
) -> None:
    """Is A better than B, by how much, how sure: from deals that both played and opponents that they share.

    The difference is that of their mean place scores: the share of rivals that a bot ranks ahead of, ties half.
    Several copies of a bot are pooled: fa compare new,new2 old
    """
    from ..stats.comparison import ComparisonRow

    _check_names(first, second)
    comparison = _comparison(first, second, names, game, by)
    tests = SequentialTests(logs_named(names), (first, second))
    rows = comparison.rows()
    for row in rows:
        row.fixed_sample, row.sequential = tests.is_fixed_sample, tests.result
        row.caveats += [] if tests.is_fixed_sample else [Caveat.STOPPED_EARLY.value]
    if table.format is Format.TABLE:
        print_line(f"{_paragraph(comparison, rows[0])}{tests.sentence}")
        print()
    show_rows(ComparisonRow, rows, table)
    sys.stdout.flush()
    warn_of_seats(comparison.seats.imbalances())


def _check_names(first: str, second: str) -> None:
    """Raises UsageError unless the texts name different bots."""
    from ..stats.comparison import copies

    if first == second:
        raise UsageError(f"{first} is as good as {second}; name two bots")
    names = [*copies(first), *copies(second)]
    for name in names:
        if not name:
            raise UsageError("a bot's name is missing beside a comma; use e.g. fa compare new,new2 old")
        if names.count(name) > 1:
            raise UsageError(f"{name} is named twice; name each bot once, on one side")


def _comparison(first: str, second: str, names: Sequence[str] | None, game: str | None, by: By | None) -> Comparison:
    """The comparison over all games. Raises UsageError if the two did not play the same deals."""
    from ..leaderboard.leaderboards import read_games
    from ..stats.comparison import Comparison

    def compare_games(games: Iterable[PlayedGame]) -> Comparison:
        comparison = Comparison(first, second, by)
        for game in games:
            comparison.add(game)
        return comparison

    comparison = read_games(select(names, game), compare_games)
    where = describe_logs(names)
    for name in comparison.absent():
        raise UsageError(f"{name} has not played{f' {game}' if game else ''} in {where}")
    if not comparison.rows()[0].blocks:
        raise UsageError(f"{first} and {second} have not played the same deals or the same other bots in {where}")
    return comparison


class SequentialTests:
    """The stopping rules of some tournaments, and what they decided about a pair of bots.

    Intervals and p-values assume that the number of games was fixed beforehand. In a tournament with a stopping rule it
    depends on the results, of one of the two if the rule compares it.
    """

    def __init__(self, logs: Sequence[Path], pair: tuple[str, str]) -> None:
        from ..stats.comparison import copies
        from ..tournament.definition import load
        from ..tournament.running.run import schedule_from_log

        self._first = pair[0]
        sides = [set(copies(name)) for name in pair]
        self._names: list[str] = []
        self._results: list[str] = []
        for log in logs:
            path = log.parent.parent / "tournaments" / f"{log.stem}.json"
            definition = load(path) if path.exists() else None
            rule = definition.stopping_rule if definition else None
            if definition is None or rule is None:
                continue
            compared = {definition.bots[rule.first].name, definition.bots[rule.second].name}
            if not compared & (sides[0] | sides[1]):
                continue
            self._names.append(definition.name)
            decided = schedule_from_log(definition, log).sequential_result
            if decided and all(compared & side for side in sides):
                (name,) = compared & sides[0]
                self._results.append(decided.field(name) or "")

    @property
    def is_fixed_sample(self) -> bool:
        """Whether p-values and intervals are valid: no stopping rule compares one of the two."""
        return not self._names

    @property
    def result(self) -> str | None:
        """What the last sequential test of the pair says about its first bot."""
        return self._results[-1] if self._results else None

    @property
    def sentence(self) -> str:
        """A caveat for the paragraph; empty if p-values and intervals are valid."""
        if not self._names:
            return ""
        which = "their" if len(self._names) > 1 else "its"
        caveat = (
            f" {listed(self._names)} stopped early because of {which} own results, so this p-value and these "
            "intervals are not valid."
        )
        return caveat + (f" By the sequential test {self._first} is {self._results[-1]}." if self._results else "")


def _paragraph(comparison: Comparison, row: ComparisonRow) -> str:
    """The answer, in sentences."""
    first, second = comparison.pair
    sentences = [_verdict(first, second, row)]
    if row.games:
        sentences.append(_meetings(first, second, row))
    if row.points_interval:
        low, high = row.points_interval
        sentences.append(f"Its points differ by {row.points_difference:+.1f} a game ({low:+.1f} to {high:+.1f}).")
    if row.variance_ratio is not None and row.variance_ratio_interval is not None:
        sentences.append(f"Here {describe_ratio(row.variance_ratio, row.variance_ratio_interval)}.")
    failed = [
        f"{name} failed in {count}" for name, count in zip(comparison.pair, comparison.faults, strict=True) if count
    ]
    if failed:
        sentences.append(f"Games lost by a fault are in this: {' and '.join(failed)}.")
    return " ".join(sentences)


def _verdict(first: str, second: str, row: ComparisonRow) -> str:
    low, high = row.difference_interval
    if row.verdict:
        answer = f"{row.verdict} is better than {second if row.verdict == first else first}"
    else:
        answer = f"It is not known whether {first} or {second} is better"
    return (
        f"{answer}: over {_deals(row)} {first} scores {row.difference:+.3f} against {second} "
        f"(95% interval {low:+.3f} to {high:+.3f}, p = {write_p(row.p_value)}), "
        f"where +1 is always ahead of everybody and -1 always behind.{_what_is_missing(row)}"
    )


def _deals(row: ComparisonRow) -> str:
    common = f"{counted(row.common, 'pair')} of deals against the same other bots"
    if row.common == row.blocks:
        return common
    return counted(row.blocks - row.common, "deal") + (f" and {common}" if row.common else "")


def _what_is_missing(row: ComparisonRow) -> str:
    """What a verdict would need; empty if there is one."""
    if row.more_deals is None:
        return ""
    if row.p_value < 0.05:
        return " The games in which they met do not point the same way."
    more = ceil(float(f"{row.more_deals:.1e}"))  # two digits: the difference is an estimate
    return f" At this difference about {counted(more, 'more deal')} would decide, in 80% of cases."


def _meetings(first: str, second: str, row: ComparisonRow) -> str:
    low, high = row.ahead_interval or (0.0, 1.0)
    text = (
        f"In the {row.games} games with both, {first} ranks ahead of {second} in {100 * (row.ahead or 0.0):.1f}% "
        f"({100 * low:.1f} to {100 * high:.1f}%, ties half)"
    )
    if row.elo is None or row.elo_interval is None:
        return f"{text}."
    return f"{text}, which is {row.elo:+.0f} Elo ({interval_of(lambda end: f'{end:+.0f}')(row.elo_interval)})."
