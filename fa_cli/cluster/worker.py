"""The part that runs inside a Dask worker: it passes batches on to a process of its own, and answers back.

No bot and no game is in the Dask worker. A process for each of its threads (worker_supervisor.py) has them, and ends
with all of them when the worker does, however that ends.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection

from ..errors import shortage
from ..isolation.spawn import start_python
from .batch_messages import Answer, encode

_POLL_SECONDS = 0.25
_LEAVING = ("closing", "closing_gracefully", "closed", "failed")
_SUPERVISOR = "fa_cli.cluster.worker_supervisor"


def play_batch(batch: bytes) -> bytes:
    """Play a batch; runs in a thread of a Dask worker, and must stay importable by this name.

    Ends the games at once if nobody wants them any more: the run has ended, or the worker is closing.
    """
    try:
        return _supervisor().play(batch, _wanted_now())
    except OSError as error:
        return encode(Answer(problem=shortage(error) or f"it can't start a process: {error.strerror}"))


class _Supervisor:
    """This end of the process that plays for one thread."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._process = start_python("main", _SUPERVISOR, theirs.fileno())
            self._pipe = Connection(ours.detach())

    def play(self, batch: bytes, is_wanted: Callable[[], bool]) -> bytes:
        """Its answer to a batch. Raises OSError if it can't be reached."""
        self._pipe.send_bytes(batch)
        try:
            while not self._pipe.poll(_POLL_SECONDS):
                if not is_wanted():
                    self.end()
                    return b""
            return self._pipe.recv_bytes()
        except (EOFError, ConnectionError):
            self.end()
            problem = f"the process that plays its games ended (exit code {self._process.returncode})"
            return encode(Answer(problem=problem))

    def has_ended(self) -> bool:
        """Whether it must be replaced."""
        return self._pipe.closed or self._process.poll() is not None

    def end(self) -> None:
        """Let it end with all games and bots, and wait for that."""
        self._pipe.close()
        self._process.wait()


_of_thread = threading.local()


def _supervisor() -> _Supervisor:
    """The supervisor of this thread, started again if it has ended. Raises OSError."""
    found: _Supervisor | None = getattr(_of_thread, "supervisor", None)
    if found is None or found.has_ended():
        found = _of_thread.supervisor = _Supervisor()
    return found


def _wanted_now() -> Callable[[], bool]:
    """Whether the scheduler still wants the result of the Dask task that this thread runs."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing" and worker.status.name not in _LEAVING

    return is_wanted
