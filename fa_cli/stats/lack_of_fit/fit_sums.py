"""Comparisons summed over blocks: what the test of a fit needs of each log, setting and stratum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from ..strength.pair_sums import Ints, PairRows, ordered, runs, starts_of, summed


class FitSums(NamedTuple):
    """A row for each stratum and two bots that met there, and one for each bot with itself: its sums over all rivals.

    `ahead` counts in parts of `AHEAD`; sums of a block's products are over whole blocks.
    """

    stratum: Ints
    own: Ints
    """The smaller number of the two."""
    rival: Ints
    blocks: Ints
    met: Ints
    met_met: Ints
    ahead: Ints
    ahead_ahead: Ints
    ahead_met: Ints
    late_blocks: Ints
    """`blocks`, `met` and `ahead` of the later half of the log's blocks."""
    late_met: Ints
    late_ahead: Ints


def fit_sums(rows: PairRows, late: Ints) -> FitSums:
    """The sums of whole blocks; `late` is 1 for each row that is of the later half of the log, else 0.

    Raises ValueError if `late` has another length.
    """
    if len(late) != len(rows.own):
        raise ValueError(f"{len(late)} halves for {len(rows.own)} rows")
    columns = ordered([*rows, late], 4)
    starts = starts_of(runs(*columns[:3]))
    met, ahead = summed([columns[4], columns[5]], starts)
    stratum, _, own = (column[starts] for column in columns[:3])
    bots = _of_blocks(stratum, own, own, met, ahead, columns[6][starts])
    once = columns[2] < columns[3]
    stratum, _, own, rival, met, ahead, half = (column[once] for column in columns)
    return joined([_of_blocks(stratum, own, rival, met, ahead, half), bots])


def _of_blocks(stratum: Ints, own: Ints, rival: Ints, met: Ints, ahead: Ints, late: Ints) -> FitSums:
    products = (met, met * met, ahead, ahead * ahead, ahead * met)
    return FitSums(stratum, own, rival, numpy.ones_like(met), *products, late, late * met, late * ahead)


def joined(parts: Sequence[FitSums]) -> FitSums:
    """The sums of several together, in order of stratum and bots."""
    columns = ordered([numpy.concatenate(column) for column in zip(*parts, strict=True)], 3)
    starts = starts_of(runs(*columns[:3]))
    return FitSums(*(column[starts] for column in columns[:3]), *summed(columns[3:], starts))
