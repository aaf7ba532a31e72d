"""Information-set Monte Carlo tree search with one tree per decision (SO-ISMCTS; Cowling, Powley, Whitehouse 2012).

Each iteration samples a state consistent with the observation, descends the tree by actions that are legal in that
state, adds one node, plays on to a quiet position, and backs up the expected rewards of all seats. Actions are chosen
by their mean reward, a heuristic's prior, and the number of times they were available: an action is not legal in every
sampled state.

A policy module has `searches(state)`, `opinions(state, legal)` (the prior in points), `expect(state)` (the expected
reward by seat) and these constants: ITERATIONS (the default per decision), EXPLORE (the weight of exploration), TRUST
(the number of visits that the prior counts for), PAIRED (actions compared in the same sampled state), WIDTH and WIDEN
(a node considers its WIDTH + WIDEN * sqrt(visits) best actions), SCALE (points that multiply the odds of winning by e).
"""

from math import exp, fsum, log
from random import Random
from time import monotonic


class Node:
    """Statistics of a sequence of actions over all sampled states in which it was legal."""

    __slots__ = ("available", "biases", "children", "legal", "order", "reward", "values", "visits")

    def __init__(self):
        self.visits = 0
        self.available = 0  # how often the action that leads here was legal when the parent chose
        self.reward = 0.0  # the sum of rewards of the seat that chose this action
        self.children = {}
        self.values = {}  # by action: the heuristic's opinion, in points
        self.legal = None  # the legal actions at the last visit
        self.order = []  # these actions, the best opinion first
        self.biases = []  # by action in this order: its opinion less the best one, as a difference of reward


class Search:
    """The search for one decision. `policy` is the game's module; `draw` returns a newly sampled state."""

    def __init__(self, policy, draw):
        self.policy = policy
        self.draw = draw
        self.root = Node()
        self.tried = set()  # the actions already chosen at the root in the current sampled state

    def run(self, iterations, deadline, clock=monotonic):
        """Return the best action after this many iterations, or fewer (at least one) if `clock()` reaches `deadline`.

        Several actions are tried in each sampled state, so that they are compared under the same luck.
        """
        while self.root.visits < iterations:
            state = self.draw()
            self.tried = set()
            for _ in range(min(self.policy.PAIRED, len(state.legal()), iterations - self.root.visits)):
                self.iterate(state.copy())
                if clock() >= deadline:
                    return self.best()
        return self.best()

    def iterate(self, state):
        node = self.root
        path = [(node, state.actor)]
        while state.actor >= 0:
            legal = state.legal()
            if len(legal) == 1:
                state.apply(legal[0])
                continue
            child, action = self.choose(node, state, legal)
            path.append((child, state.actor))
            state.apply(action)
            node = child
            if not child.visits:
                break
        rewards = self.policy.expect(state)
        for node, seat in path:
            node.visits += 1
            node.reward += rewards[seat]

    def choose(self, node, state, legal):
        """Return the child to descend to, and its action.

        The heuristic's opinion counts as TRUST visits with the reward that it predicts. The exploration bonus is that
        of UCB, with the number of times the action was available in place of the parent's visits.
        """
        if legal != node.legal:
            self.rank(node, state, legal)
        policy, children = self.policy, node.children
        trust, explore, visits = policy.TRUST, policy.EXPLORE, node.visits
        parent = node.reward / visits if visits else 0.5
        unseen = explore * (log(visits + 2) / trust) ** 0.5 + parent
        best_value, chosen = -1e9, None
        for action, bias in zip(
            node.order[: int(policy.WIDTH + policy.WIDEN * visits**0.5)], node.biases, strict=False
        ):
            if node is self.root and action in self.tried:
                continue
            child = children.get(action)
            if child is None:
                value = unseen + bias
            else:
                child.available += 1
                weight = child.visits + trust
                value = (child.reward + trust * (parent + bias)) / weight
                value += explore * (log(child.available + 1) / weight) ** 0.5
            if value > best_value:
                best_value, chosen = value, action
        if node is self.root:
            self.tried.add(chosen)
        child = children.get(chosen)
        if child is None:
            child = children[chosen] = Node()
            child.available = 1
        return child, chosen

    def best(self):
        """Return the root's best action by opinion and mean reward, with a discount for few visits."""
        root, policy = self.root, self.policy
        parent, trust = root.reward / root.visits, policy.TRUST
        biases = dict(zip(root.order, root.biases, strict=True))

        def value(action):
            child = root.children[action]
            weight = child.visits + trust
            return (child.reward + trust * (parent + biases[action])) / weight - policy.EXPLORE / weight**0.5

        return max(root.children, key=value)

    def rank(self, node, state, legal):
        """Sort these actions by the heuristic's opinion and store the node's biases."""
        values = node.values
        if not all(action in values for action in legal):
            for action, value in zip(legal, self.policy.opinions(state, legal), strict=True):
                values.setdefault(action, value)
        node.legal = legal
        node.order = sorted(legal, key=values.__getitem__, reverse=True)
        top, slope = values[node.order[0]], 0.2 / self.policy.SCALE
        node.biases = [max(-0.5, slope * (values[action] - top)) for action in node.order]


class Dice(Random):
    """A random generator with a faster shuffle than the library's."""

    def shuffle(self, items):
        chance = self.random
        items.sort(key=lambda _: chance())


def win_shares(points, scale):
    """Return by seat its expected share of the win: a softmax of the points with the temperature `scale`."""
    top = max(points)
    weights = [exp((own - top) / scale) for own in points]
    total = fsum(weights)
    return [weight / total for weight in weights]
