"""What people install is complete: the wheel, built from the sdist, holds what git has of fa_cli/ and bots/."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from fa_cli import __version__

ROOT = Path(__file__).parent.parent
BUILD_FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
BUILD_SDIST = "import sys; sys.path.insert(0, sys.argv[1]); from setuptools.build_meta import build_sdist; "
BUILD_SDIST += "build_sdist(sys.argv[2])"


def tracked(folder: str) -> set[str]:
    """The paths of the files that git has in a folder of this checkout."""
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is not a git checkout")
    return set(listed.stdout.split())


def pip(*arguments: str | Path, **environment: str) -> None:
    command = [sys.executable, "-m", "pip", *arguments, "-q", "--disable-pip-version-check"]
    subprocess.run(command, env=os.environ | environment, check=True, capture_output=True)


@pytest.mark.slow
def test_sdist_and_wheel_hold_what_git_has(tmp_path: Path) -> None:
    bots = tracked("bots")
    expected = tracked("fa_cli")
    source = tmp_path / "source"  # a copy, because building leaves files beside the source
    for name in (*expected, *bots, *BUILD_FILES):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    setuptools = tmp_path / "setuptools"
    pip("install", "--no-compile", "--target", setuptools, "setuptools>=77")
    command = [sys.executable, "-c", BUILD_SDIST, setuptools, tmp_path]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    sdist = tmp_path / f"fa_cli-{__version__}.tar.gz"
    with tarfile.open(sdist) as file:
        packed = {name.partition("/")[2] for name in file.getnames() if not file.getmember(name).isdir()}
    assert {name for name in packed if name.startswith("fa_cli/")} == expected
    assert bots | set(BUILD_FILES) <= packed

    pip("wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path, sdist, PYTHONPATH=str(setuptools))
    (wheel,) = tmp_path.glob(f"fa_cli-{__version__}-*.whl")
    installed = set(zipfile.ZipFile(wheel).namelist())
    about = f"fa_cli-{__version__}.dist-info/"
    shipped = {f"fa_cli/{name}" for name in bots}
    assert {name for name in installed if not name.startswith(about)} == expected | shipped
    assert f"{about}licenses/LICENSE" in installed


def test_the_image_gets_what_a_wheel_needs() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE)
    copied = " ".join(lines).split()
    assert sorted(copied) == sorted([*BUILD_FILES, "fa_cli", "bots", "docs"])
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line[1:] for line in ignored if line.startswith("!")} == set(copied)


def test_wheels_are_for_the_pythons_that_are_supported() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    classifiers = "\n".join(settings["project"]["classifiers"])
    supported = re.findall(r"^Programming Language :: Python :: (3\.\d+)$", classifiers, re.MULTILINE)
    built = settings["tool"]["cibuildwheel"]["build"].split()
    assert built == [f"cp{version.replace('.', '')}-*" for version in supported]
    assert settings["project"]["requires-python"] == f">={supported[0]}"


@pytest.mark.slow
def test_cibuildwheel_selects_each_python_and_machine(tmp_path: Path) -> None:
    pip("install", "--no-compile", "--target", tmp_path, "cibuildwheel>=3")
    command = [sys.executable, "-m", "cibuildwheel", "--platform", "linux", "--print-build-identifiers", ROOT]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    selected = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
    pythons, systems = ("cp311", "cp312", "cp313", "cp314"), ("manylinux", "musllinux")
    machines = ("x86_64", "aarch64")
    assert sorted(selected) == sorted(
        f"{python}-{system}_{machine}" for python in pythons for system in systems for machine in machines
    )
