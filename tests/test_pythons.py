"""Every Python plays the same games and prints the same results, byte by byte."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.seeded_results import seeded_results

ROOT = Path(__file__).parent.parent
OLDEST = (3, 11)
WHICH = "import sys; print(sys.implementation.name, sys.version_info.major, sys.version_info.minor)"


def candidates() -> Iterator[str]:
    """Programs that may be a Python other than this one."""
    yield from map(str, sorted(Path.home().glob(".pyenv/versions/*/bin/python3")))
    yield from map(str, sorted(Path.home().glob(".local/share/uv/python/*/bin/python3")))
    yield from filter(None, (shutil.which(f"python3.{minor}") for minor in range(OLDEST[1], 20)))


def other_pythons() -> dict[tuple[int, int], str]:
    """By version: one CPython of each version that `fa` supports and that this one is not."""
    found: dict[tuple[int, int], str] = {}
    for python in candidates():
        done = subprocess.run([python, "-c", WHICH], capture_output=True, text=True, check=False)
        name, *version = done.stdout.split() or ["", 0, 0]
        major, minor = map(int, version)
        if name == "cpython" and (major, minor) >= OLDEST and (major, minor) != sys.version_info[:2]:
            found.setdefault((major, minor), python)
    return found


def environment(python: str, folder: Path) -> str:
    """Make an environment with what `fa` needs, with uv where it is there: it takes a tenth of pip's time."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True, capture_output=True)
    made = str(folder / "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", made, "install", "--disable-pip-version-check"]
    install = ["uv", "pip", "install", "--python", made] if shutil.which("uv") else pip
    subprocess.run([*install, "-q", *needed], check=True, capture_output=True)
    return made


@pytest.mark.slow
def test_every_python_gives_the_same_results(tmp_path: Path) -> None:
    others = other_pythons()
    if not others:
        pytest.skip("there is one Python from 3.11 up on this machine")
    expected = seeded_results(sys.executable, ROOT, tmp_path / "this", jobs=1)
    for (major, minor), python in others.items():
        made = environment(python, tmp_path / f"venv-{major}.{minor}")
        assert seeded_results(made, ROOT, tmp_path / f"{major}.{minor}", jobs=2) == expected, python
