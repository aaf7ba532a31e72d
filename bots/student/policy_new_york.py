"""The policy for New York: the heuristics choose what to look at, and a learned value judges the positions reached.

The network judges positions at the beginning of a turn; what an action card leaves to be placed is played by the
heuristics first. With two players they also play the next two turns, so that what these threaten has happened, and
their own evaluation counts as much as the network.
"""

import numpy as np
from features_new_york import positions
from network import blended

from fa_cli.games.new_york import policy as heuristics
from fa_cli.games.new_york.actions import COLOUR, OVER, TURN

AHEAD = 2  # turns played with two players before a position is judged: the opponent's and one's own


class Learned:
    """The policy for one decision; fa_cli.games.search says what its parts mean. `networks` are by name."""

    EXPLORE = heuristics.EXPLORE
    TRUST = heuristics.TRUST
    PAIRED = heuristics.PAIRED
    WIDTH = heuristics.WIDTH
    WIDEN = heuristics.WIDEN
    SCALE = heuristics.SCALE

    searches = staticmethod(heuristics.searches)
    opinions = staticmethod(heuristics.opinions)

    def __init__(self, networks):
        self.network = networks["turn"]
        self.of_two = self.network.seats == 2
        self.ITERATIONS = 80 if self.of_two else 120

    def expect(self, state):
        heuristics.settle(state)
        for _ in range(AHEAD if self.of_two else 0):
            play_turn(state)
        if state.phase == OVER:
            return outcomes([state])[0].tolist()
        shares = self.network.shares(positions([state]))[0].tolist()
        if not self.of_two:
            return shares
        return [(own + known) / 2 for own, known in zip(shares, heuristics.expect(state), strict=True)]


def play_turn(state):
    """Play on to the end of this turn, by the heuristics."""
    turn = state.turns
    while state.turns == turn and state.phase != OVER:
        legal = state.legal()
        values = heuristics.opinions(state, legal) if len(legal) > 1 else (0,)
        state.apply(legal[values.index(max(values))])


def kind(state):
    """Return the name of the network for this state; empty if none judges it."""
    return "turn" if state.phase in (COLOUR, TURN) else ""


def outcomes(states):
    """Return what finished games were worth, by game and seat."""
    standings = [state.standing() for state in states]
    won = np.array([[own == max(standing) for own in standing] for standing in standings], np.float32)
    return blended(won, np.array([[own[0] for own in standing] for standing in standings], np.float32))
