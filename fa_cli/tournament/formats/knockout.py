"""The knockout: the best bots of each table advance, until one bot is left."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from ...errors import Impossible
from ...option import Option
from ...printing.text import counted
from .block import Block, Blocks, Place
from .bracket import Bracket, KnockoutPlace, all_rounds
from .format import FormatInput, TournamentFormat
from .rounds import Sets, bots_in_all_settings, with_sets


class Knockout(TournamentFormat, frozen=True, tag="knockout"):
    """Tables from which the best bots advance, until one is left. Seeds follow the order of the bots."""

    uses_results: ClassVar[bool] = True
    games_follow_from: ClassVar[str] = "the bots and --sets"
    default_seats: ClassVar[int] = 2
    place_type: ClassVar[type[Place] | None] = KnockoutPlace
    fields_in_lines: ClassVar[Sequence[str]] = ("results",)

    advance: Annotated[
        int,
        msgspec.Meta(ge=1),  # a table's number of seats bounds it
        Option("Let N bots advance from each table. [default: 1]", "N", example=1),
    ] = 1
    """The number of bots that advance from a table; one from the last table."""
    sets: Sets = 1
    extra_sets: Annotated[
        int,
        msgspec.Meta(ge=0, le=1_000),
        Option("Play at most N more deals at a tied table. [default: 2]", "N", example=2),
    ] = 2
    """The most additional sets of a tied table; if it is still tied, the better seed advances."""

    def check(self, tournament: FormatInput) -> None:
        """Somebody advances from each table, and somebody leaves."""
        bots_in_all_settings(self.name, tournament)
        players = max(setting.players for setting in tournament.settings)
        if not 1 <= self.advance < players:
            raise Impossible(
                f"from a table of {players} at most {counted(players - 1, 'bot')} can advance, not {self.advance}",
                "advance",
            )

    def planned_games(self, tournament: FormatInput) -> int:
        """The sets of all tables of all rounds; extra sets come on top."""
        setting = tournament.settings[0]
        rounds = all_rounds(len(setting.bots), setting.players, self.advance)
        return sum(len(tables) for _, tables in rounds) * self.sets * tournament.games_in_set

    def title(self, names: Sequence[str]) -> str:
        """The name with the sets."""
        return with_sets(self.name, self.sets)

    def describe(self, tournament: FormatInput) -> str:
        """The extra sets, and the number of bots in each round."""
        setting = tournament.settings[0]
        rounds = ", ".join(str(bots) for bots, _ in all_rounds(len(setting.bots), setting.players, self.advance))
        return f", plus up to {counted(self.extra_sets, 'set')} at a tied table; rounds of {rounds} bots"

    def blocks(self, tournament: FormatInput) -> Blocks:
        """Blocks, round by round; each table plays its sets in every setting, and extra sets while it is tied."""
        results = tournament.results
        bracket = Bracket(tournament.settings[0].bots, tournament.name_of)
        results.placing = bracket
        blocks = 0
        while len(bracket.remaining) > 1:
            tables = bracket.begin_round(tournament.settings[0].players, self.advance)
            playing, sets = tables, self.sets
            for extra in range(1 + self.extra_sets):
                results.extra_games += len(playing) * tournament.games_in_set if extra else 0
                for table, _, setting in itertools.product(playing, range(sets), range(len(tournament.settings))):
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
