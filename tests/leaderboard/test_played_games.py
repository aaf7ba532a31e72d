"""The columns of one game in the index."""

from __future__ import annotations

import msgspec
import pytest

from fa_cli.game_result import Fault, FaultKind, PlayedGame
from fa_cli.leaderboard.parts import Kind
from fa_cli.leaderboard.sums.game_columns import GameColumns, columns_of, joined, pack, unpack
from fa_cli.leaderboard.sums.summary import half_ranks, summary
from fa_cli.stats.outcomes import WIN


def made(
    ranks: list[int],
    points: list[int] | None = None,
    faults: list[Fault] | None = None,
    decisions: list[int] | None = None,
    suspended: tuple[int, ...] = (),
) -> PlayedGame:
    seats = len(ranks)
    return PlayedGame(
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
        suspended=suspended,
    )


def columns(*games: PlayedGame) -> GameColumns:
    """The columns as they are read again."""
    return unpack(pack(columns_of(games, 7)), GameColumns)


def test_games_are_read_as_they_were_written() -> None:
    """Also in several parts, of games of several sizes, and with more than one fault of a seat."""
    first = [made([2, 1]), made([1, 1, 3], faults=[Fault(2, 8, FaultKind.CRASH)])]
    more = [made([1, 2, 3, 4], faults=[Fault(1, 0, FaultKind.START)], suspended=(1,))]
    games = joined([columns(*first), columns(*more)])
    expected = [
        msgspec.structs.replace(game, index=index, suspended=[*game.suspended])
        for index, game in enumerate(first + more, 7)
    ]
    assert list(games.games("x", games.has([]))) == expected
    assert [game.index for game in games.games("x", games.has(["d"]))] == [9]
    assert games.until(8).setting.tolist() == [0]
    assert games.until(8).bot.tolist() == [0, 1]
    twice = columns(made([1, 2], faults=[Fault(1, 8, FaultKind.CRASH), Fault(1, 9, FaultKind.TIMEOUT)]))
    assert twice.faults() == [(7, 8, 1, "b", 3)]


@pytest.mark.parametrize(
    ("ranks", "halves"),
    [([1, 2, 3, 4], [2, 4, 6, 8]), ([1, 1, 3], [3, 3, 6]), ([2, 2, 1, 2], [6, 6, 2, 6]), ([1], [2])],
)
def test_seats_that_tie_share_the_mean_of_their_ranks(ranks: list[int], halves: list[int]) -> None:
    (tables,) = columns(made(ranks)).tables()
    assert half_ranks(tables.rank).tolist() == [halves]


def wins(ranks: list[int], faults: list[Fault]) -> list[float]:
    (sums,) = summary(columns(made(ranks, faults=faults)), Kind.BOTS).tables
    return sums.sums.win.tolist()


def test_winners_share_the_win_and_a_fault_wins_nothing() -> None:
    assert wins([1, 1, 3], []) == [WIN / 2, WIN / 2, 0]
    assert wins([1, 1, 3], [Fault(1, 8, FaultKind.CRASH)]) == [WIN / 2, 0, 0]
    assert wins([2, 3], []) == [0, 0]


def test_numbers_that_no_game_has_are_limited() -> None:
    """A log may state any numbers, and columns store 64 bits."""
    huge, limit = 1 << 70, 1 << 40
    found = columns(made([1, huge], [-huge, 5], decisions=[limit - 1, limit + 1]))
    assert (found.rank.tolist(), found.points.tolist()) == ([1, limit], [-limit, 5])
    assert found.decisions.tolist() == [limit - 1, limit]


@pytest.mark.parametrize("lists", [{"points": [1]}, {"decisions": [1, 2, 3]}])
def test_missing_results(lists: dict[str, list[int]]) -> None:
    with pytest.raises(ValueError, match="lacks results of its seats"):
        columns(made([1, 2], **lists))
