"""Games to learn from: many at once, so that the networks judge positions of all of them together."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from fa_cli.games import Seed, find_game
from fa_cli.games.search import policy_of

from .bot import Network, Subject

Networks = dict[str, Network]

MISTAKES = 0.05  # the part of actions that are random, so that other positions are seen too
NOISE = 0.004  # of shares, so that actions of about the same value are all tried


def deals(subject: Subject, players: int, names: list[str]) -> list[Any]:
    """Return a new game for each name."""
    game, started = find_game(subject.game), []
    for number, name in enumerate(names):
        options = game.make_options(dict(subject.options[number % len(subject.options)]))
        started.append(game.start(options, players, Seed(hashlib.sha256(name.encode()).digest())))
    return started


def play(
    subject: Subject, states: list[Any], networks: Networks | None, generator: np.random.Generator
) -> list[list[Any]]:
    """Play all games to the end, by the networks or else by the shipped heuristics. Returns the positions to judge."""
    passed: list[list[Any]] = [[] for _ in states]
    while running := [index for index, state in enumerate(states) if not state.is_over()]:
        now = [states[index] for index in running]
        legal = [list(state.legal()) for state in now]
        for index, action in zip(running, choose(subject, now, legal, networks, generator), strict=True):
            states[index].apply(action)
            if subject.kind(states[index]):
                passed[index].append(states[index].copy())
    return passed


def choose(
    subject: Subject,
    states: list[Any],
    legal: list[list[int]],
    networks: Networks | None,
    generator: np.random.Generator,
) -> list[int]:
    """Return an action for each state: mostly the best."""
    if networks is None:
        teacher = policy_of(subject.game)
        values = [np.array(teacher.opinions(state, actions)) for state, actions in zip(states, legal, strict=True)]
    else:
        assert subject.shares_after
        found = subject.shares_after(networks, states, legal)
        values = [rows[:, state.actor] for state, rows in zip(states, found, strict=True)]
        values = [value + NOISE * generator.gumbel(size=len(value)) for value in values]
    best = [actions[int(value.argmax())] for actions, value in zip(legal, values, strict=True)]
    wild = generator.random(len(best)) < MISTAKES
    return [
        actions[int(generator.integers(len(actions)))] if random else action
        for action, actions, random in zip(best, legal, wild, strict=True)
    ]


class Samples:
    """Positions to learn from, by network: numbers, and the shares that later positions and the result give them."""

    def __init__(self, numbers: np.ndarray, kinds: np.ndarray, targets: np.ndarray) -> None:
        self.numbers, self.kinds, self.targets = numbers, kinds, targets

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return numbers and targets for the network of this name."""
        mine = self.kinds == name
        return self.numbers[mine], self.targets[mine]


def samples(
    subject: Subject, states: list[Any], passed: list[list[Any]], networks: Networks | None, trace: float
) -> Samples:
    """Return the positions of finished games with their targets: TD(lambda) with this `trace` (Sutton 1988).

    Without networks the target is the result.
    """
    flat = [position for game in passed for position in game]
    kinds = np.array([subject.kind(position) for position in flat])
    numbers = subject.positions(flat)
    shares = np.zeros(numbers.shape[:2], np.float32)
    if networks is not None:
        for name, network in networks.items():
            shares[kinds == name] = network.shares(numbers[kinds == name])
    targets, at = np.empty_like(shares), 0
    for game, target in zip(passed, subject.outcomes(states), strict=True):
        for index in reversed(range(at, at + len(game))):
            targets[index] = target
            if networks is not None:
                target = trace * target + (1 - trace) * shares[index]
        at += len(game)
    return Samples(numbers.astype(np.float16), kinds, targets)
