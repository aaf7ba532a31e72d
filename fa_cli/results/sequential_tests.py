"""The stopping rules of tournaments that compare bots: what they decided, and the caveats that follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..printing.columns import Caveat
from ..printing.text import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from ..stats.comparison_row import ComparisonRow
    from ..stats.stopping_results import SequentialResult
    from ..tournament.schedule import Schedule
    from .early_stops import EarlyStop


class SequentialTests:
    """The stopping rules of tournaments that compare one of two bots, and what they decided about the two.

    Intervals and p-values assume that the number of games was fixed beforehand. In a tournament with a stopping rule it
    depends on the results, of one of the two if the rule compares it.
    """

    def __init__(self, logs: Sequence[Path], pair: tuple[str, str]) -> None:
        from ..stats.comparison import copies
        from .early_stops import early_stops

        self._sides = [set(copies(name)) for name in pair]
        self._stops = [
            stop for stop in early_stops(logs) if stop.definition.bots_compared & {*self._sides[0], *self._sides[1]}
        ]
        self._schedules: dict[Path, Schedule] = {}

    def mark(self, row: ComparisonRow, logs: Collection[str]) -> None:
        """Set the fields of the row, which compares the two in the logs of these names, that depend on these tests.

        A test is the verdict of its own games only, all of them; for others, and the field, the row has each result.
        """
        stops = self._of(logs)
        found = [(stop, result) for stop in stops for result in self._results(stop)]
        row.fixed_sample = not stops
        row.sequential = (
            "; ".join(f"in {stop.definition.name}: {result.told(self._first(result))}" for stop, result in found)
            or None
        )
        if len(logs) == len(found) == 1 and not row.is_over_the_field:
            ((_, result),) = found
            if result.games == row.games:
                row.sequential = result.field(self._first(result))
        if stops:
            row.verdict = {"better": row.first, "worse": row.second}.get((row.sequential or "").split(" ")[0], "")
        row.caveats += [Caveat.STOPPED_EARLY.value] if stops else []

    def sentences(self, logs: Collection[str]) -> Iterator[str]:
        """The caveat for a comparison in these logs, and the results of the tests; nothing without such a test."""
        stops = self._of(logs)
        if not stops:
            return
        has_stopped = all(self._schedule(stop).is_decided for stop in stops)
        verb, its = "stopped" if has_stopped else "could stop", "their" if len(stops) > 1 else "its"
        yield (
            f"{listed([stop.definition.name for stop in stops])} {verb} early because of {its} own results, so no "
            "p-value is given, and these intervals are not valid."
        )
        for stop in stops:
            if self._results(stop):
                yield f"{stop.definition.name}: {self._schedule(stop).verdict_text}."

    def _of(self, logs: Collection[str]) -> list[EarlyStop]:
        return [stop for stop in self._stops if stop.log.stem in logs]

    def _results(self, stop: EarlyStop) -> list[SequentialResult]:
        """What the tournament's tests say of the two, or of their copies."""
        return self._schedule(stop).pair_results(*self._sides)

    def _first(self, result: SequentialResult) -> str:
        return result.first if result.first in self._sides[0] else result.second

    def _schedule(self, stop: EarlyStop) -> Schedule:
        from ..tournament.running.run import schedule_from_log

        if stop.log not in self._schedules:
            self._schedules[stop.log] = schedule_from_log(stop.definition, stop.log)
        return self._schedules[stop.log]
