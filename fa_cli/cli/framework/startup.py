"""What is set before most imports: tricks that make `fa` start fast, and the path of Python.

docs/notes/bench.md has the times, docs/notes/performance.md what each trick saves.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from types import ModuleType

_SIZES = {"numpy": 128 << 20, "_hashlib": 12 << 20}
"""Bytes of addresses that importing a module takes. NumPy: measured 85 MB with one thread, 126 MB with more; 100 were
too few. OpenSSL's library, which `_hashlib` loads: 5 MB; 8 were too few at times."""


class _Guard:
    """A finder of modules that refuses to import those which do not raise MemoryError where they lack memory.

    NumPy's library OpenBLAS calls exit. Without `_hashlib`, `hashlib` prints tracebacks and lacks functions.
    """

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Find nothing. Raises MemoryError."""
        if name in _SIZES and sys.platform == "linux":
            try:
                from resource import RLIM_INFINITY, RLIMIT_AS, getpagesize, getrlimit
            except ImportError:  # no room even for that: `hashlib` would go on without `_hashlib`
                raise MemoryError from None

            limit = getrlimit(RLIMIT_AS)[0]
            with open("/proc/self/statm") as file:  # noqa: PTH123  # pathlib is slow to import
                used = int(file.read().split()[0]) * getpagesize()
            if limit != RLIM_INFINITY and limit - used < _SIZES[name]:
                raise MemoryError


def prepare() -> None:
    """Prepare this process before most modules are imported.

    Python's folder is named as it is, without `..` or links: bots in the sandbox don't see what the typed path leads
    through.

    Garbage is collected rarely: what imports create is none, and searching it would take a tenth of the start. NumPy
    computes in one thread, unless the user has set a number: the others would spin until the first large matrix, which
    takes as much as importing NumPy. Importing NumPy or OpenSSL raises MemoryError if there is no room (`ulimit -v`).
    """
    folder, name = os.path.split(sys.executable)
    sys.executable = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118  # pathlib is slow to import
    gc.set_threshold(200_000)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.meta_path.insert(0, _Guard)


def skip_final_collection() -> None:
    """Skip the collection at the end of the process, which would take another tenth."""
    gc.freeze()
