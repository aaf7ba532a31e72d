"""The built wheel works where people install it: with pip, pipx and uvx, run in an empty folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ("fa_cli", "bots", "docs", "pyproject.toml", "setup.py", "README.md", "LICENSE")
MINE = """
from fa_cli.bot import generator, run
run(lambda decide, start: generator(start).choice(decide["legal"]), wants=["legal"])
"""
TOURNAMENT = (
    "tournament",
    "run",
    "mine.py",
    "greedy",
    "planner",
    "--game",
    "manhattan",
    "--players",
    "3",
    "--games",
    "6",
)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, built from a copy, because building leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    call(folder, sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "dist", ".")
    (built,) = (folder / "dist").glob("*.whl")
    return built


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A folder with nothing but one bot of the user's."""
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / "mine.py").write_text(MINE)
    return folder


def call(folder: Path, *command: str | Path, **environment: str) -> str:
    """What a command prints; it has to succeed."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("FA_", "PYTHON", "VIRTUAL_"))
    }
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=570,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def needs(tool: str) -> str:
    """The path of a tool. Skips the test, with a warning, without it."""
    path = shutil.which(tool)
    if not path:
        warnings.warn(f"{tool} is not installed: an installation with it is not tested", stacklevel=1)
        pytest.skip(f"{tool} is not installed")
    return path


def plays(empty: Path, *fa: str | Path, **environment: str) -> None:
    """The three bots play without a fault, and the log is good."""
    rows = json.loads(call(empty, *fa, *TOURNAMENT, "--name", "first", "--format", "json", **environment))
    assert {row["bot"]: row["faults"] for row in rows} == {"mine": 0, "greedy": 0, "planner": 0}
    assert "all good" in call(empty, *fa, "replay", "verify", "logs/first.log", **environment)
    assert call(empty, *fa, "docs", "glossary", **environment).startswith("# Glossary")
    listed = json.loads(call(empty, *fa, "bots", "--format", "json", **environment))
    assert len(listed) == 8
    assert all(str(ROOT) not in bot["path"] and Path(bot["path"]).exists() for bot in listed)


@pytest.mark.filterwarnings("default")
def test_pip(wheel: Path, empty: Path, tmp_path: Path) -> None:
    call(tmp_path, sys.executable, "-m", "venv", "venv")
    call(tmp_path, "venv/bin/python", "-m", "pip", "install", "-q", wheel)
    plays(empty, tmp_path / "venv/bin/fa")


@pytest.mark.filterwarnings("default")
def test_pipx(wheel: Path, empty: Path, tmp_path: Path) -> None:
    pipx = needs("pipx")
    folders = {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    call(tmp_path, pipx, "install", "--python", sys.executable, wheel, **folders)
    plays(empty, tmp_path / "bin/fa")


@pytest.mark.filterwarnings("default")
def test_uvx(wheel: Path, empty: Path, tmp_path: Path) -> None:
    uvx = needs("uvx")
    plays(empty, uvx, "--python", sys.executable, "--from", wheel, "fa", UV_CACHE_DIR=str(tmp_path / "uv"))
