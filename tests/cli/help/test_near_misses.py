"""Every name that a person types gets the nearest name that exists."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Fa
from tests.inside import fa as fa
from tests.tournament.helpers import dice

CASES = [
    ("rules manhatan", "no game 'manhatan'; did you mean manhattan?"),
    ("play new-yrok", "no game 'new-yrok'; did you mean new-york?"),
    ("leaderboard --game manhatan", "no game 'manhatan'; did you mean manhattan?"),
    ("protocol schema --game chess", "no game 'chess'; the games are fifth-avenue, manhattan, new-york"),
    ("bot new x --lang pyton", "no language 'pyton'; did you mean python?"),
    ("bot new x --lang cobol", "no language 'cobol'; the languages are python, javascript, typescript, rust, go, c, "),
    ("simulate fifth-avenue --option sied=six -o x.log", "fifth-avenue has no option 'sied'; did you mean side?"),
    ("simulate manhattan --option x=six -o x.log", "manhattan has no option 'x'; the options are blocks"),
    ("bot check gredy", "gredy is not a bot: no such file or folder; did you mean the shipped bot greedy?"),
    ("tournament run gredy random", "gredy: no such file or folder; did you mean the shipped bot greedy?"),
    ("tournament show sprin", "no tournament named sprin (tournaments/sprin.json not found); did you mean spring?"),
    ("tournament collusion sprin", "no tournament named sprin (logs/sprin.log not found); did you mean spring?"),
    ("replay verify sprin", "no tournament named sprin (logs/sprin.log not found); did you mean spring?"),
    ("compare ana berta", "ana has not played in the logs; did you mean anna?"),
    ("compare anna berte spring", "berte has not played in spring; did you mean berta?"),
    ("leaderboard --format jsn", "invalid --format 'jsn': use table, json, csv or markdown; did you mean json?"),
    ("results --format cvs", "invalid --format 'cvs': use csv, json or parquet; did you mean csv?"),
    ("docs tutorail", "no page named 'tutorail'; did you mean tutorial?"),
    ("docs x", "no page named 'x'; fa docs lists the pages"),
    ("completion bsh", "invalid SHELL 'bsh': use bash, zsh or fish; did you mean bash?"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize(("line", "sentence"), CASES, ids=[line for line, _ in CASES])
def test_the_nearest_name(fa: Fa, home: Path, line: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    if not (home / "logs").exists():
        bots = dice(home / "bots", "anna", "berta")
        assert fa("tournament", "run", *bots, "--games", "1", "--name", "spring", "--sandbox", "none").returncode == 0
    done = fa(*line.split())
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"fa: {sentence}")
    assert done.stdout == ""


def test_a_gauntlet_without_its_challenger(fa: Fa, tmp_path: Path) -> None:
    bots = dice(tmp_path / "bots", "anna", "berta")
    run = ("tournament", "run", *bots, "--sandbox", "none", "--players", "2")
    done = fa(*run, "--schedule", "gauntlet", "--challenger", "ana")
    assert "fa: no bot named 'ana' to be a challenger; did you mean anna?" in done.stderr
    done = fa(*run, "--until", "decided", "--compare", "anna,bert")
    assert "fa: no bot named 'bert' to compare; did you mean berta?" in done.stderr
