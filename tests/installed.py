"""What people install: a wheel of this checkout, and commands run as elsewhere, without this checkout on any path."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ("fa_cli", "bots", "docs", "pyproject.toml", "setup.py", "README.md", "LICENSE")


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that one worker of the tests makes for all of them."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            make(folder)
            (folder / "made").touch()
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout."""
    (built,) = made_once(tmp_path_factory, "wheel", _build_wheel).glob("dist/*.whl")
    return built


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """A virtual environment with the wheel, beside the packages that the tests have; pip takes ten times as long."""
    return made_once(tmp_path_factory, "installed", partial(_install, wheel)) / "venv"


def _install(wheel: Path, folder: Path) -> None:
    call(folder, sys.executable, "-m", "venv", "--without-pip", "venv")
    call(folder, sys.executable, "-m", "pip", "--python", "venv", "install", "-q", "--no-deps", "--no-index", wheel)
    (packages,) = folder.glob("venv/lib/python*/site-packages")
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib"))  # an `fa` of the tests comes after the wheel's


def _build_wheel(folder: Path) -> None:
    """Build it from a copy, because building leaves files beside the sources."""
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    call(folder, sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "dist", ".")


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
