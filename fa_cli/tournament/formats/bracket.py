"""The rounds of a knockout: their tables, who advances, and these in words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated

import msgspec

from ...printing.columns import number, text
from .block import GameOutcome, Place, Placing, RoundResult, TableResult

BYE = "bye"
"""The result of a bot that advances without a table."""

RoundTexts = Annotated[
    list[str],
    text(
        "results",
        "list: swiss, knockout: its result in each round, as `2-0 random`, `1-1 miser by seed` or `bye`",
        "; ".join,
        folds=True,
    ),
]


class KnockoutPlace(Place, frozen=True):
    """A bot's place in a knockout."""

    eliminated_in: Annotated[
        int | None,
        number("out in round", "knockout: the round after which it was out, from 1; none for bots that are still in"),
    ] = None
    results: RoundTexts = msgspec.field(default_factory=list)

    def reason(self) -> str:
        """The result in its last round, which is the final for a bot that has a place alone."""
        played = [result for result in self.results if result != BYE]
        points, _, rivals = played[-1].partition(" ") if played else ("", "", "")
        return f"with {points} against {rivals} in the final" if played else ""


def plan_round(bots: int, players: int, advance: int) -> list[int]:
    """The bots that each table of a round eliminates, with this number of bots; those without a table have a bye.

    The number of bots that remain fills all tables of the further rounds (a power of two at tables of two). If that
    would eliminate too many in one round, as many as possible are eliminated. The round with a single table is the
    last.
    """
    if bots == players:
        return [players - 1]
    target = max(size for size in _full_rounds(bots, players, advance) if size < bots)
    tables = min(-(-(bots - target) // (players - advance)), bots // players)
    leaving = min(bots - target, tables * (players - advance))
    return [leaving // tables + (table < leaving % tables) for table in range(tables)]


def _full_rounds(bots: int, players: int, advance: int) -> list[int]:
    """The numbers of bots, up to `bots`, with which no further round needs byes."""
    sizes = [players]
    while sizes[-1] < bots and sizes[-1] % advance == 0:
        sizes.append(sizes[-1] // advance * players)
    return sizes


def all_rounds(bots: int, players: int, advance: int) -> list[tuple[int, list[int]]]:
    """The number of bots of each round, and of those that each table eliminates."""
    rounds = []
    while bots > 1:
        rounds.append((bots, plan_round(bots, players, advance)))
        bots -= sum(rounds[-1][1])
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
        """The points of each bot, as in `rank_points`."""
        self.advancing = len(table) - leaving

    def add(self, outcome: GameOutcome) -> None:
        """Add a game of this table."""
        from ...stats.outcomes import rank_points

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


class Bracket(Placing):
    """All rounds of a knockout so far, and the bots that remain."""

    def __init__(self, seeds: Sequence[int], name_of: Callable[[int], str]) -> None:
        self.name_of = name_of
        self.remaining = sorted(seeds)
        """The better seed first; a bot's seed is its index in the definition's list."""
        self.rounds: list[list[KnockoutTable]] = []
        self.eliminated: list[list[int]] = []
        """The bots eliminated in each round, the best first."""

    def begin_round(self, players: int, advance: int) -> list[KnockoutTable]:
        """Begin the next round; returns its tables."""
        leaving = plan_round(len(self.remaining), players, advance)
        playing = self.remaining[len(self.remaining) - len(leaving) * players :]
        tables = seat_tables(playing, len(leaving))
        self.rounds.append([KnockoutTable(*each) for each in zip(tables, leaving, strict=True)])
        return self.rounds[-1]

    def end_round(self) -> None:
        """End the round: eliminate the bots that do not advance."""
        leaving = [bot for table in self.rounds[-1] for bot in table.order()[table.advancing :]]
        points = {bot: points for table in self.rounds[-1] for bot, points in table.points.items()}
        self.eliminated.append(sorted(leaving, key=lambda bot: (-points[bot], bot)))
        self.remaining = [bot for bot in self.remaining if bot not in leaving]

    def places(self) -> Iterable[Place]:
        """The place of each bot. Bots eliminated in the same round share a place, except at the last table."""
        rounds = self.round_results()
        for bot in self.remaining:
            yield KnockoutPlace(1, bot, results=results_of(bot, rounds, self.name_of))
        ahead = len(self.remaining)
        for index, leaving in reversed(list(enumerate(self.eliminated))):
            is_final = len(self.rounds[index]) == 1 and ahead == 1
            for rank, bot in enumerate(leaving):
                place = ahead + 1 + (rank if is_final else 0)
                yield KnockoutPlace(place, bot, index + 1, results_of(bot, rounds, self.name_of))
            ahead += len(leaving)

    def lines(self) -> Iterator[str]:
        """The rounds with their tables."""
        for index, each in enumerate(self.round_results(), start=1):
            yield ""
            yield f"round {index}, final:" if each.is_final else f"round {index}:"
            for table in each.tables:
                yield f"  {_table_text(table, self.name_of, each.is_final)}"
            if each.byes:
                yield f"  bye: {', '.join(map(self.name_of, each.byes))}"

    def round_results(self) -> list[RoundResult]:
        """The rounds so far; the last one may still be played."""
        remaining, rounds = {*self.remaining, *itertools.chain(*self.eliminated)}, []
        for index, tables in enumerate(self.rounds):
            seated = {bot for table in tables for bot in table.points}
            byes = sorted(remaining - seated)
            rounds.append(RoundResult([table.result() for table in tables], byes, len(tables) == 1 and not byes))
            remaining -= set(self.eliminated[index]) if index < len(self.eliminated) else set()
        return rounds


def _table_text(table: TableResult, name_of: Callable[[int], str], is_final: bool) -> str:
    """A table as `planner 2-0 random`; of more than two bots as `a 5.5, b 4 advance; c 2.5, d 0`."""
    names = [name_of(bot) for bot in table.points]
    if not any(table.points.values()):
        return f"{' - '.join(names)}, not played yet"
    by_seed = " by seed" if table.by_seed else ""
    points = [_points(each) for each in table.points.values()]
    if len(names) == 2:
        return f"{names[0]} {'-'.join(points)} {names[1]}{by_seed}"
    scores = [f"{name} {each}" for name, each in zip(names, points, strict=True)]
    verb = "wins" if is_final else "advance" if table.advancing > 1 else "advances"
    return f"{', '.join(scores[: table.advancing])} {verb}{by_seed}; {', '.join(scores[table.advancing :])}"


def results_of(bot: int, rounds: Sequence[RoundResult], name_of: Callable[[int], str]) -> list[str]:
    """The bot's results in these rounds, in words."""
    return [text for each in rounds for text in _result_of(bot, each, name_of)]


def _result_of(bot: int, each: RoundResult, name_of: Callable[[int], str]) -> Iterator[str]:
    """The bot's result in a round, as `2-0 random`; nothing if it was out or its table has not played."""
    if bot in each.byes:
        yield BYE
    for table in each.tables:
        if bot in table.points and any(table.points.values()):
            rivals = [f"{_points(points)} {name_of(rival)}" for rival, points in table.points.items() if rival != bot]
            yield f"{_points(table.points[bot])}-{', '.join(rivals)}{' by seed' if table.by_seed else ''}"


def _points(points: int) -> str:
    """Points in rivals beaten, ties half."""
    return f"{points / 2:g}"
