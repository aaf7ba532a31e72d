"""`fa leaderboard`: the same logs always give the same tables."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fa_cli.game_result import GameResult
from fa_cli.games.manhattan.options import Options
from fa_cli.replay.log_writer import LogWriter
from fa_cli.replay.record import make_record
from tests import inside
from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa
from tests.inside import play_quietly
from tests.tournament.helpers import dice

FIELDS = [
    *("group", "rank", "rank_range", "bot", "games", "strength", "strength_interval", "rating", "mu", "sigma"),
    *("wins", "wins_interval", "points", "points_interval"),
    *("mean_rank", "mean_rank_interval", "faults", "suspended", "ms", "tokens", "cost", "illegal", "misfit"),
    *("fit_p_value", "caveats"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two tournaments: one on both sides by two, one on one side by three."""
    home = tmp_path_factory.mktemp("home")
    bots = dice(home / "bots", "a", "b", "c")
    play_quietly(home, *bots[:2], "--games", "4", "--seed", "y", "--name", "two")
    three = ("--games", "3", "--seed", "x", "--name", "three", "--option", "side=six", "--duplicate", "rotations")
    play_quietly(home, *bots, *three)
    return home


def rows(fa: Fa, home: Path, *args: str) -> list[dict[str, Any]]:
    return inside.rows(fa, home, "leaderboard", *args)


@pytest.mark.slow
def test_all_tournaments_are_one_ladder(fa: Fa, home: Path) -> None:
    all_of_them = rows(fa, home)
    assert list(all_of_them[0]) == FIELDS
    assert {row["bot"]: row["games"] for row in all_of_them} == {"a": 7, "b": 7, "c": 3}
    assert [row["rank"] for row in all_of_them] == [1, 2, 3]
    assert rows(fa, home) == all_of_them
    assert rows(fa, home, "three", "two") == rows(fa, home, "two", "three") == all_of_them


def test_tables_do_not_wait_for_ratings(fa: Fa, tmp_path: Path) -> None:
    """A table shows no rating, so that it needs no TrueSkill; JSON has the ratings of all games after it too."""
    bots = dice(tmp_path / "bots", "a", "b")
    run = ("--home", tmp_path, "--quiet", "tournament", "run", *bots, "--players", "2", "--games", "6", "--seed", "x")
    assert fa(*run, "--name", "one").returncode == 0
    index = tmp_path / "logs/index.sqlite"
    index.unlink(missing_ok=True)
    for options, rated in ([], 0), (["--rating", "online"], 1):
        assert fa("--home", tmp_path, "leaderboard", *options).returncode == 0
        with closing(sqlite3.connect(index)) as database:
            assert database.execute(
                "SELECT COUNT(*) FROM sealed WHERE name = X'" + b"value /ratings of bots".hex() + "'"
            ).fetchone() == (rated,)
    index.unlink()
    assert fa("--home", tmp_path, "leaderboard").returncode == 0
    after_a_table = rows(fa, tmp_path)
    index.unlink()
    assert rows(fa, tmp_path) == after_a_table
    assert len({row["mu"] for row in after_a_table} | {25.0}) > 1


def test_one_tournament_by_name_or_by_path(fa: Fa, home: Path) -> None:
    one = rows(fa, home, "two")
    assert {row["bot"]: row["games"] for row in one} == {"a": 4, "b": 4}
    assert rows(fa, home, str(home / "logs/two.log")) == one
    assert rows(fa, home, "two", "two") == one


def test_side_by_side(fa: Fa, home: Path) -> None:
    by_side = {row["bot"]: row for row in rows(fa, home, "--by", "side")}
    assert by_side["a"]["side=five games"] == 2
    assert by_side["a"]["side=six games"] == 5
    assert by_side["c"]["side=five games"] is None
    assert {f"side=five {field}" for field in FIELDS[4:]} <= set(by_side["a"])
    assert by_side["a"]["games"] == 7
    table = fa("--home", home, "leaderboard", "--by", "side").stdout.splitlines()
    apart = ["ranks", "games", "strength", "strength 95%", "wins", "points"]
    assert table[0].split() == ["side=five", "side=six"]
    assert re.split("  +", table[1]) == ["rank", "ranks", "bot", "strength", *apart, *apart]
    assert len(table) == 3 + 3 + 2
    assert table[6] == "fit: too few games to tell whether one number per bot fits"
    assert sum("~" in row for row in table[3:6]) == 2  # c has too few deals for an interval
    assert table[-1].startswith("~ fewer than 6 deals")


@pytest.mark.parametrize(
    ("by", "parts"),
    [
        ("players", {"2 players", "3 players"}),
        ("game", {"fifth-avenue"}),
        (
            "variant",
            {"fifth-avenue side=five players=2", "fifth-avenue side=six players=2", "fifth-avenue side=six players=3"},
        ),
    ],
)
def test_other_parts(fa: Fa, home: Path, by: str, parts: set[str]) -> None:
    fields = rows(fa, home, "--by", by)[0]
    assert {field.removesuffix(" rating") for field in fields if field.endswith(" rating")} == parts


def test_ranked_by_the_online_rating(fa: Fa, home: Path) -> None:
    fitted, online = rows(fa, home), rows(fa, home, "--rating", "online")
    assert [row["rating"] for row in online] == sorted((row["rating"] for row in online), reverse=True)
    assert [row["strength"] for row in fitted] == sorted((row["strength"] for row in fitted), reverse=True)
    same = [field for field in FIELDS if field not in ("rank", "rank_range")]
    assert {row["bot"]: [row[field] for field in same] for row in online} == {
        row["bot"]: [row[field] for field in same] for row in fitted
    }
    assert all(row["rank_range"] is None for row in online)
    table = fa("--home", home, "leaderboard", "--rating", "online").stdout.splitlines()
    assert table[0].split()[:7] == ["rank", "bot", "games", "rating", "mu", "sigma", "wins"]
    beside = fa("--home", home, "leaderboard", "--rating", "online", "--by", "side").stdout.splitlines()
    assert beside[1].split()[3:9] == ["rank", "games", "rating", "sigma", "wins", "points"]


def test_strengths_share_one_scale(fa: Fa, home: Path) -> None:
    shown = rows(fa, home, "--by", "side")
    assert sum(row["strength"] for row in shown) / 3 == pytest.approx(25)
    assert sum(row["side=six strength"] for row in shown) / 3 == pytest.approx(25)
    both = [row for row in shown if row["side=five strength"] is not None]
    assert sum(row["side=five strength"] - row["strength"] for row in both) == pytest.approx(0)
    assert all(row["rank_range"][0] <= row["rank"] <= row["rank_range"][1] for row in shown)


def test_csv_and_markdown(fa: Fa, home: Path) -> None:
    table = list(csv.DictReader(io.StringIO(fa("--home", home, "leaderboard", "--format", "csv").stdout)))
    assert [{**row, "wins_interval": None}.keys() for row in table] == [dict.fromkeys(FIELDS).keys()] * 3
    assert [float(row["mu"]) for row in table] == [row["mu"] for row in rows(fa, home)]
    markdown = fa("--home", home, "leaderboard", "--by", "side", "--format", "markdown").stdout.splitlines()
    *markdown, _, fit, _, caveat = markdown
    assert fit == "fit: too few games to tell whether one number per bot fits"
    assert caveat.startswith("\\~ fewer than 6 deals")
    assert "side=five strength" in markdown[0]
    assert all(line.startswith("|") and line.endswith("|") for line in markdown)


def test_random_games_are_on_no_ladder(fa: Fa, home: Path, tmp_path: Path) -> None:
    simulated = home / "logs" / "simulated.log"
    assert fa("simulate", "fifth-avenue", "--games", "2", "--players", "2", "-o", simulated).returncode == 0
    try:
        assert {row["games"] for row in rows(fa, home)} == {7, 3}
        assert rows(fa, home, "simulated")
    finally:
        simulated.unlink()


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["nix"], "no tournament named nix"),
        (["nix.log"], "nix.log: No such file or directory"),
        (["--game", "chess"], "no game 'chess'"),
        ([], "no games in logs, which does not exist"),
        (["empty.log"], "the file is empty"),
        (["text.log"], "this is not a replay log"),
        (["--by", "colour"], "invalid --by 'colour': use side, seat, "),
    ],
)
def test_bad_input_is_one_sentence(fa: Fa, tmp_path: Path, args: list[str], sentence: str) -> None:
    (tmp_path / "empty.log").touch()
    (tmp_path / "text.log").write_text("this is a text\n")
    done = fa("leaderboard", *args)
    assert_refused(done, within=sentence)


@pytest.mark.parametrize("command", [("leaderboard",), ("tournament", "list"), ("results",), ("replay", "find")])
def test_a_folder_that_can_not_be_read_is_not_an_empty_one(fa: Fa, tmp_path: Path, command: tuple[str, ...]) -> None:
    """Root may read every folder, so it is a file."""
    for name in ("logs", "tournaments"):
        (tmp_path / name).touch()
    assert_refused(fa(*command), within=": Not a directory")


def test_a_home_that_is_mistyped(fa: Fa, tmp_path: Path) -> None:
    done = fa("--home", "hom", "tournament", "list")
    assert (done.returncode, done.stderr) == (0, "no tournaments: hom/tournaments does not exist\n")
    assert_refused(fa("--home", "hom", "replay", "find"), "no games in hom/logs, which does not exist")


def test_the_index_can_be_rebuilt(fa: Fa, home: Path) -> None:
    index = home / "logs" / "index.sqlite"
    before = [rows(fa, home), rows(fa, home, "two", "--by", "side")]
    index.write_text("no database" * 100)
    done = fa("--home", home, "leaderboard", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)) == (0, before[0])
    assert done.stderr == f"{index} was damaged; it is rebuilt from the logs\n"
    done = fa("--home", home, "ratings", "rebuild")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"read 7 games of 2 tournaments into {index}\n"
    assert [rows(fa, home), rows(fa, home, "two", "--by", "side")] == before


def test_there_is_nothing_to_rebuild(fa: Fa) -> None:
    done = fa("ratings", "rebuild")
    assert (done.returncode, done.stderr) == (2, "fa: no logs: logs not found\n")


def write_duels(home: Path, duels: list[tuple[int, Sequence[str], bool]]) -> None:
    """A log of games that were not played. Each has a deal, two bots and whether the first one won."""
    source = {"name": "duels", "seed": "00" * 32, "started": "2026-01-01T00:00:00Z"}
    (home / "logs").mkdir()
    with LogWriter(home / "logs/duels.log") as log:
        for deal, bots, is_won in duels:
            result = GameResult([3, 1], [1, 2] if is_won else [2, 1], "end")
            meta = {"tournament": source, "number": deal}
            log.append(make_record("manhattan", Options(), list(bots), bytes(32), [], [], result, meta))


def test_a_cycle_is_reported_with_the_matrix(fa: Fa, tmp_path: Path) -> None:
    beats = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    write_duels(
        tmp_path, [(deal, pair, deal % 10 > 0) for deal in range(30) for pair in beats[deal % 3 :] + beats[: deal % 3]]
    )
    done = fa("leaderboard", "--matrix")
    reason = "paper beats rock beats scissors beats paper, a circle"
    assert done.stdout.endswith(f"! one number per bot does not fit: {reason} (p < 0.001)\n")
    assert done.stdout.count("90.0% of 30*!") == done.stdout.count("10.0% of 30*!") == 3
    assert {row["misfit"] for row in rows(fa, tmp_path)} == {reason}
    assert json.loads(fa("leaderboard", "--matrix", "--format", "json").stdout)[0]["ahead"] == 0.9
    assert {row["rank"] for row in rows(fa, tmp_path)} == {1}
    until = ("--until", "ranked", "--game", "manhattan", "--players", "2", "--define", "--name", "duels")
    bots = dice(tmp_path / "bots", "rock", "paper", "scissors")
    assert fa("--home", tmp_path / "defined", "tournament", "run", *bots, *until).returncode == 0
    shutil.copytree(tmp_path / "defined/tournaments", tmp_path / "tournaments")
    assert "!" not in fa("leaderboard", "--matrix").stdout  # after an early stop no p-value holds


def test_unbalanced_seats_are_warned_of(fa: Fa, tmp_path: Path) -> None:
    write_duels(tmp_path, [(deal, "ab" if deal % 4 else "ba", deal % 3 > 0) for deal in range(40)])
    warning = (
        "warning: seats were not balanced: a had seat 0 in 75% of its 40 games of manhattan with 2 players (balanced: "
        "50%) and 1 other bot had unbalanced seats; fa leaderboard --seats shows what seats are worth\n"
    )
    assert fa("leaderboard").stderr.startswith(f"{warning}a against b: Elo ")
    assert fa("leaderboard", "--game", "new-york").returncode == 2
    done = fa("compare", "a", "b")
    assert done.stderr == warning
    done = fa("leaderboard", "--seats")
    assert "manhattan, 2 players: " in done.stdout
    assert "(joint p = " in done.stdout.splitlines()[-1]
    assert done.stdout.count("joint p") == 1
    (first, second) = json.loads(fa("leaderboard", "--seats", "--format", "json").stdout)
    assert first["p_value"] == second["p_value"]


def test_mixed_points_have_a_note(fa: Fa, home: Path) -> None:
    note = "points: those of fifth-avenue mix several settings"
    assert note in fa("--home", home, "leaderboard").stderr
    assert note not in fa("--home", home, "leaderboard", "three").stderr
    assert note not in fa("--home", home, "leaderboard", "--columns", "bot,wins").stderr
    assert fa("--home", home, "leaderboard", "--format", "csv").stderr == ""


@pytest.mark.slow
def test_points_of_several_games_have_a_note(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "a", "b")
    for game in ("manhattan", "new-york"):
        play_quietly(tmp_path, *bots, "--players", "2", "--games", "4", "--game", game, "--name", game)
    note = "points: they mix those of manhattan and new-york; compare bots by strength, wins or mean rank"
    for args, has_note in (
        ((), True),
        (("--by", "players"), True),
        (("--by", "game"), False),
        (("manhattan",), False),
        (("--columns", "bot,wins"), False),
    ):
        assert (note in fa("--home", tmp_path, "leaderboard", *args).stderr) == has_note, args
    assert note in fa("--home", tmp_path, "leaderboard", "--format", "markdown").stdout
    assert fa("--home", tmp_path, "report", "-o", "page.html").returncode == 0
    assert (tmp_path / "page.html").read_text().count(note) == 1


def test_bots_whose_results_could_end_a_tournament_early_have_a_caveat(fa: Fa, tmp_path: Path) -> None:
    """In every table of the tournament; tests/cli/test_early_stops.py has those of several."""
    bots = dice(tmp_path / "bots", "a", "b", "c")
    rule = ("--until", "decided", "--compare", "a,b", "--games", "18", "--seed", "x", "--name", "short")
    show = ("--home", tmp_path, "--quiet", "tournament", "show", "short")
    run = fa("--home", tmp_path, "--quiet", "tournament", "run", *bots, *rule, "--format", "json")
    shown = [json.loads(done.stdout) for done in (run, fa(*show, "--format", "json"))]
    for table in (*shown, rows(fa, tmp_path, "short")):
        early = {row["bot"]: "stopped-early" in row["caveats"] for row in table}
        assert early == {"a": True, "b": True, "c": False}
    lines = fa(*show).stdout.splitlines()
    assert sum(line.startswith("~ a tournament could end early because of this bot's results") for line in lines) == 1
    table = fa("--home", tmp_path, "leaderboard", "short").stdout.splitlines()
    assert {line.split()[2]: "~" in line for line in table[2:5]} == {"a": True, "b": True, "c": False}
