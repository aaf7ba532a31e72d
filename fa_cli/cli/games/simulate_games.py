"""`fa simulate GAME` plays random games in-process into a log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from ...option import Argument, Option
from ...printing.terminal import print_line
from ...printing.text import counted
from ...tournament.request import MAX_GAMES
from .. import common
from ..help import explained
from ..shared_options import ProcessesOption
from .one_game import OptionOption


@explained(
    "library",
    ("Play 100 random games of Manhattan", "fa simulate manhattan --games 100 -o random.log"),
    (
        "Play on one side of the board, the same games each time",
        "fa simulate fifth-avenue --option side=six --seed 1 -o six.log",
    ),
)
def simulate(
    game: Annotated[str, Argument("The game; `fa games` lists them.", "GAME")],
    output: Annotated[Path, Option("Write to LOG, a new file.", "LOG", short="o")],
    players: Annotated[int | None, Option("Seat N players. [default: the most that the game takes]", "N")] = None,
    games: Annotated[int, msgspec.Meta(ge=1, le=MAX_GAMES), Option("Play N games.", "N")] = 1,
    seed: Annotated[str | None, Option("Play the same games for the same TEXT. [default: random]", "TEXT")] = None,
    option: OptionOption = None,
    jobs: ProcessesOption = 0,
) -> None:
    """Play random games without bots and write them to a log.

    Every action is drawn uniformly from the legal ones. The same seed writes the same log, whatever --jobs is.
    """
    from ...match.simulate import make_simulation
    from ...replay.log_entry import entry_of
    from ...replay.log_writer import write_new_log

    simulation = make_simulation(game, players, common.parse_options(option), games, seed)
    count = write_new_log(output, (entry_of(record, packed) for record, packed in simulation.play_all(jobs)))
    if not common.SETTINGS.quiet:
        print_line(f"{output}: {counted(count, 'game')} of {game} for {simulation.players}, seed {simulation.seed}")
