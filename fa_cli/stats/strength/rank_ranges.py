"""The ranks that a bot may have, given how sure the differences of strengths are."""

from __future__ import annotations

import numpy

from ..block_means import CONFIDENCE
from .fit import SAME, FittedStrengths


def ranks(field: FittedStrengths) -> list[int]:
    """1 + the number of stronger bots; bots that differ by less than rounding share a rank."""
    order = numpy.sort(field.strengths)
    stronger = len(order) - numpy.searchsorted(order, field.strengths + SAME, side="right")
    return [1 + int(count) for count in stronger]


def rank_ranges(field: FittedStrengths, confidence: float = CONFIDENCE) -> list[tuple[int, int]]:
    """The ranks from first to last that each bot's true strength may have; the range holds its rank.

    Bots that are ahead or behind beyond doubt bound it (Mogstad, Romano, Shaikh and Wilhelm, 2024, marginal confidence
    sets for ranks, with Bonferroni's quantile for the differences to all others).
    """
    bots = len(field.strengths)
    if bots < 2:
        return [(1, 1)] * bots
    ahead = field.strengths[:, None] - field.strengths
    reach = field.reach(1 - (1 - confidence) / (bots - 1))
    better = (ahead < -reach - SAME).sum(axis=1)
    worse = (ahead > reach + SAME).sum(axis=1)
    return [(1 + int(before), bots - int(after)) for before, after in zip(better, worse, strict=True)]
