"""Picks groups after which the games per bot, and the meetings per pair, are within one of each other.

Groups are drawn one after another and then improved by local search: two bots of two groups are swapped if that brings
the pairs' counts closer together or leaves them as they are. Half of the swaps tried are random, half begin with a pair
that has met most or least.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Sequence

from .pair_counts import ANY_GROUP, Group, Move, PairCounts, correcting_moves

_POOL = 64
"""The number of candidates from which the next bot, or group, is chosen."""
_SWAPS, _MAX_SWAPS = 10_000, 250_000
"""Swaps tried per group, and in total, to balance the counts over all settings."""
_SWAPS_BOTH, _MAX_SWAPS_BOTH = 1000, 50_000
"""Swaps tried before that, to balance them over all settings and in each setting at once."""
_SWAPS_EACH = 200
"""Swaps tried after that, per group, in each setting."""
_REFRESH = 4
"""Swaps tried per group before the pairs that have met most and least are determined again."""
_ATTEMPTS = 4
"""Selections of listed groups that are tried; each has a part of the swaps."""


class Target(enum.Enum):
    """Which counts of meetings a search balances."""

    BOTH = enum.auto()
    OVERALL = enum.auto()
    EACH = enum.auto()
    """The counts in each setting, without making the overall counts worse."""


class GroupBalancer:
    """Picks groups of `size` bots, given the counts so far: `overall`, and `own` in each setting.

    With a single setting the two are the same object.
    """

    def __init__(self, overall: PairCounts, own: Sequence[PairCounts], size: int, generator: random.Random) -> None:
        self._overall = overall
        self._own = own
        self._size = size
        self._generator = generator
        self._allowed: Sequence[set[Group]] | None = None
        """The groups that each setting may have; None: any."""
        self._taken: set[tuple[int, Group]] = set()
        """Those that are picked, each with its setting; unused if any group is allowed."""

    def pick(self, settings: Sequence[int]) -> list[Group]:
        """A group of any bots for each of these settings; they are not counted."""
        self._allowed = None
        groups = [self._draw(setting) for setting in settings]
        self._improve(groups, settings, 1)
        self._uncount(groups, settings)
        return [tuple(sorted(group)) for group in groups]

    def pick_from(self, unused: Sequence[Sequence[Group]], settings: Sequence[int], sign: int = 1) -> list[Group]:
        """A group for each of these settings out of its unused groups, none twice; they are not counted.

        With `sign` -1 the counts are balanced after the picked groups are taken out of them.
        """
        self._allowed = [set(groups) for groups in unused]
        best: tuple[int, list[Group]] | None = None
        for _ in range(_ATTEMPTS):
            groups = self._draw_from(unused, settings, sign)
            self._taken = {(setting, tuple(sorted(group))) for group, setting in zip(groups, settings, strict=True)}
            self._balance_games(groups, settings, sign)
            cost = self._improve(groups, settings, _ATTEMPTS, sign)
            cost += 1000 * sum(counts.spread() > 1 for counts in (self._overall, *self._own))
            self._uncount(groups, settings, sign)
            if best is None or cost < best[0]:
                best = cost, [tuple(sorted(group)) for group in groups]
            if not cost:
                break
        assert best
        return best[1]

    def _allows(self, setting: int, group: Group) -> bool:
        """Whether a setting may have a group."""
        return self._allowed is None or (group in self._allowed[setting] and (setting, group) not in self._taken)

    def _uncount(self, groups: Sequence[Sequence[int]], settings: Sequence[int], sign: int = 1) -> None:
        for group, setting in zip(groups, settings, strict=True):
            self.count(group, setting, -sign)

    def count(self, group: Sequence[int], setting: int, by: int) -> None:
        """Count a group of a setting `by` times; -1 takes it out of the counts."""
        self._overall.add(group, by)
        if len(self._own) > 1:
            self._own[setting].add(group, by)

    def _draw(self, setting: int) -> list[int]:
        """Draw and count a group: bots with the fewest games, each the one that has met the others least."""
        both = own, overall = self._own[setting], self._overall
        games = list(zip(own.played, overall.played, strict=True))
        group: list[int] = []
        for fewest in sorted(set(games)):
            pool = [bot for bot, played in enumerate(games) if played == fewest]
            pool = self._generator.sample(pool, min(_POOL, len(pool)))
            while pool and len(group) < self._size:
                best = min(pool, key=lambda bot: [sum(counts.met[bot][rival] for rival in group) for counts in both])
                pool.remove(best)
                group.append(best)
        self.count(group, setting, 1)
        return group

    def _draw_from(self, unused: Sequence[Sequence[Group]], settings: Sequence[int], sign: int) -> list[list[int]]:
        """Draw and count, for each setting, one of its unused groups that balances the counts best."""
        shuffled = [self._generator.sample(groups, len(groups)) for groups in unused]
        drawn = []
        for setting in settings:
            both = self._own[setting], self._overall
            best = min(
                shuffled[setting][: 4 * _POOL],
                key=lambda group: (
                    [sign * sum(counts.played[bot] for bot in group) for counts in both],
                    sign * sum(counts.meetings_within(group) for counts in both),
                ),
            )
            shuffled[setting].remove(best)
            self.count(best, setting, sign)
            drawn.append(list(best))
        return drawn

    def _balance_games(self, groups: list[list[int]], settings: Sequence[int], sign: int) -> None:
        """Replace bots with more games by bots with fewer, until all are within one game."""
        overall, several = self._overall.played, len(self._own) > 1
        for _ in range(200 * len(groups)):
            if all(counts.spread() < 2 for counts in (self._overall, *self._own)):
                return
            index = self._generator.randrange(len(groups))
            group, own = groups[index], self._own[settings[index]].played
            leaves, comes = self._generator.choice(group), self._generator.randrange(len(own))
            increase = sign * (overall[comes] - overall[leaves]) + 1
            increase += sign * (own[comes] - own[leaves]) + 1 if several else 0
            after = _with_replaced(group, leaves, comes)
            if comes not in group and increase <= 0 and self._allows(settings[index], after):
                self._replace(groups, settings, index, after, sign)

    def _replace(self, groups: list[list[int]], settings: Sequence[int], index: int, group: Group, sign: int) -> None:
        """Replace the group at `index`, and count."""
        setting = settings[index]
        if self._allowed is not None:
            self._taken.symmetric_difference_update(((setting, tuple(sorted(groups[index]))), (setting, group)))
        self.count(groups[index], setting, -sign)
        groups[index][:] = group
        self.count(group, setting, sign)

    def _improve(self, groups: list[list[int]], settings: Sequence[int], attempts: int, sign: int = 1) -> int:
        """Swap bots until the counts are balanced or the swaps are used up; returns the overall imbalance left.

        The swaps for the overall counts are divided by `attempts`.
        """
        searches = [(Target.OVERALL, min(_MAX_SWAPS, _SWAPS * len(groups)) // attempts)]
        if len(self._own) > 1:
            both = Target.BOTH, min(_MAX_SWAPS_BOTH, _SWAPS_BOTH * len(groups))
            searches = [both, *searches, (Target.EACH, _SWAPS_EACH * len(groups))]
        for target, swaps in searches:
            self._swap_search(groups, settings, target, swaps, sign)
        return self._overall.imbalance()

    def _swap_search(
        self, groups: list[list[int]], settings: Sequence[int], target: Target, swaps: int, sign: int
    ) -> None:
        """Swap bots of two groups until the target is reached, trying at most `swaps` times."""
        imbalance = 0 if target is Target.EACH else self._overall.imbalance()
        imbalance += 0 if target is Target.OVERALL else sum(own.imbalance() for own in self._own)
        random_float, size, seats, met = self._generator.random, len(groups), self._size, self._overall.met
        interval = max(_REFRESH * size, len(met) ** 2 // _REFRESH**2)
        moves: Sequence[Move] = ()
        next_refresh = swaps
        while imbalance and swaps:
            if swaps <= next_refresh and target is Target.OVERALL:
                next_refresh, moves = swaps - interval, correcting_moves(self._overall, groups, sign)
            swaps -= 1
            i, j = int(random_float() * size), int(random_float() * size)
            left = groups[i][int(random_float() * seats)]
            if moves and random_float() < 0.5:
                i, left, destination = moves[int(random_float() * len(moves))]
                j = j if destination == ANY_GROUP else destination
            left_group, right_group = groups[i], groups[j]
            right = right_group[int(random_float() * seats)]
            if left not in left_group or left in right_group or right in left_group:
                continue
            change = _change(met, left_group, right_group, left, right, sign)
            left_setting, right_setting = settings[i], settings[j]
            if target is Target.OVERALL:
                if change > 0 or (
                    left_setting != right_setting and self._unbalances(left_setting, right_setting, left, right, sign)
                ):
                    continue
            elif left_setting != right_setting or (target is Target.EACH and change > 0):
                continue
            else:
                own = _change(self._own[left_setting].met, left_group, right_group, left, right, sign)
                change = own if target is Target.EACH else change + own
                if change > 0:
                    continue
            left_after, right_after = _with_replaced(left_group, left, right), _with_replaced(right_group, right, left)
            if not (self._allows(left_setting, left_after) and self._allows(right_setting, right_after)):
                continue
            self._replace(groups, settings, i, left_after, sign)
            self._replace(groups, settings, j, right_after, sign)
            imbalance += 2 * change

    def _unbalances(self, left_setting: int, right_setting: int, left: int, right: int, sign: int) -> bool:
        """Whether swapping two bots of groups in two settings makes their games per setting less balanced."""
        left_played, right_played = self._own[left_setting].played, self._own[right_setting].played
        increase = left_played[right] - left_played[left] + right_played[left] - right_played[right]
        return sign * increase + 2 > 0


def _change(
    met: Sequence[Sequence[int]], left_group: list[int], right_group: list[int], left: int, right: int, sign: int
) -> int:
    """Half the change of the sum of squared meetings if `left` and `right` swap their groups."""
    met_left, met_right = met[left], met[right]
    increase = -2 * met_left[right]
    in_both = 0
    for bot in left_group:
        increase += met_right[bot] - met_left[bot]
        in_both += bot in right_group
    for bot in right_group:
        increase += met_left[bot] - met_right[bot]
    return sign * increase + 2 * (len(left_group) - 1 - in_both)


def _with_replaced(group: Sequence[int], leaves: int, comes: int) -> Group:
    """The group with bot `comes` in place of bot `leaves`."""
    return tuple(sorted(comes if bot == leaves else bot for bot in group))
