"""The comparison of two bots over the games of logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..errors import UsageError
from ..game_result import By
from ..leaderboard.leaderboards import Selection, collect, read_games
from ..printing.columns import Caveat
from ..printing.text import did_you_mean, listed
from ..stats.comparison import Comparison, copies
from ..stats.comparison_row import ComparisonRow
from ..tournament.versions import UNKNOWN, logs_by_version, same_files, told_versions


def check_pair(first: str, second: str) -> None:
    """Raises UsageError unless the texts name different bots."""
    if first == second:
        raise UsageError(f"{first} is named twice; name two different bots")
    names = [*copies(first), *copies(second)]
    for name in names:
        if not name:
            raise UsageError("a bot's name is missing beside a comma; use e.g. fa compare new,new2 old")
        if names.count(name) > 1:
            raise UsageError(f"{name} is named twice; name each bot once, on one side")


def compare_pair(selection: Selection, first: str, second: str, by: By | None, where: str) -> Comparison:
    """The comparison over the selected games; `where` names their logs in errors.

    Raises UsageError if the two did not play the same deals, LogError.
    """
    comparison = collect(selection, lambda: Comparison(first, second, by), Comparison.add)
    for name in comparison.absent():
        bots = read_games(selection, lambda games: {bot for game in games for bot in game.bots})
        which = (f" {selection.game}" if selection.game else "") + (
            f" with {selection.options}" if selection.options else ""
        )
        raise UsageError(f"{name} has not played{which} in {where}{did_you_mean(name, bots)}")
    if not comparison.rows()[0].blocks:
        raise UsageError(f"{first} and {second} have not played the same deals or the same other bots in {where}")
    return comparison


def mark_versions(rows: Sequence[ComparisonRow], comparison: Comparison, logs: Iterable[Path]) -> Iterator[str]:
    """Mark the rows about several versions of a bot. Yields sentences on these, and on bots with the same files."""
    names = [name for side in comparison.sides for name in side]
    found = logs_by_version(logs)

    def versions(name: str, row: ComparisonRow) -> dict[str, list[str]]:
        counted = comparison.logs_of(row)
        played = {each: [log for log in where if log in counted] for each, where in found.get(name, {}).items()}
        return {each: where for each, where in played.items() if where}

    for row in rows:
        if any(len(versions(name, row)) > 1 for name in names):
            row.caveats.append(Caveat.SEVERAL_VERSIONS.value)
    overall = [row for row in rows if row.part == rows[0].part][-1]
    by_name = {name: versions(name, overall) for name in names}
    for name, each in by_name.items():
        if len(each) > 1:
            where = ", ".join(f"{version} in {listed(played, 3)}" for version, played in each.items())
            yield f"{told_versions(name, len(each))}: {where}; name the tournaments of one to compare it alone"
    yield from same_files((name, min(each)) for name, each in by_name.items() if len(each) == 1 and UNKNOWN not in each)
