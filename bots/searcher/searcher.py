"""A bot that searches: information-set Monte Carlo tree search on sampled states consistent with its observation.

    python searcher.py --iterations 200
    python searcher.py --seconds 0.5

make it think longer about each decision. With iterations the bot plays a game again in the same way, unless the clock
cuts a decision short. With seconds the number of iterations depends on the speed of the machine.
"""

import argparse
from importlib import import_module
from math import inf
from time import monotonic

import msgspec
from tree import Dice, Search

from fa_cli.bot import run
from fa_cli.games import MODULES, find_game

SHARE = 0.5  # the part of the time for a decision that is used, since the machine may be busy
BANK_MOVES = 50  # the number of decisions for which the rest of the bank should last


class Searcher:
    """`choose` for any game. A decision ends after `iterations` or `seconds`, whichever comes first.

    By default it ends after the number of iterations that the game's policy sets.
    """

    def __init__(self, iterations=None, seconds=None):
        self.iterations = iterations
        self.seconds = seconds

    def __call__(self, decide, start):
        started = monotonic()
        if start["game"] not in MODULES:
            return decide["legal"][0]
        game, policy = find_game(start["game"]), policy_of(start["game"])
        dice = Dice(start["bot_seed"])
        seen = msgspec.convert(decide["observation"], game.observation)
        state = game.sample_state(seen, dice)
        legal = state.legal()
        if policy.searches(state):
            search = Search(policy, lambda: game.resample_from_infostate(state, seen.seat, dice))
            iterations = self.iterations or (inf if self.seconds else policy.ITERATIONS)
            action = search.run(iterations, started + min(self.seconds or inf, seconds(decide["clock"])))
        else:
            values = policy.opinions(state, legal)
            action = dice.choice([action for action, value in zip(legal, values, strict=True) if value == max(values)])
        return game.actions[action]


def policy_of(game):
    """Return the module with this game's heuristics."""
    return import_module("policy_" + game.replace("-", "_"))


def seconds(clock):
    """Return the seconds that a decision may take; infinite without a clock."""
    if "move_ms" not in clock:
        return inf
    return SHARE * (clock["move_ms"] + clock.get("bank_ms", 0) / BANK_MOVES) / 1000


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, help="iterations per decision")
    parser.add_argument("--seconds", type=float, help="seconds per decision")
    arguments = parser.parse_args()
    run(Searcher(arguments.iterations, arguments.seconds), name="searcher", wants=["legal", "observation"])
