"""Jobs on a few lanes, which run while others wait for a bot: two bots think at a time, one game moves on at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Event, Lock

_Job = Callable[[int, Event], None]
"""It is given the number of its lane, and what is set when it is to give up."""


class Baton:
    """Whoever has it runs, and passes it on while waiting: games keep what they last showed, so are for one thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.interrupted = Event()
        """Set when somebody has interrupted the jobs: no bot is waited for any more."""

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *failure: object) -> None:
        self._lock.release()

    @contextmanager
    def passed_on(self) -> Iterator[None]:
        """Let others run meanwhile."""
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()


def run_in_turns(jobs: Sequence[_Job], lanes: int, turn: Baton) -> None:
    """Do all jobs: number n in lane n % lanes, so that each lane has the same ones whatever they take.

    The turn is the caller's, and is again when this returns. Raises what the first job that failed has raised; all
    others have ended by then.
    """
    give_up = Event()

    def drive(lane: int) -> None:
        for job in jobs[lane::lanes]:
            with turn:
                if give_up.is_set():
                    return
                job(lane, give_up)

    with turn.passed_on(), ThreadPoolExecutor(lanes) as pool:
        driven = [pool.submit(drive, lane) for lane in range(lanes)]
        try:
            done, _ = wait(driven, return_when=FIRST_EXCEPTION)
            failures = [failure for each in driven if each in done and (failure := each.exception())]
        except BaseException:  # a person who presses Ctrl-C waits neither for games nor for bots
            turn.interrupted.set()
            raise
        finally:
            give_up.set()
    if failures:
        raise failures[0]
