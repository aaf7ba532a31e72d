"""Who won a tournament, or leads it, in sentences: by the places of its format, or by the ranks of its leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import FaError
from ..printing.columns import interval_of
from ..printing.text import counted, listed

if TYPE_CHECKING:
    from pathlib import Path

    from ..leaderboard.standings import Leaderboard, StandingRow
    from ..tournament.schedule import Schedule
    from .early_stops import EarlyStop

_NAMED = 5
"""How many bots that share a place are named."""


def by_places(schedule: Schedule) -> str:
    """Who won and how, or who leads: `stopper won the swiss with 83.3%`. Empty as long as no bot has a place."""
    schedule.peek_job()  # lets the format process the last result
    placing, name_of = schedule.results.placing, schedule.tournament.name_of
    first = [place for place in (placing.places() if placing else ()) if place.place == 1]
    if not first or not schedule.known_results:
        return ""
    names = listed([name_of(place.bot) for place in first], _NAMED)
    what = f"the {schedule.definition.format_spec.name}"
    done = "" if schedule.is_over else f" after {schedule.known_results} of {counted(schedule.games, 'game')}"
    if len(first) > 1:
        return f"{names} {'share first place in' if not done else 'lead'} {what}{done}"
    reason = f" {first[0].reason()}".rstrip()
    return f"{names} {'leads' if done else 'won'} {what}{reason}{done}"


def by_test(stop: EarlyStop) -> str:
    """What the stopping rule of a tournament has decided: `Decided after 8 deals: planner beats greedy ...`."""
    from ..tournament.running.run import schedule_from_log

    said = schedule_from_log(stop.definition, stop.log).verdict_text
    return said[0].upper() + said[1:]


def by_ranks(board: Leaderboard) -> str:
    """Which bot is first by strength, and whether others may be better: `planner is first: its true rank is 1`."""
    best = board.rows[0]
    if best.strength is None:
        return f"{best.bot} has the first rank"
    write = interval_of(lambda end: f"{end:.2f}")
    ends = f", {write(best.strength_interval)}" if best.strength_interval and not board.could_stop_early else ""
    strength = f"strength {best.strength:.2f}{ends}"
    group = _group_of_first(board)
    of_group = " of its group" if best.group else ""
    if best.rank_range is None or board.could_stop_early:
        return f"{best.bot} has the highest strength{of_group} ({strength})"
    low, high = best.rank_range
    ranked = sum(row.rank is not None for row in group)
    if ranked == 1:
        return f"{best.bot} is the only bot that is ranked{of_group.replace('of', 'in')} ({strength})"
    if low == high:
        return f"{best.bot} is the best of {counted(ranked, 'bot')}{of_group}, 95% sure ({strength})"
    level = [row.bot for row in group if row.rank == 1]
    if len(level) > 1:
        return f"{listed(level, _NAMED)} share the first rank{of_group} ({strength})"
    rivals = [row.bot for row in group[1:] if row.rank_range and row.rank_range[0] == 1]
    others = f"; {listed(rivals, _NAMED)} may be as good or better" if rivals else ""
    return f"{best.bot} leads{of_group.removeprefix(' of')}, with a true rank from {low} to {high} ({strength}){others}"


def unfinished(log: Path, games: int) -> str:
    """How many of its games a tournament has played, if it is unfinished and its number of games is known; or empty."""
    from ..tournament.definition import definition_of, load

    try:
        definition = load(definition_of(log))
    except FaError:
        return ""  # a log without a readable definition
    if definition.stopping_rule or games >= definition.games:
        return ""
    return f"Unfinished: {games:,} of {counted(definition.games, 'game')}."


def is_surely_first(board: Leaderboard) -> bool:
    """Whether the leaderboard says which bot is the best, 95% sure."""
    ranked = sum(row.rank is not None for row in _group_of_first(board))
    return board.rows[0].rank_range == (1, 1) and ranked > 1 and not board.could_stop_early


def _group_of_first(board: Leaderboard) -> list[StandingRow]:
    """The rows of the bots that the first one met, directly or through others."""
    return [row for row in board.rows if row.group == board.rows[0].group]
