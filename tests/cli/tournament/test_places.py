"""Places of a knockout and a swiss stand first: at the end of a run, in `show`, and in `fa leaderboard`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import UNSANDBOXED, Fa, assert_refused
from tests.inside import fa as fa
from tests.inside import play_quietly, rows
from tests.tournament.helpers import dice

RUN = ("--quiet", "tournament", "run", "--game", "manhattan", "--seed", "x")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a knockout, a swiss and a round robin."""
    home = tmp_path_factory.mktemp("home")
    bots = dice(home / "bots", *"abcde")
    common = ("--game", "manhattan", "--seed", "x")
    for name, schedule in (("ko", "knockout"), ("sw", "swiss")):
        play_quietly(home, *bots, *common, "--schedule", schedule, "--name", name)
    play_quietly(home, *bots, *common, "--games", "10", "--name", "rr")
    return home


@pytest.mark.parametrize("command", [("leaderboard",), ("tournament", "show")], ids=" ".join)
@pytest.mark.parametrize("name", ["ko", "sw"])
def test_rows_have_their_places_first(fa: Fa, home: Path, command: tuple[str, ...], name: str) -> None:
    places = rows(fa, home, "tournament", "places", name)
    board = rows(fa, home, *command, name, stderr="" if command == ("leaderboard",) else UNSANDBOXED)
    assert next(iter(board[0])) == "place"
    assert [row["place"] for row in board] == sorted(row["place"] for row in board)
    assert {row["bot"]: row["place"] for row in board} == {row["bot"]: row["place"] for row in places}
    assert board[0]["bot"] in [row["bot"] for row in places if row["place"] == 1]


def test_a_round_robin_has_none(fa: Fa, home: Path) -> None:
    assert "place" not in rows(fa, home, "leaderboard", "rr")[0]
    assert "place" not in rows(fa, home, "leaderboard", "ko", "rr")[0]
    assert "place" not in rows(fa, home, "leaderboard", "ko", "--game", "manhattan")[0]
    done = fa("--home", home, "tournament", "places", "rr")
    assert done.returncode == 2
    assert "rr is a round-robin, which has no places of its own; rank its bots with: fa " in done.stderr


def test_a_knockout_shows_its_rounds(fa: Fa, home: Path) -> None:
    places = rows(fa, home, "tournament", "places", "ko")
    winner, second = places[0], places[1]
    assert (winner["eliminated_in"], second["eliminated_in"]) == (None, 3)
    assert winner["results"][-1].removesuffix(" by seed").endswith(f" {second['bot']}")
    shown = fa("--home", home, "leaderboard", "ko").stdout
    table, first, _, final, board = shown.split("\n\n")
    assert table.splitlines()[0].split() == ["place", "bot", "out", "in", "round"]
    assert first.splitlines()[0] == "round 1:"
    assert "  bye: a, b, c" in first
    heading, line = final.splitlines()
    assert heading == "round 3, final:"
    assert line.startswith(f"  {winner['bot']} ")
    assert line.removesuffix(" by seed").endswith(f" {second['bot']}")
    assert board.split()[0] == "rank"
    assert fa("--home", home, "tournament", "places", "ko").stdout.strip() == shown.split("\n\nrank")[0].strip()


def test_markdown_has_the_results_in_a_column(fa: Fa, home: Path) -> None:
    """Lines below a table would run together there."""
    lines = fa("--home", home, "tournament", "places", "ko", "--format", "markdown").stdout.splitlines()
    assert [cell.strip() for cell in lines[0].split("|")[1:-1]] == ["place", "bot", "out in round", "results"]
    assert all(line.startswith("|") for line in lines)
    assert len(lines) == 2 + 5


def test_a_swiss_shows_scores_and_tie_breaks(fa: Fa, home: Path) -> None:
    shown = fa("--home", home, "leaderboard", "sw").stdout
    table, board = shown.split("\n\n")
    heading, _, *lines = table.splitlines()
    assert heading.split() == ["place", "bot", "score", "opposition"]
    assert board.split()[0] == "rank"
    for line, row in zip(lines, rows(fa, home, "tournament", "places", "sw"), strict=True):
        assert line.split() == [
            *(str(row["place"]), row["bot"]),
            *(f"{100 * row[field]:.1f}%" for field in ("score", "opposition")),
        ]


def test_a_swiss_shows_its_rounds_where_no_leaderboard_follows(fa: Fa, home: Path) -> None:
    shown = fa("--home", home, "tournament", "places", "sw").stdout
    for line, row in zip(shown.splitlines()[2:], rows(fa, home, "tournament", "places", "sw"), strict=True):
        assert len(row["results"]) == 3
        assert line.endswith("; ".join(row["results"]))


def test_chosen_columns_have_places_in_one_table(fa: Fa, home: Path) -> None:
    for command in (("leaderboard",), ("tournament", "show")):
        shown = fa("--home", home, *command, "sw", "--columns", "bot,place,score,wins").stdout
        table = shown[shown.index("bot  ") :] if command[0] == "tournament" else shown
        heading, _, *lines = table.splitlines()
        assert heading.split() == ["bot", "place", "score", "wins"]
        assert lines[0].split()[:2] == [rows(fa, home, "tournament", "places", "sw")[0]["bot"], "1"]


def test_a_column_that_it_has_not_is_refused_at_once(fa: Fa, home: Path) -> None:
    done = fa("--home", home, "tournament", "show", "sw", "--columns", "bot,sequential")
    assert_refused(done, "no column 'sequential' (columns: group, rank, ")


def test_the_end_of_a_run_and_show(fa: Fa, home: Path, tmp_path: Path) -> None:
    done = fa("--home", tmp_path, *RUN, *dice(tmp_path / "bots", *"abc"), "--schedule", "knockout", "--name", "k")
    assert done.stdout == fa("--home", tmp_path, "leaderboard", "k").stdout
    assert done.stdout.split()[:2] == ["place", "bot"]
    shown = fa("--home", tmp_path, "tournament", "show", "k").stdout
    assert shown.count("round 2, final:") == 1
    assert shown.index("place") < shown.index("final:") < shown.index("rank")


def test_extra_sets_are_not_games_of_a_smaller_number(fa: Fa, home: Path) -> None:
    """More games than planned: no `10 of 8 games`."""
    ko = next(row for row in rows(fa, home, "tournament", "list") if row["name"] == "ko")
    shown = fa("--home", home, "tournament", "show", "ko").stdout
    assert re.search(rf"^  games  +{ko['done']} games; planned: 8 games, plus up to 2 sets at a tied", shown, re.M), (
        shown
    )
    head = fa("--home", home, "tournament", "head", "ko").stdout
    assert re.search(rf": {ko['done']} games, [\d,]+ bytes$", head, re.M), head


def test_a_knockout_that_was_stopped(fa: Fa, home: Path, tmp_path: Path) -> None:
    """Rounds to come are not shown; who is still in shares the first place."""
    stopped = tmp_path / "home"
    shutil.copytree(home, stopped)
    whole, log = home / "logs/ko.log", stopped / "logs/ko.log"
    log.unlink()
    assert fa("replay", "extract", whole, "--game", "1-2", "-o", log).returncode == 0
    found = rows(fa, stopped, "leaderboard", "ko")
    assert {row["place"] for row in found} <= {1, 5}
    done = fa("--home", stopped, "tournament", "places", "ko")
    shown = done.stdout
    assert re.search(r" lead the knockout after 2 of \d+ games$", done.stderr.strip())
    assert "round 2:" in shown
    assert shown.count("not played yet") == 2
    assert "final" not in shown


def test_a_log_of_another_tournament_has_no_places(fa: Fa, home: Path, tmp_path: Path) -> None:
    other = tmp_path / "home"
    shutil.copytree(home, other)
    shutil.copy(home / "logs/sw.log", other / "logs/ko.log")
    done = fa("--home", other, "leaderboard", "ko")
    assert done.returncode == 0
    assert done.stdout.split()[0] == "rank"
    assert "warning: no places: " in done.stderr
    assert "is not game 1 of the tournament ko" in done.stderr
