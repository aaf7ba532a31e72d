"""Optional compilation of the games' engines with mypyc, which pyproject.toml cannot express.

FA_COMPILE=1 compiles the engines (`make wheel-compiled`). By default they stay Python, so installing needs no compiler.
FA_OPTIMIZE=1 optimizes less: the build takes a third of the time and the engines are slower, which suits tests.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import setup

GAMES = Path("fa_cli/games")
# Modules that stay Python: they build texts and Structs. The others are loops over small numbers and gain from mypyc.
PLAIN = (
    "__init__",
    "game",
    "json_parts",
    "options",
    "presentation",
    "contract",
    "seed",
    "view",
    "text",
    "guide",
    "determinization",
    "knowledge",
    "features",
)


def libraries() -> list[tuple[list[str], str]]:
    """Return (files, library) for each folder: its modules to compile, sorted, and the library built from them.

    The libraries are compiled in parallel.
    """
    folders: dict[str, list[str]] = {}
    for file in sorted(GAMES.rglob("*.py")):
        if file.stem not in PLAIN:
            folders.setdefault(f"fa_{file.parent.name}", []).append(str(file))
    return [(files, name) for name, files in folders.items()]


if os.environ.get("FA_COMPILE", "0") in ("", "0"):
    setup()
elif "egg_info" in sys.argv or "dist_info" in sys.argv:
    setup(setup_requires=["mypy>=1.18", "msgspec>=0.19"])  # runs before they are installed; the types need msgspec
else:
    from mypyc.build import mypycify

    groups = libraries()
    files = [file for group, _ in groups for file in group]
    extensions = mypycify(["--strict", *files], opt_level=os.environ.get("FA_OPTIMIZE", "3"), separate=groups)
    if os.name == "posix":  # lets the compiler inline calls within a library
        for extension in extensions:
            extension.extra_compile_args.append("-fno-semantic-interposition")
    setup(ext_modules=extensions, options={"build_ext": {"parallel": os.cpu_count()}})
