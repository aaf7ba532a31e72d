"""From results to rows."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from fa_cli.errors import LogError
from fa_cli.game_result import By, GameResult
from fa_cli.games.seed import Seed
from fa_cli.leaderboard.leaderboards import Selection, leaderboard
from fa_cli.leaderboard.played_games import played_game, tournament_start
from fa_cli.leaderboard.rating.ratings import Ratings
from fa_cli.leaderboard.standings import Leaderboard, StandingRow
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import Record, make_record
from fa_cli.stats.lack_of_fit.verdict import LackOfFit, Part
from tests.conftest import thinned
from tests.tournament.helpers import Game

from .tables import bot_faults_of, standings_of


def test_the_rows_of_three_games() -> None:
    rows = standings_of(
        Game(["a", "b", "c"], [1, 2, 3], scores=[30, 20, 10], meta={"asked": [10, 0, 5], "time_us": [5000, 0, 1000]}),
        Game(["b", "a", "c"], [1, 1, 3], scores=[20, 20, 1], meta={"asked": [10, 10, 5], "time_us": [1000, 5000, 500]}),
        Game(["c", "b", "a"], [3, 1, 2], scores=[5, 9, 8], faulted=[0]),
    ).rows
    assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (1, "b"), (3, "c")]  # a and b were ahead equally often
    of = {row.bot: row for row in rows}
    assert [of[bot].games for bot in "abc"] == [3, 3, 3]
    assert [of[bot].wins for bot in "abc"] == [0.5, 0.5, 0.0]
    assert [of[bot].points for bot in "abc"] == pytest.approx([58 / 3, 49 / 3, 16 / 3])
    assert [of[bot].faults for bot in "abc"] == [0, 0, 1]
    assert [of[bot].ms for bot in "abc"] == pytest.approx([0.5, 0.1, 0.15])
    table = Ratings()
    table.add("abc", [1, 2, 3])
    table.add("bac", [1, 1, 3])
    table.add("cba", [3, 1, 2], {0})
    assert all(of[bot].mu == table[bot].mu and of[bot].sigma == table[bot].sigma for bot in "abc")
    assert all(of[bot].rating == of[bot].mu - 3 * of[bot].sigma for bot in "abc")


def league(seed: int, games: int = 120) -> list[Game]:
    """Games of six bots at tables of three or four, on both sides, two games a deal, some with a tie or a fault."""
    draw, found = random.Random(seed), []
    for deal in range(games // 2):
        table = draw.sample("abcdef", draw.choice([3, 4]))
        side = draw.choice(["five", "six"])
        for bots in (table, table[1:] + table[:1]):
            luck = {bot: round(ord(bot) / 2 + draw.gauss(0, 2)) for bot in bots}
            ranks = [1 + sum(luck[rival] > luck[bot] for rival in bots) for bot in bots]
            faulted = [ranks.index(max(ranks))] if ranks.count(max(ranks)) == 1 and draw.random() < 0.1 else []
            found.append(Game(bots, ranks, number=deal, side=side, faulted=faulted))
    return found


@pytest.mark.parametrize("seed", thinned(range(3), 3))
def test_no_order_of_games_changes_strengths_or_ranks(seed: int) -> None:
    games = league(seed)
    first = standings_of(*games, by=By.SIDE)
    for permutation in range(4):
        random.Random(permutation).shuffle(games)
        again = standings_of(*games, by=By.SIDE)
        assert_same(first.rows, again.rows)
        for side, rows in again.parts.items():
            assert_same(first.parts[side].values(), rows.values())
    assert [row.mu for row in again.rows] != [row.mu for row in first.rows]  # the online rating depends on it


def assert_same(before: Iterable[StandingRow], after: Iterable[StandingRow]) -> None:
    """The strengths and ranks of all bots are the same."""
    expected = {row.bot: row for row in before}
    for row in after:
        assert row.strength == pytest.approx(expected[row.bot].strength, abs=1e-6)
        assert row.strength_interval == pytest.approx(expected[row.bot].strength_interval, abs=1e-6)
        assert (row.rank, row.rank_range) == (expected[row.bot].rank, expected[row.bot].rank_range)


def test_the_mean_of_the_field_is_25_and_parts_share_it() -> None:
    duels = [Game(["e", "f"], [1 + i % 2, 2 - i % 2], number=900 + i, side="duel") for i in range(9)]
    made = standings_of(*league(1), *duels, by=By.SIDE)
    overall = {row.bot: row.strength for row in made.rows}
    assert statistics.mean(overall.values()) == pytest.approx(25)
    for rows in made.parts.values():
        strengths = [row.strength for row in rows.values()]
        assert statistics.mean(strengths) == pytest.approx(statistics.mean(overall[bot] for bot in rows))
    assert made.parts["side=duel"].keys() == {"e", "f"}
    assert made.parts["side=duel"]["e"].strength > 25  # the two best of the field


def test_ranks_are_by_strength_and_within_their_range() -> None:
    rows = standings_of(*league(2, 600)).rows
    assert [row.strength for row in rows] == sorted((row.strength for row in rows), reverse=True)
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
    assert all(row.rank_range[0] <= row.rank <= row.rank_range[1] for row in rows)
    assert "".join(row.bot for row in rows) == "fedcba"
    assert rows[0].rank_range[1] < rows[-1].rank_range[0]


def test_ranked_online() -> None:
    made = standings_of(*league(2))
    rows = made.ranked_online().rows
    assert [row.rating for row in rows] == sorted((row.rating for row in rows), reverse=True)
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
    assert all(row.rank_range is None for row in rows)
    assert {row.bot: row.strength for row in rows} == {row.bot: row.strength for row in made.rows}


def test_who_fails_ranks_behind_in_strength_too() -> None:
    fair = [Game(list("abc"), ranks, number=i) for i, ranks in enumerate([[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 8)]
    faults = [Game(list("abc"), [1, 1, 3], faulted=[2], number=100 + i) for i in range(10)]
    strengths = {row.bot: row.strength for row in standings_of(*fair, *faults).rows}
    assert strengths["a"] == pytest.approx(strengths["b"])
    assert strengths["c"] < strengths["a"] - 1


def test_bots_that_fail_in_turn_are_equal() -> None:
    games = [Game(list("ab"), [1 + i % 2, 2 - i % 2], faulted=[1 - i % 2], number=i) for i in range(200)]
    rows = standings_of(*games, Game(list("abc"), [1, 1, 3], number=999)).rows
    assert [row.strength for row in rows[:2]] == pytest.approx([rows[0].strength] * 2)
    assert all(10 < row.strength < 40 for row in rows)


def test_no_win_with_a_fault() -> None:
    rows = standings_of(Game(["a", "b"], [1, 2], faulted=[0, 1])).rows
    assert [row.wins for row in rows] == [0.0, 0.0]


def test_seats_of_one_bot_count_as_one_bot() -> None:
    (row,) = standings_of(Game(["a#1", "a#2"], [1, 2], scores=[10, 20])).rows
    assert (row.bot, row.games, row.wins, row.points) == ("a", 2, 0.5, 15.0)


def test_names_that_only_look_like_seats() -> None:
    rows = standings_of(Game(["c#", "f#2"], [1, 2])).rows
    assert {row.bot for row in rows} == {"c#", "f#2"}


def test_equal_ratings_share_a_rank() -> None:
    rows = standings_of(Game(["b", "a"], [1, 1])).rows
    assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (1, "b")]


def test_games_without_times() -> None:
    rows = standings_of(Game(["a", "b"], [1, 2], meta={"asked": "many", "time_us": [1, "x"]})).rows
    assert [row.ms for row in rows] == [None, None]


FIVE = {"side": "five", "setup": "alea", "turn_limit": 100}


@pytest.mark.parametrize(
    ("game", "by", "text"),
    [
        (Game(["a", "b"], [1, 2], **FIVE), By.SIDE, "side=five"),
        (Game(["a", "b"], [1, 2], **FIVE), By.GAME, "fifth-avenue"),
        (Game(["a", "b"], [1, 2], **FIVE), By.PLAYERS, "2 players"),
        (Game(["a", "b"], [1, 2], **FIVE), By.VARIANT, "fifth-avenue side=five players=2"),
        (
            Game(["a", "b", "c"], [1, 2, 3], **(FIVE | {"setup": "rio-grande"})),
            By.VARIANT,
            "fifth-avenue side=five setup=rio-grande players=3",
        ),
        (Game(["a", "b"], [1, 2], game="chess", clock=3), By.SIDE, "chess"),
        (Game(["a", "b"], [1, 2], game="chess", clock=3), By.VARIANT, "chess clock=3 players=2"),
    ],
)
def test_parts(game: Game, by: By, text: str) -> None:
    assert played_game(game, "log", 0).label(by) == text


def test_a_split_that_nothing_can_be_said_of() -> None:
    split = Leaderboard(9, [], {"2 players": {}, "3 players": {}}, fit=LackOfFit(0.5, [Part("pairs", 0.5, [])]))
    split.apart = By.PLAYERS.value
    assert split.notes == [
        "fit: one number per bot fits these games (p = 0.50)",
        "players: these games can't tell whether it matters",
    ]
    assert msgspec.structs.replace(split, apart="game").notes == split.notes[:1]
    told = LackOfFit(0.5, [Part("sides", 0.5, [])])
    for labels, what in (("side=five side=six", "any bot's side"), ("chain=group chain=line", "the choice of options")):
        parts: dict[str, dict[str, StandingRow]] = {label: {} for label in labels.split()}
        split = Leaderboard(9, [], parts, fit=told, apart="side")
        assert split.notes[1] == f"side: no sign that {what} matters (p = 0.50)"


def test_side_by_side() -> None:
    table = standings_of(
        Game(["a", "b"], [1, 2], side="five"),
        Game(["a", "b"], [2, 1], side="six"),
        Game(["a", "c"], [2, 1], side="six"),
        by=By.SIDE,
    )
    assert list(table.parts) == ["side=five", "side=six"]
    five, six = table.parts["side=five"], table.parts["side=six"]
    assert {row.bot: row.games for row in table.rows} == {"a": 3, "b": 2, "c": 1}
    assert (five["a"].wins, six["a"].wins) == (1.0, 0.0)
    assert "c" not in five
    only = standings_of(Game(["a", "b"], [1, 2], side="five")).rows
    assert [five[row.bot].rating for row in only] == [row.rating for row in only]


def test_faults_have_the_details_of_the_first() -> None:
    details = [{"seat": 1, "ply": 3, "kind": "timeout", "detail": "gave no answer", "stderr": "oh\n"}]
    table = bot_faults_of(
        Game(["a", "b"], [1, 2]),
        Game(["a", "b"], [1, 2], faulted=[1], meta={"fault_details": details}),
        Game(["b", "a"], [2, 1], faulted=[0], meta={"fault_details": "?"}),
    )
    assert list(table) == ["b"]
    assert table["b"].kinds == {"timeout": 2}
    assert table["b"].first == "log, game 2, seat 1, ply 3"
    assert table["b"].detail == "gave no answer"


def test_the_first_fault_is_of_the_game_that_is_asked_for() -> None:
    games = [
        Game(
            ["a", "b"],
            [1, 2],
            faulted=[1],
            game=game,
            meta={"fault_details": [{"seat": 1, "ply": 3, "kind": "timeout", "detail": f"slept in {game}"}]},
        )
        for game in ("fifth-avenue", "manhattan", "manhattan")
    ]
    found = bot_faults_of(*games, of_game="manhattan")["b"]
    assert (found.kinds, found.first, found.detail) == (
        {"timeout": 2},
        "log, game 2, seat 1, ply 3",
        "slept in manhattan",
    )
    assert bot_faults_of(*games)["b"].detail == "slept in fifth-avenue"


def test_duplicate_games_are_one_block() -> None:
    """Ten deals, each played four times with the same result, have the intervals of ten games."""
    same = [Game(["a", "b"], [1, 2] if deal % 2 else [2, 1], number=deal) for deal in range(20) for _ in range(4)]
    own = [Game(["a", "b"], [1, 2] if deal % 2 else [2, 1], number=deal) for deal in range(20)]
    assert standings_of(*same).rows[0].wins_interval == pytest.approx(standings_of(*own).rows[0].wins_interval)


def made_record(index: int, started: str | None) -> Record:
    from fa_cli.games.fifth_avenue.options import Options

    seed = Seed.from_text(f"{started} {index}")
    source = {"tournament": {"name": "t", "seed": "00" * 32, "started": started}} if started else {}
    players = ["a", "b"] if index % 2 else ["b", "a"]
    result = GameResult([1, 0], [1, 2], "businesses")
    return make_record("fifth-avenue", Options(), players, seed, [], [], result, {**source, "number": index})


def log(path: Path, started: str | None, games: int = 5) -> Path:
    with LogWriter(path, new=True) as writer:
        for index in range(games):
            writer.append(made_record(index, started))
    return path


def board(logs: list[Path], game: str | None = None) -> Leaderboard:
    return leaderboard(Selection(Path("nowhere"), print, logs, game))


def test_logs_are_ordered_by_the_start_of_their_tournament(tmp_path: Path) -> None:
    late = log(tmp_path / "a.log", "2026-01-02T00:00:00Z", 3)
    early = log(tmp_path / "b.log", "2026-01-01T00:00:00Z", 4)
    assert board([late, early]).rows == board([early, late]).rows
    ratings = Ratings()
    for index in (0, 1, 2, 3, 0, 1, 2):
        ratings.add(made_record(index, None).players, [1, 2])
    assert {row.bot: row.mu for row in board([late, early]).rows} == {bot: ratings[bot].mu for bot in "ab"}


def test_only_one_game(tmp_path: Path) -> None:
    path = log(tmp_path / "a.log", None)
    assert board([path], game="manhattan").games == 0
    assert board([path], game="fifth-avenue").games == 5


def test_the_start_of_a_log(tmp_path: Path) -> None:
    assert tournament_start(log(tmp_path / "a.log", "2026-01-02T00:00:00Z")) == "2026-01-02T00:00:00Z"
    assert tournament_start(log(tmp_path / "b.log", None)) is None
    assert tournament_start(log(tmp_path / "c.log", "2026", games=0)) is None
    (tmp_path / "d.log").write_text("no log")
    with pytest.raises(LogError):
        tournament_start(tmp_path / "d.log")
