"""What people install: a wheel of this checkout, and commands run as elsewhere, without this checkout on any path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ("fa_cli", "bots", "docs", "pyproject.toml", "setup.py", "README.md", "LICENSE")


def build_wheel(folder: Path) -> Path:
    """Build a wheel in an empty folder, from a copy, because building leaves files beside the sources."""
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    call(folder, sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "dist", ".")
    (built,) = (folder / "dist").glob("*.whl")
    return built


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
