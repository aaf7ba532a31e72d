"""What is installed is whole: the wheel, built for real, has every module and every file that is no code."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fa_cli import __version__
from fa_cli.games import GAMES

ROOT = Path(__file__).parent.parent
CODE_OR_CACHE = {".pyc", ".so"}


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in a wheel of this checkout; the build's own needs come from the package index."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # a copy: building leaves files beside what it builds
    shutil.copytree(ROOT / "fa_cli", source / "fa_cli", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--disable-pip-version-check", "-w", folder, source],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob(f"fa_cli-{__version__}-*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


@pytest.mark.slow
def test_the_wheel_has_every_file_of_the_package(packed: set[str]) -> None:
    expected = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "fa_cli").rglob("*")
        if file.is_file() and file.suffix not in CODE_OR_CACHE
    }
    assert "fa_cli.games.game.py" in expected
    assert expected - packed == set()
    assert {f"{game.rules.replace('.', '/')}/RULES.md" for game in GAMES} <= packed


@pytest.mark.slow
def test_the_wheel_has_nothing_else(packed: set[str]) -> None:
    outside = {name.split("/")[0] for name in packed} - {"fa_cli", f"fa_cli-{__version__}.dist-info"}
    assert outside == set()
    assert f"fa_cli-{__version__}.dist-info/licenses/LICENSE" in packed
