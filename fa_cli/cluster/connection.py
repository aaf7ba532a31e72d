"""Connections to a Dask scheduler: addresses, TLS, and one sentence for every way in which they fail."""

from __future__ import annotations

import re
import socket
import ssl
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ClusterError, UsageError
from ..printing.text import cut, printable
from .tls_options import NO_FILES, SecurityFiles

if TYPE_CHECKING:
    from distributed import Client, Security

DEFAULT_PORT = 8786
"""The port of a Dask scheduler."""
CONNECT_SECONDS = 10.0
_GREETING_SECONDS = 3.0
_GREETING_SIZE = 4096
_GREETING = b"pickle-protocol"
"""A word in the first message of every Dask server."""
_ADDRESS = re.compile(r"dask://(?P<host>\[[0-9A-Fa-f:.%]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?/?")
_LOG_LEVELS = {"logging": dict.fromkeys(("distributed", "distributed.client", "asyncio"), "critical")}
"""Dask's own messages are for its developers. Users' configuration of Dask can still turn them on."""


class ClusterAddress(NamedTuple):
    """Where a scheduler listens."""

    host: str
    """A name or an address, IPv6 without brackets."""
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"dask://{host}:{self.port}"


def parse_address(text: str) -> ClusterAddress:
    """The address `dask://HOST:PORT`; the port is 8786 by default. Raises UsageError."""
    found = _ADDRESS.fullmatch(text)
    if not found or not 0 < int(found["port"] or DEFAULT_PORT) < 1 << 16:
        raise UsageError(
            f"invalid cluster {cut(text, 80)!r}: use dask://HOST:PORT, e.g. dask://192.168.1.5:{DEFAULT_PORT}"
        )
    return ClusterAddress(found["host"].strip("[]"), int(found["port"] or DEFAULT_PORT))


def connect(address: str, files: SecurityFiles = NO_FILES, seconds: float = CONNECT_SECONDS) -> Client:
    """A client connected to the scheduler at `dask://HOST:PORT`; the caller closes it.

    The connection uses TLS if `files` or Dask's configuration name an authority. Raises UsageError for a bad
    address or file, and ClusterError, within about `seconds`, if the scheduler can't be used.
    """
    target = parse_address(address)
    security = _security(files)
    _check_greeting(target, security.get_connection_args("client")["ssl_context"], seconds)
    client = _connected(target, security, seconds)
    try:
        _check_version(target, client, seconds)
    except BaseException:
        client.close()
        raise
    return client


def _security(files: SecurityFiles) -> Security:
    """The options completed from Dask's configuration. Raises UsageError, and ClusterError without Dask."""
    try:
        import dask

        dask.config.update_defaults(_LOG_LEVELS)
        from distributed import Security
    except ImportError as error:
        raise ClusterError(
            f"a cluster needs {error.name}, which is not installed: pip install 'fa-cli[cluster]'"
        ) from None
    fields = {"tls_ca_file": files.ca, "tls_client_cert": files.cert, "tls_client_key": files.key or files.cert}
    security = Security(**{name: str(path) for name, path in fields.items() if path})
    _check_files(security, is_asked_for=files != NO_FILES)
    return security


def _check_files(security: Security, is_asked_for: bool) -> None:
    """Raises UsageError unless the files for TLS can be used together."""
    roles = security.get_tls_config_for_role("client")
    files = {"--cluster-ca": roles["ca_file"], "--cluster-cert": roles["cert"], "--cluster-key": roles["key"]}
    missing = [option for option, file in files.items() if not file and option != "--cluster-key"]
    if missing and (is_asked_for or len(missing) == 1):
        are = "is" if len(missing) == 1 else "are"
        raise UsageError(f"TLS needs a certificate and its authority: {' and '.join(missing)} {are} missing")
    named = {option: file for option, file in files.items() if file and "\n" not in file}  # Dask also takes their text
    for option, file in named.items():
        try:
            Path(file).open("rb").close()
        except OSError as error:
            raise UsageError(f"{option} {file}: {error.strerror}") from None
    try:
        security.get_connection_args("client")
    except (ssl.SSLError, ValueError) as error:
        names = " ".join(f"{option} {file}" for option, file in named.items())
        raise UsageError(f"{names} can't be used together: {_file_problem(error)}") from None


def _file_problem(error: Exception) -> str:
    reason = getattr(error, "reason", None) or str(error)
    if "KEY_VALUES_MISMATCH" in reason:
        return "the key is not that of the certificate"
    if "PEM lib" in str(error):
        return "there is no private key in the file of the key, or no certificate in that of the certificate"
    return printable(reason.lower().replace("_", " "))


def _check_greeting(target: ClusterAddress, context: ssl.SSLContext | None, seconds: float) -> None:
    """Raises ClusterError unless a Dask server answers there.

    A server speaks first, so this finds causes that Dask's client does not report, or only after its whole timeout.
    """
    try:
        with _open_socket(target, seconds) as raw:
            raw.settimeout(min(seconds, _GREETING_SECONDS))
            with context.wrap_socket(raw) if context else raw as connected:
                greeting = connected.recv(_GREETING_SIZE)
    except ssl.SSLError as error:
        raise ClusterError(f"can't use the scheduler at {target}: {_tls_reason(error)}") from None
    except TimeoutError:
        silent = "it is silent; a scheduler that uses TLS needs --cluster-ca, --cluster-cert and --cluster-key"
        raise ClusterError(f"can't use the scheduler at {target}: {silent}") from None
    except OSError as error:
        raise ClusterError(f"can't use the scheduler at {target}: {error.strerror or error}") from None
    if _GREETING not in greeting:
        raise ClusterError(f"can't use the scheduler at {target}: the program that answers there is not Dask's")


def _open_socket(target: ClusterAddress, seconds: float) -> socket.socket:
    """A connection without any protocol. Raises ClusterError."""
    try:
        return socket.create_connection((target.host, target.port), timeout=seconds)
    except (socket.gaierror, UnicodeError):  # UnicodeError: a part of the name is too long
        reason = f"the host {cut(target.host, 80)} is unknown"
    except TimeoutError:
        reason = f"no answer in {seconds:.0f} seconds"
    except ConnectionRefusedError:
        reason = f"nothing listens on port {target.port} (start one there with: dask scheduler --port {target.port})"
    except OSError as error:
        reason = error.strerror or str(error)
    raise ClusterError(f"no scheduler at {cut(str(target), 80)}: {reason}")


def _tls_reason(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not valid for --cluster-ca ({error.verify_message})"
    if "ALERT" in (error.reason or "") or isinstance(error, ssl.SSLEOFError):
        return "it refused the certificate of --cluster-cert"
    return "it does not use TLS, which the options or Dask's configuration ask for"


def _connected(target: ClusterAddress, security: Security, seconds: float) -> Client:
    from .plain_client import plain_client

    scheme = "tls" if security.get_tls_config_for_role("client")["cert"] else "tcp"
    url = str(target).replace("dask", scheme, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about versions, which are compared next
        try:
            return plain_client(url, security=security, timeout=seconds, set_as_default=False, name="fa")
        except (OSError, ValueError, ImportError, RuntimeError) as error:
            raise ClusterError(f"can't use the scheduler at {target}: {cut(str(error))}") from None


def _check_version(target: ClusterAddress, client: Client, seconds: float) -> None:
    """Raises ClusterError if the scheduler runs another version of Dask, which may not understand our messages."""
    assert client.scheduler
    try:
        said = client.sync(client.scheduler.versions, callback_timeout=seconds)
    except TimeoutError:
        raise ClusterError(f"can't use the scheduler at {target}: it has stopped answering") from None
    ours, theirs = version("distributed"), said["packages"]["distributed"]
    if theirs != ours:
        remedy = f"pip install distributed=={theirs}"
        raise ClusterError(f"the scheduler at {target} runs Dask {theirs}, and this machine {ours}: {remedy}")
