"""The policy for New York: the heuristics choose what to look at, and a learned value judges the positions reached.

The network judges positions at the beginning of a turn; what an action card leaves to be placed is played by the
heuristics first.
"""

import numpy as np
from features_new_york import positions
from network import softmax

from fa_cli.games.new_york import policy as heuristics
from fa_cli.games.new_york.actions import COLOUR, OVER, TURN

BLEND = 0.3  # the part of the target that counts points, which are less a matter of luck than the win
TEMPERATURE = 5.0  # points that multiply the odds by e in that part


class NewYork:
    """The policy for one decision; fa_cli.games.search says what its parts mean. `networks` are by name."""

    ITERATIONS = 120
    EXPLORE = heuristics.EXPLORE
    TRUST = heuristics.TRUST
    PAIRED = heuristics.PAIRED
    WIDTH = heuristics.WIDTH
    WIDEN = heuristics.WIDEN
    SCALE = heuristics.SCALE

    def __init__(self, networks):
        self.networks = networks

    def searches(self, state):
        return heuristics.searches(state)

    def opinions(self, state, legal):
        return heuristics.opinions(state, legal)

    def expect(self, state):
        heuristics.settle(state)
        return shares(self.networks, state).tolist()


def shares(networks, state):
    """Return the shares by seat in a state at the beginning of a turn, or at the end of the game."""
    if state.phase == OVER:
        return outcomes([state])[0]
    return networks["turn"].shares(positions([state]))[0]


def kind(state):
    """Return the name of the network for this state; empty if none judges it."""
    return "turn" if state.phase in (COLOUR, TURN) else ""


def outcomes(states):
    """Return by finished game and seat the share of the win, blended with a softmax of the points."""
    found = []
    for state in states:
        standing = state.standing()
        won = np.array([own == max(standing) for own in standing], np.float32)
        points = np.array([[own[0] for own in standing]], np.float32)
        found.append((1 - BLEND) * won / won.sum() + BLEND * softmax(points / TEMPERATURE)[0])
    return np.array(found)
