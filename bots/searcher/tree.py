"""Information-set Monte Carlo tree search with one tree per decision (SO-ISMCTS; Cowling, Powley, Whitehouse 2012).

An iteration takes a world that fits what the seat has seen, walks down the tree by the actions legal in it, adds one
node, plays on to a quiet place, and counts what each seat can expect there. An action is chosen by what it brought, by
a heuristic's opinion of it, and by how often it could have been chosen: it is not legal in every world.
"""

from math import exp, log
from random import Random
from time import monotonic


class Node:
    """What is known after a sequence of actions, of all the worlds in which they were possible."""

    __slots__ = ("available", "biases", "children", "legal", "order", "reward", "values", "visits")

    def __init__(self):
        self.visits = 0
        self.available = 0  # how often the action to it was legal when its parent chose
        self.reward = 0.0  # what the seat that chose it got, in sum
        self.children = {}
        self.values = {}  # by action: the heuristic's opinion, in points
        self.legal = None  # the last world's legal actions, and
        self.order = []  # these with the best opinion first, and
        self.biases = []  # how much worse than the first each is thought to be, as a share of the win


class Search:
    """One decision. `policy` is the game's module; `draw` gives a fresh world."""

    def __init__(self, policy, draw):
        self.policy = policy
        self.draw = draw
        self.root = Node()
        self.tried = set()  # what was chosen first in the present world

    def run(self, iterations, deadline, clock=monotonic):
        """The best action; fewer iterations, but one, if the clock reaches `deadline` first.

        In each world several actions are tried, one after the other: so they are compared under the same luck.
        """
        while self.root.visits < iterations:
            world = self.draw()
            self.tried = set()
            for _ in range(min(self.policy.PAIRED, len(world.legal()), iterations - self.root.visits)):
                self.iterate(world.copy())
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
        """The child to go to, and its action.

        The heuristic's opinion counts as so many visits (TRUST) that brought what it thinks; to that comes the bonus
        of UCB, whose number of chances is how often the action was legal.
        """
        if legal != node.legal:
            self.look(node, state, legal)
        policy, children = self.policy, node.children
        trust, explore, visits = policy.TRUST, policy.EXPLORE, node.visits
        parent = node.reward / visits if visits else 0.5
        unseen = explore * (log(visits + 2) / trust) ** 0.5 + parent
        best, chosen = -1e9, None
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
            if value > best:
                best, chosen = value, action
        if node is self.root:
            self.tried.add(chosen)
        child = children.get(chosen)
        if child is None:
            child = children[chosen] = Node()
            child.available = 1
        return child, chosen

    def best(self):
        """The action of the root that is worth most, by opinion and experience, those seldom tried at a discount."""
        root, policy = self.root, self.policy
        parent, trust = root.reward / root.visits, policy.TRUST
        biases = dict(zip(root.order, root.biases, strict=True))

        def value(action):
            child = root.children[action]
            weight = child.visits + trust
            return (child.reward + trust * (parent + biases[action])) / weight - policy.EXPLORE / weight**0.5

        return max(root.children, key=value)

    def look(self, node, state, legal):
        """Ask for opinions on these actions, and put them in order."""
        values = node.values
        if not all(action in values for action in legal):
            for action, value in zip(legal, self.policy.opinions(state, legal), strict=True):
                values.setdefault(action, value)
        node.legal = legal
        node.order = sorted(legal, key=values.__getitem__, reverse=True)
        top, slope = values[node.order[0]], 0.2 / self.policy.SCALE
        node.biases = [max(-0.5, slope * (values[action] - top)) for action in node.order]


class Dice(Random):
    """A generator with a shuffle that is quicker than the library's."""

    def shuffle(self, items):
        chance = self.random
        items.sort(key=lambda _: chance())


def win_shares(points, scale):
    """What each seat can expect, 1 in sum: the more points the more, `scale` points being a factor of e."""
    top = max(points)
    weights = [exp((mine - top) / scale) for mine in points]
    whole = sum(weights)
    return [weight / whole for weight in weights]
