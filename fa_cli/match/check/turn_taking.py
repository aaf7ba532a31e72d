"""Runs jobs in a few threads that pass a baton: several bots think at a time, but only one game moves on at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Event, Lock

_Job = Callable[[int, Event], None]
"""Called with the number of its thread, and an event that is set when the job must give up."""


class Baton:
    """A lock that a thread holds while it runs and passes on while it waits for a bot.

    The games' modules cache what they last showed, so only one thread may use them at a time.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self.interrupted = Event()
        """Set when the user has interrupted the jobs: stop waiting for bots."""

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *failure: object) -> None:
        self._lock.release()

    @contextmanager
    def passed_on(self) -> Iterator[None]:
        """Let other threads run during the `with` block."""
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()


def run_in_turns(jobs: Sequence[_Job], threads: int, baton: Baton) -> None:
    """Run all jobs: number n in thread n % threads, so that the assignment does not depend on timing.

    The caller holds the baton before and after. If a job raises, the other jobs give up, and the exception is raised
    when all have ended.
    """
    give_up = Event()

    def run_thread(thread: int) -> None:
        for job in jobs[thread::threads]:
            with baton:
                if give_up.is_set():
                    return
                job(thread, give_up)

    with baton.passed_on(), ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(run_thread, thread) for thread in range(threads)]
        try:
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
            failures = [failure for future in futures if future in done and (failure := future.exception())]
        except BaseException:  # after Ctrl-C wait neither for games nor for bots
            baton.interrupted.set()
            raise
        finally:
            give_up.set()
    if failures:
        raise failures[0]
