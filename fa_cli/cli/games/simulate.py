"""`fa simulate GAME` plays random games in-process into a log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...text import counted, printable
from .. import common

GameName = Annotated[str, typer.Argument(metavar="GAME", help="One of the names in `fa games`.")]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="LOG", help="The log to write; a new file.")]
Players = Annotated[int | None, typer.Option(help="How many play; if not said, as many as the game takes.")]
Games = Annotated[int, typer.Option(min=1, help="How many games.")]
Seed = Annotated[str | None, typer.Option(metavar="TEXT", help="Where deals and choices come from; if not said, anew.")]
Options = Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="Set an option; as often as needed.")]
Jobs = Annotated[int, typer.Option(min=0, help="How many processes; 0: one per core.")]


def simulate(
    game: GameName,
    output: Output,
    players: Players = None,
    games: Games = 1,
    seed: Seed = None,
    option: Options = None,
    jobs: Jobs = 0,
) -> None:
    """Play random games: every choice is uniform among the legal actions.

    With the same seed the same log is written, whatever the number of processes.
    """
    from ...match.simulate import make_simulation
    from ...replay.log_entry import entry_of
    from ...replay.log_file import write_aside

    simulation = make_simulation(game, players, common.parse_options(option), games, seed)
    count = write_aside(output, (entry_of(record, packed) for record, packed in simulation.play_all(jobs)))
    if not common.SETTINGS.quiet:
        print(
            printable(f"{output}: {counted(count, 'game')} of {game} for {simulation.players}, seed {simulation.seed}")
        )
