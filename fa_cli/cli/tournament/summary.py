"""Reports about a tournament after it was played or shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...printing.text import both_ends, counted
from ..common import say, warn

if TYPE_CHECKING:
    from ...leaderboard.leaderboards import Selection
    from ...tournament.definition import Definition

HIDDEN_SEED = "hidden until the last game"


def warn_of_skipped(definition: Definition) -> None:
    """Warn of each bot that was skipped because it could not be built or started."""
    for bot in definition.skipped:
        warn(str(bot))


def report_faults(selection: Selection) -> None:
    """Report for each bot that failed how often and how, its first fault in full, and its stderr."""
    from ...leaderboard import queries
    from ...leaderboard.leaderboards import read_selection

    for bot, faults in sorted(read_selection(selection, queries.bot_faults).items()):
        kinds = ", ".join(f"{count} {kind}" for kind, count in faults.kinds.most_common())
        detail = f": it {faults.detail}" if faults.detail else ""
        missed = f"; suspended for {counted(faults.suspended, 'game')}" if faults.suspended else ""
        say(f"faults of {bot}: {kinds or 'none'}{missed}; the first in {faults.first}{detail}")
        for line in both_ends(faults.stderr or ""):
            say(f"    {line}")
