"""Connections that fail, each with its own sentence. Small servers stand for what may answer instead of a scheduler."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fa_cli.cluster import connection
from fa_cli.cluster.connection import connect, parse_address
from fa_cli.cluster.tls_options import SecurityFiles
from fa_cli.errors import ClusterError, UsageError

from .harness import Certificates, running_cluster

if TYPE_CHECKING:
    from distributed import Client

DASK = b"greeting with pickle-protocol"
Serve = Callable[[socket.socket], None]


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("dask://localhost", "localhost", 8786),
        ("dask://192.168.1.5:9000", "192.168.1.5", 9000),
        ("dask://node-1.example.org:8786/", "node-1.example.org", 8786),
        ("dask://[fd00::1]:8786", "fd00::1", 8786),
    ],
)
def test_addresses(text: str, host: str, port: int) -> None:
    assert parse_address(text) == (host, port)
    assert parse_address(str(parse_address(text))) == (host, port)


@pytest.mark.parametrize(
    "text",
    [
        *("", "dask://", "localhost:8786", "tcp://localhost:8786", "dask://a b", "dask://user@a", "dask://a/path"),
        *("dask://a:0", "dask://a:65536", "dask://a:x", "dask://[::1", "dask://a\n"),
    ],
)
def test_bad_addresses(text: str) -> None:
    with pytest.raises(UsageError, match="use dask://HOST:PORT") as raised:
        connect(text)
    assert "\n" not in str(raised.value)


@contextmanager
def server(serve: Serve, context: ssl.SSLContext | None = None) -> Iterator[str]:
    """The address of a server that calls `serve` with its first connection, after a TLS handshake with a context."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        try:
            accepted, _ = listener.accept()
            with accepted, context.wrap_socket(accepted, server_side=True) if context else accepted as connected:
                serve(connected)
        except OSError:
            pass  # the client has left

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield f"dask://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.close()
        thread.join(10)


def greet(connected: socket.socket) -> None:
    connected.sendall(DASK)
    connected.recv(1)


def be_silent(connected: socket.socket) -> None:
    connected.settimeout(20)
    connected.recv(1 << 16)
    connected.recv(1)


def speak_http(connected: socket.socket) -> None:
    connected.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def context_of(certificates: Certificates, asks: bool = True) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(certificates.ca))
    context.load_cert_chain(certificates.cert, certificates.key)
    context.verify_mode = ssl.CERT_REQUIRED if asks else ssl.CERT_NONE
    return context


def failure(address: str, security: SecurityFiles = SecurityFiles()) -> str:  # noqa: B008 - it can't be changed
    with pytest.raises(ClusterError) as raised:
        connect(address, security, seconds=5.0)
    return str(raised.value)


def test_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    sentence = failure(f"dask://127.0.0.1:{port}")
    assert sentence == (
        f"no scheduler at dask://127.0.0.1:{port}: nothing listens on port {port} "
        f"(start one there with: dask scheduler --port {port})"
    )


def test_an_unknown_host() -> None:
    assert failure("dask://nowhere.invalid") == (
        "no scheduler at dask://nowhere.invalid:8786: the host nowhere.invalid is unknown"
    )


def test_a_host_that_is_too_long() -> None:
    assert len(failure(f"dask://{'a' * 500}")) < 300


def test_another_program() -> None:
    with server(speak_http) as address:
        assert failure(address).endswith("the program that answers there is not Dask's")


def test_a_server_that_waits_for_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_GREETING_SECONDS", 0.2)
    with server(be_silent) as address:
        assert "a scheduler that uses TLS needs --cluster-ca" in failure(address)


def test_a_server_without_tls(certificates: Certificates) -> None:
    with server(greet) as address:
        assert failure(address, certificates.files()).endswith("which the options or Dask's configuration ask for")


def test_a_server_with_another_authority(certificates: Certificates, tmp_path: Path) -> None:
    with server(greet, context_of(Certificates(tmp_path / "other"), asks=False)) as address:
        assert "its certificate is not valid for --cluster-ca" in failure(address, certificates.files())


def test_a_certificate_that_the_server_refuses(certificates: Certificates, tmp_path: Path) -> None:
    other = Certificates(tmp_path / "other")
    mixed = SecurityFiles(certificates.ca, other.cert, other.key)
    with server(greet, context_of(certificates)) as address:
        assert failure(address, mixed).endswith("it refused the certificate of --cluster-cert")


def test_files_that_can_not_be_used(certificates: Certificates, tmp_path: Path) -> None:
    other = Certificates(tmp_path / "other")
    ca, cert, key = certificates.ca, certificates.cert, certificates.key
    nothing, text = tmp_path / "nothing.pem", tmp_path / "text.pem"
    text.write_text("no certificate\n")
    for bad, sentence in [
        (SecurityFiles(ca), "--cluster-cert is missing"),
        (SecurityFiles(cert=cert, key=key), "--cluster-ca is missing"),
        (SecurityFiles(key=key), "--cluster-ca and --cluster-cert are missing"),
        (SecurityFiles(nothing, cert, key), f"--cluster-ca {nothing}: No such file or directory"),
        (SecurityFiles(ca, tmp_path, key), f"--cluster-cert {tmp_path}: Is a directory"),
        (SecurityFiles(ca, cert, other.key), "the key is not that of the certificate"),
        (SecurityFiles(ca, cert), "there is no private key"),
        (SecurityFiles(text, cert, key), "no certificate or crl found"),
    ]:
        with pytest.raises(UsageError, match=r"^(TLS needs|--cluster)") as raised:
            connect("dask://127.0.0.1:1", bad)
        assert sentence in str(raised.value)


@pytest.mark.slow
def test_a_scheduler_that_freezes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connected = connection._connected
    with running_cluster(tmp_path) as cluster:

        def connect_and_freeze(*arguments: Any) -> Client:
            client = connected(*arguments)
            cluster.scheduler.freeze()
            return client

        monkeypatch.setattr(connection, "_connected", connect_and_freeze)
        assert failure(cluster.address).endswith("it has stopped answering")


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    assert failure("dask://127.0.0.1:1").endswith("which is not installed: pip install 'fa-cli[cluster]'")
