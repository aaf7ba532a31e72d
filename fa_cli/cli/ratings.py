"""`fa ratings`: the index that leaderboards are shown from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ..errors import UsageError
from ..text import counted
from . import common
from .common import say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..leaderboard.leaderboards import Selection

app = typer.Typer(help="The index of ratings beside the logs.")


@app.callback()
def ratings() -> None:
    """The index of ratings beside the logs: logs/index.sqlite.

    It is brought up to date by every leaderboard, and holds nothing that the logs do not.
    """


@app.command()
def rebuild() -> None:
    """Build the index again, from the logs alone."""
    from ..leaderboard.leaderboards import rebuild

    folder = common.logs_folder()
    if not folder.is_dir():
        raise UsageError(f"there are no logs: {folder} is not there")
    games, tournaments = rebuild(folder, say)
    what = f"{counted(games, 'game')} of {counted(tournaments, 'tournament')}"
    say(f"read {what} into {folder / 'index.sqlite'}")


def selected(logs: Sequence[Path] | None, game: str | None = None) -> Selection:
    """The games of these logs, or of all tournaments."""
    from ..leaderboard.leaderboards import Selection

    return Selection(common.logs_folder(), say, logs, game)
