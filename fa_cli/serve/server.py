"""Runs the site until Ctrl-C."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette

from ..errors import UsageError
from .gate import LARGEST_FRAME


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises UsageError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1024)
    except OSError as error:
        listening.close()
        is_no_address = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        option = "--host" if is_no_address else "--port"
        raise UsageError(
            f"can't listen on {host} port {port}: {error.strerror}; choose another with {option}"
        ) from None
    return listening


def others_use(host: str, is_unspecified: bool) -> list[str]:
    """How others call this machine: the address, of its network if the server listens on all, and names.

    Nothing is sent.
    """
    if is_unspecified:
        host = ""  # without a network
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.connect(("192.0.2.1", 9))  # no machine has this address
            host = silent.getsockname()[0]
    name = socket.gethostname()
    return list(dict.fromkeys(filter(None, [host, name, f"{name.partition('.')[0]}.local"])))


def serve(application: Starlette, sockets: Sequence[socket.socket]) -> None:
    """Answer until a signal comes; then save all tables."""
    config = uvicorn.Config(
        application,
        ws="websockets-sansio",
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        access_log=False,  # addresses of tables are nobody's business
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt), server.capture_signals():  # before the loop is made; raised again at the end
        server.run(sockets=list(sockets))
