"""What a seeded tournament of all games leaves behind, to be the same however and wherever it is played."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

BOTS = Path(__file__).parent.parent / "bots"
TOURNAMENT = (
    *("tournament", "run", *(str(BOTS / name) for name in ("greedy.py", "planner", "random"))),
    *("--players", "3", "--game", "all", "--games", "18", "--move-time", "60s"),
    *("--seed", "same", "--no-times", "--name", "a", "--quiet"),
)
PRINTED = (
    ("leaderboard", "--format", "json"),
    ("leaderboard", "--by", "game", "--format", "csv"),
    ("leaderboard", "--matrix", "--format", "json"),
    ("report", "a", "--format", "markdown"),
    ("replay", "list", "logs/a.log", "--format", "json"),
)
PRINTING = """
import sys
from fa_cli.cli.framework import startup
startup.prepare()
from fa_cli.cli import app
for words in {commands}:
    if app.run(list(words)):
        sys.exit(1)
    print({end!r})
"""
"""Runs commands one after the other, each with a line at its end: one start of Python instead of five."""
END = "-- end --"


def fa(python: str, package: str | Path, folder: Path, *arguments: str) -> str:
    """Run the `fa` whose package is in that place with that Python, in a folder without one; return what it prints."""
    return _run(python, package, folder, "-m", "fa_cli", *arguments)


def _run(python: str, package: str | Path, folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [python, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(package)},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def seeded_results(python: str, package: str | Path, folder: Path, jobs: int) -> dict[str, bytes]:
    """Play the tournament in an empty folder; return the log and what the commands above print, each by its name."""
    folder.mkdir()
    fa(python, package, folder, *TOURNAMENT, "--jobs", str(jobs))
    text = _run(python, package, folder, "-c", PRINTING.format(commands=PRINTED, end=END))
    *printed, rest = text.encode().split(f"{END}\n".encode())
    assert not rest
    names = map(" ".join, PRINTED)
    return {"the log": (folder / "logs/a.log").read_bytes(), **dict(zip(names, printed, strict=True))}
