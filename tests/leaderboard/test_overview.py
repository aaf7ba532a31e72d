"""Strengths over games, distributions and the two best bots, against the same from fewer games or plain counts."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from fa_cli.leaderboard import leaderboards
from fa_cli.leaderboard.leaderboards import Selection
from fa_cli.leaderboard.overview import all_tables
from fa_cli.leaderboard.overview.all_tables import Overview
from fa_cli.leaderboard.overview.highlights import Why
from fa_cli.replay.log_file import read_log
from fa_cli.replay.log_writer import LogWriter
from fa_cli.stats.comparison import Comparison
from tests.bench.bench_ratings import bot_names, write_log

GAMES = 200


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of six bots in blocks of four games; some strata have several blocks, some one."""
    log = tmp_path_factory.mktemp("overview") / "games.log"
    write_log(log, GAMES, bot_names(6))
    return log


@pytest.fixture(scope="module")
def overview(log: Path) -> Overview:
    return leaderboards.read_selection(Selection(log.parent, print, [log]), all_tables.read)


def test_strengths_over_games_are_those_of_shorter_logs(log: Path, overview: Overview, tmp_path: Path) -> None:
    moments = sorted({row.games for row in overview.history})
    assert len(moments) == 20
    assert moments[-1] == GAMES
    for games in (moments[0], moments[7], moments[-2], moments[-1]):
        part = tmp_path / f"first{games}.log"
        with LogWriter(part) as writer:
            for entry in islice(read_log(log), games):
                writer.append_entry(entry)
        rows = leaderboards.leaderboard(Selection(tmp_path, print, [part]), rated=False).rows
        history = {row.bot: row for row in overview.history if row.games == games}
        assert set(history) == {row.bot for row in rows}
        for row in rows:
            assert history[row.bot].strength == pytest.approx(row.strength, abs=1e-9)
            assert history[row.bot].strength_interval == pytest.approx(row.strength_interval, abs=1e-6)


def test_ranks_points_and_times(log: Path, overview: Overview) -> None:
    entries = list(read_log(log))
    ranks = Counter(pair for entry in entries for pair in zip(entry.players, entry.result.ranks, strict=True))
    assert {(row.bot, row.rank): row.games for row in overview.ranks} == ranks
    assert all(row.total == sum(ranks[row.bot, rank] for rank in range(1, 5)) for row in overview.ranks)
    for row in overview.points:
        points = sorted(
            score
            for entry in entries
            for bot, score in zip(entry.players, entry.result.scores, strict=True)
            if bot == row.bot
        )
        assert (row.games, row.least, row.most) == (len(points), points[0], points[-1])
        assert sum(point < row.median for point in points) <= len(points) / 2
        assert sum(point > row.median for point in points) <= len(points) / 2
    assert {(row.ms, row.slowest) for row in overview.times} == {(0.9 / 40, 0.9 / 40)}


def test_the_two_best(log: Path, overview: Overview) -> None:
    top = overview.separation
    assert top is not None
    first, second = (row.bot for row in overview.board.rows[:2])

    def compared(games: int) -> Comparison:
        comparison = Comparison(first, second)
        leaderboards.read_games(
            Selection(log.parent, print, [log]), lambda played: [comparison.add(game) for game in islice(played, games)]
        )
        return comparison

    assert [games for games, _ in top.course][-1] == GAMES
    for games, row in top.course:
        assert compared(games).rows()[-1] == row  # over the field
    comparison = compared(GAMES)
    row = comparison.rows()[-1]
    needed = comparison.blocks_to_decide()
    assert row == top.row and needed is not None and top.games_to_decide is not None
    assert top.games_to_decide == pytest.approx(GAMES * needed / row.blocks, abs=1)
    assert (top.games_to_decide > GAMES) == (not row.verdict)


def test_highlights_are_those_of_all_games(log: Path, overview: Overview) -> None:
    strength = {row.bot: row.strength or 0 for row in overview.board.rows}
    close, upset = list[tuple[int, int]](), list[tuple[float, int]]()
    wins, losses = dict[str, tuple[float, ...]](), dict[str, tuple[float, ...]]()
    for index, entry in enumerate(read_log(log)):
        points = dict(zip(entry.players, entry.result.scores, strict=True))
        winner = entry.players[entry.result.ranks.index(1)]
        others = set(points) - {winner}
        margin = points[winner] - max(points[bot] for bot in others)
        close += [(margin, index)] if margin >= 0 else []
        behind = max(strength[bot] for bot in others) - strength[winner]
        upset += [(-behind, index)] if behind > 0 else []
        against = -round(sum(strength[bot] for bot in others), 6)
        wins[winner] = min((against, -margin, index), wins.get(winner, (9e9,)))
        for bot in others:
            loss = round(strength[winner] - strength[bot], 6), points[bot] - points[winner], index
            losses[bot] = min(loss, losses.get(bot, (9e9,)))
    found = overview.highlights
    for why, expected in ((Why.CLOSEST, close), (Why.UPSET, upset)):
        assert [each.game.game_index for each in found.best(why)] == [index for _, index in sorted(expected)][:100]
    assert [each.game.game_index for each in found.best(Why.LONGEST)] == list(range(100))  # all are as long
    for why, best in ((Why.BEST_WIN, wins), (Why.WORST_LOSS, losses)):
        assert {bot: each.game.game_index for bot, each in found.of_bots(why).items()} == {
            bot: game[-1] for bot, game in best.items()
        }


def test_the_first_meetings(log: Path, overview: Overview) -> None:
    first: dict[tuple[str, ...], int] = {}
    for index, entry in enumerate(read_log(log)):
        for a in entry.players:
            for b in entry.players:
                if a < b:
                    first.setdefault((a, b), index)
    assert {pair: game.game_index for pair, game in overview.highlights.meetings().items()} == first
