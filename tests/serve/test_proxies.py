"""`fa serve` behind Caddy and nginx, with the configurations of docs/how-to/serve.md, over TLS."""

from __future__ import annotations

import re
import select
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.browser import launched
from tests.installed import ROOT
from tests.needed import needs
from tests.serve.browsed import CHOICES, People, await_turn, click, play
from tests.serve.served import PERSON, Page, Served, bot, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from websockets.sync.client import ClientConnection

PAGE = (ROOT / "docs/how-to/serve.md").read_text(encoding="utf-8")
NAME = "play.example.org"
OPTIONS = [word for line in re.findall(r"^ +fa serve (.*)$", PAGE, re.M) if NAME in line for word in line.split()]
"""Those that the page names for a server behind a proxy."""
PROXIES = ("caddy", "nginx")
WEBSOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
UNTESTED = "fa serve is not tested behind it"
CADDY = """{{
    admin off
    local_certs
    skip_install_trust
    auto_https disable_redirects
    https_port {port}
    storage file_system {folder}
}}
{block}
"""
NGINX = """
daemon off;
master_process off;  # which would change the user if root starts it
pid {folder}/pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    proxy_read_timeout 30s;  # of its minute, so that a test is as quick again
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} ssl http2;
        server_name play.example.org;
        ssl_certificate {folder}/chain.pem;
        ssl_certificate_key {folder}/key.pem;
        {block}
    }}
}}
"""


class InTurn(ssl.SSLSocket):
    """Reads and writes one at a time, as OpenSSL wants it: websockets reads in another thread, and hung at times."""

    _turn = threading.Lock()

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        while True:
            with self._turn:
                self.settimeout(0)
                try:
                    return super().recv(buflen, flags)
                except ssl.SSLWantReadError:
                    pass
                finally:
                    self.settimeout(None)
            select.select([self], [], [])

    def sendall(self, data: Any, flags: int = 0) -> None:
        with self._turn:
            super().sendall(data, flags)


class Proxy(NamedTuple):
    """A running proxy before a server; it is reached by its name, as if it were on port 443."""

    server: Served
    port: int
    authority: Path
    """The certificate of who signed the proxy's."""

    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.authority))

    def _socket(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 30)

    def ask(self, path: str, host: str = NAME, post: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        with closing(HTTPSConnection(host)) as asking:
            asking.sock = self._tls().wrap_socket(self._socket(), server_hostname=NAME)
            asking.request("GET" if post is None else "POST", path, post, headers)
            answer = asking.getresponse()
            return answer.status, answer.read()

    def connect(self, path: str) -> ClientConnection:
        """A WebSocket, as a page of this server opens it."""
        from websockets.sync.client import connect

        tls = self._tls()
        tls.sslsocket_class = InTurn
        options = {"sock": self._socket(), "ssl": tls, "server_hostname": NAME, "origin": f"https://{NAME}"}
        return connect(f"wss://{NAME}{path}", open_timeout=120, max_size=None, **options)


def block_of(language: str, server: Served) -> str:
    """The page's configuration, for the port of this server."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)
    changed: str = block.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
    assert changed != block
    return changed


@contextmanager
def proxied(name: str, folder: Path, server: Served) -> Iterator[Proxy]:
    """A proxy of this server, with its files in an empty folder."""
    program = needs(name, UNTESTED)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    file = folder / "configuration"
    if name == "caddy":
        file.write_text(CADDY.format(port=port, folder=folder, block=block_of(name, server)))
        command = [program, "run", "--config", file, "--adapter", "caddyfile"]
        authority = folder / "pki/authorities/local/root.crt"
    else:
        file.write_text(NGINX.format(port=port, folder=folder, block=block_of(name, server)))
        command = [program, "-e", "stderr", "-p", folder, "-c", file]
        authority = certify(folder)
    with (folder / "errors.txt").open("w") as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, cwd=folder)
    proxy = Proxy(server, port, authority)
    try:
        for _ in range(300):
            assert process.poll() is None, (folder / "errors.txt").read_text()
            try:
                proxy.ask("/")
                break
            except OSError:  # not listening yet, or without its certificate
                time.sleep(0.1)
        yield proxy
    finally:
        process.terminate()
        process.wait(30)


def certify(folder: Path) -> Path:
    """Make a certificate for the proxy; returns that of who signed it."""
    trustme = pytest.importorskip("trustme")
    authority = trustme.CA()
    certificate = authority.issue_cert(NAME)
    certificate.private_key_pem.write_to_path(folder / "key.pem")
    for part in certificate.cert_chain_pems:
        part.write_to_path(folder / "chain.pem", append=True)
    authority.cert_pem.write_to_path(folder / "authority.pem")
    return folder / "authority.pem"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served"), *(option for option in OPTIONS if option != "--no-open")) as server:
        yield server


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: Served) -> Iterator[Proxy]:
    with proxied(request.param, tmp_path_factory.mktemp("proxy"), server) as proxy:
        yield proxy


def test_pages_and_what_they_load(proxy: Proxy) -> None:
    for path in ("/", "/table/1", "/rules/manhattan", "/assets/table.js", "/assets/serve.css"):
        assert proxy.ask(path) == (200, proxy.server.get(path)[1]), path
    wanted = b'{"game": "manhattan", "seats": [{"kind": "person", "name": "ann"}, {"kind": "person", "name": "ben"}]}'
    assert proxy.ask("/api/tables", post=wanted, Origin=f"https://{NAME}")[0] == 200
    assert proxy.ask("/api/tables", post=wanted, Origin="https://evil.example")[0] == 403


def test_a_game_over_tls(proxy: Proxy) -> None:
    opened = proxy.server.open("manhattan", [PERSON, bot()])
    page = Page(proxy.connect(f"/table/{opened['table']}/socket"), opened["tokens"]["0"])
    while asked := page.my_turn():
        page.play(asked)
    assert page.last["ended"]["ranks"]
    page.close()


@pytest.mark.slow
def test_idle_connections_are_kept(server: Served, tmp_path: Path) -> None:
    """For longer than nginx waits for something to be sent: a minute, and here half of it."""
    with ExitStack() as stack:
        waiting = []
        for name in filter(shutil.which, PROXIES):  # the other tests warn of one that is not installed
            (tmp_path / name).mkdir()
            proxy = stack.enter_context(proxied(name, tmp_path / name, server))
            opened = server.open("manhattan", [PERSON, bot()])
            page = Page(proxy.connect(f"/table/{opened['table']}/socket"), opened["tokens"]["0"])
            waiting.append((page, page.my_turn()))
        assert all(asked for _, asked in waiting)
        time.sleep(38 if waiting else 0)
        for page, asked in waiting:
            page.play(asked)
            assert page.my_turn()
            page.close()


@pytest.mark.slow
def test_other_names_are_refused(proxy: Proxy) -> None:
    opened = proxy.server.open("manhattan", [PERSON, bot()])
    path = f"/table/{opened['table']}/socket"
    own = f"https://{NAME}"
    for host, origin in (
        (NAME, own),
        ("evil.example", "https://evil.example"),
        (NAME, "https://evil.example"),
        (NAME, "null"),
    ):
        # not by websockets, whose refused connections over TLS may wait for ever for their end
        status, _ = proxy.ask(path, host, Origin=origin, **WEBSOCKET)
        assert (status == 101) == (origin == own), origin
    for path in ("/", "/api/lobby", "/assets/table.js"):
        status, body = proxy.ask(path, "evil.example")
        assert status == 403 or not body, path  # Caddy answers with nothing


@pytest.mark.slow
@pytest.mark.parametrize("name", ["caddy", "nginx"])
def test_a_name_that_the_server_was_not_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "proxy").mkdir()
    with served(tmp_path / "home") as server, proxied(name, tmp_path / "proxy", server) as proxy:
        sentence = b"this server has another name; fa serve --allow-host NAME adds one\n"
        assert proxy.ask("/") == (403, sentence)


@pytest.mark.slow
def test_a_browser(proxy: Proxy, browser: Browser) -> None:
    """It also talks HTTP/2, which Caddy offers."""
    there = launched(browser.browser_type, f"--host-resolver-rules=MAP {NAME}:443 127.0.0.1:{proxy.port}")
    people = People(there, ignore_https_errors=True)
    page = people.visit(f"https://{NAME}/#{proxy.server.owner}")
    page.get_by_label("Seat 1", exact=True).select_option("greedy")
    page.get_by_role("button", name="Open the table").click()
    await_turn(page)
    play(page, lambda page, step: click(page, CHOICES), lambda page: click(page, "#send"), 6)
    assert page.url.startswith(f"https://{NAME}/table/")
    people.leave()
    there.close()
    assert people.complaints == []
