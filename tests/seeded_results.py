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


def fa(python: str, package: str | Path, folder: Path, *arguments: str) -> str:
    """Run the `fa` whose package is in that place with that Python, in a folder without one; return what it prints."""
    done = subprocess.run(
        [python, "-m", "fa_cli", *arguments],
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
    printed = {" ".join(command): fa(python, package, folder, *command).encode() for command in PRINTED}
    return {"the log": (folder / "logs/a.log").read_bytes(), **printed}
