"""Bots that never met, directly or through others, are not compared, unless anchors tie their scales."""

from __future__ import annotations

import pytest

from fa_cli.errors import UsageError
from fa_cli.leaderboard.standings import Leaderboard, StandingRow
from tests.tournament.helpers import Game

from .tables import standings_of


def _games(*bots: str, first: int = 0) -> list[Game]:
    """Two players, each pair ten times; in 7 of 10 games the first one wins."""
    pairs = [(own, rival) for place, own in enumerate(bots) for rival in bots[place + 1 :]]
    return [
        Game([own, rival], [1, 2] if deal % 10 < 7 else [2, 1], number=first + deal * len(pairs) + number)
        for deal in range(20)
        for number, (own, rival) in enumerate(pairs)
    ]


_BOTH = [*_games("a", "b", "c"), *_games("x", "y", first=1000)]


def _said(board: Leaderboard) -> list[tuple[int | None, int | None, str]]:
    return [(row.group, row.rank, row.bot) for row in board.rows]


def test_groups_are_fitted_and_ranked_apart() -> None:
    board = standings_of(*_BOTH)
    assert _said(board) == [(1, 1, "a"), (1, 2, "b"), (1, 3, "c"), (2, 1, "x"), (2, 2, "y")]
    assert board.group_note == (
        "groups: no games connect them, so ranks and strengths of two groups cannot be compared (1: a, b and c; 2: x "
        "and y)"
    )
    for games in (_games("a", "b", "c"), _games("x", "y", first=1000)):
        alone = standings_of(*games)
        assert not alone.group_note
        for row in alone.rows:
            own = _row(board, row.bot)
            assert own.strength == pytest.approx(row.strength)
            assert own.strength_interval == pytest.approx(row.strength_interval)
    assert max(row.rank_range[1] for row in board.rows if row.rank_range) == 3


def test_one_game_connects_groups() -> None:
    board = standings_of(*_BOTH, Game(["c", "x"], [1, 2], number=5000))
    assert {row.group for row in board.rows} == {None}


def test_ranks_by_rating_are_those_within_a_group() -> None:
    assert _said(standings_of(*_BOTH).ranked_online())[3:] == [(2, 1, "x"), (2, 2, "y")]


def test_anchors_tie_the_scales_of_groups() -> None:
    apart, tied = standings_of(*_BOTH), standings_of(*_BOTH, anchors={"c": 30.0, "x": 10.0})
    assert _said(tied) == [(None, 1, "a"), (None, 2, "b"), (None, 3, "c"), (None, 4, "x"), (None, 5, "y")]
    anchor, other = _row(tied, "c"), _row(tied, "a")
    assert (anchor.strength, anchor.strength_interval) == (30.0, (30.0, 30.0))
    assert other.strength == pytest.approx(30 + (_row(apart, "a").strength or 0) - (_row(apart, "c").strength or 0))
    assert {row.rank_range and row.rank_range[0] for row in tied.rows[3:]} == {4}


def test_an_anchor_of_one_group_leaves_the_others() -> None:
    board = standings_of(*_BOTH, anchors={"y": 40.0})
    assert _said(board) == [(1, 1, "x"), (1, 2, "y"), (2, 1, "a"), (2, 2, "b"), (2, 3, "c")]
    assert _row(board, "b").strength == pytest.approx(25.0, abs=0.2)


def test_wrong_anchors_are_named() -> None:
    with pytest.raises(UsageError, match=r"^--anchor z: no such bot in this table$"):
        standings_of(*_BOTH, anchors={"z": 25.0})
    with pytest.raises(UsageError, match=r"^--anchor: a and c are connected by games; one of them is enough$"):
        standings_of(*_BOTH, anchors={"a": 25.0, "c": 20.0})


def _row(board: Leaderboard, bot: str) -> StandingRow:
    return next(row for row in board.rows if row.bot == bot)
