"""Results in sentences: which of two bots is better, and whether seats differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..printing.columns import interval_of, write_p
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


def headline(row: ComparisonRow) -> str:
    """Who is better, in a sentence; the first bot of the row leads."""
    first, second = row.first, row.second
    if row.verdict:
        return f"{first} is better than {second}."
    if not row.difference:
        return f"No verdict: {first} and {second} are level."
    if row.p_value >= SIGNIFICANT:
        return f"No verdict: {first} leads {second}, but chance could explain it."
    return f"No verdict: {first} leads {second}, but not where the two met."


def describe_elo(row: ComparisonRow) -> str:
    """The difference of Elo ratings with its interval, as `+211 (+89 to +333)`, of a row with games of both."""
    low, high = row.elo_interval or (None, None)
    if row.elo is None:
        return "no upper bound" + (f" (at least {low:+.0f})" if low is not None else "")
    if low is None and high is None:
        return f"{row.elo:+.0f} (no bounds yet)"
    return f"{row.elo:+.0f} ({interval_of(lambda end: f'{end:+.0f}')((low, high))})"


def joint_tests(rows: Sequence[SeatRow]) -> list[str]:
    """Whether seats differ, a sentence for each game and number of players."""
    verdicts = {
        f"{row.game}, {counted(row.players, 'player')}": (
            "the seats differ" if row.p_value < SIGNIFICANT else "no sign that the seats differ",
            f"joint p = {write_p(row.p_value)}",
        )
        for row in rows
    }
    return [f"{table}: {verdict} ({p_value})" for table, (verdict, p_value) in verdicts.items()]
