"""A log that ends within a record: no table takes it without a word."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.conftest import Fa, further
from tests.inside import fa as fa
from tests.tournament.helpers import dice

CUT = "logs/x.log: record 4 is cut off by the end of the file; 3 games before it counted"


@pytest.fixture
def log(fa: Fa, tmp_path: Path) -> Path:
    """The log of four games, of which the last one is cut off."""
    bots = dice(tmp_path / "bots", "a", "b")
    fa("tournament", "run", *bots, "--sandbox", "none", "--games", "4", "--name", "x", "--quiet")
    log = tmp_path / "logs" / "x.log"
    log.write_bytes(log.read_bytes()[:-5])
    return log


@pytest.mark.parametrize(
    "command",
    [("leaderboard",), ("tournament", "show", "x"), *further((("leaderboard", "x"),), (("leaderboard", "-q"),))],
)
def test_tables_for_people_warn_once(fa: Fa, log: Path, command: tuple[str, ...]) -> None:
    for _ in range(2):  # the second time from the index
        done = fa(*command)
        assert done.returncode == 0, done.stderr
        assert " ".join(done.stderr.split()).count(f"warning: {log.parent.parent}/{CUT}") == 1 or (
            " ".join(done.stderr.split()).count(f"warning: {CUT}") == 1
        )


def test_results_are_written_with_exit_code_2(fa: Fa, log: Path, tmp_path: Path) -> None:
    done = fa("results", "x", "-o", "x.csv")
    assert (done.returncode, CUT in " ".join(done.stderr.split())) == (2, True), done.stderr
    with (tmp_path / "x.csv").open() as file:
        assert sorted({int(row["record"]) for row in csv.DictReader(file)}) == [1, 2, 3]


def test_the_report_says_so(fa: Fa, log: Path, tmp_path: Path) -> None:
    done = fa("report", "x", "-o", "x.html")
    assert (done.returncode, CUT in " ".join(done.stderr.split())) == (2, True), done.stderr
    assert f"Incomplete: {CUT}" in (tmp_path / "x.html").read_text()
    assert "Incomplete: " in fa("report", "x", "--format", "markdown").stdout


def test_a_whole_log_needs_no_words(fa: Fa, log: Path) -> None:
    assert fa("replay", "repair", "x").returncode == 0
    assert "cut off" not in fa("leaderboard", "x").stderr
    assert fa("results", "x").returncode == 0
