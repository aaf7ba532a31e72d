"""setup.py compiles files that exist, each with the same flags. The compiler itself runs in `make test-compiled`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
setuptools = pytest.importorskip("setuptools", reason="setuptools is not installed")


@pytest.fixture
def arguments(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What setup.py passes to `setup` for a compiled wheel, with an Extension for each library instead of mypyc's."""
    passed: dict[str, Any] = {}
    flags = ["-O3"]  # one list for all, as mypycify has it

    def mypycify(files: list[str], separate: list[tuple[list[str], str]], **options: object) -> list[Any]:
        return [setuptools.Extension(name, files, extra_compile_args=flags) for files, name in separate]

    monkeypatch.setitem(sys.modules, "mypyc.build", SimpleNamespace(mypycify=mypycify))
    monkeypatch.setattr(setuptools, "setup", passed.update)
    monkeypatch.setattr(sys, "argv", ["setup.py", "bdist_wheel"])
    monkeypatch.setenv("FA_COMPILE", "1")
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py")
    return passed


def test_each_extension_has_the_flags_once(arguments: dict[str, Any]) -> None:
    """Floats are those of plain Python only without fused multiply-add, which compilers for aarch64 use by default."""
    ours = ["-ffp-contract=off", "-fno-semantic-interposition"]
    for extension in arguments["ext_modules"]:
        assert extension.extra_compile_args in (["-O3", *ours], ours), extension.name


def test_each_file_exists(arguments: dict[str, Any]) -> None:
    files = [file for extension in arguments["ext_modules"] for file in extension.sources]
    assert {Path(file).suffix for file in files} == {".py", ".c"}
    assert all((ROOT / file).is_file() for file in files)
    assert len(files) == len(set(files))
