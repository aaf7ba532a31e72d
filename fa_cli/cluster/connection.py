"""Connections to a Dask scheduler: addresses, certificates, and one clear sentence when a connection fails."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..errors import UsageError

if TYPE_CHECKING:
    from distributed import Client

SCHEME = "dask://"
PORT = 8786
CONNECT_SECONDS = 10.0
_MISSING = "the cluster needs Dask, which is not installed: pip install 'fa-cli[cluster]'"


class SecurityFiles(msgspec.Struct, frozen=True):
    """PEM files for TLS: of the certificate authority, of this client's certificate and of its key. None: Dask's own
    configuration."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None


def connect(address: str, files: SecurityFiles = SecurityFiles(), seconds: float = CONNECT_SECONDS) -> Client:  # noqa: B008 - it can't be changed
    """A client of the scheduler at `dask://HOST:PORT`, connected within `seconds`; close it at the end.

    Raises UsageError if the address is malformed, Dask is missing, or no scheduler answers there.
    """
    location = scheduler_location(address)
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(_MISSING) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is reported in our own words
    try:
        with warnings.catch_warnings(action="ignore"):
            return Client(location, timeout=seconds, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None


def scheduler_location(address: str) -> str:
    """`tcp://HOST:PORT` of `dask://HOST:PORT`; the port is 8786 by default. Raises UsageError."""
    host, _, port = address.removeprefix(SCHEME).partition(":")
    if not address.startswith(SCHEME) or not host or not (port or str(PORT)).isdecimal():
        raise UsageError(f"invalid address '{address}': use e.g. dask://192.168.1.5:8786")
    return f"tcp://{host}:{port or PORT}"
