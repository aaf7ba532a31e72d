"""What a report says about the two best bots: whether they are told apart, and after how many games."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from ...printing.columns import write_likelihood, write_p
from ...printing.text import counted
from ...results.verdict import describe_elo

if TYPE_CHECKING:
    from ...leaderboard.overview.all_tables import Separation

_ASSUMPTION = (
    "This number assumes that the measured difference is the true one and that further deals vary as those played did, "
    "with the same schedule."
)


def sentences(separation: Separation) -> Iterator[str]:
    """The difference, and how many games tell the two apart."""
    row = separation.row
    low, high = row.difference_interval
    yield (
        f"Over {counted(row.blocks, 'deal')} the place score of {row.first} less that of {row.second} is "
        f"{row.difference:+.3f} (95% interval {low:+.3f} to {high:+.3f}, p = {write_p(row.p_value)}, LOS "
        f"{write_likelihood(row.los)}, {_elo(separation)})."
    )
    if separation.games_to_decide is None:
        yield "How many games tell them apart is not known: there is no difference yet, or there are too few deals."
        return
    games = ceil(float(f"{separation.games_to_decide:.1e}"))  # two digits: the difference is an estimate
    yield f"About {counted(games, 'game')} of a tournament like this one tell them apart in 80% of cases. {_ASSUMPTION}"


def _elo(separation: Separation) -> str:
    return f"Elo {describe_elo(separation.row)}" if separation.row.games else "they never met"
