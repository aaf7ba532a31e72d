"""The searcher with learned values.

In Manhattan with two players the heuristics judge, but two builds later.

    python student.py --iterations 200
    python student.py --iterations 0

make it think longer about each decision, or decide without a search.
"""

import argparse
import gc
import os
from functools import cache
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small, and other threads only wait for them

import policy_fifth_avenue
import policy_manhattan
import policy_new_york
from network import load

from fa_cli.bot import run
from fa_cli.games import search

FOLDER = Path(__file__).parent
POLICIES = {"fifth-avenue": policy_fifth_avenue, "manhattan": policy_manhattan, "new-york": policy_new_york}
"""All are imported before the bot greets: NumPy takes longer to import than a decision may."""


def policy_of(game, players):
    """Return the policy for one decision."""
    if (game, players) == ("manhattan", 2):
        return policy_manhattan.PlayedOn()
    networks = networks_of(FOLDER / f"{game}-{players}.npz", players)
    if (game, players) == ("new-york", 3):
        return policy_new_york.Learned(networks, networks_of(FOLDER / "new-york-line-3.npz", players))
    return POLICIES[game].Learned(networks)


@cache
def networks_of(path, players):
    """Return the networks of a file, which is read once."""
    return load(path, players)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, help="iterations per decision; 0 for no search")
    parser.add_argument("--seconds", type=float, help="seconds per decision")
    arguments = parser.parse_args()
    gc.set_threshold(50_000)  # the tree has no cycles, and looking for some takes up to a sixth of the time
    choose = search.Searcher(arguments.iterations, arguments.seconds, policy_of)
    run(choose, name="student", wants=["legal", "observation"])
