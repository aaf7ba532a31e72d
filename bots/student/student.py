"""The searcher with learned values.

In Manhattan with two players the heuristics judge, but two builds later.

    python student.py --iterations 200
    python student.py --iterations 0

make it think longer about each decision, or decide without a search.
"""

import argparse
import os
from functools import cache
from importlib import import_module
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small, and other threads only wait for them

from fa_cli.bot import run
from fa_cli.games import search

FOLDER = Path(__file__).parent


def policy_of(game, players):
    """Return the policy for one decision."""
    policies = import_module(f"policy_{game.replace('-', '_')}")
    if (game, players) == ("manhattan", 2):
        return policies.PlayedOn()
    return policies.Learned(networks_of(FOLDER / f"{game}-{players}.npz", players))


@cache
def networks_of(path, players):
    """Return the networks of a file, which is read once."""
    from network import load

    return load(path, players)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, help="iterations per decision; 0 for no search")
    parser.add_argument("--seconds", type=float, help="seconds per decision")
    arguments = parser.parse_args()
    choose = search.Searcher(arguments.iterations, arguments.seconds, policy_of)
    run(choose, name="student", wants=["legal", "observation"])
