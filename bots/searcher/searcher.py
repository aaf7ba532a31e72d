"""A bot that searches: information-set Monte Carlo tree search on worlds that fit all that its seat has seen.

    python searcher.py --iterations 200
    python searcher.py --seconds 0.5

think longer over each decision. The number of iterations bounds a decision, so that the same game again finds the same
bot; the clock only cuts it short. Seconds take as many iterations as the machine makes in them.
"""

import argparse
from importlib import import_module
from math import inf
from time import monotonic

import msgspec
from tree import Dice, Search

from fa_cli.bot import run
from fa_cli.games import MODULES, find_game

SHARE = 0.5  # of the time for a move that is used at most: the machine may be busy
BANK_MOVES = 50  # what is left of the bank is meant to last for so many moves


class Searcher:
    """`choose` for any game. It ends a decision after so many iterations or seconds, whatever is first.

    None of both given means as many iterations as the game's policy has.
    """

    def __init__(self, iterations=None, seconds=None):
        self.iterations = iterations
        self.seconds = seconds

    def __call__(self, decide, start):
        begun = monotonic()
        if start["game"] not in MODULES:
            return decide["legal"][0]
        game, policy = find_game(start["game"]), policy_of(start["game"])
        dice = Dice(start["bot_seed"])
        seen = msgspec.convert(decide["observation"], game.observation)
        state = game.imagine(seen, dice)
        legal = state.legal()
        if policy.searches(state):
            search = Search(policy, lambda: game.determinise(state, seen.seat, dice))
            iterations = self.iterations or (inf if self.seconds else policy.ITERATIONS)
            action = search.run(iterations, begun + min(self.seconds or inf, seconds(decide["clock"])))
        else:
            values = policy.opinions(state, legal)
            action = dice.choice([action for action, value in zip(legal, values, strict=True) if value == max(values)])
        return game.actions[action]


def policy_of(game):
    """The module that knows how to think about this game."""
    return import_module("policy_" + game.replace("-", "_"))


def seconds(clock):
    """How long a decision may take; without a clock as long as it likes."""
    if "move_ms" not in clock:
        return inf
    return SHARE * (clock["move_ms"] + clock.get("bank_ms", 0) / BANK_MOVES) / 1000


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, help="worlds per decision")
    parser.add_argument("--seconds", type=float, help="for a decision")
    given = parser.parse_args()
    run(Searcher(given.iterations, given.seconds), name="searcher", wants=["legal", "observation"])
