"""The gauntlet: challengers against a field. One challenger at each table, the other seats for the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

import msgspec

from ...errors import Impossible
from ...option import Option
from .block import Block, Blocks
from .format import FormatInput, TournamentFormat

_NO_FIELD = "a gauntlet needs a field, and here all are challengers"


class Gauntlet(TournamentFormat, frozen=True, tag="gauntlet"):
    """Challengers, one at each table, against all other bots, the field."""

    challengers: Annotated[
        list[int],
        Option(
            "Let this bot meet the rest; repeatable. [default: the first bot]",
            "BOT",
            name="challenger",
            example=["greedy"],
        ),
    ]
    ends: list[int] = msgspec.field(default_factory=list)
    """The same as in `RoundRobin`."""

    @classmethod
    def from_options(cls, given: Mapping[str, Any], names: Sequence[str]) -> Self:
        """The first bot is the challenger by default."""
        challengers = given.get("challengers") or list(range(len(names)))[:1]
        if len(challengers) == len(names) > 1:
            raise Impossible(_NO_FIELD, "challenger")
        return cls(challengers)

    def check(self, tournament: FormatInput) -> None:
        """Each game needs challengers and a field."""
        challengers = set(self.challengers)
        if not challengers:
            raise Impossible("a gauntlet has at least one challenger", "challenger")
        for setting in tournament.settings:
            if not challengers & set(setting.bots):
                raise Impossible("none of the challengers plays one of the gauntlet's games", "challenger")
            if challengers >= set(setting.bots):
                raise Impossible(_NO_FIELD, "challenger")

    def check_pair_meets(self, left: int, right: int, names: Sequence[str]) -> None:
        """Challengers never meet."""
        if {left, right} <= set(self.challengers):
            both = f"{names[left]} and {names[right]}"
            raise Impossible(f"{both} are both challengers and never meet; leave one of them in the field", "compare")

    def kinds(self, bots: Sequence[int]) -> dict[str, list[int]]:
        """The challengers among these bots, and the field."""
        return {
            "challenger": [bot for bot in bots if bot in self.challengers],
            "bot of the field": [bot for bot in bots if bot not in self.challengers],
        }

    def with_more_games(self, planned: int) -> Self:
        """The schedule is balanced at the old end too."""
        return msgspec.structs.replace(self, ends=[*self.ends, planned])

    def title(self, names: Sequence[str]) -> str:
        """The name with the challengers."""
        return " ".join([self.name, *(["of"] if self.challengers else []), *(names[bot] for bot in self.challengers)])

    def blocks(self, tournament: FormatInput) -> Blocks:
        """Endless blocks: for the settings in turn, a group of the field plays every challenger in turn.

        So all challengers meet the same opponents equally often, and never each other.
        """
        from ..pairing.group_draws import GroupDraw, draw_groups

        challengers = [[bot for bot in self.challengers if bot in setting.bots] for setting in tournament.settings]
        draws = [
            GroupDraw(tuple(sorted(set(setting.bots) - set(own))), setting.players - 1, len(own))
            for setting, own in zip(tournament.settings, challengers, strict=True)
        ]
        for setting, group in draw_groups(tournament, draws, self.ends):
            for challenger in challengers[setting]:
                yield Block(setting, (challenger, *group))
