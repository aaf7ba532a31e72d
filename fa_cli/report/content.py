"""What a report is made from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..leaderboard.overview.all_tables import Overview
from ..stats.head_to_head import HeadToHeadRow
from ..viewer.report_charts import Bracket
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
    bracket: Bracket | None
    """The rounds of a knockout."""
    title: str
    winner: str
    """Who won or leads, in a sentence without its full stop."""
    summary: Sequence[str]
    """Who won, how the first two compare, what was played, and what is missing."""
    first_two: Sequence[str]
    """More about the first two bots."""
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
