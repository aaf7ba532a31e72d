"""A new column of leaderboards is one field and one expression."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

import fa_cli
from tests.inside import play_quietly
from tests.seeded_results import BOTS, fa

FIELD = '    pace: Annotated[float, number("pace", "mean number of decisions in a game", 1)]\n'
EXPRESSION = '        pace=decisions / means["games"],\n'


def insert(file: Path, line: str, before: str) -> None:
    text = file.read_text()
    assert text.count(before) == 1
    file.write_text(text.replace(before, line + before))


@pytest.mark.slow
def test_a_column_is_added(tmp_path: Path) -> None:
    """In a copy of the package: at once, although the index has older rows, and in all formats and parts."""
    home = tmp_path / "home"
    play_quietly(home, "--games", "4", "--name", "cup", BOTS / "greedy.py", BOTS / "random")
    before = json.loads(fa(sys.executable, Path(fa_cli.__file__).parents[1], home, "leaderboard", "--format", "json"))

    package = tmp_path / "changed"
    shutil.copytree(Path(fa_cli.__file__).parent, package / "fa_cli", ignore=shutil.ignore_patterns("__pycache__"))
    leaderboard = package / "fa_cli/leaderboard"
    insert(leaderboard / "standings.py", FIELD, "    caveats: Annotated[list[str], caveats()]\n")
    insert(leaderboard / "sums/ranking.py", EXPRESSION, "        **means,\n")

    rows = json.loads(fa(sys.executable, package, home, "leaderboard", "--by", "seat", "--format", "json"))
    assert [{name: row[name] for name in old} for row, old in zip(rows, before, strict=True)] == before
    assert all(row["pace"] > 1 and row["seat 0 pace"] > 1 for row in rows)
    table = fa(sys.executable, package, home, "leaderboard", "--columns", "bot,pace", "--sort", "pace")
    assert table.split("\n")[0].split() == ["bot", "pace"]
    assert {f"{row['pace']:.1f}" for row in rows} == {line.split()[1] for line in table.split("\n")[2:4]}
