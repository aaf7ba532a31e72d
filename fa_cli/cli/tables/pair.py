"""Two bots compared: the joint tests of sequential stops, and what is said of the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...columns import Caveat, interval_of, write_likelihood, write_p
from ...rows import MARK
from ...text import listed
from ..common import say
from ..views import SIGNIFICANT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from ...leaderboard.leaderboards import Selection
    from ...results import PlayedGame
    from ...stats.comparison import Comparison
    from ...stats.comparison_row import ComparisonRow
    from ...stats.stopping import SequentialResult
    from ...tournament.early_stops import EarlyStop
    from ...tournament.schedule import Schedule

_MOST_GAMES_READ = 20_000
"""The pair of longer tournaments is left to `fa compare`: reading the games would delay the leaderboard."""


class SequentialTests:
    """The stopping rules of tournaments that compare one of two bots, and what they decided about the two.

    Intervals and p-values assume that the number of games was fixed beforehand. In a tournament with a stopping rule it
    depends on the results, of one of the two if the rule compares it.
    """

    def __init__(self, logs: Sequence[Path], pair: tuple[str, str]) -> None:
        from ...stats.comparison import copies
        from ...tournament.early_stops import early_stops

        self._sides = [set(copies(name)) for name in pair]
        self._stops = [stop for stop in early_stops(logs) if stop.bots & (self._sides[0] | self._sides[1])]
        self._schedules: dict[Path, Schedule] = {}

    def mark(self, row: ComparisonRow, logs: Collection[str]) -> None:
        """Set the fields of the row, which compares the two in the logs of these names, that depend on these tests."""
        stops = self._of(logs)
        results = [result.field(name) for stop in stops for result, name in self._results(stop)]
        row.fixed_sample, row.sequential = not stops, results[-1] if results else None
        row.caveats += [Caveat.STOPPED_EARLY.value] if stops else []

    def sentences(self, logs: Collection[str]) -> Iterator[str]:
        """The caveat for a comparison in these logs, and the results of the tests; nothing without such a test."""
        stops = self._of(logs)
        if not stops:
            return
        has_stopped = all(self._schedule(stop).is_decided for stop in stops)
        verb, its = "stopped" if has_stopped else "could stop", "their" if len(stops) > 1 else "its"
        yield (
            f"{listed([stop.definition.name for stop in stops])} {verb} early because of {its} own results, so this "
            "p-value and these intervals are not valid."
        )
        for stop in stops:
            if any(self._results(stop)):
                yield f"{stop.definition.name}: {self._schedule(stop).verdict_text}."

    def _of(self, logs: Collection[str]) -> list[EarlyStop]:
        return [stop for stop in self._stops if stop.log.stem in logs]

    def _results(self, stop: EarlyStop) -> Iterator[tuple[SequentialResult, str]]:
        """The result of the tournament's test if that compares the two, with the name of the first of the two."""
        result = self._schedule(stop).sequential_result
        if result and all(stop.bots & side for side in self._sides):
            (name,) = stop.bots & self._sides[0]
            yield result, name

    def _schedule(self, stop: EarlyStop) -> Schedule:
        from ...tournament.running.run import schedule_from_log

        if stop.log not in self._schedules:
            self._schedules[stop.log] = schedule_from_log(stop.definition, stop.log)
        return self._schedules[stop.log]


def from_the_leader(row: ComparisonRow) -> ComparisonRow:
    """The row as seen from the bot with the higher score."""
    return row.swapped() if row.is_led_by_second else row


def headlines(rows: Sequence[ComparisonRow]) -> list[str]:
    """Who is better, in a sentence or two, by one row or by two: head to head and over the field."""
    leaders = [from_the_leader(row) for row in rows]
    if len(leaders) == 1:
        (row,) = leaders
        over = " over the field" if row.about == "field" else ""
        return [f"{_better(row)}{over}." if row.verdict else f"No verdict{over}: {_doubt(row)}."]
    met, field = leaders
    if not met.verdict or not field.verdict:
        return [f"Head to head: {_verdict(met)}.", f"Over the field: {_verdict(field)}."]
    if met.verdict == field.verdict:
        return [f"{_better(met)}, head to head and over the field."]
    return [f"{_better(met)} head to head, but {field.first} is better over the field."]


def _verdict(row: ComparisonRow) -> str:
    return _better(row) if row.verdict else f"no verdict, {_doubt(row)}"


def _better(row: ComparisonRow) -> str:
    return f"{row.first} is better than {row.second}"


def _doubt(row: ComparisonRow) -> str:
    """Why nobody is better by this row, whose first bot leads."""
    if not row.difference:
        return f"{row.first} and {row.second} are level"
    if row.p_value >= SIGNIFICANT:
        return f"{row.first} leads {row.second}, but chance could explain it"
    return f"{row.first} leads {row.second}, but does not rank ahead of it more often"


def describe_elo(row: ComparisonRow) -> str:
    """The difference of Elo ratings with its interval, as `+211 (+89 to +333)`, of a row with games of both."""
    low, high = row.elo_interval or (None, None)
    if row.elo is None:
        return "no upper bound" + (f" (at least {low:+.0f})" if low is not None else "")
    if low is None and high is None:
        return f"{row.elo:+.0f} (no bounds yet)"
    return f"{row.elo:+.0f} ({interval_of(lambda end: f'{end:+.0f}')((low, high))})"


def report_pair(selection: Selection, logs: Sequence[Path]) -> None:
    """Report on stderr by how much one bot is ahead of the other, if the selected games are all between two bots."""
    from ...leaderboard.leaderboards import read_games

    comparison = read_games(selection, _comparison_of_two)
    if comparison is None:
        return
    (row,) = comparison.rows()
    SequentialTests(logs, comparison.pair).mark(row, comparison.logs_of(row))
    row = from_the_leader(row)
    mark = MARK if row.caveats else ""
    certainty = f", LOS {write_likelihood(row.los)}, p = {write_p(row.p_value)}" if row.fixed_sample else ""
    say(f"{row.first} against {row.second}: Elo {describe_elo(row)}{mark}{certainty}")


def _comparison_of_two(games: Iterable[PlayedGame]) -> Comparison | None:
    """The comparison of the two bots of these games; None if there are others, or too many games."""
    from ...stats.comparison import Comparison

    comparison = None
    for count, game in enumerate(games):
        pair = sorted(set(game.bots))
        comparison = comparison or (Comparison(pair[0], pair[1]) if len(pair) == 2 else None)
        if comparison is None or pair != list(comparison.pair) or count >= _MOST_GAMES_READ:
            return None
        comparison.add(game)
    return comparison
