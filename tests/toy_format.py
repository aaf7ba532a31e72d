"""A tournament format that fa_cli does not have, in one file: the king of the hill.

`python -m tests.toy_format ARGS...` is `fa ARGS...` with this format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar

import msgspec

from fa_cli.errors import Impossible
from fa_cli.option import Option
from fa_cli.printing.columns import number
from fa_cli.printing.text import counted
from fa_cli.tournament.formats import FORMATS
from fa_cli.tournament.formats.block import Block, Blocks, GameOutcome, Place, Placing
from fa_cli.tournament.formats.format import FormatInput, TournamentFormat


class HillPlace(Place, frozen=True):
    """A bot's place on the hill."""

    held: Annotated[int | None, number("held", "king-of-the-hill: the challenges that it survived")] = None


class KingOfTheHill(TournamentFormat, frozen=True, tag="king-of-the-hill"):
    """The first bot is king. The others challenge the king in turn; who ranks ahead is king for the next challenge."""

    uses_results: ClassVar[bool] = True
    games_follow_from: ClassVar[str] = "--challenges"
    default_seats: ClassVar[int] = 2
    place_type: ClassVar[type[Place] | None] = HillPlace

    challenges: Annotated[
        int, msgspec.Meta(ge=1, le=1000), Option("Play N challenges. [default: one by each bot]", "N", example=5)
    ] = 0

    def with_defaults(self, tournament: FormatInput) -> KingOfTheHill:
        """One challenge by each bot but the first king."""
        return self if self.challenges else KingOfTheHill(len(tournament.settings[0].bots) - 1)

    def check(self, tournament: FormatInput) -> None:
        """There is room for two on the hill."""
        if tournament.settings[0].players != 2:
            raise Impossible(f"on the hill are 2 bots, not {tournament.settings[0].players}", "players")

    def planned_games(self, tournament: FormatInput) -> int:
        """One set for each challenge."""
        return self.challenges * tournament.games_in_set

    def describe(self, tournament: FormatInput) -> str:
        """Who is king first."""
        king = tournament.names[tournament.settings[0].bots[0]]
        return f"; {counted(self.challenges, 'challenge')}, the first of {king}"

    def blocks(self, tournament: FormatInput) -> Blocks:
        """A block in every setting for each challenge."""
        hill = Hill(tournament)
        tournament.results.placing = hill
        blocks = 0
        for _ in range(self.challenges):
            for setting in range(len(tournament.settings)):
                yield Block(setting, hill.table())
                blocks += 1
            while not tournament.results.has_results_of(blocks):
                yield None
            hill.end_challenge(list(tournament.results.take(blocks)))


class Hill(Placing):
    """The king, and the others in a queue."""

    def __init__(self, tournament: FormatInput) -> None:
        self.name_of = tournament.name_of
        self.king, *self.queue = tournament.settings[0].bots
        self.held = dict.fromkeys(tournament.settings[0].bots, 0)

    def table(self) -> tuple[int, int]:
        """The king and the challenger."""
        return self.king, self.queue[0]

    def end_challenge(self, outcomes: Sequence[GameOutcome]) -> None:
        """A challenger with better ranks is king now."""
        lead = sum(outcome.ranks[outcome.bots.index(self.king)] for outcome in outcomes)
        if lead <= sum(outcome.ranks[outcome.bots.index(self.queue[0])] for outcome in outcomes):
            self.held[self.king] += 1
            self.queue.append(self.queue.pop(0))
        else:
            self.queue.append(self.king)
            self.king = self.queue.pop(0)

    def places(self) -> list[Place]:
        """The king, then those who held the hill longest."""
        keys = {bot: (bot == self.king, held) for bot, held in self.held.items()}
        return [HillPlace(1 + sum(k > key for k in keys.values()), bot, key[1]) for bot, key in keys.items()]

    def lines(self) -> Iterator[str]:
        """Who is king."""
        yield f"the king is {self.name_of(self.king)}"


def main() -> None:
    """Run `fa` with this format."""
    FORMATS["king-of-the-hill"] = KingOfTheHill
    from fa_cli.__main__ import main

    main()


if __name__ == "__main__":
    main()
