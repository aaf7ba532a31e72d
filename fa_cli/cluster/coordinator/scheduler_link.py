"""The connection of a run to its scheduler: batches out, answers and the list of workers in, again after a loss."""

from __future__ import annotations

import asyncio
import operator
import pkgutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import FaError
from ...printing.text import cut
from ..plain_client import is_deaf

if TYPE_CHECKING:
    from distributed import Client, Future

_FUNCTION = "fa_cli.cluster.worker:play_batch"
_POLL_SECONDS = 0.5
"""Seconds between two looks at the workers; in large clusters one more second for each `_WORKERS_PER_SECOND`."""
_WORKERS_PER_SECOND = 50
_ANSWER_SECONDS = 10.0
"""A scheduler that does not answer for so long is lost."""
_CLOSE_SECONDS = 1.0
_LONGEST_NAME, _MOST_THREADS = 100, 1024
"""The most characters of a worker's name, and the most games that it plays at a time."""


class Outcome(NamedTuple):
    """What became of a batch: an answer, or an error of Dask."""

    key: str
    answer: bytes = b""
    error: BaseException | None = None


class SeenWorker(NamedTuple):
    """A worker as the scheduler knows it."""

    name: str
    threads: int
    last_seen: float
    """When it last reported to the scheduler, by the scheduler's clock."""


def _seen(worker: dict[str, Any]) -> SeenWorker:
    """A worker as the scheduler describes it, within bounds: it registers with any name and number."""
    threads = worker["nthreads"]
    threads = threads if isinstance(threads, int) else 1
    return SeenWorker(cut(str(worker["name"]), _LONGEST_NAME), min(max(threads, 1), _MOST_THREADS), worker["last_seen"])


class SchedulerLink:
    """Connects, and in a thread of its own again after every loss.

    `connect` makes a connected client or raises FaError; what it raises at first is raised here.
    """

    def __init__(self, connect: Callable[[], Client]) -> None:
        self._connect = connect
        self._outcomes: SimpleQueue[Outcome] = SimpleQueue()
        self._futures: dict[str, Future[Any]] = {}
        self._client: Client | None = connect()
        self.location = str(self._client.scheduler.address) if self._client.scheduler else ""
        """The scheduler's address, as Dask's own commands take it."""
        self._closing = threading.Event()
        self.workers: dict[str, SeenWorker] = {}
        """The workers by address."""
        self.lost_since = 0.0
        """When the connection was lost (`time.monotonic`); 0 while there is one."""
        self.losses = 0
        """How often the connection was lost; batches from before a loss have no outcome."""
        with suppress(Exception):  # a connection that is lost already
            self._look()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def submit(self, key: str, address: str, batch: bytes) -> None:
        """Let one worker play a batch. Without a connection the outcome is an error.

        The function is named and not sent, since the scheduler, which may lack `fa`, unpickles what is sent.
        """
        graph = {key: (operator.call, (pkgutil.resolve_name, _FUNCTION), batch)}
        client = self._client
        if client is None:
            self._outcomes.put(Outcome(key, error=ConnectionError("the scheduler is lost")))
            return
        try:
            future = client.get(graph, key, workers=[address], allow_other_workers=False, retries=0, sync=False)
            self._futures[key] = future
            loop: Any = client.loop
            asyncio.run_coroutine_threadsafe(self._follow(client, key, future), loop.asyncio_loop)
        except Exception as error:  # whatever Dask raises when the connection breaks at this moment
            self._outcomes.put(Outcome(key, error=error))

    def outcomes(self, seconds: float) -> list[Outcome]:
        """The outcomes since the last call; waits for the first of them."""
        found = []
        with suppress(Empty):
            found.append(self._outcomes.get(timeout=seconds))
            while True:
                found.append(self._outcomes.get_nowait())
        return found

    def cancel(self, key: str) -> None:
        """Give up a batch; a worker that plays it stops."""
        future = self._futures.pop(key, None)
        if future is not None:
            with suppress(Exception):
                future.release()

    def close(self) -> None:
        """Give up all batches and disconnect."""
        self._closing.set()
        for key in list(self._futures):
            self.cancel(key)
        self._discard()

    async def _follow(self, client: Client, key: str, future: Future[Any]) -> None:
        """Gather the result of a batch as soon as it is there, and release it on the worker."""
        try:
            answer = await client.gather(future, asynchronous=True)
            self._outcomes.put(Outcome(key, answer))
        except (Exception, asyncio.CancelledError) as error:
            self._outcomes.put(Outcome(key, error=error))
        self.cancel(key)

    def _watch(self) -> None:
        """Look at the workers again and again; connect again after a loss."""
        while not self._closing.wait(_POLL_SECONDS + len(self.workers) / _WORKERS_PER_SECOND):
            if self._client is None:
                self._connect_again()
            else:
                try:
                    self._look()
                except Exception:  # Dask has many exceptions for a lost connection
                    self._lose()

    def _look(self) -> None:
        """Update the list of workers. Raises an exception of Dask's."""
        client = self._client
        assert client and client.scheduler
        if client.status != "running":
            raise ConnectionError(client.status)
        if is_deaf(client):
            raise ConnectionError("what it sent can't be read")
        identity = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=_ANSWER_SECONDS)
        self.workers = {str(address): _seen(worker) for address, worker in identity["workers"].items()}

    def _lose(self) -> None:
        if not self._closing.is_set():
            self.lost_since = time.monotonic()
            self.losses += 1
            self.workers = {}
            self._discard()

    def _connect_again(self) -> None:
        with suppress(FaError):
            client = self._connect()
            if self._closing.is_set():
                client.close(timeout=_CLOSE_SECONDS)
                return
            self._client = client
            self.lost_since = 0.0

    def _discard(self) -> None:
        client, self._client = self._client, None
        self._futures.clear()
        if client is not None:
            with suppress(Exception):
                client.close(timeout=_CLOSE_SECONDS)
