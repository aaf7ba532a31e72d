"""The compiled copy of a checkout: modules compiled by `make tournament`, used while no source has changed since.

tools/compile_copy.py makes the copy, in the environment's folder (`fa_cli.COMPILED_COPY`). A wheel with compiled parts
has them in the package and needs none of this.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec

STAMP = "stamp"
"""The file that names the folder of the modules in use and has the state of each source when they were compiled, and
then of each module."""
END = "end"
"""The last line of a whole stamp."""
_PACKAGE = os.path.dirname(__file__)


def file_state(path: str) -> str:
    """Return what any change of a file changes: its size, times and number. Raises OSError.

    The time of the last change (ctime) also changes when a program sets an older time of modification.
    """
    state = os.stat(path)
    return f"{state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"


class _Finder:
    """Finds the modules of a copy; none of them if a source has changed: compiled modules rely on each other."""

    def __init__(self, copy: str) -> None:
        with open(os.path.join(copy, STAMP), encoding="utf-8") as stamp:
            name, *self._states, end = stamp.read().splitlines()
        if end != END:
            raise ValueError(f"{copy}: the stamp is not whole")
        self._folder = os.path.join(copy, name)
        self._files = frozenset(os.listdir(self._folder))
        self._fresh: bool | None = None

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return where a module is; its file has the module's full name. None if it is not compiled."""
        file = name + EXTENSION_SUFFIXES[0]
        if file not in self._files or not self._is_fresh():
            return None
        origin = os.path.join(self._folder, file)
        spec = ModuleSpec(name, ExtensionFileLoader(name, origin), origin=origin)
        spec.has_location = True
        return spec

    def _is_fresh(self) -> bool:
        """Whether all sources are as the stamp has them. Decided once, so that a process never mixes old and new."""
        if self._fresh is None:
            changed = self._first_changed()
            self._fresh = changed is None
            if changed is not None and changed.endswith(EXTENSION_SUFFIXES[0]):
                remedy = "so fa runs without compiled parts; `make tournament` compiles them again"
                print(f"warning: {changed} was damaged, {remedy}", file=sys.stderr)
                os.environ["FA_COMPILE"] = "0"  # other processes of this command need not repeat it
        return self._fresh

    def _first_changed(self) -> str | None:
        """The first source that is not as the stamp has it, or the first such module if there is none."""
        for line in self._states:
            name, *state = line.rsplit(" ", 4)
            folder = self._folder if name.endswith(EXTENSION_SUFFIXES[0]) else _PACKAGE
            path = os.path.join(folder, name)
            if not _has_state(path, " ".join(state)):
                return path
        return None


def _has_state(path: str, state: str) -> bool:
    try:
        return file_state(path) == state
    except OSError:
        return False


def use(copy: str) -> None:
    """Let this process import the modules of a copy. A copy without a readable stamp is ignored."""
    try:
        sys.meta_path.insert(0, _Finder(copy))
    except (OSError, ValueError):
        return
