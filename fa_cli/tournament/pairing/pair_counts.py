"""How often bots have played and pairs have met, and which pairs stand out."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

Group = tuple[int, ...]
"""Bots at one table, as numbers from 0, rising."""
Move = tuple[int, int, int]
"""From the group at the first place this bot should go, to the group at the last place; -1: to any."""
_SOME = 4
"""Groups of a bot that are looked at, of all that it is in."""


class PairCounts:
    """How often each bot has played and each pair has met; bots are numbers from 0."""

    def __init__(self, bots: int) -> None:
        self.played = [0] * bots
        self.met = [[0] * bots for _ in range(bots)]

    def add(self, group: Sequence[int], by: int = 1) -> None:
        """Count a group so many times; less than none takes it out."""
        for bot in group:
            self.played[bot] += by
        for one, other in itertools.permutations(group, 2):
            self.met[one][other] += by

    def meetings_within(self, group: Sequence[int]) -> int:
        """The meetings of the group's pairs, summed."""
        return sum(self.met[one][other] for one, other in itertools.combinations(group, 2))

    def counts(self) -> Counter[int]:
        """How many pairs have met so often."""
        return Counter(itertools.chain.from_iterable(row[:place] for place, row in enumerate(self.met)))

    def imbalance(self) -> int:
        """By how much the squares of the pairs' counts are more than they have to be: 0 if all are within one."""
        counts = self.counts()
        pairs, total = sum(counts.values()), sum(count * many for count, many in counts.items())
        if not pairs:
            return 0
        low, more = divmod(total, pairs)
        least = more * (low + 1) ** 2 + (pairs - more) * low**2
        return sum(count**2 * many for count, many in counts.items()) - least

    def spread(self) -> int:
        """The most games of a bot less the fewest."""
        return max(self.played) - min(self.played)

    def extreme_counts(self) -> tuple[set[int], set[int]]:
        """Counts of pairs that have met too often, and of those too seldom; only those farthest from what is even."""
        counts = self.counts()
        low, more = divmod(sum(count * many for count, many in counts.items()), sum(counts.values()))
        high = low + bool(more)
        most, fewest = max(counts), min(counts)
        far = max(1, most - high, low - fewest)
        return {most} if most - high >= far else set(), {fewest} if low - fewest >= far else set()


def correcting_moves(meetings: PairCounts, row: Sequence[Sequence[int]], sign: int) -> list[Move]:
    """Moves between groups of the row that part pairs which met too often, or let those meet that met too seldom.

    `sign` -1: the groups of the row are those that are left out, so it is the other way round.
    """
    often, seldom = meetings.extreme_counts()
    part, join = (often, seldom) if sign > 0 else (seldom, often)
    moves: list[Move] = []
    if part:
        for place, group in enumerate(row):
            for one, other in itertools.combinations(group, 2):
                if meetings.met[one][other] in part:
                    moves += (place, one, -1), (place, other, -1)
    if join:
        moves += _joining(meetings, row, join)
    return moves


def _joining(meetings: PairCounts, row: Sequence[Sequence[int]], counts: set[int]) -> Iterator[Move]:
    """Moves of a bot into a group of another, of all pairs that have met so often."""
    places: dict[int, list[int]] = {}
    for place, group in enumerate(row):
        for bot in group:
            its = places.setdefault(bot, [])
            if len(its) < _SOME:
                its.append(place)
    for one, met in enumerate(meetings.met):
        if counts.isdisjoint(met[:one]):
            continue
        for other in range(one):
            if met[other] in counts:
                for place, its_place in itertools.product(places.get(one, ()), places.get(other, ())):
                    yield place, one, its_place
                    yield its_place, other, place
