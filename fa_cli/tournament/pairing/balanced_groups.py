"""The groups of settings that take turns, all even at planned moments: over all of them, and in each."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator, Sequence
from math import comb

from .balancer import GroupBalancer
from .pair_counts import Group, PairCounts

WHOLE = 1001
"""Up to this many possible groups each comes once per cycle: all groups of 14 bots at tables of four."""
_LONG, _ROW = 1000, 250
"""Where it takes more groups than the first until each pair has met, as many as the second are picked at once."""
_WINDOW = 48
"""Of so many groups at most the next one is taken."""


class BalancedGroups:
    """Groups without end, for `settings` settings in turn, of bots that are numbers from 0.

    After as many groups as one of `ends` says (rising numbers) each bot has played, and each pair has met, equally
    often within one, where that is possible. Where there are few groups (at most `WHOLE`) each setting has each of them
    once before any comes again. Among what is equally good the choice follows from `secret`.
    """

    def __init__(self, bots: int, size: int, settings: int, ends: Sequence[int], secret: str = "") -> None:
        self._overall = PairCounts(bots)
        self._own = [PairCounts(bots) for _ in range(settings)] if settings > 1 else [self._overall]
        generator = random.Random(f"{bots} of {size} in {settings}{secret}")
        self._picker = GroupBalancer(self._overall, self._own, size, generator)
        self._whole = list(itertools.combinations(range(bots), size)) if comb(bots, size) <= WHOLE else []
        self._left = [list(self._whole) for _ in self._own]  # of few groups, in this round of them
        self._ends = ends
        # groups until each pair has met once in the mean; of single bots, until each has come
        self._level = comb(bots, 2) / comb(size, 2) if size > 1 else bots
        self._given = 0

    def __iter__(self) -> Iterator[Group]:
        for end in self._stops():
            yield from self._in_order(self._shares(end))
            if self._whole and not any(self._left):
                self._left = [list(self._whole) for _ in self._own]

    def _stops(self) -> Iterator[int]:
        """After how many groups all is to be even: where it is asked for, and on the way there where that is easy."""
        if self._whole:
            step, before = float(len(self._whole) * len(self._own)), 0.0
        elif self._level > _LONG:
            step, before = float(_ROW), 0.0
        else:  # half of the pairs have met once more than the others
            step, before = self._level, self._level
        stops = (round(step * number + before / 2) for number in itertools.count(1))
        stop = next(stops)
        for end in self._ends:
            while stop < end and stop <= end - before:
                if stop > self._given:
                    yield stop
                stop = next(stops)
            if end > self._given:
                yield end
        for later in itertools.chain([stop], stops):
            if later > self._given:
                yield later

    def _shares(self, end: int) -> list[list[Group]]:
        """The groups up to this end, by setting."""
        turns = range(len(self._own))
        settings = [place % len(turns) for place in range(self._given, end)]
        if not self._whole:
            picked = self._picker.pick(settings)
        elif len(settings) >= sum(map(len, self._left)):
            return self._left
        elif 2 * len(settings) <= sum(map(len, self._left)):
            picked = self._picker.pick_from(self._left, settings)
        else:
            return self._all_but_few(settings)
        return [[group for group, its in zip(picked, settings, strict=True) if its == turn] for turn in turns]

    def _all_but_few(self, settings: Sequence[int]) -> list[list[Group]]:
        """Of the groups that are left so many for these settings: those left out are picked, since they are fewer."""
        out = [[turn] * (len(left) - settings.count(turn)) for turn, left in enumerate(self._left)]
        self._count_left(1)
        order = list(itertools.chain(*out))
        picked = set(zip(order, self._picker.pick_from(self._left, order, -1), strict=True))
        self._count_left(-1)
        return [[group for group in left if (turn, group) not in picked] for turn, left in enumerate(self._left)]

    def _count_left(self, by: int) -> None:
        for own, left in zip(self._own, self._left, strict=True):
            for group in left:
                self._count(own, group, by)

    def _count(self, own: PairCounts, group: Group, by: int) -> None:
        self._overall.add(group, by)
        if own is not self._overall:
            own.add(group, by)

    def _in_order(self, shares: list[list[Group]]) -> Iterator[Group]:
        """The groups, the settings in turn: next is always who has played least by then."""
        shares = [list(share) for share in shares]
        while any(shares):
            setting = self._given % len(self._own)
            best = min(shares[setting][:_WINDOW], key=functools.partial(self._lag, self._own[setting]))
            shares[setting].remove(best)
            if self._whole:
                self._left[setting].remove(best)
            self._count(self._own[setting], best, 1)
            self._given += 1
            yield best

    def _lag(self, own: PairCounts, group: Group) -> tuple[int, int, int]:
        """The less, the sooner it is the group's turn."""
        overall = [self._overall.played[bot] for bot in group]
        return max(overall), sum(overall) + sum(own.played[bot] for bot in group), own.among(group)
