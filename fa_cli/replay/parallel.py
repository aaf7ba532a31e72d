"""The same function over many things, on all cores, with the results in order and only a few in memory."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ..errors import LogError

Given = TypeVar("Given")
Result = TypeVar("Result")

_AHEAD = 3  # things per process that are begun before the first result is taken


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def in_order(function: Callable[[Given], Result], things: Iterable[Given], jobs: int) -> Iterator[Result]:
    """`function` of every thing, by so many processes; with one it is called here.

    An error of `function` or of `things` is raised at its place. Raises LogError if a process is gone.
    """
    if jobs < 2:
        yield from map(function, things)
        return
    import multiprocessing
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # forked before there is any thread, a process starts in a few milliseconds
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    pool = ProcessPoolExecutor(jobs, context, _ignore_interrupts)
    running: deque[Future[Result]] = deque()
    try:
        for thing in things:
            running.append(pool.submit(function, thing))
            if len(running) >= _AHEAD * jobs:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    except BrokenProcessPool:
        raise LogError("a process that did a part of the work died; was there too little memory?") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of the terminal; the main one says what is to happen."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
