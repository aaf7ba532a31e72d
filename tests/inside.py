"""Commands run in this process: no second start of Python, where what is tested is not how `fa` starts or ends."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fa_cli.cli import app
from tests.conftest import Fa


@pytest.fixture
def fa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fa:
    """Like the fixture of this name everywhere else."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*args: str | Path, **environment: str) -> CompletedProcess[str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        capsys.readouterr()
        code = app.run([str(arg) for arg in args])
        return CompletedProcess(args, code, *capsys.readouterr())

    return run
