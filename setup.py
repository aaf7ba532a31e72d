"""What pyproject.toml can't say: with FA_COMPILE=1 the games' engines are compiled with mypyc.

The same modules run as they are where that is not asked for, so that nobody needs a compiler. `make wheel-compiled`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import setup

GAMES = Path("fa_cli/games")
# What is not compiled: what makes texts and Structs. The rest is plain loops over small numbers.
PLAIN = ("__init__", "core", "options", "view", "text", "worlds", "knowledge", "features")


def modules() -> list[str]:
    """The files that are compiled, sorted."""
    return sorted(str(file) for file in GAMES.rglob("*.py") if file.stem not in PLAIN)


if os.environ.get("FA_COMPILE", "0") in ("", "0"):
    setup()
elif "egg_info" in sys.argv or "dist_info" in sys.argv:
    setup(setup_requires=["mypy>=1.18", "msgspec>=0.19"])  # asked before they are there; the types need msgspec
else:
    from mypyc.build import mypycify

    extensions = mypycify(["--strict", *modules()], opt_level="3")
    if os.name == "posix":  # calls within a module need not be looked up, so that small functions are inlined
        for extension in extensions:
            extension.extra_compile_args.append("-fno-semantic-interposition")
    setup(ext_modules=extensions)
