"""The swiss: in each round bots with similar scores meet, without repeated pairings as far as possible."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, log2
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import msgspec

from ...errors import Impossible
from ...option import Option
from ...printing.columns import percent
from ...printing.text import counted
from .block import Block, Blocks, GameOutcome, Place, Placing, RoundResult, TableResult
from .bracket import RoundTexts, results_of
from .format import FormatInput, TournamentFormat
from .rounds import Sets, bots_in_all_settings, with_sets

if TYPE_CHECKING:
    from fractions import Fraction


class SwissPlace(Place, frozen=True):
    """A bot's place in a swiss."""

    score: Annotated[
        float | None,
        percent("score", "swiss: the share of rivals that it ranked ahead of, ties half, over all its games"),
    ] = None
    opposition: Annotated[
        float | None,
        percent("opposition", "swiss: the mean `score` of its opponents, which breaks ties (as Buchholz in chess)"),
    ] = None
    results: RoundTexts = msgspec.field(default_factory=list)

    def reason(self) -> str:
        """Its score."""
        return "" if self.score is None else f"with {100 * self.score:.1f}%"


class Swiss(TournamentFormat, frozen=True, tag="swiss"):
    """Rounds in which bots with similar scores meet, without repeated pairings if possible."""

    uses_results: ClassVar[bool] = True
    games_follow_from: ClassVar[str] = "--rounds and --sets"
    default_seats: ClassVar[int] = 2
    place_type: ClassVar[type[Place] | None] = SwissPlace
    fields_in_lines: ClassVar[Sequence[str]] = ("results",)

    rounds: Annotated[
        int,
        msgspec.Meta(ge=1, le=10_000),
        Option("Play N rounds. [default: enough to find a winner]", "N", example=3),
    ]
    sets: Sets = 1

    @classmethod
    def from_options(cls, given: Mapping[str, Any], names: Sequence[str]) -> Self:
        """The number of rounds is 0 until `with_defaults`, unless it is given."""
        return cls(**{"rounds": 0, **given})

    def with_defaults(self, tournament: FormatInput) -> Self:
        """The number of rounds is enough to find a winner by default."""
        setting = tournament.settings[0]
        rounds = self.rounds or default_rounds(len(setting.bots), setting.players)
        return msgspec.structs.replace(self, rounds=rounds)

    def check(self, tournament: FormatInput) -> None:
        """No two bots need to meet twice."""
        bots, players = bots_in_all_settings(self.name, tournament), max(each.players for each in tournament.settings)
        most = max_rounds(bots, players)
        if not 1 <= self.rounds <= most:
            raise Impossible(
                f"a swiss of {bots} bots at tables of {players} has from 1 to {counted(most, 'round')} (then bots "
                f"would meet twice), not {self.rounds}",
                "rounds",
            )

    def planned_games(self, tournament: FormatInput) -> int:
        """The sets of all tables of all rounds."""
        tables = len(tournament.settings[0].bots) // tournament.settings[0].players
        return self.rounds * tables * self.sets * tournament.games_in_set

    def title(self, names: Sequence[str]) -> str:
        """The name with the sets."""
        return with_sets(self.name, self.sets)

    def describe(self, tournament: FormatInput) -> str:
        """The rounds and their tables."""
        bots, players = len(tournament.settings[0].bots), tournament.settings[0].players
        byes = f" ({counted(bots % players, 'bye')} in each)" if bots % players else ""
        return f"; {counted(self.rounds, 'round')} of {counted(bots // players, 'table')} of {players}{byes}"

    def blocks(self, tournament: FormatInput) -> Blocks:
        """Blocks, round by round; each table plays its sets in every setting."""
        results = tournament.results
        standing = SwissStanding(tournament.settings[0].bots, tournament.name_of)
        results.placing = standing
        blocks = 0
        for _ in range(self.rounds):
            for table in standing.next_tables(tournament.settings[0].players):
                for _, setting in itertools.product(range(self.sets), range(len(tournament.settings))):
                    yield Block(setting, tuple(table))
                    blocks += 1
            while not results.has_results_of(blocks):
                yield None
            for outcome in results.take(blocks):
                standing.add(outcome)


def max_rounds(bots: int, players: int) -> int:
    """The most rounds of a swiss in which no two bots need to meet twice."""
    return (bots - 1) // (players - 1)


def default_rounds(bots: int, players: int) -> int:
    """The number of rounds of a knockout, one more at tables of more than two; at most `max_rounds`."""
    return max(1, min(max_rounds(bots, players), ceil(log2(bots) / log2(players)) + (players > 2)))


class SwissStanding(Placing):
    """The scores of the bots after some rounds, and how often they have met."""

    def __init__(self, bots: Sequence[int], name_of: Callable[[int], str]) -> None:
        self.name_of = name_of
        self.bots = list(bots)
        """The bots in the order of their seeds, which breaks the last ties."""
        self.points = dict.fromkeys(bots, 0)
        """The points of each bot, as in `rank_points`."""
        self.possible = dict.fromkeys(bots, 0)
        """The most points that each bot could have."""
        self.byes = dict.fromkeys(bots, 0)
        """The rounds of each bot without a table."""
        self.met: dict[int, dict[int, int]] = {bot: {} for bot in bots}
        """The games of each pair of bots at one table."""
        self.rounds: list[RoundResult] = []
        """The rounds so far; nobody advances."""

    def add(self, outcome: GameOutcome) -> None:
        """Add a game."""
        from ...stats.outcomes import rank_points

        table = next(each for each in self.rounds[-1].tables if outcome.group[0] in each.points)
        for bot, points in zip(outcome.group, rank_points(outcome.ranks), strict=True):
            self.points[bot] += points
            table.points[bot] += points
            self.possible[bot] += 2 * (len(outcome.ranks) - 1)
        for bot, opponent in itertools.permutations(outcome.group, 2):
            self.met[bot][opponent] = self.met[bot].get(opponent, 0) + 1

    def share(self, bot: int) -> Fraction:
        """The share of its possible points that a bot has; 1/2 if it has not played. So a bye changes nothing."""
        from fractions import Fraction

        return Fraction(self.points[bot], self.possible[bot]) if self.possible[bot] else Fraction(1, 2)

    def opposition(self, bot: int) -> Fraction:
        """The mean share of a bot's opponents, the tie-break between equal shares (as Buchholz in chess)."""
        from fractions import Fraction

        games = sum(self.met[bot].values())
        return sum((count * self.share(rival) for rival, count in self.met[bot].items()), Fraction()) / max(1, games)

    def order(self) -> list[int]:
        """The bots, the best first."""
        share = {bot: self.share(bot) for bot in self.bots}
        return sorted(self.bots, key=lambda bot: (-share[bot], -self.opposition(bot)))

    def places(self) -> Iterable[Place]:
        """The place of each bot; bots with equal scores share a place."""
        scores = {bot: (self.share(bot), self.opposition(bot)) for bot in self.bots}
        for bot, score in scores.items():
            place = 1 + sum(other > score for other in scores.values())
            yield SwissPlace(place, bot, float(score[0]), float(score[1]), results_of(bot, self.rounds, self.name_of))

    def next_tables(self, players: int) -> list[list[int]]:
        """The tables of the next round; counts a bye for each bot that has none."""
        from ..pairing.swiss_tables import pair_tables

        order = self.order()
        with_bye = sorted(order, key=lambda bot: (self.byes[bot], -order.index(bot)))[: len(order) % players]
        for bot in with_bye:
            self.byes[bot] += 1
        tables = pair_tables([bot for bot in order if bot not in with_bye], players, self.met)
        played = [TableResult(dict.fromkeys(table, 0), 0, by_seed=False) for table in tables]
        self.rounds.append(RoundResult(played, with_bye, is_final=False))
        return tables
