"""A Dask client that never unpickles: what a scheduler or a worker sends is data to check, not an object to load.

Dask unpickles results, exceptions, tracebacks, types and messages, and so runs whatever their sender wants. Answers of
our workers are bytes, which Dask's serializer `msgpack` carries. All that comes in another form becomes `Unread`. Every
change to Dask's insides stands here; it holds for this process alone.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed import Client

LARGEST_MESSAGE = 64 << 20
"""Bytes of one message. A longer one closes the connection before it is read."""
_FORMS = ["msgpack", "dask", "pickle", "error"]
"""Asked of senders, the best first. `msgpack` carries numbers, texts, bytes, lists and dicts."""
_SHOWN = 4096


class Unread(Exception):
    """What was sent in a form that can run programs. Its text has the first bytes, as Python writes them."""


def is_deaf(client: Client) -> bool:
    """Whether the scheduler has sent what can't be read, so that the connection is of no use any more."""
    return bool(getattr(client, "is_deaf", False))


def plain_client(url: str, **options: Any) -> Client:
    """A client of the scheduler at `url`, with more options for Dask's `Client`. Raises what that raises."""
    client: Client = _client_class()(url, deserializers=_FORMS, **options)
    for topic in ("print", "warn"):
        client.unsubscribe_topic(topic)  # texts of workers, printed as they are
    return client


@cache
def _client_class() -> Any:
    """The class of clients; made once, since that changes modules of Dask."""
    from distributed import Client

    client, core, pickle, serialize = (
        _module(name) for name in ("client", "protocol.core", "protocol.pickle", "protocol.serialize")
    )
    pickle.pickle = _instead_of(pickle.pickle, _refuse)  # for `loads` of this module, whoever has imported it
    client.pickle = _instead_of(client.pickle, _refuse)
    core.pickle = _instead_of(core.pickle, _unread)
    core.decompress = _as_sent
    for family in ("dask", "pickle"):
        dump, _, with_context = serialize.families[family]
        serialize.families[family] = dump, _bytes_or_unread, with_context
    _limit_messages()

    class PlainClient(Client):
        """A client that loads no exception, and notices when it can't read what the scheduler sends."""

        is_deaf = False

        def _handle_task_erred(self, key: Any = None, exception: Any = None, traceback: Any = None) -> None:
            unread = exception if isinstance(exception, Unread) else Unread(repr(exception)[:_SHOWN])
            super()._handle_task_erred(key, unread, None)  # type: ignore[no-untyped-call]

        async def _handle_report(self) -> None:
            try:
                await super()._handle_report()
            except Exception:  # whatever a decoder raises for forged bytes
                self.is_deaf = True

        async def _reconnect(self) -> None:
            """Stay lost, so that it is noticed, and no socket is left over when the client is closed meanwhile."""
            self.scheduler_comm = None

    return PlainClient


def _module(name: str) -> Any:
    return import_module(f"distributed.{name}")


def _instead_of(module: Any, loads: Any) -> SimpleNamespace:
    """The module with another `loads`."""
    return SimpleNamespace(**{**vars(module), "loads": loads})


def _refuse(data: Any, **buffers: Any) -> Any:
    raise TypeError("a pickle is not read")


def _unread(data: Any, **buffers: Any) -> Unread:
    return Unread(repr(bytes(data[:_SHOWN])))


def _as_sent(header: Any, frames: Any) -> Any:
    """Nothing is decompressed: a few bytes can become gigabytes, and our workers compress nothing."""
    return frames


def _bytes_or_unread(header: Any, frames: Any) -> bytes | Unread:
    """Bytes as they are, such as those of a pickled exception, which nobody will load."""
    if header.get("type") == "builtins.bytes":
        return b"".join(frames)
    return _unread(b"".join(map(bytes, frames)))


def _limit_messages() -> None:
    """Close a connection that announces more than `LARGEST_MESSAGE`, before memory is reserved for it."""
    from distributed.comm.core import CommClosedError

    tcp = _module("comm.tcp")
    read, unpack = tcp.read_bytes_rw, tcp.unpack_frames

    def check(size: int) -> None:
        if size > LARGEST_MESSAGE:
            raise CommClosedError(f"a message of {size:,} bytes is not read")

    async def read_limited(stream: Any, size: int) -> Any:
        check(size)
        return await read(stream, size)

    def unpack_limited(frames: Any, partial: bool) -> Any:
        found = unpack(frames, partial=partial)
        check(sum(found[1]))
        return found

    tcp.read_bytes_rw, tcp.unpack_frames = read_limited, unpack_limited
