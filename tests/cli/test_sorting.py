"""`fa leaderboard --option` and `--sort`: some of the games, and another order of the rows."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest

from tests.conftest import Fa, assert_refused, further
from tests.inside import fa as fa
from tests.inside import play_quietly, rows
from tests.installed import made_once
from tests.tournament.helpers import dice


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a tournament on both sides of the board and one of Manhattan."""
    made = made_once(tmp_path_factory, "sorting", play)
    return Path(shutil.copytree(made, tmp_path_factory.mktemp("sorting") / "home"))


def play(home: Path) -> None:
    """Play both."""
    bots = dice(home / "bots", *"abcd")
    for name, game in (("both", "fifth-avenue"), ("other", "manhattan")):
        play_quietly(home, *bots, "--players", "2", "--game", game, "--games", "24", "--seed", "x", "--name", name)


def order(fa: Fa, home: Path, *args: str) -> list[str]:
    return [row["bot"] for row in rows(fa, home, "leaderboard", *args)]


@pytest.mark.slow
def test_a_filter_is_the_part(fa: Fa, home: Path) -> None:
    """Ranks, shares and intervals of `--option side=six` are those of the part of `--by side`, ranked alone."""
    whole = {row["bot"]: row for row in rows(fa, home, "leaderboard", "both", "--by", "side")}
    found = rows(fa, home, "leaderboard", "both", "--option", "side=six")
    assert [row["rank"] for row in found] == sorted(row["rank"] for row in found)
    for row in found:
        for field in ("rank", "rank_range", "games", "wins", "wins_interval", "points", "mean_rank", "faults"):
            assert row[field] == whole[row["bot"]][f"side=six {field}"], field
    assert {row["games"] for row in found} == {6}
    assert {row["rank"] for row in whole.values()} != {None}


def test_options_of_one_game_leave_out_the_others(fa: Fa, home: Path) -> None:
    assert {row["games"] for row in rows(fa, home, "leaderboard")} == {24}
    assert {row["games"] for row in rows(fa, home, "leaderboard", "--option", "side=five")} == {6}
    assert {row["games"] for row in rows(fa, home, "leaderboard", "--option", "blocks=auto")} == {12}
    both = rows(fa, home, "leaderboard", "--option", "side=five", "--option", "setup=alea")
    assert {row["games"] for row in both} == {6}
    done = fa("--home", home, "leaderboard", "--option", "setup=rio-grande")
    assert (done.returncode, done.stderr) == (2, "fa: no games with setup=rio-grande in the logs\n")


@pytest.mark.parametrize("view", ["--matrix", "--seats", "--faults"])
def test_other_tables_are_filtered(fa: Fa, home: Path, view: str) -> None:
    whole, some = (rows(fa, home, "leaderboard", view, *args) for args in ((), ("--option", "side=six")))
    assert sum(row["games"] for row in some) * 4 == sum(row["games"] for row in whole)


def test_comparisons_are_filtered(fa: Fa, home: Path) -> None:
    parts = [row for row in rows(fa, home, "compare", "a", "b", "both", "--by", "side") if row["part"] == "side=six"]
    assert rows(fa, home, "compare", "a", "b", "--option", "side=six") == [row | {"part": "all"} for row in parts]
    done = fa("--home", home, "compare", "a", "b", "--option", "setup=rio-grande")
    assert (done.returncode, done.stderr) == (2, "fa: a has not played with setup=rio-grande in the logs\n")


@pytest.mark.parametrize(
    ("column", "by"),
    [
        *product(("mean rank", "bot"), (None, "side", "seat", "variant", "players", "game", "version")),
        *further(
            *product(("wins", "mean_rank", "MEAN-RANK", "points", "faults", "rank"), (None, "side", "seat")),
        ),
    ],
)
def test_every_by_can_be_sorted(fa: Fa, home: Path, by: str | None, column: str) -> None:
    args = ("--by", by) if by else ()
    field = column.lower().replace(" ", "_").replace("-", "_")
    found = [row[field] for row in rows(fa, home, "leaderboard", *args, "--sort", column)]
    assert found == sorted(found, reverse=field in ("wins", "points", "faults"))
    back = [row[field] for row in rows(fa, home, "leaderboard", *args, "--sort", f"-{column}")]
    assert back == found[::-1]


def test_a_part_is_sorted_by_its_ranks(fa: Fa, home: Path) -> None:
    for part in ("side=five", "side=six"):
        by_rank = rows(fa, home, "leaderboard", "both", "--by", "side", "--sort", part)
        ranks = [row[f"{part} rank"] for row in by_rank]
        assert ranks == sorted(ranks)
        strengths = [row[f"{part} strength"] for row in by_rank]
        assert strengths == sorted(strengths, reverse=True)
        assert order(fa, home, "both", "--by", "side", "--sort", f"{part} strength") == [row["bot"] for row in by_rank]
    shown = fa("--home", home, "leaderboard", "both", "--by", "side", "--sort", "side=six").stdout
    assert [line.split()[2] for line in shown.splitlines()[3:7]] == [row["bot"] for row in by_rank]


def test_ranks_of_parts_by_the_online_rating(fa: Fa, home: Path) -> None:
    found = rows(fa, home, "leaderboard", "both", "--by", "side", "--rating", "online", "--sort", "side=six")
    ratings = [row["side=six rating"] for row in found]
    assert ratings == sorted(ratings, reverse=True)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--sort", "stength"), "no column 'stength' to sort by; did you mean strength? (columns: group, rank, "),
        (("--sort", "side=six"), "no column 'side=six' to sort by"),
        (("--by", "side", "--sort", "side=sex"), "no column 'side=sex' to sort by; did you mean side=six?"),
        (("--sort", ""), "no column '' to sort by (columns: "),
        (("--sort", "95%"), "no column '95%' to sort by"),
        (("--sort", "wins", "--matrix"), "--sort is for the leaderboard itself, not for --matrix"),
        (("--by", "side", "--seats"), "--by is for the leaderboard itself, not for --seats"),
        (("--rating", "online", "--faults"), "--rating online is for the leaderboard itself, not for --faults"),
        (("--option", "side"), "an option is NAME=VALUE"),
        (("--option", "side=six", "--option", "side=five"), "option side is given twice"),
        (("--option", "side=7"), "fifth-avenue: option side is five or six, not '7'"),
        (("--option", "side=six", "--game", "manhattan"), "manhattan has no option 'side'"),
        (("--option", "side=six", "--game", "chess"), "no game 'chess'"),
    ],
)
def test_bad_input_is_one_sentence(fa: Fa, home: Path, args: tuple[str, ...], sentence: str) -> None:
    done = fa("--home", home, "leaderboard", *args)
    assert_refused(done, sentence)
