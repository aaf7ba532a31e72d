"""Which bot beats which, in process, on fixed deals."""

from __future__ import annotations

from importlib import import_module
from itertools import permutations
from typing import Any

import msgspec
import pytest

from fa_cli.game_result import rank_seats
from fa_cli.games import find_game
from fa_cli.games.seed import Seed
from tests.conftest import further

from ..games.new_york.positions import legal, position
from ..games.policies import Choose, board_of, chooser


@pytest.fixture(scope="module")
def choosers() -> dict[str, Choose]:
    """The Python bots' `choose`, by name."""
    return {name: chooser(name) for name in ("random", "greedy", "planner")}


def wins(choosers: dict[str, Choose], names: list[str], deals: int, name: str, **options: object) -> float:
    """The share of games that the first of the names wins: every deal in each order; ties count in part."""
    game = find_game(name)
    setting = game.make_options(options)
    orders = sorted(set(permutations(names)))
    won = 0.0
    for deal in range(deals):
        seed = Seed.from_text(f"{name} {deal}")
        for order in orders:
            ranks = ranks_of(game, setting, [choosers[bot] for bot in order], seed)
            best = [bot for bot, rank in zip(order, ranks, strict=True) if rank == 1]
            won += best.count(names[0]) / len(best)
    return won / (deals * len(orders))


def ranks_of(game: Any, options: Any, choosers: list[Choose], seed: Seed) -> list[int]:
    state = game.start(options, len(choosers), seed)
    board = board_of(game, options)
    starts = [
        {"game": game.name, "seat": seat, "bot_seed": seed.of_seat(seat), **board} for seat in range(len(choosers))
    ]
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


@pytest.mark.parametrize("side", ["five", *further("six")])
def test_the_planner_beats_greedy_at_fifth_avenue(choosers: dict[str, Choose], side: str) -> None:
    """Between equals it would be so many in two of a thousand times."""
    assert wins(choosers, ["planner", "greedy"], 20, "fifth-avenue", side=side) >= 0.75


@pytest.mark.slow
def test_the_planner_beats_three_greedy_ones_at_fifth_avenue(choosers: dict[str, Choose]) -> None:
    assert wins(choosers, ["planner", "greedy", "greedy", "greedy"], 8, "fifth-avenue") >= 0.42


@pytest.mark.slow
@pytest.mark.parametrize("game", ["manhattan", "new-york"])
@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_heuristics_beat_random(choosers: dict[str, Choose], name: str, game: str) -> None:
    assert wins(choosers, [name, "random"], 4, game) >= 0.9
    assert wins(choosers, [name, "random", "random"], 2, game) >= 0.8


@pytest.mark.slow
def test_the_planner_beats_greedy_at_manhattan(choosers: dict[str, Choose]) -> None:
    """Between equals it would be so many in one of two thousand times."""
    assert wins(choosers, ["planner", "greedy"], 12, "manhattan") >= 0.85


@pytest.mark.parametrize("players", [2, 4])
def test_the_planner_counts_the_scorings_to_come(choosers: dict[str, Choose], players: int) -> None:
    """One of this round, and as many later ones as there are rounds after it."""
    planner = import_module("manhattan")  # in the path since `choosers`
    game = find_game("manhattan")
    state = game.start(game.make_options({}), players, Seed(bytes(32)))
    later = {}
    while not state.is_over():
        seen = msgspec.to_builtins(game.observe(state, state.actor))
        weights = [weight for _, _, weight in planner.Board(seen).scorings]
        later[seen["round"]] = (weights[1] if len(weights) == 2 else 0.0) / planner.DISCOUNT
        state.apply(state.legal()[0])
    rounds = max(later)
    assert later == {number: pytest.approx(rounds - number) for number in range(1, rounds + 1)}


@pytest.mark.parametrize(
    ("board", "hand", "choice"),
    [
        # a square, which nobody can break cheaply, rather than a row of the same length
        ({"red": "a2s2 a3s1 a3s2"}, "avenue 1, avenue 2, street 1, street 2", "play 2 1"),
        # blue leads, but loses one house of its chain; green's chain breaks in two
        (
            {
                "blue": "a2s1 a2s2 a3s1 a3s2 a4s2",
                "green": "a1s6 a1s7 a2s6 a2s7 a3s6 a3s7 a4s6 a5s6 a5s7 a6s6 a6s7 a7s6 a7s7",
            },
            "avenue 4, street 2, street 6",
            "play 4 6",
        ),
    ],
)
def test_the_planner_judges_all_opponents_at_new_york(
    choosers: dict[str, Choose], board: dict[str, str], hand: str, choice: str
) -> None:
    state = position(4, board, [hand], units=[6, 30, 6, 6])
    seen = msgspec.to_builtins(find_game("new-york").observe(state, 0))
    assert choosers["planner"]({"observation": seen, "legal": legal(state)}, {"game": "new-york"}) == choice
