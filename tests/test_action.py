"""The GitHub Action: its steps, run in a repository of bots as a runner would run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from fa_cli.transparency.notes import new_key
from tests.tournament.helpers import dice

ACTION = yaml.safe_load((Path(__file__).parent.parent / "action.yml").read_text())


@pytest.mark.slow
def test_the_steps_play_and_publish_a_league(tmp_path: Path) -> None:
    dice(tmp_path / "bots", "ann", "bob")
    key = new_key("example.org/league")
    values = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
    values |= {"options": "--games 4 --sandbox none", "name": "league-1", "key": str(key)}
    (tmp_path / "temp").mkdir()
    inherited = os.environ | {
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "FA_COMPILE": "0",
    }
    steps = {step["name"]: step for step in ACTION["runs"]["steps"]}
    assert list(steps) == ["Install", "Commit", "Play", "Publish"] and "pip install" in steps.pop("Install")["run"]
    for step in steps.values():
        filled = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], text)
            for name, text in step["env"].items()
        }
        run = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", step["run"]],
            cwd=tmp_path,
            env=inherited | filled,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{step['name']}: {run.stdout}{run.stderr}"
        assert not (tmp_path / "temp/fa.key").exists()  # the bots that play next could read it
    assert "fit the log" in run.stdout and (tmp_path / "public/report/index.html").exists()
    assert not any(str(key) in path.read_text("latin-1") for path in tmp_path.rglob("*") if path.is_file())


def test_no_script_contains_an_input() -> None:
    """What the caller writes reaches the shell as variables only, so that it is never run."""
    assert all("${{" not in step["run"] for step in ACTION["runs"]["steps"])
