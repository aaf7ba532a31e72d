"""`fa ratings`: the index that leaderboards are shown from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from ..errors import UsageError
from ..text import printable
from . import common

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..tournament.boards import Leaderboard
    from ..tournament.standings import By, Standings

app = typer.Typer(help="The index of ratings beside the logs.")


@app.callback()
def ratings() -> None:
    """The index of ratings beside the logs: logs/index.sqlite.

    It is brought up to date by every leaderboard, and holds nothing that the logs do not.
    """


@app.command()
def rebuild() -> None:
    """Make the index anew, from the logs alone."""
    from ..tournament.leaderboards import rebuild

    folder = common.logs_folder()
    if not folder.is_dir():
        raise UsageError(f"there are no logs: {folder} is not there")
    games, tournaments = rebuild(folder, say)
    say(f"folded {games} games of {tournaments} tournaments into {folder / 'index.sqlite'}")


def board_of(logs: Sequence[Path] | None, by: By | None = None, game: str | None = None) -> Leaderboard | Standings:
    """The leaderboard of these logs, or of all tournaments; from the index if it has one of just these."""
    from ..tournament.leaderboards import Request, leaderboard
    from ..tournament.standings import stand

    folder = common.logs_folder()
    if logs is None:
        return leaderboard(Request(folder, None, by, game), say)
    if len(logs) == 1 and logs[0].parent == folder and logs[0].suffix == ".log":
        return leaderboard(Request(folder, logs[0], by, game), say)
    return stand(logs, by, game)


def say(line: str) -> None:
    """For people, so on stderr."""
    if not common.SETTINGS.quiet:
        print(printable(line), file=sys.stderr)
