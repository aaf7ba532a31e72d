"""How long `fa` takes to start, beside `python -c pass` measured in turns with it (and the least that Typer takes).

Processor time, the least of many: starting is the same work each time, and others on the machine only add to it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from fa_cli.games import GAMES

from .figures import Figure, plain_python, run

PLAIN = "python -c pass"
LEAST = """
import typer
app = typer.Typer(rich_markup_mode=None, add_completion=False)
@app.command()
def greet(name: str = "you") -> None:
    "Say hello."
app()
"""


def figures(short: bool) -> Iterator[Figure]:
    """The commands that people wait for most often."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = plain_python(folder / "python")
        commands: dict[str, tuple[list[str], float | None]] = {
            PLAIN: (["-c", "pass"], None),
            "import typer": (["-c", "import typer"], None),
            "a Typer app of one command, its --help": (["-c", LEAST, "--help"], None),
            "import msgspec": (["-c", "import msgspec"], None),
            "fa --help": (["-m", "fa_cli", "--help"], 6.0),
        }
        for game in GAMES:
            simulate = ["-m", "fa_cli", "simulate", game.name, "--seed", "start", "-o", f"{game.name}.log"]
            run([python, *simulate], folder)
            commands[f"fa replay verify, one game of {game.name}"] = (
                ["-m", "fa_cli", "replay", "verify", f"{game.name}.log"],
                10.0,
            )
        for arguments, _goal in commands.values():
            run([python, *arguments], folder)  # leaves the bytecode for those that are measured
        taken: dict[str, float] = {}
        for _ in range(5 if short else 15):
            for command, (arguments, _goal) in commands.items():
                taken[command] = min(taken.get(command, 1e9), run([python, *arguments], folder)[0])
        for command, (_arguments, goal) in commands.items():
            yield Figure(command, 1000 * taken[command], "ms", taken[command] / taken[PLAIN], PLAIN, True, goal)
