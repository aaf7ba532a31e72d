"""Commands run in the process of the tests, which saves the start of Python.

Tests of how `fa` starts, ends or treats its streams use the fixture of tests/conftest.py instead.
"""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from fa_cli.cli import app
from fa_cli.tournament.running import run as run_module
from tests.conftest import UNSANDBOXED, Fa


def play_quietly(home: Path, *words: str | Path) -> None:
    """Play a tournament in a home: without the sandbox and with one worker, which start fastest."""
    command = ("--home", home, "--quiet", "tournament", "run", "--sandbox", "none", "--jobs", "1", *words)
    assert app.run([str(word) for word in command]) == 0


@pytest.fixture
def fa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fa:
    """Run `fa ARGS...` in an empty folder, as the fixture of this name in tests/conftest.py does.

    Without `--jobs` a tournament has one worker: starting each takes longer than the games. Without `--sandbox` and a
    file its bots are not sandboxed, without the warning: a sandbox takes as long to start as a bot.
    """
    monkeypatch.setattr(run_module, "cores", lambda: 1)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    unsaid: list[str] = []

    def run(*args: str | Path, **environment: str) -> CompletedProcess[str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        words = [str(arg) for arg in args]
        asks = "--sandbox" in words or any(word.endswith(".toml") for word in words)
        if words[:2] == ["tournament", "run"] and not asks:
            words += ["--sandbox", "none"]
            unsaid.append(UNSANDBOXED)
        capsys.readouterr()
        code = app.run(words)
        out, err = capsys.readouterr()
        return CompletedProcess(args, code, out, err.replace(UNSANDBOXED, "") if unsaid and not asks else err)

    return run


inside = fa
"""Its other name, for files in which it stands beside that of tests/conftest.py."""


def rows(fa: Fa, home: Path, *args: str, stderr: str = "") -> list[dict[str, Any]]:
    """The rows that `fa ARGS...` prints for programs, with nothing else on stderr."""
    done = fa("--home", home, *args, "--format", "json")
    assert (done.returncode, done.stderr) == (0, stderr), done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]
