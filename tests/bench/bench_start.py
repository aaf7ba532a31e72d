"""How long `fa --help` takes, as a ratio to `python -c pass` measured in turns with it (and plain Typer beside it)."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import typer": ["-c", "import typer"],
    "fa --help": ["-m", "fa_cli", "--help"],
}
ROUNDS = 15


def seconds(arguments: list[str]) -> float:
    """How long one process of this Python takes."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def main() -> None:
    """Measure in turns, so that a busy machine slows all alike; print medians and ratios."""
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            taken[name].append(seconds(arguments))
    plain = statistics.median(taken["python -c pass"])
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"{name:<16} {1000 * middle:6.1f} ms  {middle / plain:5.2f} x")


if __name__ == "__main__":
    main()
