"""`fa simulate GAME` plays random games in-process into a log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...terminal import print_line
from ...text import counted
from ...tournament.options import MAX_GAMES
from .. import common
from ..common import ProcessesOption

GameName = Annotated[str, typer.Argument(metavar="GAME", help="One of the names in `fa games`.")]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="LOG", help="The log to write; a new file.")]
Players = Annotated[int | None, typer.Option(help="How many play. [default: the most that the game takes]")]
Games = Annotated[int, typer.Option(min=1, max=MAX_GAMES, help="How many games.")]
Seed = Annotated[str | None, typer.Option(metavar="TEXT", help="The source of deals and choices. [default: random]")]
Options = Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="Set an option; may be repeated.")]


def simulate(
    game: GameName,
    output: Output,
    players: Players = None,
    games: Games = 1,
    seed: Seed = None,
    option: Options = None,
    jobs: ProcessesOption = 0,
) -> None:
    """Play random games: every choice is uniform among the legal actions.

    The same seed writes the same log, whatever the number of processes.
    """
    from ...match.simulate import make_simulation
    from ...replay.log_entry import entry_of
    from ...replay.log_writer import write_new_log

    simulation = make_simulation(game, players, common.parse_options(option), games, seed)
    count = write_new_log(output, (entry_of(record, packed) for record, packed in simulation.play_all(jobs)))
    if not common.SETTINGS.quiet:
        print_line(f"{output}: {counted(count, 'game')} of {game} for {simulation.players}, seed {simulation.seed}")
