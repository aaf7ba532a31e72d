"""What a release is made of: files of changes, and a workflow that runs what exists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORKFLOW = (ROOT / ".github/workflows/release.yml").read_text()


def test_changes_have_kinds() -> None:
    """Towncrier passes over a file whose kind it does not know."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["towncrier"]
    kinds = {kind["directory"] for kind in tool["type"]}
    names = {path.name for path in (ROOT / tool["directory"]).iterdir()} - set(tool["ignore"])
    assert {name for name in names if not re.fullmatch(rf"\+[\w-]+\.({'|'.join(kinds)})\.md", name)} == set()
    assert tool["start_string"] in (ROOT / tool["filename"]).read_text()


def test_the_workflow_runs_what_exists() -> None:
    targets = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    used = re.findall(r"run: make ([\w-]+)", WORKFLOW)
    assert targets and used and set(used) <= set(targets[1].split())
    assert "run: .ci/run" in WORKFLOW and os.access(ROOT / ".ci/run", os.X_OK)


def test_make_finds_its_folders_where_the_path_has_a_space(tmp_path: Path) -> None:
    """Unquoted, `rm -rf /home/me/fa 2/.venv-compiled` would remove another folder."""
    folder = tmp_path / "fa 2"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, folder)
    shown = subprocess.run(
        ["make", "-n", "test-compiled", "VENV=.venv"], cwd=folder, check=True, capture_output=True, text=True
    )
    assert "rm -rf .venv-compiled" in shown.stdout
    assert not re.search(rf'(?<!"){re.escape(str(folder))}', shown.stdout)
