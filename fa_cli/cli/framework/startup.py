"""Tricks that make `fa` start fast: garbage is hardly collected, and NumPy computes in one thread.

docs/notes/bench.md has the times, docs/notes/performance.md what each trick saves.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from types import ModuleType

_NUMPY_SIZE = 128 << 20
"""Bytes of addresses that importing NumPy takes: measured 85 MB with one thread, 126 MB with more; 100 were too few."""


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


def prepare() -> None:
    """Prepare this process before most modules are imported.

    Garbage is collected rarely: what imports create is none, and searching it would take a tenth of the start. NumPy
    computes in one thread, unless the user has set a number: the others would spin until the first large matrix, which
    takes as much as importing NumPy. That raises MemoryError if there is no room for it (`ulimit -v`).
    """
    gc.set_threshold(50_000)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.meta_path.insert(0, _NumpyGuard)


def skip_final_collection() -> None:
    """Skip the collection at the end of the process, which would take another tenth."""
    gc.freeze()
