"""Train the student's networks: `python -m tools.student`. What was stopped goes on when it is started again.

The same seed gives the same networks on the same machine, stopped or not.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small, and other threads only wait for them

from fa_cli.games import find_game

from .bot import FOLDER, SUBJECTS
from .training import Training


def main() -> None:
    """Train for each game and number of players."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", choices=SUBJECTS, action="append", help="by default all")
    parser.add_argument("--players", type=int, action="append", help="by default those that the student has learned")
    parser.add_argument("--rounds", type=int, help="rounds of 64 games; by default as for the shipped networks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("student"), help="folder for what a later start goes on from")
    parser.add_argument("--output", type=Path, default=FOLDER, help="folder for the networks")
    asked = parser.parse_args()
    for name in asked.game or SUBJECTS:
        subject = SUBJECTS[name]
        allowed = find_game(subject.game).players
        if wrong := set(asked.players or ()) - {*allowed}:
            parser.error(f"--players: {subject.game} has {allowed[0]} to {allowed[-1]}, not {min(wrong)}")
        for players in asked.players or subject.players:
            training = Training(subject, players, asked.rounds or subject.rounds, asked.seed, asked.work)
            training.run(asked.output / f"{name}-{players}.npz")


if __name__ == "__main__":
    main()
