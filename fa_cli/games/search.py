"""Information-set Monte Carlo tree search with one tree per decision (SO-ISMCTS; Cowling, Powley, Whitehouse 2012).

Each iteration samples a state consistent with the observation, descends the tree by actions that are legal in that
state, adds one node, plays on to a quiet position, and backs up the expected rewards of all seats. Actions are chosen
by their mean reward, a heuristic's prior, and the number of times they were available: an action is not legal in every
sampled state.

>>> from random import Random
>>> from fa_cli import games
>>> game = games.find_game("manhattan")
>>> state = game.start(game.make_options({}), players=2, seed=games.Seed.from_text("an example"))
>>> search = Search(policy_of("manhattan"), lambda: game.resample_from_infostate(state, state.actor, Random(1)))
>>> game.actions[search.run(iterations=20, deadline=float("inf"))].split()[0]
'select'
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from math import exp, fsum, inf, log
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from ..decoding import built
from ..errors import ActionError
from . import MODULES, find_game
from .dice import Dice

if TYPE_CHECKING:
    from .game import Game

clock = time.thread_time if sys.platform == "linux" else time.monotonic
"""On Linux a bot's clock stops while it waits for a core, and so does this one: a busy machine changes no decision."""
SHARE = 0.5  # the part of the time for a decision that is used: the bot does more than to search
BANK_MOVES = 50  # the number of decisions for which the rest of the bank should last


class Policy(Protocol):
    """What the search must know of a game. The shipped heuristics are modules of this form (`policy_of`)."""

    ITERATIONS: int
    """The default per decision."""
    EXPLORE: float
    """The weight of exploration."""
    TRUST: float
    """The number of visits that the prior counts for."""
    PAIRED: int
    """Actions compared in the same sampled state."""
    WIDTH: float
    WIDEN: float
    """A node considers its WIDTH + WIDEN * sqrt(visits) best actions."""
    SCALE: float
    """Points that multiply the odds of winning by e."""

    def searches(self, state: Any) -> bool:
        """Return whether this decision is worth a search."""

    def opinions(self, state: Any, legal: Sequence[int]) -> list[float]:
        """Return the value of each action to the actor, in points: the prior."""

    def expect(self, state: Any) -> list[float]:
        """Return the expected reward by seat. May play the state on."""


def policy_of(game: str, players: int = 2) -> Policy:
    """Return the heuristics for the game of this name, for any number of players. Raises UnknownGame."""
    policy: Policy = import_module(f"{find_game(game).rules}.policy.opinions")
    return policy


class Node:
    """Statistics of a sequence of actions over all sampled states in which it was legal."""

    __slots__ = ("available", "biases", "children", "legal", "order", "reward", "values", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0  # how often the action that leads here was legal when the parent chose
        self.reward = 0.0  # the sum of rewards of the seat that chose this action
        self.children: dict[int, Node] = {}
        self.values: dict[int, float] = {}  # by action: the heuristic's opinion, in points
        self.legal: Sequence[int] | None = None  # the legal actions at the last visit
        self.order: list[int] = []  # these actions, the best opinion first
        self.biases: list[float] = []  # by action in this order: its opinion less the best, as a difference of reward


class Search:
    """The search for one decision. `draw` returns a newly sampled state."""

    def __init__(self, policy: Policy, draw: Callable[[], Any]) -> None:
        self.policy = policy
        self.draw = draw
        self.root = Node()
        self.tried: set[int] = set()  # the actions already chosen at the root in the current sampled state

    def run(self, iterations: float, deadline: float) -> int:
        """Return the best action after this many iterations, or fewer if `clock` says `deadline`; at least one is made.

        Several actions are tried in each sampled state, so that they are compared under the same luck. Raises
        ActionError if the game is over.
        """
        while True:
            state = self.draw()
            legal = state.legal()
            if not legal:
                raise ActionError("there is nothing to search: the game is over")
            if len(legal) == 1:
                return int(legal[0])
            self.tried = set()
            for _ in range(min(self.policy.PAIRED, len(legal))):
                self.iterate(state.copy())
                if self.root.visits >= iterations or clock() >= deadline:
                    return self.best()

    def iterate(self, state: Any) -> None:
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

    def choose(self, node: Node, state: Any, legal: Sequence[int]) -> tuple[Node, int]:
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
        best_value, chosen = -1e9, node.order[0]
        tried = self.tried if node is self.root else ()
        for action, bias in zip(
            node.order[: int(policy.WIDTH + policy.WIDEN * visits**0.5)], node.biases, strict=False
        ):
            if action in tried:
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

    def best(self) -> int:
        """Return the root's best action by opinion and mean reward, with a discount for few visits."""
        root, policy = self.root, self.policy
        parent, trust = root.reward / root.visits, policy.TRUST
        biases = dict(zip(root.order, root.biases, strict=True))

        def value(action: int) -> float:
            child = root.children[action]
            weight = child.visits + trust
            return (child.reward + trust * (parent + biases[action])) / weight - float(policy.EXPLORE / weight**0.5)

        return max(root.children, key=value)

    def rank(self, node: Node, state: Any, legal: Sequence[int]) -> None:
        """Sort these actions by the heuristic's opinion and store the node's biases."""
        values = node.values
        if not values.keys() >= set(legal):
            for action, value in zip(legal, self.policy.opinions(state, legal), strict=True):
                values.setdefault(action, value)
        node.legal = legal
        node.order = sorted(legal, key=values.__getitem__, reverse=True)
        top, slope = values[node.order[0]], 0.2 / self.policy.SCALE
        node.biases = [max(-0.5, slope * (values[action] - top)) for action in node.order]


class Searcher:
    """A bot's `choose` for any game. A decision ends after `iterations` or `seconds`, whichever comes first.

    By default it ends after the number of iterations that the game's policy sets. With 0 iterations, as where the
    policy does not search, the best opinion decides.
    """

    def __init__(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        policy_of: Callable[[str, int], Policy] = policy_of,
    ) -> None:
        self.iterations = iterations
        self.seconds = seconds
        self.policy_of = policy_of

    def __call__(self, decide: dict[str, Any], start: dict[str, Any]) -> str:
        """Return the action for this `decide` line."""
        started = clock()
        if start["game"] not in MODULES:
            answer: str = decide["legal"][0]
            return answer
        game = find_game(start["game"])
        dice = Dice(start["bot_seed"])
        seen = msgspec.convert(decide["observation"], built(game.observation))
        deadline = started + min(self.seconds or inf, seconds(decide["clock"]))
        return game.actions[self.choose(game, game.sample_state(seen, dice), dice, deadline)]

    def choose(self, game: Game, state: Any, dice: Dice, deadline: float = inf) -> int:
        """Return the action for the actor of this state, which was sampled for it: nothing hidden may be true."""
        policy = self.policy_of(game.name, state.players)
        if self.iterations == 0 or not policy.searches(state):
            legal: list[int] = state.legal()
            values = policy.opinions(state, legal)
            best = [action for action, value in zip(legal, values, strict=True) if value == max(values)]
            return dice.choice(best)
        seat = state.actor
        search = Search(policy, lambda: game.resample_from_infostate(state, seat, dice))
        return search.run(self.iterations or (inf if self.seconds else policy.ITERATIONS), deadline)


def seconds(clock: dict[str, int]) -> float:
    """Return the seconds that a decision may take; infinite without a clock."""
    if "move_ms" not in clock:
        return inf
    return SHARE * (clock["move_ms"] + clock.get("bank_ms", 0) / BANK_MOVES) / 1000


def win_shares(points: Sequence[float], scale: float) -> list[float]:
    """Return by seat its expected share of the win: a softmax of the points with the temperature `scale`."""
    top = max(points)
    weights = [exp((own - top) / scale) for own in points]
    total = fsum(weights)
    return [weight / total for weight in weights]
