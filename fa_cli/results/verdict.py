"""Results in sentences: which of two bots is better, and whether seats differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..printing.columns import Caveat, interval_of, p_in_words
from ..printing.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..stats.comparison_row import ComparisonRow
    from ..stats.luck.seat_values import SeatRow

SIGNIFICANT = 0.05
"""Differences with a smaller p-value are said to exist."""


def from_the_leader(row: ComparisonRow) -> ComparisonRow:
    """The row as seen from the bot with the higher score."""
    return row.swapped() if row.is_led_by_second else row


def headlines(rows: Sequence[ComparisonRow]) -> list[str]:
    """Who is better, in a sentence or two, by one row or by two: head to head and over the field.

    The first also has the faults in their games, if these are many.
    """
    first, *others = _headlines(rows)
    return [f"{first[:-1]}{faults_of(rows[0])}.", *others]


def faults_of(row: ComparisonRow) -> str:
    """The faults of the two in their games, if these are many, as the end of a sentence about who is better."""
    from ..stats.faults import notable_faults

    return notable_faults(row.games, ((row.first, row.first_faults), (row.second, row.second_faults)))


def _headlines(rows: Sequence[ComparisonRow]) -> list[str]:
    if not rows[-1].fixed_sample:
        return _headlines(rows[:1]) if rows[0].fixed_sample else [f"{by_test(rows[0])}."]
    leaders = [from_the_leader(row) for row in rows]
    if len(leaders) == 1:
        (row,) = leaders
        over = " over the field" if row.is_over_the_field else ""
        return [f"{_better(row)}{over}." if row.verdict else f"No verdict{over}: {_doubt(row)}."]
    met, field = leaders
    if not met.verdict or not field.verdict:
        return [f"Head to head: {_verdict(met)}.", f"Over the field: {_verdict(field)}."]
    if met.verdict == field.verdict:
        return [f"{_better(met)}, head to head and over the field."]
    return [f"{_better(met)} head to head, but {field.first} is better over the field."]


def by_test(row: ComparisonRow) -> str:
    """Who is better by the sequential test of the two, if the number of games depended on results."""
    leader = from_the_leader(row)
    lead = f"{leader.first} leads {leader.second}" if row.difference else f"{row.first} and {row.second} are level"
    if row.sequential is None:
        return f"{lead}, but no test compared the two"
    if row.sequential.startswith("not decided"):
        return f"{lead}, but the sequential test has not decided"
    if row.sequential.startswith("in "):
        tests = "their sequential tests" if ";" in row.sequential else "its sequential test"
        return (
            f"{lead}, but there is no verdict over all games, because those of a tournament that could end early are "
            f"among them; {row.sequential}, by {tests}"
        )
    if row.sequential.startswith("worse"):
        return f"{row.second} is better than {row.first}, by the sequential test"
    if row.sequential.startswith("as good"):  # said of the leader, whose figures follow
        return f"{leader.first} is as good as {leader.second}, by the sequential test"
    return f"{row.first} is {row.sequential}, by the sequential test"


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
    if row.elo is None and row.ahead:
        return "no upper bound" + (f" (at least {low:+.0f})" if low is not None else "")
    if row.elo is None:
        return "no lower bound" + (f" (at most {high:+.0f})" if high is not None else "")
    if low is None and high is None:
        return f"{row.elo:+.0f} (no bounds yet)"
    return f"{row.elo:+.0f} ({interval_of(lambda end: f'{end:+.0f}')((low, high))})"


def joint_tests(rows: Sequence[SeatRow]) -> list[str]:
    """Whether seats differ, a sentence for each game and number of players."""
    return list(dict.fromkeys(f"{row.game}, {counted(row.players, 'player')}: {_of_seats(row)}" for row in rows))


def _of_seats(row: SeatRow) -> str:
    if Caveat.FEW_BLOCKS.value in row.caveats:
        return "too few deals to tell whether the seats differ"
    verdict = "the seats differ" if row.p_value < SIGNIFICANT else "no sign that the seats differ"
    return f"{verdict} (joint {p_in_words(row.p_value)})"
