"""The policy for Fifth Avenue: the heuristics choose what to look at, and a learned value judges the positions reached.

The network judges positions at the beginning of a turn; auctions are played to their end by the heuristics first. With
two players the heuristics' own evaluation counts as much as the network.
"""

from by_heuristics import ByHeuristics
from features_fifth_avenue import positions
from network import outcomes

from fa_cli.games.fifth_avenue.actions import ACTING, OVER
from fa_cli.games.fifth_avenue.policy import opinions as heuristics


class Learned(ByHeuristics):
    """The policy for one decision. `networks` are by name."""

    def __init__(self, networks):
        super().__init__(heuristics)
        self.network = networks["turn"]
        self.ITERATIONS = {2: 120, 3: 60, 4: 40}[self.network.seats]

    def expect(self, state):
        heuristics.settle(state)
        if state.phase == OVER:
            return outcomes([state])[0].tolist()
        shares = self.network.shares(positions([state]))[0].tolist()
        return self.with_heuristics(shares, state) if state.players == 2 else shares


def kind(state):
    """Return the name of the network for this state; empty if none judges it."""
    return "turn" if state.phase == ACTING else ""
