"""Modules of `fa_cli` that are written in C, compiled with every warning an error, beside those in Python."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PACKAGE = Path(__file__).parents[1]
CAN_COMPILE = bool(shutil.which("cc")) and Path(sysconfig.get_path("include"), "Python.h").exists()


def compile_library(source: Path, folder: Path) -> Path:
    """The library of an extension module, compiled into a folder with every warning an error."""
    library = folder / source.with_suffix(".so").name
    shared = ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared", "-fPIC")
    flags = ("-O2", "-Wall", "-Wextra", "-Werror", f"-I{sysconfig.get_path('include')}")
    subprocess.run(["cc", *shared, *flags, str(source), "-o", str(library)], check=True)
    return library


def compile_module(source: str, folder: Path) -> ModuleType:
    """Return the module of a file such as `fa_cli/games/x.c`. `folder` receives the library. May raise ImportError."""
    library = compile_library(PACKAGE / source, folder)
    loader = ExtensionFileLoader(library.stem, str(library))
    module = module_from_spec(ModuleSpec(library.stem, loader, origin=str(library)))
    loader.exec_module(module)
    return module


def both_forms(plain: ModuleType, source: str) -> Any:
    """Return a fixture: the module in Python, then the one in C; skips that one without a compiler."""

    @pytest.fixture(scope="module", params=["Python", "C"])
    def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
        if request.param == "Python":
            return plain
        if not CAN_COMPILE:
            pytest.skip("no C compiler, or no Python.h")
        return compile_module(source, tmp_path_factory.mktemp("compiled"))

    return module
