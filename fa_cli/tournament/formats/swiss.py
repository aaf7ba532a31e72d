"""Swiss rounds: those meet who stand alike, and nobody meets the same bot twice as long as that can be avoided."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from ...stats.outcomes import rank_points
from ..definition import Definition
from ..format_specs import Swiss
from .block import Block, Blocks, GameOutcome, ResultFeed

_EXACT = 60
"""Up to so many bots every way to avoid a repeat is tried ..."""
_TRIES = 20_000
"""... unless these are not enough."""

Table = list[int]


class SwissStanding:
    """How the bots of a swiss stand after some rounds, and who has met whom."""

    def __init__(self, bots: Sequence[int]) -> None:
        self.bots = list(bots)
        """In the order of seeding, which decides where all else is level."""
        self.points = dict.fromkeys(bots, 0)
        """Two for everyone left behind in a game, one for everyone level."""
        self.most = dict.fromkeys(bots, 0)
        """The points that there were to get."""
        self.byes = dict.fromkeys(bots, 0)
        """Rounds in which there was no table for it."""
        self.met: dict[int, dict[int, int]] = {bot: {} for bot in bots}
        """Games of each two bots at one table."""

    def add(self, outcome: GameOutcome) -> None:
        """Take in a game."""
        for bot, points in zip(outcome.group, rank_points(outcome.ranks), strict=True):
            self.points[bot] += points
            self.most[bot] += 2 * (len(outcome.ranks) - 1)
        for one, other in itertools.permutations(outcome.group, 2):
            self.met[one][other] = self.met[one].get(other, 0) + 1

    def share(self, bot: int) -> Fraction:
        """The share of a bot's possible points that it has; half for one that has not played.

        So a round without a table neither helps nor harms.
        """
        return Fraction(self.points[bot], self.most[bot]) if self.most[bot] else Fraction(1, 2)

    def opposition(self, bot: int) -> Fraction:
        """The mean share of those that it has met: between equals, who met the better ones is ahead."""
        games = sum(self.met[bot].values())
        return sum((count * self.share(other) for other, count in self.met[bot].items()), Fraction()) / max(1, games)

    def order(self) -> list[int]:
        """The bots, the best first."""
        share = {bot: self.share(bot) for bot in self.bots}
        return sorted(self.bots, key=lambda bot: (-share[bot], -self.opposition(bot)))

    def places(self) -> dict[int, int]:
        """Each bot's place, from 1; level ones share it."""
        keys = {bot: (self.share(bot), self.opposition(bot)) for bot in self.bots}
        return {bot: 1 + sum(other > keys[bot] for other in keys.values()) for bot in self.bots}

    def pair(self, players: int) -> list[Table]:
        """The tables of the next round. Those that are too many for them are counted as having a bye."""
        order = self.order()
        resting = sorted(order, key=lambda bot: (self.byes[bot], -order.index(bot)))[: len(order) % players]
        for bot in resting:
            self.byes[bot] += 1
        return pair([bot for bot in order if bot not in resting], players, self.met)


def swiss(definition: Definition, results: ResultFeed) -> Blocks:
    """Round after round; each table plays its sets in every setting."""
    plan = definition.format_spec
    assert isinstance(plan, Swiss)
    standing = SwissStanding(definition.settings[0].bots)
    results.placing = standing
    blocks = 0
    for _ in range(plan.rounds):
        for table in standing.pair(definition.settings[0].players):
            for _, setting in itertools.product(range(plan.sets), range(len(definition.settings))):
                yield Block(setting, tuple(table))
                blocks += 1
        while not results.has_results_of(blocks):
            yield None
        for outcome in results.take(blocks):
            standing.add(outcome)


def pair(order: Sequence[int], players: int, met: dict[int, dict[int, int]]) -> list[Table]:
    """Tables for bots in this order, neighbours together, with as few repeated meetings as can be found.

    With two at a table and no more rounds than half the bots it finds tables without any: then there is always a
    table to swap with.
    """
    tables = _greedy(order, players, met)
    _swap(tables, met)
    if len(order) <= _EXACT and any(_repeats(table, met) for table in tables):
        return _Search(players, met).find(list(order)) or tables
    return tables


def _repeats(table: Sequence[int], met: dict[int, dict[int, int]]) -> int:
    return sum(met[one].get(other, 0) for one, other in itertools.combinations(table, 2))


def _greedy(order: Sequence[int], players: int, met: dict[int, dict[int, int]]) -> list[Table]:
    left, tables = list(order), []
    while left:
        table = [left.pop(0)]
        while len(table) < players:
            best = min(range(len(left)), key=lambda place: sum(met[left[place]].get(bot, 0) for bot in table))
            table.append(left.pop(best))
        tables.append(table)
    return tables


def _swap(tables: list[Table], met: dict[int, dict[int, int]]) -> None:
    """Swap bots between tables, near ones first, while that makes repeats fewer."""
    changed = True
    while changed:
        changed = False
        for place, table in enumerate(tables):
            if _repeats(table, met):
                near = sorted(range(len(tables)), key=lambda other: abs(other - place))
                changed |= any(_swap_between(table, tables[other], met) for other in near[1:])


def _swap_between(table: Table, other: Table, met: dict[int, dict[int, int]]) -> bool:
    before = _repeats(table, met) + _repeats(other, met)
    for mine, its in itertools.product(range(len(table)), range(len(other))):
        table[mine], other[its] = other[its], table[mine]
        if _repeats(table, met) + _repeats(other, met) < before:
            return True
        table[mine], other[its] = other[its], table[mine]
    return False


class _Search:
    """Every way to seat bots without a repeated meeting, neighbours first."""

    def __init__(self, players: int, met: dict[int, dict[int, int]]) -> None:
        self._players = players
        self._met = met
        self._left = _TRIES

    def find(self, bots: list[int]) -> list[Table] | None:
        """Tables without a repeat; None if there are none, or none were found in time."""
        if not bots:
            return []
        for table in itertools.combinations(bots[1:], self._players - 1):
            self._left -= 1
            if self._left < 0:
                return None
            if not _repeats((bots[0], *table), self._met):
                rest = self.find([bot for bot in bots[1:] if bot not in table])
                if rest is not None:
                    return [[bots[0], *table], *rest]
        return None
