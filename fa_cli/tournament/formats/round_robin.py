"""The round robin: every bot meets every other bot."""

from __future__ import annotations

from typing import Self

import msgspec

from .block import Block, Blocks
from .format import FormatInput, TournamentFormat


class RoundRobin(TournamentFormat, frozen=True, tag="round-robin"):
    """Every bot meets every other bot about equally often."""

    ends: list[int] = msgspec.field(default_factory=list)
    """The earlier planned numbers of games, before `--more`; the schedule is balanced there too."""

    def with_more_games(self, planned: int) -> Self:
        """The schedule is balanced at the old end too."""
        return msgspec.structs.replace(self, ends=[*self.ends, planned])

    def blocks(self, tournament: FormatInput) -> Blocks:
        """Endless blocks for the settings in turn, in which every bot meets every other bot equally often."""
        from ..pairing.group_draws import GroupDraw, draw_groups

        draws = [GroupDraw(tuple(sorted(setting.bots)), setting.players) for setting in tournament.settings]
        for setting, group in draw_groups(tournament, draws, self.ends):
            yield Block(setting, group)
