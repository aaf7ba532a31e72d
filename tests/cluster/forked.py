"""Dask's programs as forks of one process that has imported them, which takes most of the time to start one.

Nothing here imports `fa_cli`: a worker may have another one.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["distributed.cli.dask_scheduler", "distributed.cli.dask_worker"])


def fork(
    module: str, arguments: Sequence[str], output: Path, environment: Mapping[str, str], namespace: str = ""
) -> ForkServerProcess:
    """Start `python -m MODULE ARGUMENTS` in a session of its own and in the folder of `output`, where it prints.

    In a network namespace it is no fork: a new program starts there.
    """
    whole = {**os.environ, **environment}
    process = _FORKS.Process(target=_be, args=(module, arguments, output, whole, namespace))
    process.start()
    return process


def _be(module: str, arguments: Sequence[str], output: Path, environment: Mapping[str, str], namespace: str) -> None:
    import dask

    os.setsid()
    os.chdir(output.parent)
    with output.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    if namespace:
        command = ["ip", "netns", "exec", namespace, sys.executable, "-m", module, *arguments]
        os.execvpe(command[0], command, environment)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    dask.config.refresh()  # from the environment
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()  # which forks don't do
