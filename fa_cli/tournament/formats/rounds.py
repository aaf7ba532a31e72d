"""What formats with rounds share: sets of deals at each table, and bots that all play every game."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ...errors import Impossible
from ...option import Option
from ...printing.text import counted
from .format import FormatInput

Sets = Annotated[
    int,
    msgspec.Meta(ge=1, le=100_000),
    Option("Play N deals per table, each in all seatings. [default: 1]", "N", example=1),
]
"""Duplicate sets of each table in a round; each set is played in every setting."""


def bots_in_all_settings(name: str, tournament: FormatInput) -> int:
    """The number of bots in a format with this name. Raises Impossible unless all of them play every setting."""
    all_bots = {bot for setting in tournament.settings for bot in setting.bots}
    for bot in sorted(all_bots):
        if not all(bot in setting.bots for setting in tournament.settings):
            text = f"in a {name} every bot plays every game, and {tournament.names[bot]} plays only some of them"
            raise Impossible(text, "game")
    return len(all_bots)


def with_sets(name: str, sets: int) -> str:
    """The name of a format with the sets of its tables."""
    return f"{name}, {counted(sets, 'set')} at each table"
