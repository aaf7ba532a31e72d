"""The same function over many things, on all cores, with the results in order and only a few in memory.

Nothing here starts a thread: where a machine is short of memory, threads fail in ways that leave others waiting.
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

Given = TypeVar("Given")
Result = TypeVar("Result")

_AHEAD = 3  # things per process that are begun before the first result is taken


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def map_in_order(function: Callable[[Given], Result], things: Iterable[Given], jobs: int) -> Iterator[Result]:
    """`function` of every thing, by so many processes; with one, or where none can be started, it is called here.

    An error of `function` or of `things` is raised at its place. Raises LogError if a process is gone.
    """
    processes = _start(function, jobs) if jobs > 1 else []
    try:
        yield from _ProcessPool(processes).run(things) if processes else map(function, things)
    finally:
        for process in processes:
            process.end()


class _Process(Generic[Given, Result]):
    """A process that calls the function for one thing at a time."""

    def __init__(
        self, context: BaseContext, function: Callable[[Given], Result], others: list[_Process[Given, Result]]
    ) -> None:
        """Raises OSError."""
        self.pipe, theirs = context.Pipe()
        ours = [self.pipe, *(process.pipe for process in others)]
        try:
            self._process = context.Process(target=_work, args=(theirs, ours, function), daemon=True)  # type: ignore[attr-defined]
            self._process.start()
        except BaseException:
            self.pipe.close()
            raise
        finally:
            theirs.close()

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.join()


def _start(function: Callable[[Given], Result], jobs: int) -> list[_Process[Given, Result]]:
    """As many as can be started: without memory, file descriptors or processes to spare these are fewer, or none."""
    import multiprocessing

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    processes: list[_Process[Given, Result]] = []
    try:
        while len(processes) < jobs:
            processes.append(_Process(context, function, processes))
    except (OSError, MemoryError):
        pass
    return processes


class _ProcessPool(Generic[Given, Result]):
    """Hands things to processes that have none, and keeps results until all before them are there."""

    def __init__(self, processes: list[_Process[Given, Result]]) -> None:
        self._idle = processes
        self._busy: dict[Connection, tuple[int, _Process[Given, Result]]] = {}
        self._results: dict[int, tuple[bool, Any]] = {}
        self._ahead = _AHEAD * len(processes)

    def run(self, things: Iterable[Given]) -> Iterator[Result]:
        due = 0
        for number, thing in enumerate(things):
            while not self._idle or number - due >= self._ahead:
                self._receive()
                while due in self._results:
                    yield self._take(due)
                    due += 1
            self._give(number, thing)
        while self._busy or due in self._results:
            if due not in self._results:
                self._receive()
                continue
            yield self._take(due)
            due += 1

    def _give(self, number: int, thing: Given) -> None:
        process = self._idle.pop()
        self._busy[process.pipe] = number, process
        try:
            process.pipe.send(thing)
        except OSError:
            raise _lost() from None

    def _receive(self) -> None:
        """Wait for a result."""
        from multiprocessing.connection import wait

        for pipe in wait(list(self._busy)):
            number, process = self._busy.pop(pipe)  # type: ignore[call-overload]  # only pipes were given
            try:
                self._results[number] = process.pipe.recv()
            except (EOFError, OSError):
                raise _lost() from None
            self._idle.append(process)

    def _take(self, number: int) -> Result:
        is_error, result = self._results.pop(number)
        if is_error:
            raise result
        return result  # type: ignore[no-any-return]


def _lost() -> LogError:
    return LogError("a process that did a part of the work died; was there too little memory?")


def _work(pipe: Connection, theirs: list[Connection], function: Callable[[Given], Result]) -> None:
    """A process: a result for each thing, until the pipe ends. What it can't send, it dies of without a word."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process says what is to happen
    for end in theirs:
        end.close()  # else no process would see that the main one is gone
    try:
        while True:
            thing = pipe.recv()
            try:
                pipe.send((False, function(thing)))
            except Exception as error:
                pipe.send((True, error))
    except BaseException:
        os._exit(1)
