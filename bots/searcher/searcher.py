"""A bot that searches: information-set Monte Carlo tree search on sampled states consistent with its observation.

    python searcher.py --iterations 200
    python searcher.py --seconds 0.5

make it think longer about each decision. With iterations the bot plays a game again in the same way, unless the clock
cuts a decision short. With seconds the number of iterations depends on the speed of the machine.
"""

import argparse
import gc

from fa_cli.bot import run
from fa_cli.games.search import Searcher

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, help="iterations per decision")
    parser.add_argument("--seconds", type=float, help="seconds per decision")
    arguments = parser.parse_args()
    gc.set_threshold(50_000)  # the tree has no cycles, and looking for some takes up to a sixth of the time
    run(Searcher(arguments.iterations, arguments.seconds), name="searcher", wants=["legal", "observation"])
