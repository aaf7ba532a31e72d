"""The policy for New York: the heuristics choose what to look at, and a learned value judges the positions reached.

The network judges positions at the beginning of a turn; what an action card leaves to be placed is played by the
heuristics first. With two players they also play the next two turns, so that what these threaten has happened, and
their own evaluation counts as much as the network. On lines with three players, without action cards, they play the
next turn, and a network judges that learned from such games alone.
"""

from by_heuristics import ByHeuristics
from features_new_york import positions
from network import outcomes

from fa_cli.games.new_york.actions import COLOUR, OVER, TURN
from fa_cli.games.new_york.policy import opinions as heuristics

AHEAD = 2  # turns played with two players before a position is judged: the opponent's and one's own
AHEAD_ON_LINES = 1  # with a network for lines


class Learned(ByHeuristics):
    """The policy for one decision. `networks` are by name; `on_lines` judge lines without action cards, if there."""

    ITERATIONS = 120

    def __init__(self, networks, on_lines=None):
        super().__init__(heuristics)
        self.network = networks["turn"]
        self.on_lines = on_lines and on_lines["turn"]
        self.of_two = self.network.seats == 2

    def expect(self, state):
        heuristics.settle(state)
        network, ahead = self.network, AHEAD if self.of_two else 0
        if self.on_lines and state.options.chain == "line" and state.options.actions == "off":
            network, ahead = self.on_lines, AHEAD_ON_LINES
        for _ in range(ahead):
            play_turn(state)
        if state.phase == OVER:
            return outcomes([state])[0].tolist()
        shares = network.shares(positions([state]))[0].tolist()
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
