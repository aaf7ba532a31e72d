"""What pyproject.toml can't say: with FA_COMPILE=1 the games' engines are compiled with mypyc.

The same modules run as they are where that is not asked for, so that nobody needs a compiler. `make wheel-compiled`.
FA_OPTIMIZE=1 leaves most of the optimizing out: slower engines, in a third of the time, for tests.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import setup

GAMES = Path("fa_cli/games")
# What is not compiled: what makes texts and Structs. The rest is plain loops over small numbers.
PLAIN = (
    "__init__",
    "game",
    "json_parts",
    "options",
    "presentation",
    "contract",
    "view",
    "text",
    "guide",
    "determinization",
    "knowledge",
    "features",
)


def libraries() -> list[tuple[list[str], str]]:
    """The files that are compiled, sorted, and the library they go into: one for each folder, compiled side by side."""
    folders: dict[str, list[str]] = {}
    for file in sorted(GAMES.rglob("*.py")):
        if file.stem not in PLAIN:
            folders.setdefault(f"fa_{file.parent.name}", []).append(str(file))
    return [(files, name) for name, files in folders.items()]


if os.environ.get("FA_COMPILE", "0") in ("", "0"):
    setup()
elif "egg_info" in sys.argv or "dist_info" in sys.argv:
    setup(setup_requires=["mypy>=1.18", "msgspec>=0.19"])  # asked before they are there; the types need msgspec
else:
    from mypyc.build import mypycify

    found = libraries()
    files = [file for some, _ in found for file in some]
    extensions = mypycify(["--strict", *files], opt_level=os.environ.get("FA_OPTIMIZE", "3"), separate=found)
    if os.name == "posix":  # calls within a library need not be looked up, so that small functions are inlined
        for extension in extensions:
            extension.extra_compile_args.append("-fno-semantic-interposition")
    setup(ext_modules=extensions, options={"build_ext": {"parallel": os.cpu_count()}})
