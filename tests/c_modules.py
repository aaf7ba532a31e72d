"""Compiles a module of `fa_cli` that is written in C, every warning an error, and imports it under its own name."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parents[1]
CAN_COMPILE = bool(shutil.which("cc")) and Path(sysconfig.get_path("include"), "Python.h").exists()


def compile_module(source: str, folder: Path) -> ModuleType:
    """Return the module of a file such as `fa_cli/games/x.c`. `folder` receives the library. May raise ImportError."""
    library = folder / Path(source).with_suffix(".so").name
    shared = ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared", "-fPIC")
    flags = ("-O2", "-Wall", "-Wextra", "-Werror", f"-I{sysconfig.get_path('include')}")
    subprocess.run(["cc", *shared, *flags, str(PACKAGE / source), "-o", str(library)], check=True)
    loader = ExtensionFileLoader(library.stem, str(library))
    module = module_from_spec(ModuleSpec(library.stem, loader, origin=str(library)))
    loader.exec_module(module)
    return module
