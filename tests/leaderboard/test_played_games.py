"""The rows of one game in the index."""

from __future__ import annotations

import pytest

from fa_cli.game_result import Fault, FaultKind, PlayedGame
from fa_cli.leaderboard.played_games import IndexRow, result_rows
from fa_cli.stats.outcomes import WIN


def rows(
    ranks: list[int],
    points: list[int] | None = None,
    faults: list[Fault] | None = None,
    decisions: list[int] | None = None,
) -> list[IndexRow]:
    seats = len(ranks)
    game = PlayedGame(
        log="x",
        index=7,
        block=3,
        stratum=1 << 31,
        game="manhattan",
        side="manhattan",
        variant="manhattan players=4",
        bots=[*"abcd"[:seats]],
        ranks=ranks,
        points=list(range(seats)) if points is None else points,
        decisions=[5] * seats if decisions is None else decisions,
        time_us=[90] * seats,
        faults=faults or [],
    )
    return result_rows(1, game, 2, [10 + seat for seat in range(seats)])


def test_a_row_for_each_seat() -> None:
    shared = (3, 1 << 31, 2)
    assert rows([2, 1]) == [
        (1, 7, 0, *shared, 10, 2, 0, 0, 4, 5, 90, None, None),
        (1, 7, 1, *shared, 11, 1, 1, WIN, 2, 5, 90, None, None),
    ]


@pytest.mark.parametrize(
    ("ranks", "halves"),
    [([1, 2, 3, 4], [2, 4, 6, 8]), ([1, 1, 3], [3, 3, 6]), ([2, 2, 1, 2], [6, 6, 2, 6]), ([1], [2])],
)
def test_seats_that_tie_share_the_mean_of_their_ranks(ranks: list[int], halves: list[int]) -> None:
    assert [row[10] for row in rows(ranks)] == halves


def test_winners_share_the_win_and_a_fault_wins_nothing() -> None:
    assert [row[9] for row in rows([1, 1, 3])] == [WIN // 2, WIN // 2, 0]
    faults = [Fault(1, 8, FaultKind.CRASH), Fault(1, 9, FaultKind.TIMEOUT)]
    found = rows([1, 1, 3], faults=faults)
    assert [row[9] for row in found] == [WIN // 2, 0, 0]
    assert [row[13:] for row in found] == [(None, None), ("crash", 8), (None, None)]
    assert [row[9] for row in rows([2, 3])] == [0, 0]


def test_numbers_that_no_game_has_are_limited() -> None:
    """A log may state any numbers, and SQLite stores 64 bits."""
    huge, limit = 1 << 70, 1 << 40
    found = rows([1, huge], [-huge, 5], decisions=[limit - 1, limit + 1])
    assert [row[7:9] for row in found] == [(1, -limit), (limit, 5)]
    assert [row[10:12] for row in found] == [(2, limit - 1), (limit, limit)]


@pytest.mark.parametrize("lists", [{"points": [1]}, {"decisions": [1, 2, 3]}])
def test_missing_results(lists: dict[str, list[int]]) -> None:
    with pytest.raises(ValueError, match="lacks results of its seats"):
        rows([1, 2], **lists)
