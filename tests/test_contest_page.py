"""The how-to page on contests: its commands, run one after the other as an organiser would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournament.helpers import dice

PAGE = (Path(__file__).parent.parent / "docs/how-to/run-a-contest.md").read_text()
BOTS = ("ann", "bob", "cid", "dan", "eve")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    """With fewer games, and all of one game: each command has to work, however much it plays."""
    dice(tmp_path / "entries", *BOTS)
    shutil.copy(tmp_path / "entries/ann.py", tmp_path / "mybot.py")
    commands = re.findall(r"^    (fa .+)$", PAGE, re.MULTILINE)
    assert any("--commit" in command for command in commands) and "verify public" in commands[-1]
    file = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert file and "games = 2000" in file[1]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "FA_COMPILE": "0"}
    for command in commands:
        if command.startswith("fa tournament init"):
            (tmp_path / "contest.toml").write_text(file[1].replace("2000", "20").replace('"all"', '"manhattan"'))
            continue
        line = command.replace("mybot", "mybot.py --games 1 --game manhattan").replace("--games 40", "--games 5")
        run = subprocess.run(
            line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, f"{line}: {run.stdout}{run.stderr}"
    assert "fit the log" in run.stdout
