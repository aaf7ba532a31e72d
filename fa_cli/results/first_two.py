"""What is said about the first two bots of a tournament: how they did against each other, and what would decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from ..printing.columns import Caveat, p_in_words, write_likelihood
from ..printing.text import counted
from .verdict import by_test, describe_elo, faults_of

if TYPE_CHECKING:
    from ..leaderboard.overview.first_two import Separation
    from ..stats.comparison_row import ComparisonRow

_ASSUMPTION = (
    "This number assumes that the measured difference is the true one and that further deals vary as those played did, "
    "with the same schedule."
)


def direct_comparison(pair: Sequence[str], separation: Separation | None, first_is_sure: bool) -> str:
    """How the two did against each other, and against the same other bots, with the samples and what they show.

    `first_is_sure`: whether the leaderboard says which bot is the best.
    """
    if separation is None:
        return f"{pair[0]} and {pair[1]} never met, nor did they meet the same other bots."
    *met, row = separation.rows if separation.row.fixed_sample else separation.rows[:1]
    if not row.games:
        text = f"{pair[0]} and {pair[1]} never met. {_over_the_field(row)}."
    elif not met:
        text = f"{_meetings(row)}: {_verdict(row)}{faults_of(row)}."
    else:
        text = f"{_meetings(met[0])}: {_verdict(met[0])}{faults_of(met[0])}. {_over_the_field(row)}."
    is_doubtful = first_is_sure and not row.verdict
    return f"{text} The ranks go by all games, this comparison by fewer." if is_doubtful else text


def _meetings(row: ComparisonRow) -> str:
    low, high = row.ahead_interval or (0.0, 1.0)
    games, ahead = counted(row.games, "game"), 100 * (row.ahead or 0)
    has_interval = row.fixed_sample and row.is_all_of_ahead  # the verdict is about another difference otherwise
    interval = f" (95% interval {100 * low:.0f} to {100 * high:.0f}%)" if has_interval else ""
    return f"{row.first} ranked ahead of {row.second} in {ahead:.1f}% of their {games}{interval}"


def _over_the_field(row: ComparisonRow) -> str:
    deals = counted(row.blocks, "deal")
    return f"With the deals that both played or had against the same other bots, {deals}: {_verdict(row)}"


def _verdict(row: ComparisonRow) -> str:
    """What the comparison shows, with its p-value, or what a sequential test does."""
    if not row.fixed_sample:
        return by_test(row)
    p_value = p_in_words(row.p_value)
    if not (row.is_all_of_ahead or row.is_over_the_field):
        p_value = f"place score {_difference(row)}, {p_value}"
    if row.verdict:
        return f"{row.verdict} is better ({p_value})"
    if Caveat.FEW_BLOCKS.value in row.caveats:
        return f"{counted(row.blocks, 'deal')}, too few to tell"
    if not row.difference:
        return "they are level"
    return f"chance could explain the difference ({p_value})"


def sentences(separation: Separation) -> Iterator[str]:
    """The difference, and how many games tell the two apart."""
    row = separation.row
    score = f"Over {counted(row.blocks, 'deal')} the place score of {row.first} less that of {row.second} is"
    if not row.fixed_sample:
        yield f"{score} {row.difference:+.3f}."
        return
    yield (
        f"{score} {_difference(row)}, {p_in_words(row.p_value)}, LOS {write_likelihood(row.los)}. "
        f"{f'Elo {describe_elo(row)}' if row.games else 'They never met'}."
    )
    if separation.games_to_decide is None:
        yield "How many games tell them apart is not known: there is no difference yet, or there are too few deals."
        return
    games = ceil(float(f"{separation.games_to_decide:.1e}"))  # two digits: the difference is an estimate
    yield f"About {counted(games, 'game')} of a tournament like this one tell them apart in 80% of cases. {_ASSUMPTION}"


def _difference(row: ComparisonRow) -> str:
    low, high = row.difference_interval
    return f"{row.difference:+.3f}, 95% interval {low:+.3f} to {high:+.3f}"
