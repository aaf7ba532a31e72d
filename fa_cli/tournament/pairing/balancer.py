"""Groups picked so that at their end each bot has played, and each pair has met, equally often within one.

They are drawn one after another, then mended: two bots of two groups change places as long as that brings the pairs'
counts closer together, or leaves them as they are. Half of the changes that are tried are any at all, half begin with
a pair that has met most or least.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Sequence

from .pair_counts import Group, Move, PairCounts, correcting_moves

_POOL = 64
"""Of so many bots, or groups, at most the next one is chosen."""
_TRIED, _MOST = 10_000, 250_000
"""Changes of places that are tried for each group, and at most, so that all is even overall; ..."""
_TRIED_BOTH, _MOST_BOTH = 1000, 50_000
"""... before that, overall and in each setting at once; ..."""
_TRIED_EACH = 200
"""... and after it in each setting."""
_LOOK = 4
"""Changes tried for each group before it is seen anew which pairs have met most and least."""
_REDRAWN = 4
"""Rows of given groups that are begun if one can't be mended; each has a part of the tries."""

Has = Callable[[int, Group], bool]
"""Whether a setting may have a group."""


class Target(enum.Enum):
    """Where pairs are to meet equally often."""

    BOTH = enum.auto()
    OVERALL = enum.auto()
    EACH = enum.auto()
    """In each setting, and not at the cost of the whole."""


class GroupBalancer:
    """Picks rows of groups of `size` bots, given what was before: over all settings, and in each.

    With a single setting the two are the same.
    """

    def __init__(self, overall: PairCounts, own: Sequence[PairCounts], size: int, generator: random.Random) -> None:
        self._overall = overall
        self._own = own
        self._size = size
        self._generator = generator

    def pick(self, settings: Sequence[int]) -> list[Group]:
        """A group of any bots for each of these settings. They are not counted."""
        row = [self._drawn(setting) for setting in settings]
        self._improve(row, settings, 1)
        self._uncount(row, settings)
        return [tuple(sorted(group)) for group in row]

    def pick_from(self, left: Sequence[Sequence[Group]], settings: Sequence[int], sign: int = 1) -> list[Group]:
        """The same, each out of those that are left for its setting, none twice.

        `sign` -1: those picked are to be taken out of what was before.
        """
        allowed = [set(groups) for groups in left]
        best: tuple[int, list[Group]] | None = None
        for _ in range(_REDRAWN):
            row = self._drawn_from(left, settings, sign)
            taken = {(setting, tuple(sorted(group))) for group, setting in zip(row, settings, strict=True)}

            def has(setting: int, group: Group, taken: set[tuple[int, Group]] = taken) -> bool:
                return group in allowed[setting] and (setting, group) not in taken

            self._even_out(row, settings, has, taken, sign)
            cost = self._improve(row, settings, _REDRAWN, has, taken, sign)
            cost += 1000 * sum(meetings.spread() > 1 for meetings in (self._overall, *self._own))
            self._uncount(row, settings, sign)
            if best is None or cost < best[0]:
                best = cost, [tuple(sorted(group)) for group in row]
            if not cost:
                break
        assert best
        return best[1]

    def _uncount(self, row: Sequence[Sequence[int]], settings: Sequence[int], sign: int = 1) -> None:
        for group, setting in zip(row, settings, strict=True):
            self._count(group, setting, -sign)

    def _count(self, group: Sequence[int], setting: int, by: int) -> None:
        self._overall.add(group, by)
        if len(self._own) > 1:
            self._own[setting].add(group, by)

    def _drawn(self, setting: int) -> list[int]:
        """A group of those who have played least; among them, one after another, who has met the others least."""
        both = own, overall = self._own[setting], self._overall
        games = list(zip(own.played, overall.played, strict=True))
        group: list[int] = []
        for fewest in sorted(set(games)):
            pool = [bot for bot, its in enumerate(games) if its == fewest]
            pool = self._generator.sample(pool, min(_POOL, len(pool)))
            while pool and len(group) < self._size:
                best = min(pool, key=lambda bot: [sum(one.met[bot][rival] for rival in group) for one in both])
                pool.remove(best)
                group.append(best)
        self._count(group, setting, 1)
        return group

    def _drawn_from(self, left: Sequence[Sequence[Group]], settings: Sequence[int], sign: int) -> list[list[int]]:
        """For each setting the group that evens out best, of those that are left for it; counted."""
        shuffled = [self._generator.sample(groups, len(groups)) for groups in left]
        row = []
        for setting in settings:
            both = self._own[setting], self._overall
            best = min(
                shuffled[setting][: 4 * _POOL],
                key=lambda group: (
                    [sign * sum(one.played[bot] for bot in group) for one in both],
                    sign * sum(one.among(group) for one in both),
                ),
            )
            shuffled[setting].remove(best)
            self._count(best, setting, sign)
            row.append(list(best))
        return row

    def _even_out(
        self, row: list[list[int]], settings: Sequence[int], has: Has, taken: set[tuple[int, Group]], sign: int
    ) -> None:
        """Let bots with fewer games take the places of those with more, until all are within one."""
        overall, several = self._overall.played, len(self._own) > 1
        for _ in range(200 * len(row)):
            if all(meetings.spread() < 2 for meetings in (self._overall, *self._own)):
                return
            place = self._generator.randrange(len(row))
            group, own = row[place], self._own[settings[place]].played
            leaves, comes = self._generator.choice(group), self._generator.randrange(len(own))
            more = sign * (overall[comes] - overall[leaves]) + 1
            more += sign * (own[comes] - own[leaves]) + 1 if several else 0
            after = _turned(group, leaves, comes)
            if comes not in group and more <= 0 and has(settings[place], after):
                self._replace(row, settings, place, after, sign, taken)

    def _replace(
        self,
        row: list[list[int]],
        settings: Sequence[int],
        place: int,
        group: Group,
        sign: int,
        taken: set[tuple[int, Group]] | None,
    ) -> None:
        """Another group in this place of the row."""
        setting = settings[place]
        if taken is not None:
            taken.symmetric_difference_update(((setting, tuple(sorted(row[place]))), (setting, group)))
        self._count(row[place], setting, -sign)
        row[place][:] = group
        self._count(group, setting, sign)

    def _improve(
        self,
        row: list[list[int]],
        settings: Sequence[int],
        part: int,
        has: Has | None = None,
        taken: set[tuple[int, Group]] | None = None,
        sign: int = 1,
    ) -> int:
        """Change places until nothing is in excess, or in vain; returns the excess over all settings that is left.

        It has so much of all tries: 1 the whole, 4 a fourth.
        """
        aims = [(Target.OVERALL, min(_MOST, _TRIED * len(row)) // part)]
        if len(self._own) > 1:
            both = Target.BOTH, min(_MOST_BOTH, _TRIED_BOTH * len(row))
            aims = [both, *aims, (Target.EACH, _TRIED_EACH * len(row))]
        for aim, tries in aims:
            self._swap_search(row, settings, aim, tries, has, taken, sign)
        return self._overall.excess()

    def _excess(self, aim: Target) -> int:
        overall = 0 if aim is Target.EACH else self._overall.excess()
        return overall + (0 if aim is Target.OVERALL else sum(own.excess() for own in self._own))

    def _swap_search(
        self,
        row: list[list[int]],
        settings: Sequence[int],
        aim: Target,
        tries: int,
        has: Has | None,
        taken: set[tuple[int, Group]] | None,
        sign: int,
    ) -> None:
        """Let bots of two groups change places until this aim is reached, so many times at most."""
        excess = self._excess(aim)
        draw, groups, seats, met = self._generator.random, len(row), self._size, self._overall.met
        span = max(_LOOK * groups, len(met) ** 2 // _LOOK**2)
        moves: Sequence[Move] = ()
        look = tries
        while excess and tries:
            if tries <= look and aim is Target.OVERALL:
                look, moves = tries - span, correcting_moves(self._overall, row, sign)
            tries -= 1
            place, its_place = int(draw() * groups), int(draw() * groups)
            one = row[place][int(draw() * seats)]
            if moves and draw() < 0.5:
                place, one, wanted = moves[int(draw() * len(moves))]
                its_place = its_place if wanted < 0 else wanted
            here, there = row[place], row[its_place]
            other = there[int(draw() * seats)]
            if one not in here or one in there or other in here:
                continue
            change = _change(met, here, there, one, other, sign)
            mine, its = settings[place], settings[its_place]
            if aim is Target.OVERALL:
                if change > 0 or (mine != its and self._unevens(mine, its, one, other, sign)):
                    continue
            elif mine != its or (aim is Target.EACH and change > 0):
                continue
            else:
                own = _change(self._own[mine].met, here, there, one, other, sign)
                change = own if aim is Target.EACH else change + own
                if change > 0:
                    continue
            after, its_after = _turned(here, one, other), _turned(there, other, one)
            if has and not (has(mine, after) and has(its, its_after)):
                continue
            self._replace(row, settings, place, after, sign, taken)
            self._replace(row, settings, its_place, its_after, sign, taken)
            excess += 2 * change

    def _unevens(self, mine: int, its: int, one: int, other: int, sign: int) -> bool:
        """Whether the bots' games in two settings get less even if the one, from the first, and the other change."""
        played, its_played = self._own[mine].played, self._own[its].played
        more = played[other] - played[one] + its_played[one] - its_played[other]
        return sign * more + 2 > 0


def _change(met: list[list[int]], here: list[int], there: list[int], one: int, other: int, sign: int) -> int:
    """Half of what the squares of the pairs' counts change by if the one, from here, and the other change places."""
    met_one, met_other = met[one], met[other]
    more = -2 * met_one[other]
    in_both = 0
    for bot in here:
        more += met_other[bot] - met_one[bot]
        in_both += bot in there
    for bot in there:
        more += met_one[bot] - met_other[bot]
    return sign * more + 2 * (len(here) - 1 - in_both)


def _turned(group: Sequence[int], one: int, other: int) -> Group:
    """The group with the other in the place of the one."""
    return tuple(sorted(other if bot == one else bot for bot in group))
