"""What pyproject.toml cannot express: bots/ and the pages of docs/ go into the wheel, and mypyc can compile modules.

FA_COMPILE=1 compiles them (`make wheel-compiled`). By default they stay Python, so installing needs no compiler. They
stay Python in an editable installation too: Python would prefer them to sources edited later.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Extension, setup
from setuptools.command.build import build

SHIPPED = (("bots", "*"), ("docs", "*.md"))
"""Folders that go into the wheel, and which of their files."""
GAMES = Path("fa_cli/games")
# Modules of games that stay Python: they build texts and Structs. The others, loops over small numbers, are compiled.
PLAIN = (
    "__init__",
    "game",
    "options",
    "option_words",
    "presentation",
    "contract",
    "seed",
    "view",
    "text",
    "guide",
    "determinization",
    "features",
    "dice",
    "towers",
)
# Modules elsewhere that are compiled too. Their imports within fa_cli may be plain Python.
COMPILED = (
    # isolation: a line to a bot and a line back
    "fa_cli/isolation/bot_process.py",
    "fa_cli/isolation/bot_session.py",
    "fa_cli/isolation/clock_metering.py",
    "fa_cli/isolation/transport/base.py",
    # leaderboard: results of records, and ratings
    "fa_cli/leaderboard/played_games.py",
    "fa_cli/leaderboard/rating/trueskill_step.py",
    # match: the path of a decision
    "fa_cli/match/event_feed.py",
    "fa_cli/match/referee.py",
    # protocol: answers of bots
    "fa_cli/protocol/answers.py",
    # replay: logs, and games rebuilt from them
    "fa_cli/replay/action_coding.py",
    "fa_cli/replay/codec.py",
    "fa_cli/replay/frames.py",
    "fa_cli/replay/packing/definitions.py",
    "fa_cli/replay/packing/meta.py",
    "fa_cli/replay/packing/times.py",
    # tournament: what a worker does before each decision
    "fa_cli/tournament/running/heartbeat.py",
)
# Modules in C, each with a replacement in Python: for what mypyc does not make fast, such as system calls and bytes.
IN_C = (
    "fa_cli/games/sha256_blocks.c",
    "fa_cli/isolation/line_exchange.c",
    "fa_cli/protocol/decision_lines.c",
)
C_FLAGS = (
    "-ffp-contract=off",  # no fused multiply-add: floats are those of plain Python on every processor
    "-fno-semantic-interposition",  # calls within a library may be inlined
)


class BuildShipped(Command):
    """Copies these folders into fa_cli/ in a wheel. An editable installation finds them itself."""

    description = "copy the bots and pages that ship with fa"
    user_options: ClassVar = []
    editable_mode = False

    build_lib: str | None

    def initialize_options(self) -> None:
        self.build_lib = None  # as `set_undefined_options` needs it

    def finalize_options(self) -> None:
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def run(self) -> None:
        if not self.editable_mode:
            for target, source in self.get_output_mapping().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target)

    def get_source_files(self) -> list[str]:
        """The files that the source distribution needs too."""
        found = (path for folder, pattern in SHIPPED for path in sorted(Path(folder).rglob(pattern)))
        files = (path for path in found if path.is_file())
        return [str(path) for path in files if "__pycache__" not in path.parts]

    def get_outputs(self) -> list[str]:
        return list(self.get_output_mapping())

    def get_output_mapping(self) -> dict[str, str]:
        return {str(Path(self.build_lib or "", "fa_cli", source)): source for source in self.get_source_files()}


class Build(build):
    """Builds the bots and pages too."""

    sub_commands: ClassVar = [*build.sub_commands, ("build_shipped", None)]


def libraries() -> list[tuple[list[str], str]]:
    """Return (files, library) for each folder: its modules to compile, sorted, and the library built from them.

    The libraries are compiled in parallel.
    """
    engines = (file for file in GAMES.rglob("*.py") if file.stem not in PLAIN)
    folders: dict[str, list[str]] = {}
    for file in sorted([*engines, *map(Path, COMPILED)]):
        folders.setdefault("_".join(file.parent.parts), []).append(str(file))
    return [(files, name) for name, files in folders.items()]


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


COMMANDS = {"build": Build, "build_shipped": BuildShipped}
if os.environ.get("FA_COMPILE", "0") in ("", "0") or "editable_wheel" in sys.argv:
    setup(cmdclass=COMMANDS)
elif "egg_info" in sys.argv or "dist_info" in sys.argv:  # runs before they are installed; the types need msgspec
    setup(cmdclass=COMMANDS, setup_requires=["mypy>=1.18", "msgspec>=0.19"])
else:
    from mypyc.build import mypycify

    groups = libraries()
    files = [file for group, _ in groups for file in group]
    extensions = mypycify(["--strict", *files], separate=groups)
    extensions += [Extension(file.removesuffix(".c").replace("/", "."), [file]) for file in IN_C]
    for extension in extensions:
        extension.extra_compile_args = [*extension.extra_compile_args, *C_FLAGS]  # mypyc's share one list
    setup(cmdclass=COMMANDS, ext_modules=extensions, options={"build_ext": {"parallel": cores()}})
