"""Who beats whom, in process, on deals that are always the same."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import msgspec
import pytest

from fa_cli.games import find_game
from fa_cli.games.chance import bot_seed
from fa_cli.results import rank_seats

from .conftest import FOLDER

Choose = Callable[[dict[str, Any], dict[str, Any]], str]


@pytest.fixture(scope="module")
def choosers() -> Iterator[dict[str, Choose]]:
    """The Python bots' `choose`, by name."""
    loaded: dict[str, Choose] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER / "planner"))
        for name, path in (("random", "random/bot.py"), ("greedy", "greedy.py"), ("planner", "planner/planner.py")):
            spec = importlib.util.spec_from_file_location(f"shipped_{name}", FOLDER / path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            loaded[name] = module.choose
        yield loaded
    for module_name in ("fifth_avenue", "manhattan", "new_york"):
        sys.modules.pop(module_name, None)


def wins(choosers: dict[str, Choose], names: list[str], deals: int, name: str, **options: object) -> float:
    """The share of games that the first of the names wins: every deal in each order; ties count in part."""
    game = find_game(name)
    setting = game.make_options(options)
    orders = sorted(set(permutations(names)))
    won = 0.0
    for deal in range(deals):
        seed = hashlib.sha256(f"{name} {deal}".encode()).digest()
        for order in orders:
            ranks = ranks_of(game, setting, [choosers[bot] for bot in order], seed)
            best = [bot for bot, rank in zip(order, ranks, strict=True) if rank == 1]
            won += best.count(names[0]) / len(best)
    return won / (deals * len(orders))


def ranks_of(game: Any, options: Any, choosers: list[Choose], seed: bytes) -> list[int]:
    state = game.start(options, len(choosers), seed)
    starts = [{"game": game.name, "seat": seat, "bot_seed": bot_seed(seed, seat)} for seat in range(len(choosers))]
    while not state.is_over():
        legal, seat = state.legal(), state.actor
        texts = [game.actions[number] for number in legal]
        choice = texts[0]
        if len(texts) > 1:
            seen = msgspec.to_builtins(game.observe(state, seat))
            choice = choosers[seat]({"observation": seen, "legal": texts}, starts[seat])
        state.apply(legal[texts.index(choice)])
    return rank_seats(state.standing())


@pytest.mark.parametrize("side", ["five", "six"])
def test_greedy_beats_random_at_fifth_avenue(choosers: dict[str, Choose], side: str) -> None:
    assert wins(choosers, ["greedy", "random"], 10, "fifth-avenue", side=side) >= 0.9


@pytest.mark.parametrize("side", ["five", "six"])
def test_the_planner_beats_greedy_at_fifth_avenue(choosers: dict[str, Choose], side: str) -> None:
    """Between equals it would be so many in two of a thousand times."""
    assert wins(choosers, ["planner", "greedy"], 20, "fifth-avenue", side=side) >= 0.75


def test_the_planner_beats_three_greedy_ones_at_fifth_avenue(choosers: dict[str, Choose]) -> None:
    assert wins(choosers, ["planner", "greedy", "greedy", "greedy"], 8, "fifth-avenue") >= 0.42


@pytest.mark.parametrize("game", ["manhattan", "new-york"])
@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_heuristics_beat_random(choosers: dict[str, Choose], name: str, game: str) -> None:
    assert wins(choosers, [name, "random"], 4, game) >= 0.9
    assert wins(choosers, [name, "random", "random"], 2, game) >= 0.8


def test_the_planner_beats_greedy_at_manhattan(choosers: dict[str, Choose]) -> None:
    """Between equals it would be so many in one of two thousand times."""
    assert wins(choosers, ["planner", "greedy"], 12, "manhattan") >= 0.85


@pytest.mark.parametrize("players", [2, 4])
def test_the_planner_counts_the_scorings_to_come(choosers: dict[str, Choose], players: int) -> None:
    """One of this round, and as many later ones as there are rounds after it."""
    planner = sys.modules["manhattan"]
    game = find_game("manhattan")
    state = game.start(game.make_options({}), players, bytes(32))
    later = {}
    while not state.is_over():
        seen = msgspec.to_builtins(game.observe(state, state.actor))
        weights = [weight for _, _, weight in planner.Board(seen).scorings]
        later[seen["round"]] = (weights[1] if len(weights) == 2 else 0.0) / planner.DISCOUNT
        state.apply(state.legal()[0])
    rounds = max(later)
    assert later == {number: pytest.approx(rounds - number) for number in range(1, rounds + 1)}
