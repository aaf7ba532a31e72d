"""Policies that play any game in tests. Uniform choices leave whole branches of the rules unvisited: a wrong branch
for passive play was invisible to 300,000 uniformly random games.

    state = game.start(options, players, seed)
    while not state.is_over():
        state.apply(policy(game, state, dice))
"""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from fa_cli.games.contract import State
from fa_cli.games.game import Game

Policy = Callable[[Game, State, random.Random], int]
"""(game, state before a decision, dice) -> the number of a legal action."""
Choose = Callable[[dict[str, Any], dict[str, Any]], str]
"""A bot's `choose(decide, start)`."""

FOLDER = Path(__file__).parents[2] / "bots"
_BOT_FILES = {"greedy": "greedy.py", "planner": "planner/planner.py", "random": "random/bot.py"}


def uniform(game: Game, state: State, dice: random.Random) -> int:
    """Choose each legal action with the same probability."""
    return dice.choice(state.legal())


def first_legal(game: Game, state: State, dice: random.Random) -> int:
    """Choose the first legal action, as the referee does for a bot that fails."""
    return state.legal()[0]


def last_legal(game: Game, state: State, dice: random.Random) -> int:
    """Choose the last legal action."""
    return state.legal()[-1]


def by_kind(game: Game, state: State, dice: random.Random) -> int:
    """Choose each kind of action with the same probability, so that kinds with few legal actions come up often."""
    return _of_any_kind(game, list(state.legal()), dice)


def _of_any_kind(game: Game, numbers: list[int], dice: random.Random) -> int:
    kinds: dict[str, list[int]] = {}
    for number in numbers:
        kinds.setdefault(_kind(game.actions[number]), []).append(number)
    return dice.choice(kinds[dice.choice(list(kinds))])


@cache
def _kind(text: str) -> str:
    return text.split()[0]


def weighted(*weights: tuple[str, float]) -> Policy:
    """Play at random; an action has the weight of the first prefix that it begins with, otherwise 1."""

    @cache
    def weight_of(text: str) -> float:
        return next((weight for start, weight in weights if text.startswith(start)), 1.0)

    def choose(game: Game, state: State, dice: random.Random) -> int:
        legal, texts = state.legal(), game.actions
        return dice.choices(legal, [weight_of(texts[number]) for number in legal])[0]

    return choose


def preferring(*starts: str) -> Policy:
    """Prefer actions that begin with the first of these prefixes that any legal action has; else play by kind."""

    @cache
    def place_of(text: str) -> int:
        return next((place for place, start in enumerate(starts) if text.startswith(start)), len(starts))

    def choose(game: Game, state: State, dice: random.Random) -> int:
        legal = list(state.legal())
        places = [place_of(game.actions[number]) for number in legal]
        best = min(places)
        if best == len(starts):
            return _of_any_kind(game, legal, dice)
        return dice.choice([number for number, place in zip(legal, places, strict=True) if place == best])

    return choose


def avoiding(*starts: str) -> Policy:
    """Play by kind, without actions that begin with one of these prefixes if there are others."""

    @cache
    def is_avoided(text: str) -> bool:
        return text.startswith(starts)

    def choose(game: Game, state: State, dice: random.Random) -> int:
        legal = list(state.legal())
        return _of_any_kind(game, [number for number in legal if not is_avoided(game.actions[number])] or legal, dice)

    return choose


def by_seat(*policies: Policy) -> Policy:
    """Give each seat its own policy; with fewer policies than seats, start again from the first."""

    def choose(game: Game, state: State, dice: random.Random) -> int:
        return policies[state.actor % len(policies)](game, state, dice)

    return choose


def varied(game: Game, state: State, dice: random.Random) -> int:
    """Choose one of the cheap policies for each decision."""
    return dice.choice((uniform, first_legal, last_legal, by_kind, hoarding, passing))(game, state, dice)


# The words of all three games.
hoarding = avoiding(
    *("business", "score", "bid", "build 1", "build 2", "build 3", "stop"),
    *("use", "renovation", "ruin", "speculation", "developer", "statics"),
)
"""Keeps cards and pieces as long as the rules allow."""
passing = preferring("pass", "build 0", "skyscrapers", "commissioner", "discard", "redraw")
"""Does as little as the rules allow."""

POLICIES: dict[str, Policy] = {
    "uniform": uniform,
    "first": first_legal,
    "last": last_legal,
    "by kind": by_kind,
    "hoarding": hoarding,
    "passing": passing,
    "varied": varied,
    "passing and any": by_seat(passing, by_kind),
}


# -- the bots that ship, in this process ---------------------------------------------------------------------------


@cache
def chooser(name: str) -> Choose:
    """Return `choose` of a Python bot in bots/: greedy, planner or random."""
    path = FOLDER / _BOT_FILES[name]
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # the planner imports a module per game when it first plays it
    spec = importlib.util.spec_from_file_location(f"shipped_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    choose: Choose = module.choose
    return choose


def board_of(game: Game, options: msgspec.Struct) -> dict[str, Any]:
    """Return the `board` field of the `start` line; empty if the game has none."""
    board = game.board(options)
    return {} if board is None else {"board": msgspec.to_builtins(board)}


def bot(name: str) -> Policy:
    """Return a policy that plays every seat with this bot."""

    def choose(game: Game, state: State, dice: random.Random) -> int:
        legal = state.legal()
        if len(legal) == 1:
            return legal[0]
        seen = json.loads(bytes(game.observation_json(state, state.actor)))
        start = {"game": game.name, "seat": state.actor, "bot_seed": f"{dice.getrandbits(64):016x}"}
        start |= board_of(game, game.make_options(seen["options"]))
        legal_texts = [game.actions[number] for number in legal]
        return game.action_number(chooser(name)({"observation": seen, "legal": legal_texts}, start))

    return choose


BOTS: dict[str, Policy] = {name: bot(name) for name in ("greedy", "planner")}
EVERY: dict[str, Policy] = {**POLICIES, **BOTS}
"""All policies by name."""
