"""Runs jobs in a few threads, which give up when one of them fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event

_Job = Callable[[int, Event], None]
"""Called with the number of its thread, and an event that is set when the job must give up."""


def run_on_lanes(jobs: Sequence[_Job], threads: int, interrupted: Event) -> None:
    """Run all jobs: number n in thread n % threads, so that the assignment does not depend on timing.

    If a job raises, the other jobs give up, and the exception is raised when all have ended. `interrupted` is set if
    the user interrupts them: stop waiting for bots.
    """
    give_up = Event()

    def run_thread(thread: int) -> None:
        for job in jobs[thread::threads]:
            if give_up.is_set():
                return
            job(thread, give_up)

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(run_thread, thread) for thread in range(threads)]
        try:
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
            failures = [failure for future in futures if future in done and (failure := future.exception())]
        except BaseException:  # after Ctrl-C wait neither for games nor for bots
            interrupted.set()
            raise
        finally:
            give_up.set()
    if failures:
        raise failures[0]
