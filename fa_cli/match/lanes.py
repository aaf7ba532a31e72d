"""Jobs on a few lanes at a time: each lane does its share one after another, all lanes stop at the first failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event

_Job = Callable[[int, Event], None]
"""It is given the number of its lane, and what is set when it is to give up."""


def run_in_lanes(jobs: Sequence[_Job], lanes: int) -> None:
    """Do all jobs: number n in lane n % lanes, so that each lane has the same ones whatever they take.

    Raises what the first job that failed has raised; the others have ended by then.
    """
    give_up = Event()
    if lanes < 2:
        for job in jobs:
            job(0, give_up)
        return

    def drive(lane: int) -> None:
        for job in jobs[lane::lanes]:
            if give_up.is_set():
                return
            job(lane, give_up)

    with ThreadPoolExecutor(lanes) as pool:
        driven = [pool.submit(drive, lane) for lane in range(lanes)]
        try:
            done, _ = wait(driven, return_when=FIRST_EXCEPTION)
            failures = [failure for each in driven if each in done and (failure := each.exception())]
        finally:  # a person who presses Ctrl-C does not wait for the games either
            give_up.set()
    if failures:
        raise failures[0]
