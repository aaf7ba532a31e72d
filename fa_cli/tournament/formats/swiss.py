"""The swiss: in each round bots with similar scores meet, without repeated pairings as far as possible."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from ...stats.outcomes import rank_points
from ..definition import Definition
from ..format_specs import Swiss
from .block import Block, Blocks, GameOutcome, Placed, ResultFeed, RoundResult

_MAX_SEARCHED = 60
"""With more bots than this there is no exhaustive search for tables without repeated pairings."""
_MAX_TRIES = 20_000
"""The search gives up after this many tables."""

Table = list[int]


class SwissStanding:
    """The scores of the bots after some rounds, and how often they have met."""

    def __init__(self, bots: Sequence[int]) -> None:
        self.bots = list(bots)
        """In the order of their seeds, which breaks the last ties."""
        self.points = dict.fromkeys(bots, 0)
        """By bot, as in `rank_points`."""
        self.possible = dict.fromkeys(bots, 0)
        """The most points that each bot could have."""
        self.byes = dict.fromkeys(bots, 0)
        """The rounds of each bot without a table."""
        self.met: dict[int, dict[int, int]] = {bot: {} for bot in bots}
        """The games of each pair of bots at one table."""

    def add(self, outcome: GameOutcome) -> None:
        """Add a game."""
        for bot, points in zip(outcome.group, rank_points(outcome.ranks), strict=True):
            self.points[bot] += points
            self.possible[bot] += 2 * (len(outcome.ranks) - 1)
        for bot, opponent in itertools.permutations(outcome.group, 2):
            self.met[bot][opponent] = self.met[bot].get(opponent, 0) + 1

    def share(self, bot: int) -> Fraction:
        """The share of its possible points that a bot has; 1/2 if it has not played. So a bye changes nothing."""
        return Fraction(self.points[bot], self.possible[bot]) if self.possible[bot] else Fraction(1, 2)

    def opposition(self, bot: int) -> Fraction:
        """The mean share of a bot's opponents, the tie-break between equal shares (as Buchholz in chess)."""
        games = sum(self.met[bot].values())
        return sum((count * self.share(rival) for rival, count in self.met[bot].items()), Fraction()) / max(1, games)

    def order(self) -> list[int]:
        """The bots, the best first."""
        share = {bot: self.share(bot) for bot in self.bots}
        return sorted(self.bots, key=lambda bot: (-share[bot], -self.opposition(bot)))

    def places(self) -> dict[int, Placed]:
        """The place of each bot; bots with equal scores share a place."""
        scores = {bot: (self.share(bot), self.opposition(bot)) for bot in self.bots}
        return {
            bot: Placed(1 + sum(other > score for other in scores.values()), float(score[0]), float(score[1]))
            for bot, score in scores.items()
        }

    def round_results(self) -> list[RoundResult]:
        """None: everybody plays every round."""
        return []

    def next_tables(self, players: int) -> list[Table]:
        """The tables of the next round; counts a bye for each bot that has none."""
        order = self.order()
        with_bye = sorted(order, key=lambda bot: (self.byes[bot], -order.index(bot)))[: len(order) % players]
        for bot in with_bye:
            self.byes[bot] += 1
        return pair_tables([bot for bot in order if bot not in with_bye], players, self.met)


def swiss(definition: Definition, results: ResultFeed) -> Blocks:
    """Blocks, round by round; each table plays its sets in every setting."""
    spec = definition.format_spec
    assert isinstance(spec, Swiss)
    standing = SwissStanding(definition.settings[0].bots)
    results.placing = standing
    blocks = 0
    for _ in range(spec.rounds):
        for table in standing.next_tables(definition.settings[0].players):
            for _, setting in itertools.product(range(spec.sets), range(len(definition.settings))):
                yield Block(setting, tuple(table))
                blocks += 1
        while not results.has_results_of(blocks):
            yield None
        for outcome in results.take(blocks):
            standing.add(outcome)


def pair_tables(order: Sequence[int], players: int, met: dict[int, dict[int, int]]) -> list[Table]:
    """Tables of neighbours in this order, with as few repeated pairings as can be found.

    `met` has the number of games of each pair. At tables of two, with at most half as many rounds as bots, there is no
    repeated pairing: a table to swap with always exists.
    """
    tables = _fill_greedily(order, players, met)
    _reduce_repeats(tables, met)
    if len(order) <= _MAX_SEARCHED and any(_repeats(table, met) for table in tables):
        return _Search(players, met).find(list(order)) or tables
    return tables


def _repeats(table: Sequence[int], met: dict[int, dict[int, int]]) -> int:
    """The games that pairs of the table have played together."""
    return sum(met[left].get(right, 0) for left, right in itertools.combinations(table, 2))


def _fill_greedily(order: Sequence[int], players: int, met: dict[int, dict[int, int]]) -> list[Table]:
    """Fill table after table, each time with the next bot that has met the table least."""
    left, tables = list(order), []
    while left:
        table = [left.pop(0)]
        while len(table) < players:
            best = min(range(len(left)), key=lambda i: sum(met[left[i]].get(bot, 0) for bot in table))
            table.append(left.pop(best))
        tables.append(table)
    return tables


def _reduce_repeats(tables: list[Table], met: dict[int, dict[int, int]]) -> None:
    """Swap bots between tables, near ones first, as long as that reduces repeated pairings."""
    changed = True
    while changed:
        changed = False
        for i, table in enumerate(tables):
            if _repeats(table, met):
                nearest = sorted(range(len(tables)), key=lambda j: abs(j - i))
                changed |= any(_swap_between(table, tables[j], met) for j in nearest[1:])


def _swap_between(left: Table, right: Table, met: dict[int, dict[int, int]]) -> bool:
    """Swap the first two bots whose swap reduces repeated pairings; returns whether there are any."""
    before = _repeats(left, met) + _repeats(right, met)
    for i, j in itertools.product(range(len(left)), range(len(right))):
        left[i], right[j] = right[j], left[i]
        if _repeats(left, met) + _repeats(right, met) < before:
            return True
        left[i], right[j] = right[j], left[i]
    return False


class _Search:
    """A depth-first search for tables without repeated pairings, neighbours first."""

    def __init__(self, players: int, met: dict[int, dict[int, int]]) -> None:
        self._players = players
        self._met = met
        self._tries_left = _MAX_TRIES

    def find(self, bots: list[int]) -> list[Table] | None:
        """Tables without repeated pairings; None if there are none, or none are found in time."""
        if not bots:
            return []
        for table in itertools.combinations(bots[1:], self._players - 1):
            self._tries_left -= 1
            if self._tries_left < 0:
                return None
            if not _repeats((bots[0], *table), self._met):
                rest = self.find([bot for bot in bots[1:] if bot not in table])
                if rest is not None:
                    return [[bots[0], *table], *rest]
        return None
