"""P-values of pairs, adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from .block_means import BlockMean
from .distributions import student_p

_EVEN = 0.5


def ahead_p(ahead: BlockMean) -> float:
    """The two-sided p-value of the share against one half: below 0.05 where its 95% interval excludes one half."""
    if ahead.blocks < 2:
        return 1.0
    return student_p(abs(ahead.mean - _EVEN) * 2 * sqrt(ahead.effective_trials()), ahead.freedom)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the given order: any below alpha is wrong in at most alpha of all fields.

    Raises ValueError for a figure that is no probability.
    """
    wrong = next((p for p in p_values if not 0 <= p <= 1), None)
    if wrong is not None:
        raise ValueError(f"a p-value is from 0 to 1, not {wrong}")
    adjusted, highest = [0.0] * len(p_values), 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - place)))
        adjusted[index] = highest
    return adjusted
