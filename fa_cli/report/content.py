"""What a report is made from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..leaderboard.overview.all_tables import Overview
from ..stats.head_to_head import HeadToHeadRow
from ..viewer.report_page import Table


class Content(NamedTuple):
    """All tables of some games, their caveats marked, and what is said about them in sentences."""

    tables: Overview
    pairs: Sequence[HeadToHeadRow]
    """Each pair of bots that met, the bot with the better rank first."""
    logs: dict[str, Path]
    """By name."""
    places: Table | None
    """The places that a format gave, as in a swiss; None if none did."""
    title: str
    summary: Sequence[str]
    top_two: Sequence[str]
    """About the two best bots."""
    seats: Sequence[str]
    """Whether seats differ."""
    cuts: Sequence[str]
    """About each log that ends within a record."""
    skipped: Sequence[str]
    """About each bot that was skipped because it could not be built or started."""
    markdown: str
    """The text to paste."""

    @property
    def bots(self) -> list[str]:
        """All bots by rank."""
        return [row.bot for row in self.tables.board.rows]
