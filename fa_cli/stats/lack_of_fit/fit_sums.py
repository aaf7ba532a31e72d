"""Comparisons summed over blocks: what the test of a fit needs of the games of a setting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy

from ..strength.pair_sums import Ints, PairRows, none, ordered, rows_at, runs, stacked, starts_of, summed_by, turned


class PairFits(NamedTuple):
    """A row for each two bots that met. Squares and products are those of blocks, summed.

    `ahead` counts in parts of `AHEAD`.
    """

    own: Ints
    """The smaller number of the two."""
    rival: Ints
    blocks: Ints
    met: Ints
    met_met: Ints
    ahead: Ints
    ahead_ahead: Ints
    ahead_met: Ints


class SharedBlocks(NamedTuple):
    """A row for each bot and each two others that were in one block with it: products of its comparisons with both."""

    own: Ints
    first: Ints
    """The smaller number of the two others."""
    second: Ints
    blocks: Ints
    met_met: Ints
    ahead_ahead: Ints
    ahead_met: Ints
    """Comparisons won against the first, times those with the second."""
    met_ahead: Ints


class FitSums(NamedTuple):
    """The sums of some games of one setting."""

    pairs: PairFits
    shared: SharedBlocks


NONE = FitSums(none(PairFits), none(SharedBlocks))
"""The sums of no games."""


def fit_sums(rows: PairRows) -> FitSums:
    """The sums of whole blocks."""
    stratum, block, own, rival, met, ahead = ordered(rows, 4)
    block = runs(stratum, block)  # numbered over all strata
    once = own < rival
    products = (met, met * met, ahead, ahead * ahead, ahead * met)
    pairs = PairFits(*(column[once] for column in (own, rival, numpy.ones_like(met), *products)))
    starts = starts_of(runs(block, own))
    sizes = numpy.diff(starts, append=len(own))
    shared = [
        _shared(own, rival, met, ahead, starts[sizes > second] + first, starts[sizes > second] + second)
        for first, second in combinations(range(int(sizes.max(initial=0))), 2)
    ]
    return joined([FitSums(pairs, stacked([NONE.shared, *shared]))])


def _shared(own: Ints, rival: Ints, met: Ints, ahead: Ints, left: Ints, right: Ints) -> SharedBlocks:
    """The products of these rows of one bot each, one row for each block."""
    return SharedBlocks(
        own[left],
        rival[left],
        rival[right],
        numpy.ones_like(left),
        met[left] * met[right],
        ahead[left] * ahead[right],
        ahead[left] * met[right],
        met[left] * ahead[right],
    )


def renumbered(sums: FitSums, places: Ints) -> FitSums:
    """The sums with each bot's place as its number, without bots whose place is -1."""
    shared = sums.shared
    first, second = places[shared.first], places[shared.second]
    shared = shared._replace(
        own=places[shared.own],
        first=numpy.minimum(first, second),
        second=numpy.maximum(first, second),
        ahead_met=numpy.where(first > second, shared.met_ahead, shared.ahead_met),
        met_ahead=numpy.where(first > second, shared.ahead_met, shared.met_ahead),
    )
    pairs, least = turned(sums.pairs, places), numpy.minimum(shared.own, shared.first)
    return joined([FitSums(rows_at(pairs, pairs.own >= 0), rows_at(shared, least >= 0))])


def joined(parts: Sequence[FitSums]) -> FitSums:
    """The sums of several together, in order of their bots."""
    pairs, shared = stacked(parts)
    return FitSums(summed_by(2, pairs), summed_by(3, shared))
