"""Knockout: tables from which the best go on, until one bot is left."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from ...stats.outcomes import rank_points
from ..definition import Definition
from ..format_specs import Knockout
from ..pairing.seating import games_in_set
from .block import Block, Blocks, GameOutcome, ResultFeed


class Round(NamedTuple):
    """One round's shape."""

    tables: int
    leaving: list[int]
    """How many leave each table for good."""


def plan_round(bots: int, players: int, advance: int) -> Round:
    """The tables of a round of so many bots; those that find no room at them go on as they are.

    A round leaves as many bots as fill the tables of the rounds after it (a power of two, for pairs); if that is too
    many to lose in one round, it lets as few go on as there can. When all sit at one table it is the last.
    """
    if bots == players:
        return Round(1, [players - 1])
    target = max(size for size in _full_rounds(bots, players, advance) if size < bots)
    tables = min(-(-(bots - target) // (players - advance)), bots // players)
    leaving = min(bots - target, tables * (players - advance))
    return Round(tables, [leaving // tables + (table < leaving % tables) for table in range(tables)])


def _full_rounds(bots: int, players: int, advance: int) -> list[int]:
    """Numbers of bots with which all further rounds are full."""
    sizes = [players]
    while sizes[-1] < bots and sizes[-1] % advance == 0:
        sizes.append(sizes[-1] // advance * players)
    return sizes


def all_rounds(bots: int, players: int, advance: int) -> list[tuple[int, Round]]:
    """How many bots each round has, and its shape."""
    rounds = []
    while bots > 1:
        rounds.append((bots, plan_round(bots, players, advance)))
        bots -= sum(rounds[-1][1].leaving)
    return rounds


def seat_tables(seeds: Sequence[int], tables: int) -> list[list[int]]:
    """The tables of these seeds, the best against the worst, so that all tables are about equally strong."""
    rows = [list(seeds[first : first + tables]) for first in range(0, len(seeds), tables)]
    for row in rows[1::2]:
        row.reverse()
    return [[row[table] for row in rows] for table in range(tables)]


class Tie:
    """One table of one round: who sits there, and the points so far."""

    def __init__(self, table: Sequence[int], leaving: int) -> None:
        self.points = dict.fromkeys(table, 0)
        """Two for everyone left behind in a game, one for everyone level."""
        self.staying = len(table) - leaving

    def add(self, outcome: GameOutcome) -> None:
        """Take in a game of this table."""
        for bot, points in zip(outcome.group, rank_points(outcome.ranks), strict=True):
            self.points[bot] += points

    def order(self) -> list[int]:
        """The best first; between equals the better seed."""
        return sorted(self.points, key=lambda bot: (-self.points[bot], bot))

    @property
    def is_level(self) -> bool:
        """Whether it is open who goes on, by points."""
        order = self.order()
        return self.points[order[self.staying - 1]] == self.points[order[self.staying]]


class Bracket:
    """All rounds of a knockout so far, and who is left."""

    def __init__(self, seeds: Sequence[int]) -> None:
        self.left = sorted(seeds)
        """The better seed first: seeds are the places in the definition's list."""
        self.rounds: list[list[Tie]] = []
        self.out: list[list[int]] = []
        """Who left in each round, the best first."""

    def begin(self, players: int, advance: int) -> list[Tie]:
        """The tables of the next round."""
        shape = plan_round(len(self.left), players, advance)
        playing = self.left[len(self.left) - shape.tables * players :]
        tables = seat_tables(playing, shape.tables)
        self.rounds.append([Tie(*each) for each in zip(tables, shape.leaving, strict=True)])
        return self.rounds[-1]

    def end(self) -> None:
        """The round is over: those that leave do."""
        gone = [bot for tie in self.rounds[-1] for bot in tie.order()[tie.staying :]]
        points = {bot: points for tie in self.rounds[-1] for bot, points in tie.points.items()}
        self.out.append(sorted(gone, key=lambda bot: (-points[bot], bot)))
        self.left = [bot for bot in self.left if bot not in gone]

    def places(self) -> dict[int, int]:
        """Each bot's place, from 1. Who left later is ahead; who left in the same round is level, but at the last."""
        places = dict.fromkeys(self.left, 1)
        for number, gone in reversed(list(enumerate(self.out))):
            ahead = len(places)
            last = len(self.rounds[number]) == 1 and ahead == 1
            places |= {bot: ahead + 1 + (below if last else 0) for below, bot in enumerate(gone)}
        return places


def knockout(definition: Definition, results: ResultFeed) -> Blocks:
    """Round after round; each table plays its sets in every setting, and some more while it is level."""
    plan = definition.format_spec
    assert isinstance(plan, Knockout)
    players = definition.settings[0].players
    bracket = Bracket(definition.settings[0].bots)
    results.placing = bracket
    blocks = 0
    while len(bracket.left) > 1:
        ties = bracket.begin(players, plan.advance)
        playing, sets = ties, plan.sets
        for extra in range(1 + plan.extra_sets):
            results.extra += len(playing) * games_in_set(definition) if extra else 0
            for tie, _, setting in itertools.product(playing, range(sets), range(len(definition.settings))):
                yield Block(setting, tuple(tie.points))
                blocks += 1
            while not results.has_results_of(blocks):
                yield None
            for outcome in results.take(blocks):
                next(tie for tie in ties if outcome.group[0] in tie.points).add(outcome)
            playing, sets = [tie for tie in ties if tie.is_level], 1
            if not playing:
                break
        bracket.end()
