"""Settings and fixtures for all tests."""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from .browser import axe as axe
from .browser import browser as browser
from .forks import forked_workers as forked_workers

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `fa` does: a second thread would spin most of the time
os.environ["FA_COMPILE"] = "0"  # tests look into modules, also where `make tournament` has left compiled ones
# no deadline, because the machine may be busy; in CI every run tries the same examples
settings.register_profile("fa", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("fa")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a script's `make test &` passes it on
    signal.signal(signal.SIGINT, signal.default_int_handler)

UNSANDBOXED = "warning: bots are not sandboxed and can do anything your account can (--sandbox none)\n"
Fa = Callable[..., subprocess.CompletedProcess[str]]


def run_fa(
    folder: Path, *args: str | Path, limit: tuple[int, int] | None = None, timeout: float = 120, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `fa ARGS...` as a new process in a folder. `limit`: of a resource, such as `(resource.RLIMIT_FSIZE, 100)`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("FA_")}
    inherited["FA_COMPILE"] = "0"
    if limit:
        inherited["PYTHONDONTWRITEBYTECODE"] = "1"  # a cut file of bytecode would break the next process
    return subprocess.run(
        [sys.executable, "-m", "fa_cli", *map(str, args)],
        cwd=folder,
        env=inherited | {"PYTHONUTF8": "1", "COLUMNS": "100"} | environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=timeout,
        check=False,
        preexec_fn=limit and (lambda: resource.setrlimit(limit[0], (limit[1], limit[1]))),
    )


@pytest.fixture
def fa(tmp_path: Path) -> Fa:
    """Run `fa ARGS...` as a new process in an empty folder: `fa("games", "--format", "json")`."""
    return partial(run_fa, tmp_path)


def assert_refused(done: subprocess.CompletedProcess[str], start: str = "", within: str = "") -> None:
    """`fa` printed nothing and ended with exit code 2 and one line on stderr.

    After `fa: ` that line begins with `start`, and it has `within` somewhere.
    """
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith(f"fa: {start}"), done.stderr
    assert within in done.stderr
    assert done.stderr.count("\n") == 1


def further(*cases: Any) -> list[Any]:
    """Cases that show more of what those before them do: they run among the slow tests."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def thinned(cases: Iterable[Any], keep: int) -> list[Any]:
    """Cases that all show the same: one in `keep` as it is, the others among the slow tests."""
    return [case for number, each in enumerate(cases) for case in ([each] if number % keep == 0 else further(each))]


def pytest_collection() -> None:
    """Thousands of tests are collected faster when nothing looks for garbage among them, then or later."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
    # from here on bots are imported: a cache in a bot's folder would be a change of it, while other tests play it
    sys.dont_write_bytecode = True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each worker begins with its share of the slow tests: while these wait others run, and none comes last.

    Files with tests in a browser come first: fewer workers start one. Remote bots begin a share: one test of theirs
    waits for most of a minute.
    """
    shown = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: item.path not in shown)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    kinds = [[item for item in items if ("slow" in item.keywords) == is_slow] for is_slow in (True, False)]
    items[:] = [
        item
        for worker in range(workers)
        for kind in kinds
        for item in sorted(
            kind[len(kind) * worker // workers : len(kind) * (worker + 1) // workers],
            key=lambda item: item.path.parent.name != "remote",
        )
    ]
