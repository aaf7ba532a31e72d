"""The knockout: the best bots of each table advance, until one bot is left."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from ...stats.outcomes import rank_points
from ..definition import Definition
from ..format_specs import Knockout
from ..pairing.seating import games_in_set
from .block import Block, Blocks, GameOutcome, Placed, ResultFeed, RoundResult, TableResult


class RoundShape(NamedTuple):
    """The tables of one round."""

    tables: int
    leaving: list[int]
    """Per table, the number of bots that are eliminated."""


def plan_round(bots: int, players: int, advance: int) -> RoundShape:
    """The tables of a round with this number of bots; those without a table have a bye.

    The number of bots that remain fills all tables of the further rounds (a power of two at tables of two). If that
    would eliminate too many in one round, as many as possible are eliminated. The round with a single table is the
    last.
    """
    if bots == players:
        return RoundShape(1, [players - 1])
    target = max(size for size in _full_rounds(bots, players, advance) if size < bots)
    tables = min(-(-(bots - target) // (players - advance)), bots // players)
    leaving = min(bots - target, tables * (players - advance))
    return RoundShape(tables, [leaving // tables + (table < leaving % tables) for table in range(tables)])


def _full_rounds(bots: int, players: int, advance: int) -> list[int]:
    """The numbers of bots, up to `bots`, with which no further round needs byes."""
    sizes = [players]
    while sizes[-1] < bots and sizes[-1] % advance == 0:
        sizes.append(sizes[-1] // advance * players)
    return sizes


def all_rounds(bots: int, players: int, advance: int) -> list[tuple[int, RoundShape]]:
    """The number of bots and the tables of each round."""
    rounds = []
    while bots > 1:
        rounds.append((bots, plan_round(bots, players, advance)))
        bots -= sum(rounds[-1][1].leaving)
    return rounds


def seat_tables(seeds: Sequence[int], tables: int) -> list[list[int]]:
    """The seeds of each table: best against worst, so that all tables are about equally strong."""
    rows = [list(seeds[first : first + tables]) for first in range(0, len(seeds), tables)]
    for row in rows[1::2]:
        row.reverse()
    return [[row[table] for row in rows] for table in range(tables)]


class KnockoutTable:
    """One table of one round: its bots and their points so far."""

    def __init__(self, table: Sequence[int], leaving: int) -> None:
        self.points = dict.fromkeys(table, 0)
        """By bot, as in `rank_points`."""
        self.advancing = len(table) - leaving

    def add(self, outcome: GameOutcome) -> None:
        """Add a game of this table."""
        for bot, points in zip(outcome.group, rank_points(outcome.ranks), strict=True):
            self.points[bot] += points

    def order(self) -> list[int]:
        """The bots, the best first; with equal points the better seed first."""
        return sorted(self.points, key=lambda bot: (-self.points[bot], bot))

    def result(self) -> TableResult:
        """The result so far."""
        points = {bot: self.points[bot] for bot in self.order()}
        return TableResult(points, self.advancing, self.is_tied and any(points.values()))

    @property
    def is_tied(self) -> bool:
        """Whether the last bot to advance and the first to leave have the same points."""
        order = self.order()
        return self.points[order[self.advancing - 1]] == self.points[order[self.advancing]]


class Bracket:
    """All rounds of a knockout so far, and the bots that remain."""

    def __init__(self, seeds: Sequence[int]) -> None:
        self.remaining = sorted(seeds)
        """The better seed first; a bot's seed is its index in the definition's list."""
        self.rounds: list[list[KnockoutTable]] = []
        self.eliminated: list[list[int]] = []
        """The bots eliminated in each round, the best first."""

    def begin_round(self, players: int, advance: int) -> list[KnockoutTable]:
        """Begin the next round; returns its tables."""
        shape = plan_round(len(self.remaining), players, advance)
        playing = self.remaining[len(self.remaining) - shape.tables * players :]
        tables = seat_tables(playing, shape.tables)
        self.rounds.append([KnockoutTable(*each) for each in zip(tables, shape.leaving, strict=True)])
        return self.rounds[-1]

    def end_round(self) -> None:
        """End the round: eliminate the bots that do not advance."""
        leaving = [bot for table in self.rounds[-1] for bot in table.order()[table.advancing :]]
        points = {bot: points for table in self.rounds[-1] for bot, points in table.points.items()}
        self.eliminated.append(sorted(leaving, key=lambda bot: (-points[bot], bot)))
        self.remaining = [bot for bot in self.remaining if bot not in leaving]

    def places(self) -> dict[int, Placed]:
        """The place of each bot. Bots eliminated in the same round share a place, except at the last table."""
        places = dict.fromkeys(self.remaining, Placed(1))
        for number, leaving in reversed(list(enumerate(self.eliminated))):
            ahead = len(places)
            is_final = len(self.rounds[number]) == 1 and ahead == 1
            places |= {
                bot: Placed(ahead + 1 + (rank if is_final else 0), eliminated_in=number + 1)
                for rank, bot in enumerate(leaving)
            }
        return places

    def round_results(self) -> list[RoundResult]:
        """The rounds so far; the last one may still be played."""
        remaining, rounds = {*self.remaining, *itertools.chain(*self.eliminated)}, []
        for number, tables in enumerate(self.rounds):
            seated = {bot for table in tables for bot in table.points}
            byes = sorted(remaining - seated)
            rounds.append(RoundResult([table.result() for table in tables], byes, len(tables) == 1 and not byes))
            remaining -= set(self.eliminated[number]) if number < len(self.eliminated) else set()
        return rounds


def knockout(definition: Definition, results: ResultFeed) -> Blocks:
    """Blocks, round by round; each table plays its sets in every setting, and extra sets while it is tied."""
    spec = definition.format_spec
    assert isinstance(spec, Knockout)
    players = definition.settings[0].players
    bracket = Bracket(definition.settings[0].bots)
    results.placing = bracket
    blocks = 0
    while len(bracket.remaining) > 1:
        tables = bracket.begin_round(players, spec.advance)
        playing, sets = tables, spec.sets
        for extra in range(1 + spec.extra_sets):
            results.extra_games += len(playing) * games_in_set(definition) if extra else 0
            for table, _, setting in itertools.product(playing, range(sets), range(len(definition.settings))):
                yield Block(setting, tuple(table.points))
                blocks += 1
            while not results.has_results_of(blocks):
                yield None
            for outcome in results.take(blocks):
                next(table for table in tables if outcome.group[0] in table.points).add(outcome)
            playing, sets = [table for table in tables if table.is_tied], 1
            if not playing:
                break
        bracket.end_round()
