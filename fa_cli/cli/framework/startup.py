"""Every trick that makes `fa` start fast: `fa --help` takes less time than a plain `import typer`.

Garbage is hardly collected, modules that libraries import without need are imported on first use, and a command is
imported and created only when it runs. docs/notes/bench.md has the times, docs/notes/performance.md what each trick
saves.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import TypeVar

NEEDLESS = ("bz2", "ipaddress", "lzma", "subprocess", "tokenize", "zlib")
"""Modules that Typer and its imports load for features that `fa` does not use."""
_NUMPY_SIZE = 128 << 20
"""Bytes of addresses that importing NumPy takes: measured 85 MB with one thread, 126 MB with more; 100 were too few."""
_Value = TypeVar("_Value")


def reduce_garbage_collection() -> None:
    """Collect rarely: what imports create is no garbage, and searching it would take a tenth of the start."""
    gc.set_threshold(50_000)


def limit_blas_threads() -> None:
    """Let NumPy compute in one thread, unless the user has set a number.

    Its other threads would spin until the first large matrix: as much processor time as importing NumPy.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class _NumpyGuard:
    """A finder of modules that refuses to import NumPy where its library OpenBLAS would lack memory and call exit."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Find nothing. Raises MemoryError."""
        if name == "numpy" and sys.platform == "linux":
            from resource import RLIM_INFINITY, RLIMIT_AS, getpagesize, getrlimit

            limit = getrlimit(RLIMIT_AS)[0]
            with open("/proc/self/statm") as file:  # noqa: PTH123  # pathlib is slow to import
                used = int(file.read().split()[0]) * getpagesize()
            if limit != RLIM_INFINITY and limit - used < _NUMPY_SIZE:
                raise MemoryError


def guard_numpy() -> None:
    """Raise MemoryError on importing NumPy if there is no room for it (`ulimit -v`)."""
    sys.meta_path.insert(0, _NumpyGuard)


def skip_final_collection() -> None:
    """Skip the collection at the end of the process, which would take another tenth."""
    gc.freeze()


class _LazyModule(ModuleType):
    """A stand-in that imports the module of its name when an attribute is first accessed."""

    def __getattr__(self, name: str) -> object:
        _remove(self)
        return getattr(import_module(self.__name__), name)


@contextmanager
def import_on_use(*names: str) -> Iterator[None]:
    """Makes imports of these modules within the block lazy. Modules that are loaded already stay as they are.

    Imports after the block find the module itself.
    """
    stand_ins = [_LazyModule(name) for name in names if name not in sys.modules]
    sys.modules.update((stand_in.__name__, stand_in) for stand_in in stand_ins)
    try:
        yield
    finally:
        for stand_in in stand_ins:
            _remove(stand_in)


def _remove(stand_in: ModuleType) -> None:
    if sys.modules.get(stand_in.__name__) is stand_in:
        del sys.modules[stand_in.__name__]


def load_msgspec() -> None:
    """Import msgspec, which nearly all commands need, without msgspec.inspect, which few need.

    typing_extensions is hidden from it: importing that takes as long as msgspec itself, and since Python 3.11 typing
    has all that msgspec needs.
    """
    if "typing_extensions" in sys.modules:
        return
    sys.modules["typing_extensions"] = None  # type: ignore[assignment]
    try:
        with import_on_use("msgspec.inspect"):
            import_module("msgspec")
    finally:
        del sys.modules["typing_extensions"]


def load_tabulate() -> None:
    """Import tabulate without wcwidth, which only wide letters need, and without what looks up its own version.

    Both take longer than tabulate itself.
    """
    metadata = "importlib.metadata"
    if "tabulate" in sys.modules or metadata in sys.modules:
        return
    stand_in = ModuleType(metadata)
    vars(stand_in).update(version=lambda name: "", PackageNotFoundError=ImportError)
    sys.modules[metadata] = stand_in
    try:
        with import_on_use("wcwidth"):
            import_module("tabulate")
    finally:
        _remove(stand_in)


class LazyMapping(Mapping[str, _Value]):
    """Values by name, each created by its factory when it is first looked up."""

    def __init__(self, factories: Mapping[str, Callable[[], _Value]]) -> None:
        self._factories = factories
        self._values: dict[str, _Value] = {}

    def __getitem__(self, name: str) -> _Value:
        if name not in self._values:
            self._values[name] = self._factories[name]()
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._factories

    def __iter__(self) -> Iterator[str]:
        return iter(self._factories)

    def __len__(self) -> int:
        return len(self._factories)
