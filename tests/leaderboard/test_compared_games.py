"""Ranks are those among bots that play the same games."""

from __future__ import annotations

from fa_cli.game_result import By
from fa_cli.leaderboard.compared_games import ranked_bots
from tests.tournament.helpers import Game

from .tables import standings_in_seats, standings_of

_GAMES = ("fifth-avenue", "manhattan", "new-york")


def _contest() -> list[Game]:
    """Three bots play three games; `specialist` plays and wins one of them."""
    games = []
    for deal in range(48):
        name = _GAMES[deal % 3]
        bots = ["specialist", "a", "b", "c"] if name == "manhattan" else ["a", "b", "c"]
        games.append(Game(bots, list(range(1, len(bots) + 1)), number=deal, game=name))
    return games


def test_a_bot_that_plays_one_of_three_games_has_no_overall_rank() -> None:
    board = standings_of(*_contest(), by=By.GAME)
    assert [(row.rank, row.bot) for row in board.rows] == [(1, "a"), (2, "b"), (3, "c"), (None, "specialist")]
    assert board.rows[-1].rank_range is None
    assert board.parts["manhattan"]["specialist"].rank == 1
    assert board.rank_note == (
        "ranks: among the bots that play fifth-avenue, manhattan and new-york; without a rank: specialist (only "
        "manhattan)"
    )


def test_nor_has_it_one_by_rating_or_in_a_seat() -> None:
    online = standings_of(*_contest()).ranked_online()
    assert [(row.rank, row.bot) for row in online.rows] == [(1, "a"), (2, "b"), (3, "c"), (None, "specialist")]
    seats = standings_in_seats(*_contest())
    assert {row.rank for rows in seats.parts.values() for row in rows.values() if row.bot == "specialist"} == {None}


def test_a_range_of_ranks_is_that_among_the_ranked() -> None:
    ranges = [row.rank_range for row in standings_of(*_contest()).rows]
    assert all(ends is None or ends[1] <= 3 for ends in ranges)


def test_all_have_a_rank_where_all_play_the_same() -> None:
    board = standings_of(*(game for game in _contest() if "specialist" not in game.players))
    assert all(row.rank for row in board.rows) and not board.rank_note


def test_a_bot_that_missed_a_game_by_chance_has_a_rank() -> None:
    compared, ranked = ranked_bots({"a": {"x": 4, "y": 4}, "b": {"x": 5}, "c": {"x": 40}})
    assert (compared, ranked) == ({"x", "y"}, {"a", "b"})


def test_of_sets_of_the_same_size_that_of_most_bots_counts() -> None:
    assert ranked_bots({"a": {"x": 99}, "b": {"y": 99}, "c": {"y": 99}}) == ({"y"}, {"b", "c"})
