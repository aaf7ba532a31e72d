"""`fa ratings`: the index that leaderboards are read from."""

from __future__ import annotations

from ..errors import UsageError
from ..printing.text import counted
from . import common
from .common import say, say_once
from .framework.commands import Group
from .help import explained


@explained(
    "leaderboards",
    ("Build the index of the current folder again", "fa ratings rebuild"),
    ("Build that of another folder", "fa ratings rebuild --home league"),
)
def rebuild() -> None:
    """Build the index again, from the logs alone."""
    from ..leaderboard.leaderboards import rebuild
    from .waiting import WaitingBar

    folder = common.logs_folder()
    if not folder.is_dir():
        raise UsageError(f"no logs: {folder} not found")
    games, tournaments = rebuild(folder, say_once, WaitingBar(common.SETTINGS.quiet))
    total = f"{counted(games, 'game')} of {counted(tournaments, 'tournament')}"
    say(f"read {total} into {folder / 'index.sqlite'}")


GROUP = Group(
    "The index of ratings beside the logs: logs/index.sqlite.\n\n"
    "Every leaderboard updates it. It holds nothing that the logs do not.",
    {"rebuild": rebuild},
)
