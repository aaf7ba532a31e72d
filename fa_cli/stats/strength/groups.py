"""Groups of bots that met each other, directly or through others: strengths of two groups have no common scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy

from ..block_means import CONFIDENCE
from .fit import SAME, FittedStrengths, fit
from .pair_sums import PairSums, stacked


class Placed(NamedTuple):
    """What a leaderboard says of a bot's strength."""

    group: int
    """From 1, those with more bots first."""
    strength: float
    interval: tuple[float, float] | None
    rank: int | None
    """Among the ranked bots of the group; None for others."""
    rank_range: tuple[int, int] | None


class Group(NamedTuple):
    """Bots with strengths on one scale."""

    bots: list[int]
    field: FittedStrengths


def fit_groups(bots: int, sums: PairSums) -> list[Group]:
    """Fit the strengths of each group of connected bots, which are numbered from 0."""
    groups = []
    for members in _connected(bots, sums):
        places = numpy.full(bots, -1)
        places[members] = numpy.arange(len(members))
        groups.append(Group(members, fit(len(members), sums.numbered(places))))
    return groups


def _connected(bots: int, sums: PairSums) -> list[list[int]]:
    """The groups, those with more bots first."""
    group = numpy.arange(bots)
    _, bot, other, *_ = sums.comparisons()
    pairs = numpy.unique(bot * bots + other)
    for own, rival in zip((pairs // bots).tolist(), (pairs % bots).tolist(), strict=True):
        if group[own] != group[rival]:
            group[group == group[rival]] = group[own]
    members = [numpy.flatnonzero(group == one).tolist() for one in dict.fromkeys(group.tolist())]
    return sorted(members, key=lambda own: (-len(own), own))


def tied(groups: Sequence[Group], anchors: Mapping[int, float]) -> list[Group]:
    """The groups, those with an anchor as one: a bot whose strength on their common scale is given.

    Intervals are then those of differences to the anchor. Raises ValueError if a group has two anchors.
    """
    anchored: list[Group] = []
    for group in groups:
        own = [bot for bot in group.bots if bot in anchors]
        if len(own) > 1:
            raise ValueError(*own[:2])
        if own:
            anchored.append(group._replace(field=_anchored(group.field, group.bots.index(own[0]), anchors[own[0]])))
    others = [group for group in groups if not anchors.keys() & set(group.bots)]
    return [*([_together(anchored)] if anchored else []), *others]


def _anchored(field: FittedStrengths, anchor: int, strength: float) -> FittedStrengths:
    """The same strengths, shifted to that of the anchor, which is exact."""
    covariance = field.covariance - field.covariance[[anchor]] - field.covariance[:, [anchor]]
    covariance += field.covariance[anchor, anchor]
    shift = strength - field.strengths[anchor]
    return field._replace(strengths=field.strengths + shift, covariance=covariance)


def _together(groups: Sequence[Group]) -> Group:
    """Groups on one scale, as one; nothing that two bots of different groups have done is shared."""
    fields = [group.field for group in groups]
    sizes = [len(group.bots) for group in groups]
    of_group = numpy.repeat(numpy.arange(len(sizes)), sizes)
    covariance, degrees = numpy.zeros((2, sum(sizes), sum(sizes)))
    for number, field in enumerate(fields):
        own = numpy.ix_(of_group == number, of_group == number)
        covariance[own], degrees[own] = field.covariance, field.degrees
    strengths = numpy.concatenate([field.strengths for field in fields])
    bots = [bot for group in groups for bot in group.bots]
    return Group(bots, FittedStrengths(strengths, covariance, degrees, stacked([field.shares for field in fields])))


def placed(groups: Sequence[Group], ranked: set[int]) -> dict[int, Placed]:
    """What to say of each bot: its rank and range are those among the `ranked` bots of its group.

    All ranges together hold with the usual confidence.
    """
    found: dict[int, Placed] = {}
    amongst = [[place for place, bot in enumerate(group.bots) if bot in ranked] for group in groups]
    pairs = [len(places) * (len(places) - 1) for places in amongst]
    for number, (group, places) in enumerate(zip(groups, amongst, strict=True)):
        among = group.field.of(places)
        sure = 1 - (1 - CONFIDENCE) * pairs[number] / max(1, sum(pairs))
        rank_of = dict(zip(places, zip(ranks(among), rank_ranges(among, sure), strict=True), strict=True))
        for place, bot in enumerate(group.bots):
            strength, interval = float(group.field.strengths[place]), group.field.interval(place)
            found[bot] = Placed(number + 1, strength, interval, *rank_of.get(place, (None, None)))
    return found


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
    if bots < 2:
        return [(1, 1)] * bots
    ahead = field.strengths[:, None] - field.strengths
    better, told = numpy.zeros((bots, bots), dtype=bool), -1
    while told < better.sum():
        told = int(better.sum())
        open_pairs = max(1, bots * (bots - 1) // 2 - told)
        better = ahead > field.reach(1 - (1 - confidence) / open_pairs) + SAME
    counts = zip(better.sum(axis=0).tolist(), better.sum(axis=1).tolist(), strict=True)
    return [(1 + before, bots - after) for before, after in counts]
