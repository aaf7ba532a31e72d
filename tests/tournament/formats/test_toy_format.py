"""A format is one class in one file: one that fa_cli does not know is played, described, checked and placed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import further
from tests.tournament.helpers import dice

ROOT = Path(__file__).parents[3]
Toy = Callable[..., subprocess.CompletedProcess[str]]
RUN = ("tournament", "run", "ann.py", "bob.py", "cid.py", "--sandbox", "none", "--name", "cup")


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """`fa` with the king of the hill, in a folder with three bots."""
    dice(tmp_path, "ann", "bob", "cid")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("FA_")}
    environment = clean | {"FA_COMPILE": "0", "PYTHONPATH": str(ROOT), "COLUMNS": "140"}

    def run(*args: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.toy_format", *args]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done

    return run


def played(toy: Toy, *more: str) -> subprocess.CompletedProcess[str]:
    return toy(*RUN, "--schedule", "king-of-the-hill", "--seed", "hill", "--option", "turn_limit=3", *more)


def rows(toy: Toy, *args: str) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = json.loads(toy(*args, "--format", "json").stdout)
    return kept


def test_it_is_played_described_and_placed(toy: Toy, tmp_path: Path) -> None:
    done = played(toy)
    assert "8 games; 2 challenges, the first of ann; in each set every bot of the table has every seat" in done.stderr
    assert done.stdout.startswith("place  bot  held\n")
    assert "\nthe king is " in done.stdout
    plan = json.loads((tmp_path / "tournaments/cup.json").read_text())["plan"]
    assert plan == {"format": "king-of-the-hill", "challenges": 2}

    places = rows(toy, "tournament", "places", "cup")
    assert [row["place"] for row in places] in ([1, 2, 2], [1, 2, 3])
    assert sorted(row["bot"] for row in places) == ["ann", "bob", "cid"]
    assert 0 <= sum(row["held"] for row in places) <= 2
    board = {row["bot"]: row for row in rows(toy, "leaderboard", "cup")}
    assert [(row["place"], row["held"]) for row in places] == [
        (board[row["bot"]]["place"], board[row["bot"]]["held"]) for row in places
    ]
    assert "| place | bot | held |" in " ".join(toy("report", "cup", "--format", "markdown").stdout.split())


@pytest.mark.slow
def test_its_log_and_its_definition_are_read_again(toy: Toy) -> None:
    played(toy, "--challenges", "3")
    shown = toy("tournament", "show", "cup").stdout
    assert "schedule   king-of-the-hill\n" in shown
    assert "12 of 12 games; 3 challenges, the first of ann" in shown
    assert "12 games" in toy("tournament", "verify", "cup").stdout
    (row,) = rows(toy, "tournament", "list")
    assert (row["schedule"], row["done"], row["state"]) == ("king-of-the-hill", 12, "finished")
    toy("tournament", "resume", "cup")
    refused = toy("tournament", "resume", "cup", "--more", "4", code=2).stderr
    assert "--more is not for a king-of-the-hill: the format decides how many games it has" in refused


def test_its_options_are_options_of_the_command_and_keys_of_files(toy: Toy, tmp_path: Path) -> None:
    text = " ".join(toy("tournament", "run", "--help-all").stdout.split())
    assert "King-of-the-hill: play N challenges. [default: one by each bot]" in text
    assert "swiss, knockout, ladder or king-of-the-hill." in text
    assert "[default: 4; 2 in swiss, knockout and king-of-the-hill]" in text
    toy("tournament", "init", "hill.toml")
    template = (tmp_path / "hill.toml").read_text()
    assert "# challenges = 5\n" in template
    (tmp_path / "hill.toml").write_text(
        'bots = ["ann.py", "bob.py"]\nsandbox = "none"\nschedule = "king-of-the-hill"\nchallenges = 0\n'
    )
    assert (
        "hill.toml:4: challenges is a whole number from 1 to 1,000, not 0"
        in toy("tournament", "run", "hill.toml", code=2).stderr
    )


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("king-of-the-hill", "--players", "3"), "on the hill are 2 bots, not 3"),
        (("king-of-the-hill", "--games", "8"), "the number of games follows from --challenges"),
        (("swiss", "--challenges", "2"), "--challenges is for --schedule king-of-the-hill, not swiss"),
        *further(
            (("king-of-the-hill", "--rounds", "2"), "--rounds is for --schedule swiss, not king-of-the-hill"),
            (("king-of-the-hill", "--until", "decided"), "is for --schedule round-robin or gauntlet, not king-of-the"),
            (("hill",), "use round-robin, gauntlet, swiss, knockout, ladder or king-of-the-hill"),
        ),
    ],
)
def test_what_it_refuses(toy: Toy, options: tuple[str, ...], text: str) -> None:
    assert text in toy(*RUN, "--schedule", *options, code=2).stderr
