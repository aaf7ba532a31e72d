"""The policy for New York: the heuristics choose what to look at, and a learned value judges the positions reached.

The network judges positions at the beginning of a turn; what an action card leaves to be placed is played by the
heuristics first. With two players they also play the next two turns, so that what these threaten has happened, and
their own evaluation counts as much as the network.
"""

from by_heuristics import ByHeuristics
from features_new_york import positions
from network import outcomes

from fa_cli.games.new_york.actions import COLOUR, OVER, TURN
from fa_cli.games.new_york.policy import opinions as heuristics

AHEAD = 2  # turns played with two players before a position is judged: the opponent's and one's own


class Learned(ByHeuristics):
    """The policy for one decision. `networks` are by name."""

    ITERATIONS = 120

    def __init__(self, networks):
        super().__init__(heuristics)
        self.network = networks["turn"]
        self.of_two = self.network.seats == 2

    def expect(self, state):
        heuristics.settle(state)
        for _ in range(AHEAD if self.of_two else 0):
            play_turn(state)
        if state.phase == OVER:
            return outcomes([state])[0].tolist()
        shares = self.network.shares(positions([state]))[0].tolist()
        return self.with_heuristics(shares, state) if self.of_two else shares


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
