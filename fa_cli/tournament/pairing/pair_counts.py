"""Counts how often bots have played and pairs have met, and finds the pairs that stand out."""

from __future__ import annotations

import itertools
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

Group = tuple[int, ...]
"""The bots at one table, in increasing order."""
Move = tuple[int, int, int]
"""Move a bot between two groups of a list: (index of its group, bot, index of the other group or `ANY_GROUP`)."""
ANY_GROUP = -1
_MAX_GROUPS = 4
"""The most groups of each bot that are considered for moves."""


class PairCounts:
    """How often each bot has played and each pair has met; bots are numbered from 0."""

    def __init__(self, bots: int) -> None:
        self.played = [0] * bots
        self.met = [array("i", bytes(4 * bots)) for _ in range(bots)]  # half as large as lists
        self._pairs = Counter({0: bots * (bots - 1) // 2})
        """The number of pairs by meetings: to count them again takes a second with 2,000 bots."""

    def add(self, group: Sequence[int], by: int = 1) -> None:
        """Count a group `by` times; a negative number removes it."""
        for bot in group:
            self.played[bot] += by
        met, pairs = self.met, self._pairs
        for left, right in itertools.combinations(group, 2):
            before = met[left][right]
            pairs[before] -= 1
            pairs[before + by] += 1
            met[left][right] = met[right][left] = before + by

    def meetings_within(self, group: Sequence[int]) -> int:
        """The number of meetings of the group's pairs, summed."""
        return sum(self.met[left][right] for left, right in itertools.combinations(group, 2))

    def pairs_by_meetings(self) -> Counter[int]:
        """The number of pairs that have met so often, for each number of meetings."""
        return +self._pairs

    def imbalance(self) -> int:
        """The sum of the squared meetings of all pairs, less its minimum: 0 if all pairs are within one meeting."""
        counts = self.pairs_by_meetings()
        pairs, total = sum(counts.values()), sum(meetings * number for meetings, number in counts.items())
        if not pairs:
            return 0
        low, more = divmod(total, pairs)
        minimum = more * (low + 1) ** 2 + (pairs - more) * low**2
        return sum(meetings**2 * number for meetings, number in counts.items()) - minimum

    def spread(self) -> int:
        """The difference between the most and the fewest games of a bot."""
        return max(self.played) - min(self.played)

    def extreme_counts(self) -> tuple[set[int], set[int]]:
        """The numbers of meetings that are too many, and too few; only the one farthest from balance, or both."""
        counts = self.pairs_by_meetings()
        low, more = divmod(sum(meetings * number for meetings, number in counts.items()), sum(counts.values()))
        high = low + bool(more)
        most, fewest = max(counts), min(counts)
        distance = max(1, most - high, low - fewest)
        return {most} if most - high >= distance else set(), {fewest} if low - fewest >= distance else set()


def correcting_moves(counts: PairCounts, groups: Sequence[Sequence[int]], sign: int) -> list[Move]:
    """Moves between groups that separate pairs which met too often, or join pairs which met too seldom.

    With `sign` -1 the groups are those left out of a tournament, so the moves are the other way round.
    """
    too_many, too_few = counts.extreme_counts()
    separate, join = (too_many, too_few) if sign > 0 else (too_few, too_many)
    moves: list[Move] = []
    if separate:
        for index, group in enumerate(groups):
            for left, right in itertools.combinations(group, 2):
                if counts.met[left][right] in separate:
                    moves += (index, left, ANY_GROUP), (index, right, ANY_GROUP)
    if join:
        moves += _joining_moves(counts, groups, join)
    return moves


def _joining_moves(counts: PairCounts, groups: Sequence[Sequence[int]], meetings: set[int]) -> Iterator[Move]:
    """Moves of a bot into a group of another bot, for all pairs with one of these numbers of meetings."""
    groups_of: dict[int, list[int]] = {}
    for index, group in enumerate(groups):
        for bot in group:
            indexes = groups_of.setdefault(bot, [])
            if len(indexes) < _MAX_GROUPS:
                indexes.append(index)
    for left, met in enumerate(counts.met):
        if meetings.isdisjoint(met[:left]):
            continue
        for right in range(left):
            if met[right] in meetings:
                for left_group, right_group in itertools.product(groups_of.get(left, ()), groups_of.get(right, ())):
                    yield left_group, left, right_group
                    yield right_group, right, left_group
