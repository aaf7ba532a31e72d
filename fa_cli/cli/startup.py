"""Every trick by which `fa` starts fast: `fa --help` takes less time than `import typer` does by itself.

Garbage collection rests, modules that libraries import without need are imported on first use, and a command is
imported and made only when it runs. docs/bench.md has the times, docs/performance.md what each trick saves.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import TypeVar

NEEDLESS = ("bz2", "ipaddress", "lzma", "subprocess", "tokenize", "zlib")
"""What Typer and its imports load for features that `fa` does not use."""
_Made = TypeVar("_Made")


def rest_garbage_collection() -> None:
    """While modules are imported: what they make stays, and looking for garbage in it is a tenth of the start."""
    gc.set_threshold(50_000)


def leave_garbage() -> None:
    """Before the process ends: taking apart all that was imported would be another tenth."""
    gc.freeze()


class _Later(ModuleType):
    """Stands for the module of its name, which is imported on the first access to an attribute."""

    def __getattr__(self, name: str) -> object:
        _remove(self)
        return getattr(import_module(self.__name__), name)


@contextmanager
def put_off(*names: str) -> Iterator[None]:
    """Code that imports one of these modules in the block gets it on first use; loaded modules stay as they are.

    Later imports find the module itself.
    """
    stand_ins = [_Later(name) for name in names if name not in sys.modules]
    sys.modules.update((stand_in.__name__, stand_in) for stand_in in stand_ins)
    try:
        yield
    finally:
        for stand_in in stand_ins:
            _remove(stand_in)


def _remove(stand_in: _Later) -> None:
    if sys.modules.get(stand_in.__name__) is stand_in:
        del sys.modules[stand_in.__name__]


def load_msgspec() -> None:
    """Import msgspec, which nearly all commands need, without its inspection of types, which few need.

    It imports from typing_extensions what typing has too since 3.11, and that takes as long as msgspec itself; so
    typing_extensions can't be found meanwhile.
    """
    if "typing_extensions" in sys.modules:
        return
    sys.modules["typing_extensions"] = None  # type: ignore[assignment]
    try:
        with put_off("msgspec.inspect"):
            import_module("msgspec")
    finally:
        del sys.modules["typing_extensions"]


class MadeOnUse(Mapping[str, _Made]):
    """Things by name, each made by its function when it is first looked up."""

    def __init__(self, makers: Mapping[str, Callable[[], _Made]]) -> None:
        self._makers = makers
        self._made: dict[str, _Made] = {}

    def __getitem__(self, name: str) -> _Made:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)
