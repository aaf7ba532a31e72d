"""The built wheel works where people install it: with pip, pipx and uvx, run in an empty folder."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

from fa_cli import __version__
from tests.installed import ROOT, call
from tests.installed import wheel as wheel
from tests.needed import needs

MINE = """
from fa_cli.bot import generator, run
run(lambda decide, start: generator(start).choice(decide["legal"]), wants=["legal"])
"""
TOURNAMENT = ("--game", "manhattan", "--players", "3", "--games", "12", "--name", "first", "--format", "json")
SEARCHING = ("searcher", "student")
"""The bots that take longest, which play where pip has installed them."""
UNTESTED = "an installation with it is not tested"
pytestmark = pytest.mark.slow


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A folder with nothing but one bot of the user's."""
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / "mine.py").write_text(MINE)
    return folder


def plays(empty: Path, *fa: str | Path, without: Collection[str] = (), **environment: str) -> None:
    """All bots that ship, but for those left out, and the user's own play without a fault."""
    assert call(empty, *fa, "--version", **environment).startswith(f"fa {__version__} ")
    listed = json.loads(call(empty, *fa, "bots", "--format", "json", **environment))
    assert len(listed) == len([bot for bot in (ROOT / "bots").iterdir() if bot.name != "__pycache__"])
    assert all(str(ROOT) not in bot["path"] and Path(bot["path"]).exists() for bot in listed)
    names = [bot["bot"] for bot in listed if "CI" in os.environ or bot["language"] == "Python"]
    names = [name for name in names if name not in without]
    rows = json.loads(call(empty, *fa, "tournament", "run", "mine.py", *names, *TOURNAMENT, **environment))
    assert {row["bot"]: row["faults"] for row in rows} == dict.fromkeys(["mine", *names], 0)


def test_pip(wheel: Path, empty: Path, tmp_path: Path) -> None:
    """Here also what reads other files of the wheel, which are the same wherever it is installed."""
    call(tmp_path, sys.executable, "-m", "venv", "--without-pip", "venv")
    call(tmp_path, sys.executable, "-m", "pip", "--python", "venv", "install", "-q", "--no-compile", wheel)
    fa = tmp_path / "venv/bin/fa"
    plays(empty, fa)
    assert "all good" in call(empty, fa, "replay", "verify", "logs/first.log")
    assert call(empty, fa, "docs", "glossary").startswith("# Glossary")
    assert "Fifth Avenue" in call(empty, fa, "rules", "fifth-avenue")
    assert "manhattan" in call(empty, fa, "games")


def test_pipx(wheel: Path, empty: Path, tmp_path: Path) -> None:
    pipx = needs("pipx", UNTESTED)
    folders = {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    call(tmp_path, pipx, "install", "--python", sys.executable, wheel, **folders)
    plays(empty, tmp_path / "bin/fa", without=SEARCHING)


def test_uvx(wheel: Path, empty: Path, tmp_path: Path) -> None:
    uvx = needs("uvx", UNTESTED)
    fa = (uvx, "--python", sys.executable, "--from", wheel, "fa")
    plays(empty, *fa, without=SEARCHING, UV_CACHE_DIR=str(tmp_path / "uv"))
