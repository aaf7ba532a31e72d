"""Maps a function over items on all cores; results come in order, and only a few are in memory.

It uses no threads: when memory is short, a thread can fail in ways that leave other threads waiting forever.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..errors import LogError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext

Item = TypeVar("Item")
Result = TypeVar("Result")

_ITEMS_AHEAD = 3  # items per process that may be sent before the next result in order has arrived


def map_in_order(function: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    """Yield `function(item)` for every item, in order, computed by `jobs` processes.

    With one job, or if no process can be started, calls the function in this process. Exceptions of `function` and of
    `items` are raised where their result would be. Raises LogError if a process dies.
    """
    processes = _start(function, jobs) if jobs > 1 else []
    try:
        yield from _ProcessPool(processes).run(items) if processes else map(function, items)
    finally:
        for process in processes:
            process.end()


class _Process(Generic[Item, Result]):
    """A process that calls the function for one item at a time."""

    def __init__(
        self, context: BaseContext, function: Callable[[Item], Result], others: list[_Process[Item, Result]]
    ) -> None:
        """Start the process. Raises OSError."""
        self.pipe, child_pipe = context.Pipe()
        parent_pipes = [self.pipe, *(process.pipe for process in others)]
        try:
            arguments = (child_pipe, parent_pipes, function)
            self._process = context.Process(target=_worker, args=arguments, daemon=True)  # type: ignore[attr-defined]
            self._process.start()
        except BaseException:
            self.pipe.close()
            raise
        finally:
            child_pipe.close()

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.join()


def _start(function: Callable[[Item], Result], jobs: int) -> list[_Process[Item, Result]]:
    """Up to `jobs` processes; fewer, or none, if memory, file descriptors or process slots run out."""
    import multiprocessing

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    processes: list[_Process[Item, Result]] = []
    try:
        while len(processes) < jobs:
            processes.append(_Process(context, function, processes))
    except (OSError, MemoryError):
        pass
    return processes


class _ProcessPool(Generic[Item, Result]):
    """Sends items to idle processes and holds results back until all earlier ones have been yielded."""

    def __init__(self, processes: list[_Process[Item, Result]]) -> None:
        self._idle = processes
        self._busy: dict[Connection, tuple[int, _Process[Item, Result]]] = {}
        self._results: dict[int, tuple[bool, Any]] = {}
        self._ahead = _ITEMS_AHEAD * len(processes)

    def run(self, items: Iterable[Item]) -> Iterator[Result]:
        next_number = 0
        for number, item in enumerate(items):
            while not self._idle or number - next_number >= self._ahead:
                self._receive()
                while next_number in self._results:
                    yield self._take(next_number)
                    next_number += 1
            self._send(number, item)
        while self._busy or next_number in self._results:
            if next_number not in self._results:
                self._receive()
                continue
            yield self._take(next_number)
            next_number += 1

    def _send(self, number: int, item: Item) -> None:
        process = self._idle.pop()
        self._busy[process.pipe] = number, process
        try:
            process.pipe.send(item)
        except OSError:
            raise _process_died() from None

    def _receive(self) -> None:
        """Wait for at least one result."""
        from multiprocessing.connection import wait

        for pipe in wait(list(self._busy)):
            number, process = self._busy.pop(pipe)  # type: ignore[call-overload]  # `wait` returns some of these pipes
            try:
                self._results[number] = process.pipe.recv()
            except (EOFError, OSError):
                raise _process_died() from None
            self._idle.append(process)

    def _take(self, number: int) -> Result:
        is_error, result = self._results.pop(number)
        if is_error:
            raise result
        return result  # type: ignore[no-any-return]


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
