"""`fa simulate`: its log, its output and its exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Fa, assert_refused
from tests.inside import fa as fa


def test_a_log_that_verifies_whatever_the_number_of_processes(fa: Fa, tmp_path: Path) -> None:
    command = ("simulate", "fifth-avenue", "--players", "3", "--games", "120", "--seed", "s", "--option", "side=six")
    done = fa(*command, "-o", "one.log", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "one.log: 120 games of fifth-avenue for 3, seed s\n"
    assert fa(*command, "-o", "two.log", "--jobs", "2", "--quiet").stdout == ""
    assert (tmp_path / "one.log").read_bytes() == (tmp_path / "two.log").read_bytes()
    verified = fa("replay", "verify", "one.log", "two.log", "--jobs", "2")
    assert verified.returncode == 0
    assert verified.stderr.startswith("note: times and details in meta are not covered")
    assert [line.split(": ")[0] for line in verified.stdout.splitlines()] == ["one.log", "two.log"]
    assert all(
        line.startswith("120 records, ") for line in (part.split(": ")[1] for part in verified.stdout.splitlines())
    )
    assert all(line.endswith(": all good") for line in verified.stdout.splitlines())


def test_without_a_seed_it_says_which_it_took(fa: Fa, tmp_path: Path) -> None:
    done = fa("simulate", "fifth-avenue", "-o", "a.log")
    seed = done.stdout.split("seed ")[1].strip()
    again = fa("simulate", "fifth-avenue", "-o", "b.log", "--seed", seed)
    assert "1 games" not in again.stdout
    assert (tmp_path / "a.log").read_bytes() == (tmp_path / "b.log").read_bytes()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["chess"], "fa: no game 'chess'"),
        (["fifth-avenue", "--players", "5"], "2, 3 or 4 players, not 5"),
        (["fifth-avenue", "--option", "side=seven"], "option side is five or six, not 'seven'"),
        (["fifth-avenue", "--option", "sides=six"], "has no option 'sides'"),
        (["fifth-avenue", "--option", "side"], "an option is NAME=VALUE"),
        (["fifth-avenue", "--seed", ""], "--seed is empty: use any text, or no --seed for random deals"),
        (["fifth-avenue", "--games", "0"], ": use a number from 1 to 10,000,000"),
        (["fifth-avenue", "-o", "none/a.log"], "none/a.log: none is not a folder"),
    ],
)
def test_used_wrongly(fa: Fa, tmp_path: Path, args: list[str], told: str) -> None:
    done = fa("simulate", *args, *(() if "-o" in args else ("-o", "a.log")))
    assert_refused(done, within=told)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_never_written_over(fa: Fa, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("mine")
    done = fa("simulate", "fifth-avenue", "-o", "a.log")
    assert (done.returncode, done.stderr) == (2, "fa: a.log: it exists already and is not overwritten\n")
    assert (tmp_path / "a.log").read_text() == "mine"
