"""The comparison of two bots over the games of logs."""

from __future__ import annotations

from ..errors import UsageError
from ..game_result import By
from ..leaderboard.leaderboards import Selection, collect, read_games
from ..printing.text import did_you_mean
from ..stats.comparison import Comparison, copies


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
    comparison = collect(selection, lambda: Comparison(first, second, by))
    for name in comparison.absent():
        bots = read_games(selection, lambda games: {bot for game in games for bot in game.bots})
        which = (f" {selection.game}" if selection.game else "") + (
            f" with {selection.options}" if selection.options else ""
        )
        raise UsageError(f"{name} has not played{which} in {where}{did_you_mean(name, bots)}")
    if not comparison.rows()[0].blocks:
        raise UsageError(f"{first} and {second} have not played the same deals or the same other bots in {where}")
    return comparison
