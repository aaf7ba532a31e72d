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
    """The ranks from first to last that each bot's true strength may have; each range holds the bot's rank.

    All ranges together hold with this confidence. They follow from the pairs of bots that are told apart by Holm's
    procedure (1979) over all pairs: as many as are told apart need not be allowed for any more.
    """
    bots = len(field.strengths)
    ahead = field.strengths[:, None] - field.strengths
    better, told = numpy.zeros((bots, bots), dtype=bool), -1
    while told < better.sum():
        told = int(better.sum())
        open_pairs = max(1, bots * (bots - 1) // 2 - told)
        better = ahead > field.reach(1 - (1 - confidence) / open_pairs) + SAME
    counts = zip(better.sum(axis=0).tolist(), better.sum(axis=1).tolist(), strict=True)
    return [(1 + before, bots - after) for before, after in counts]
