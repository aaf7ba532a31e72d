"""A file in the current folder that is named like a module of Python is no part of the referee."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from fa_cli.system import safe_path

FA = "import sys; del sys.path[0]; from fa_cli.__main__ import main; main()"
"""As the program `fa`, which does not look for modules in the current folder."""


def test_workers_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    for module in ("array", "pickle", "select", "signal", "struct"):
        (tmp_path / f"{module}.py").write_text(f"open({str(seen)!r}, 'a').write(__name__)\n")
    options = ["--players", "2", "--game", "manhattan", "--games", "2", "--jobs", "2", "--name", "t", "-q"]
    command = [sys.executable, "-c", FA, "tournament", "run", "greedy", "random", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert not seen.exists()


def test_the_environment_is_as_it_was() -> None:
    before = dict(os.environ)
    with safe_path(), safe_path():
        assert os.environ["PYTHONSAFEPATH"] == "1"
    assert os.environ == before
