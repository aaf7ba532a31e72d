"""The policy for Fifth Avenue: the heuristics choose what to look at, and a learned value judges the positions reached.

The network judges positions at the beginning of a turn; auctions are played to their end by the heuristics first.
"""

import numpy as np
from features_fifth_avenue import positions
from network import blended

from fa_cli.games.fifth_avenue import policy as heuristics
from fa_cli.games.fifth_avenue.actions import ACTING, OVER


class Learned:
    """The policy for one decision; fa_cli.games.search says what its parts mean. `networks` are by name."""

    ITERATIONS = 120
    EXPLORE = heuristics.EXPLORE
    TRUST = heuristics.TRUST
    PAIRED = heuristics.PAIRED
    WIDTH = heuristics.WIDTH
    WIDEN = heuristics.WIDEN
    SCALE = heuristics.SCALE

    searches = staticmethod(heuristics.searches)
    opinions = staticmethod(heuristics.opinions)

    def __init__(self, networks):
        self.networks = networks

    def expect(self, state):
        heuristics.settle(state)
        if state.phase == OVER:
            return outcomes([state])[0].tolist()
        return self.networks["turn"].shares(positions([state]))[0].tolist()


def kind(state):
    """Return the name of the network for this state; empty if none judges it."""
    return "turn" if state.phase == ACTING else ""


def outcomes(states):
    """Return what finished games were worth, by game and seat."""
    standings = [state.standing() for state in states]
    won = np.array([[own == max(standing) for own in standing] for standing in standings], np.float32)
    return blended(won, np.array([[own[0] for own in standing] for standing in standings], np.float32))
