"""Groups of bots for settings that take turns, balanced at planned ends: over all settings, and in each."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator, Sequence
from math import comb

from .balancer import GroupBalancer
from .pair_counts import Group, PairCounts

MAX_LISTED_GROUPS = 1001
"""Up to this many possible groups, each comes once per cycle: all groups of 14 bots at tables of four."""
_MAX_PASS, _BATCH = 1000, 250
"""Groups are picked in batches of the second number if more than the first are needed until each pair has met."""
_WINDOW = 48
"""The number of groups from which the next one is chosen."""


class BalancedGroups:
    """Endless groups for `settings` settings in turn, of bots numbered from 0.

    After each number of groups in `ends` (increasing) the counts of games per bot, and of meetings per pair, are within
    one of each other, if that is possible. If there are at most `MAX_LISTED_GROUPS` possible groups, each setting has
    each of them once before any comes again. Ties are broken at random, seeded with `secret`.
    """

    def __init__(self, bots: int, size: int, settings: int, ends: Sequence[int], secret: str = "") -> None:
        self._overall = PairCounts(bots)
        self._own = [PairCounts(bots) for _ in range(settings)] if settings > 1 else [self._overall]
        generator = random.Random(f"{bots} of {size} in {settings}{secret}")
        self._picker = GroupBalancer(self._overall, self._own, size, generator)
        self._whole = list(itertools.combinations(range(bots), size)) if comb(bots, size) <= MAX_LISTED_GROUPS else []
        self._unused = [list(self._whole) for _ in self._own]  # per setting: the listed groups left in this cycle
        self._ends = ends
        # a pass: the groups until each pair has met once on average; of single bots, until each bot has come once
        self._pass = comb(bots, 2) / comb(size, 2) if size > 1 else bots
        self._yielded = 0

    def __iter__(self) -> Iterator[Group]:
        for end in self._balance_points():
            yield from self._in_order(self._groups_until(end))
            if self._whole and not any(self._unused):
                self._unused = [list(self._whole) for _ in self._own]

    def _balance_points(self) -> Iterator[int]:
        """The numbers of groups after which all is balanced: the ends, and points between them that are easy."""
        if self._whole:
            step, distance = float(len(self._whole) * len(self._own)), 0.0
        elif self._pass > _MAX_PASS:
            step, distance = float(_BATCH), 0.0
        else:  # in the middle of a pass, where half of the pairs have met once more than the others
            step, distance = self._pass, self._pass
        points = (round(step * number + distance / 2) for number in itertools.count(1))
        point = next(points)
        for end in self._ends:
            while point < end and point <= end - distance:
                if point > self._yielded:
                    yield point
                point = next(points)
            if end > self._yielded:
                yield end
        for later in itertools.chain([point], points):
            if later > self._yielded:
                yield later

    def _groups_until(self, end: int) -> list[list[Group]]:
        """The groups up to this end, by setting, in no particular order."""
        indexes = range(len(self._own))
        settings = [number % len(indexes) for number in range(self._yielded, end)]
        if not self._whole:
            picked = self._picker.pick(settings)
        elif len(settings) >= sum(map(len, self._unused)):
            return self._unused
        elif 2 * len(settings) <= sum(map(len, self._unused)):
            picked = self._picker.pick_from(self._unused, settings)
        else:
            return self._all_but_few(settings)
        return [
            [group for group, setting in zip(picked, settings, strict=True) if setting == index] for index in indexes
        ]

    def _all_but_few(self, settings: Sequence[int]) -> list[list[Group]]:
        """The unused groups for these settings; picks the groups to leave out, since they are fewer."""
        left_out = [[index] * (len(unused) - settings.count(index)) for index, unused in enumerate(self._unused)]
        self._count_unused(1)
        order = list(itertools.chain(*left_out))
        picked = set(zip(order, self._picker.pick_from(self._unused, order, -1), strict=True))
        self._count_unused(-1)
        return [
            [group for group in unused if (index, group) not in picked] for index, unused in enumerate(self._unused)
        ]

    def _count_unused(self, by: int) -> None:
        for setting, unused in enumerate(self._unused):
            for group in unused:
                self._picker.count(group, setting, by)

    def _in_order(self, groups: list[list[Group]]) -> Iterator[Group]:
        """The groups, for the settings in turn: next is always the group whose bots have played least."""
        groups = [list(of_setting) for of_setting in groups]
        while any(groups):
            setting = self._yielded % len(self._own)
            best = min(groups[setting][:_WINDOW], key=functools.partial(self._games_played, self._own[setting]))
            groups[setting].remove(best)
            if self._whole:
                self._unused[setting].remove(best)
            self._picker.count(best, setting, 1)
            self._yielded += 1
            yield best

    def _games_played(self, own: PairCounts, group: Group) -> tuple[int, int, int]:
        """The sort key of groups: the most games of a bot, the sum of games, the sum of meetings."""
        overall = [self._overall.played[bot] for bot in group]
        return max(overall), sum(overall) + sum(own.played[bot] for bot in group), own.meetings_within(group)
