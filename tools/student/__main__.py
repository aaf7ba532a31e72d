"""Train the student's networks: `python -m tools.student`. What was stopped goes on when it is started again.

The same seed gives the same networks on the same machine, stopped or not.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small, and other threads only wait for them

from .training import STUDENT, Training


def main() -> None:
    """Train for each number of players."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), action="append", help="by default 3 and 4")
    parser.add_argument("--rounds", type=int, default=80, help="rounds of 64 games (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("student"), help="folder for what a later start goes on from")
    parser.add_argument("--output", type=Path, default=STUDENT, help="folder for the networks")
    asked = parser.parse_args()
    for players in asked.players or (3, 4):
        Training(players, asked.rounds, asked.seed, asked.work).run(asked.output / f"manhattan-{players}.npz")


if __name__ == "__main__":
    main()
