"""The policy for Manhattan by a learned value: every position after a legal action is judged by the networks.

There is one network for positions in which something is to be built, and one for those in which blocks are selected.
Neither looks at hands, so what one sampled state shows holds for all of them. With two players the heuristics judge
instead, but later than the searcher does.
"""

import numpy as np
from by_heuristics import ByHeuristics
from features_manhattan import builds, positions
from network import blended

from fa_cli.games.manhattan.policy import opinions as heuristics


class Learned:
    """The policy for one decision; fa_cli.games.search says what its parts mean. `networks` are by name."""

    ITERATIONS = 40
    EXPLORE = 0.04
    TRUST = 24.0
    PAIRED = 4
    WIDTH = 4.0
    WIDEN = 1.0
    SCALE = 0.2  # opinions are shares of the win

    def __init__(self, networks):
        self.networks = networks
        self.known = {}
        """By the builds of this round: the shares by seat after each action that was looked at."""

    def searches(self, state):
        return state.left > 0

    def opinions(self, state, legal):
        if state.left == 0:
            return shares_after(self.networks, [state], [legal])[0][:, state.actor].tolist()
        known = self.known.setdefault((state.round, *state.round_plays), {})
        new = [action for action in legal if action not in known]
        if new:
            known.update(zip(new, shares_after(self.networks, [state], [new])[0].tolist(), strict=True))
        return [known[action][state.actor] for action in legal]

    def expect(self, state):
        if state.actor < 0:
            return outcomes([state])[0].tolist()
        if state.round_plays:
            *before, last = state.round_plays
            known = self.known.get((state.round, *before), {}).get(last >> 2)
            if known is not None:
                return known
        return shares(self.networks, [state])[0].tolist()


class PlayedOn(ByHeuristics):
    """The policy for two players: the searcher's, but positions are judged after the builds that follow."""

    ITERATIONS = 256
    BUILDS = 2
    """Played before a position is judged: the opponent's and one's own."""

    def __init__(self):
        super().__init__(heuristics)
        self.EXPLORE = 0.06  # half as much as the searcher: positions are judged more reliably

    def expect(self, state):
        for _ in range(min(self.BUILDS, state.left)):
            legal = state.legal()
            values = heuristics.opinions(state, legal)
            state.apply(legal[values.index(max(values))])
        return heuristics.expect(state)


def shares_after(networks, states, legal):
    """Return for each state the shares after each of its legal actions, by action and seat."""
    found = [None] * len(states)
    inside = [index for index, state in enumerate(states) if state.left > 1]
    if inside:
        numbers = builds([states[index] for index in inside], [legal[index] for index in inside])
        split(found, inside, legal, networks["build"].shares(numbers))
    others = [index for index, state in enumerate(states) if state.left <= 1]
    if others:
        afterwards = [after(states[index], action) for index in others for action in legal[index]]
        split(found, others, legal, shares(networks, afterwards))
    return found


def split(found, indices, legal, rows):
    """Put into `found` at each of these indices the rows of its legal actions."""
    ends = np.cumsum([len(legal[index]) for index in indices])[:-1]
    for index, part in zip(indices, np.split(rows, ends), strict=True):
        found[index] = part


def after(state, action):
    """Return the state after this action."""
    new = state.copy()
    new.apply(action)
    return new


def shares(networks, states):
    """Return the shares in each of these states by seat; at the end of a game those it ended with."""
    rows = np.empty((len(states), states[0].players))
    kinds = [kind(state) for state in states]
    for name in {*kinds}:
        at = [index for index, other in enumerate(kinds) if other == name]
        chosen = [states[index] for index in at]
        rows[at] = networks[name].shares(positions(chosen)) if name else outcomes(chosen)
    return rows


def kind(state):
    """Return the name of the network for this state; empty at the end of the game."""
    return "" if state.actor < 0 else "build" if state.left else "select"


def outcomes(states):
    """Return what finished games were worth, by game and seat."""
    points = np.array([state.points for state in states], float)
    return blended(points == points.max(1, keepdims=True), points)
