"""Maps a function over items on all cores; results come in order, and only a few are in memory.

It uses no threads: when memory is short, a thread can fail in ways that leave other threads waiting forever.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import LogError
from ..system import safe_path

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Item = TypeVar("Item")
Result = TypeVar("Result")

_ITEMS_AHEAD = 3  # items per process that may be sent before the next result in order has arrived


def map_in_order(function: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    """Yield `function(item)` for every item, in order, computed by `jobs` processes.

    With one job, or if no process can be started, calls the function in this process. Exceptions of `function` and of
    `items` are raised where their result would be. Raises LogError if a process dies.
    """
    processes = _start(function, jobs) if jobs > 1 else {}
    try:
        yield from _run(list(processes), items) if processes else map(function, items)
    finally:
        for pipe, process in processes.items():
            pipe.close()
            process.kill()
            process.join()


def _start(function: Callable[[Any], Any], jobs: int) -> dict[Connection, BaseProcess]:
    """Up to `jobs` processes by pipe; fewer, or none, if memory, file descriptors or process slots run out."""
    import multiprocessing

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    processes: dict[Connection, BaseProcess] = {}
    with suppress(OSError, MemoryError):
        while len(processes) < jobs:
            pipe, child_pipe = context.Pipe()
            arguments = (child_pipe, [pipe, *processes], function)
            process = context.Process(target=_worker, args=arguments, daemon=True)
            with child_pipe, safe_path():
                process.start()
            processes[pipe] = process
    return processes


def _run(idle: list[Connection], items: Iterable[Any]) -> Iterator[Any]:
    """Send items to idle processes, and hold results back until all earlier ones have been yielded."""
    from multiprocessing.connection import wait

    busy: dict[Connection, int] = {}
    results: dict[int, tuple[bool, Any]] = {}
    ahead, following = _ITEMS_AHEAD * len(idle), 0

    def receive() -> Iterator[Any]:
        """Wait for at least one result; yield those whose turn it is."""
        nonlocal following
        answered: list[Any] = wait(list(busy))
        for pipe in answered:
            number = busy.pop(pipe)
            try:
                results[number] = pipe.recv()
            except (EOFError, OSError):
                raise _process_died() from None
            idle.append(pipe)
        while following in results:
            is_error, result = results.pop(following)
            if is_error:
                raise result
            following += 1
            yield result

    for number, item in enumerate(items):
        while not idle or number - following >= ahead:
            yield from receive()
        pipe = idle.pop()
        busy[pipe] = number
        try:
            pipe.send(item)
        except OSError:
            raise _process_died() from None
    while busy:
        yield from receive()


def _process_died() -> LogError:
    return LogError("a process that did a part of the work died; was there too little memory?")


def _worker(pipe: Connection, parent_pipes: list[Connection], function: Callable[[Item], Result]) -> None:
    """The body of a process: sends a result for each item until the pipe closes; exits silently if sending fails."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C
    for parent_pipe in parent_pipes:
        parent_pipe.close()  # an open copy would keep the pipes alive after the main process has died
    try:
        while True:
            item = pipe.recv()
            try:
                pipe.send((False, function(item)))
            except Exception as error:
                pipe.send((True, error))
    except BaseException:
        os._exit(1)
