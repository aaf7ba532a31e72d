"""Who won, and by which tie-break, in words."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from fa_cli.game_result import Fault, FaultKind, GameResult
from fa_cli.games import find_game
from fa_cli.games.fifth_avenue import board as fifth_avenue
from fa_cli.games.manhattan.board import ROUNDS
from fa_cli.games.new_york import board as new_york
from fa_cli.match.simulate import make_simulation
from fa_cli.replay.narrate import how_won, narrate_game
from fa_cli.replay.reconstruct import deal_of, play_again
from fa_cli.replay.record import Record


def words(game: str, standing: list[tuple[int, ...]], players: list[str], faults: Sequence[Fault] = ()) -> str:
    """How a game was won that ended so."""
    state: Any = SimpleNamespace(is_over=lambda: True, standing=lambda: standing)
    record = Record("", game, {}, players, "", [], list(faults), GameResult([], [], ""), "")
    return how_won(find_game(game), state, record)


@pytest.mark.parametrize(
    ("game", "standing", "failed", "expected"),
    [
        ("manhattan", [(40,), (38,)], [], "ann wins with 40 points, 2 more than bob"),
        ("manhattan", [(40,), (40,)], [], "ann and bob share the win with 40 points"),
        ("manhattan", [(40,), (10,)], [0], "bob wins with 10 points, because ann is out of the game"),
        ("fifth-avenue", [(9, 3), (9, 5)], [], "bob wins with 9 points, as many as ann, by cards in hand: 5 to 3"),
        (
            "new-york",
            [(9, 4, 0), (9, 3, 8)],
            [],
            "ann wins with 9 points, as many as bob, by longest chain: 4 to 3",
        ),
        (
            "new-york",
            [(1, 0, 1), (1, 0, 0)],
            [],
            "ann wins with 1 point, as many as bob, by purchase units: 1 to 0",
        ),
    ],
)
def test_words(game: str, standing: list[tuple[int, ...]], failed: list[int], expected: str) -> None:
    faults = [Fault(seat, 5, FaultKind.CRASH) for seat in failed]
    assert words(game, standing, ["ann", "bob"], faults) == expected


def test_every_tie_is_explained() -> None:
    standing = [(9, 3), (7, 1), (9, 5), (7, 2), (7, 2)]
    assert words("fifth-avenue", standing, ["ann", "bob", "cat", "dan", "eve"]) == (
        "cat wins with 9 points, as many as ann, by cards in hand: 5 to 3; eve is ahead of bob by cards in hand: 2 to 1"
    )


@pytest.mark.parametrize("game", ["fifth-avenue", "manhattan", "new-york"])
def test_every_tie_break_has_a_name(game: str) -> None:
    record = make_simulation(game, None, {}, 1, "names").play(0)[0]
    state = deal_of(record)[1]
    assert len(find_game(game).presentation.guide.tie_breaks) == len(state.standing()[0]) - 1


@pytest.mark.parametrize(
    ("game", "reasons"),
    [("fifth-avenue", fifth_avenue.REASONS[1:]), ("manhattan", [ROUNDS]), ("new-york", new_york.REASONS[1:])],
)
def test_every_end_is_in_words(game: str, reasons: Sequence[str]) -> None:
    endings = find_game(game).presentation.guide.endings
    assert sorted(endings) == sorted(reasons)
    assert all(" was " in words or " were " in words for words in endings.values())


def test_the_last_action_ends_the_game() -> None:
    record = make_simulation("fifth-avenue", 2, {}, 1, "scoring").play(0)[0]
    lines = list(narrate_game(record))
    [last] = [line for line in lines if line.endswith(": the game ends")]
    assert last.startswith(f"{len(record.actions) - 1:5}  ")


def ended(record: Record) -> str:
    """Who won the game, played again."""
    game, state = deal_of(record)
    state.journal = []
    for _ in play_again(game, state, record):
        pass
    return how_won(game, state, record)


def test_the_last_lines_say_who_won() -> None:
    record = make_simulation("manhattan", 2, {}, 1, "won").play(0)[0]
    assert ended(record) in [line.strip() for line in narrate_game(record)]
    record.faults = [Fault(seat, 10 + seat, FaultKind.CRASH) for seat in range(2)]
    assert ended(record) == "nobody wins, because all are out of the game"
    record.actions.pop()
    assert ended(record) == ""
    assert not any(" wins with " in line for line in narrate_game(record))
