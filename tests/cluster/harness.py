"""Real Dask clusters for tests: a scheduler and workers as processes, with TLS, in networks whose links can be cut."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from fa_cli import __version__
from fa_cli.cluster.tls_options import SecurityFiles

from .forked import fork

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0
"""A loaded machine takes long to import Dask."""


class Process:
    """A process of Dask in its own process group; what it prints is in a file."""

    def __init__(
        self,
        program: str,
        arguments: Sequence[str | Path],
        output: Path,
        environment: Mapping[str, str],
        namespace: str = "",
    ) -> None:
        self.output = output
        words = [str(word) for word in arguments]
        self._process = fork(f"distributed.cli.dask_{program}", words, output, environment, namespace)
        self.pid = self._process.pid or 0

    def printed(self) -> str:
        """All that it has printed so far."""
        return self.output.read_text(encoding="utf-8", errors="replace") if self.output.exists() else ""

    def await_line(self, pattern: str, seconds: float = START_SECONDS) -> re.Match[str]:
        """Wait until it has printed what the pattern matches."""
        until = time.monotonic() + seconds
        while not (found := re.search(pattern, self.printed())):
            assert self._process.is_alive(), f"it ended: {self.printed()}"
            assert time.monotonic() < until, f"nothing matches {pattern!r} in: {self.printed()}"
            time.sleep(0.02)
        return found

    def has_ended(self) -> bool:
        """Whether it has."""
        return not self._process.is_alive()

    def freeze(self) -> None:
        """Stop all its processes, as a machine that is suspended does."""
        os.killpg(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them run again."""
        os.killpg(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill the process itself, and nothing that it started: as the kernel does when memory is short."""
        self._process.kill()
        self._process.join()

    def end(self) -> None:
        """End it and all that is in its process group."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGCONT)
            os.killpg(self.pid, signal.SIGTERM)
            self._process.join(5)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.kill()  # it may not have had its own process group yet


class Certificates:
    """The files of a certificate authority of its own, with one certificate for everybody in the cluster."""

    def __init__(self, folder: Path) -> None:
        import trustme  # each worker of the tests imports this module, and few use it

        folder.mkdir()
        authority = trustme.CA()
        issued = authority.issue_cert("cluster.invalid")
        self.ca, self.cert, self.key = folder / "ca.pem", folder / "cert.pem", folder / "key.pem"
        authority.cert_pem.write_to_path(self.ca)
        issued.cert_chain_pems[0].write_to_path(self.cert)
        issued.private_key_pem.write_to_path(self.key)

    def options(self) -> list[str]:
        """The options of `fa`."""
        return [f"--cluster-{name}={getattr(self, name)}" for name in ("ca", "cert", "key")]

    def files(self) -> SecurityFiles:
        """As `connect` takes them."""
        return SecurityFiles(self.ca, self.cert, self.key)

    def dask_options(self) -> list[str]:
        """The options of `dask scheduler` and `dask worker`."""
        return [f"--tls-ca-file={self.ca}", f"--tls-cert={self.cert}", f"--tls-key={self.key}"]


class Cluster:
    """A scheduler on this machine, and its workers. Everything ends with `close`."""

    def __init__(self, folder: Path, certificates: Certificates | None = None, host: str = "127.0.0.1") -> None:
        self._folder = folder
        self._tls = certificates.dask_options() if certificates else []
        self._protocol = "tls" if certificates else "tcp"
        self._host = host
        self._port = 0
        self.workers: list[Process] = []
        self.start_scheduler()

    @property
    def address(self) -> str:
        """As `fa` takes it."""
        return f"dask://{self._host}:{self._port}"

    @property
    def dask_address(self) -> str:
        """As `dask worker` takes it."""
        return f"{self._protocol}://{self._host}:{self._port}"

    def start_scheduler(self) -> None:
        """Start the scheduler; again after its end, on the same port."""
        output = self._folder / f"scheduler-{time.monotonic_ns()}.txt"
        options = ["--host", self._host, "--port", str(self._port), "--protocol", self._protocol]
        options += ["--dashboard-address", f"{self._host}:0", *self._tls]
        self.scheduler = Process("scheduler", options, output, {})
        self._port = int(self.scheduler.await_line(r"Scheduler at: +\w+://.*:(\d+)")[1])

    def add_worker(self, name: str = "", namespace: str = "", wait: bool = True, **environment: str) -> Process:
        """Start a worker with one thread, in a network namespace if one is named. `wait` until it is registered.

        It ends when it loses its scheduler. So does one with a nanny, as Dask starts it by default.
        """
        name = name or f"worker-{len(self.workers)}"
        options = ["--nthreads", "1", "--name", name, "--no-dashboard", "--no-nanny", *self._tls]
        options += ["--local-directory", str(self._folder / name)]
        output = self._folder / f"{name}.txt"
        worker = Process("worker", [self.dask_address, *options], output, environment, namespace)
        self.workers.append(worker)
        if wait:
            await_registered(worker)
        return worker

    def close(self) -> None:
        """End all processes."""
        for process in (*self.workers, self.scheduler):
            process.end()


def await_registered(worker: Process) -> str:
    """Wait until the scheduler knows the worker; returns its address without the protocol."""
    worker.await_line(r"Registered to: ")
    return worker.await_line(r"Start worker at: +\w+://(\S+)")[1]


@contextmanager
def running_cluster(
    folder: Path, certificates: Certificates | None = None, host: str = "127.0.0.1"
) -> Iterator[Cluster]:
    """A cluster without workers, ended with the block."""
    cluster = Cluster(folder, certificates, host)
    try:
        yield cluster
    finally:
        cluster.close()


class Network:
    """Network namespaces, each a machine with one cable to a switch; the switch is this machine."""

    def __init__(self, machines: int) -> None:
        number = os.getpid() % 60_000
        self._net = f"10.{200 + number % 50}.{number // 50 % 250}"
        self._bridge = f"fa{number}"
        self._stack = ExitStack()
        self.namespaces = [f"fa{number}-{index}" for index in range(machines)]
        self._cables = [f"fa{number}v{index}" for index in range(machines)]
        self.host = f"{self._net}.1"
        """The address of this machine in it."""
        try:
            self._build()
        except BaseException:
            self.close()
            raise

    def _build(self) -> None:
        self._add("link", self._bridge, "link", "add", self._bridge, "type", "bridge")
        _ip("addr", "add", f"{self.host}/24", "dev", self._bridge)
        _ip("link", "set", self._bridge, "up")
        for index, (namespace, cable) in enumerate(zip(self.namespaces, self._cables, strict=True)):
            self._add("netns", namespace, "netns", "add", namespace)
            self._add("link", cable, "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", namespace)
            _ip("link", "set", cable, "master", self._bridge, "up")
            _ip("-n", namespace, "addr", "add", f"{self._net}.{index + 2}/24", "dev", "eth0")
            _ip("-n", namespace, "link", "set", "eth0", "up")
            _ip("-n", namespace, "link", "set", "lo", "up")

    def _add(self, kind: str, name: str, *command: str) -> None:
        _ip(*command)
        self._stack.callback(subprocess.run, ["ip", kind, "del", name], check=False, capture_output=True)

    def cut(self, index: int) -> None:
        """Pull the cable of a machine: packets vanish, and no connection is closed."""
        _ip("link", "set", self._cables[index], "down")

    def restore(self, index: int) -> None:
        """Put it back."""
        _ip("link", "set", self._cables[index], "up")

    def close(self) -> None:
        """Remove everything."""
        self._stack.close()


def _ip(*arguments: str) -> None:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(arguments)}: {done.stderr}"


@contextmanager
def network(machines: int) -> Iterator[Network]:
    """A network, removed with the block; skips the test where the system does not allow one."""
    reason = why_no_network()
    if reason:
        pytest.skip(reason)
    built = Network(machines)
    try:
        yield built
    finally:
        built.close()


def why_no_network() -> str:
    """Why network namespaces can't be made here; empty if they can."""
    if sys.platform != "linux" or os.getuid() != 0:
        return "only root can make network namespaces, on Linux"
    if not shutil.which("ip"):
        return "ip is not installed (Debian: apt-get install iproute2)"
    name = f"fa-probe{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return f"ip netns fails: {made.stderr.strip()}" if made.returncode else ""


def with_version(folder: Path, version: str) -> str:
    """A folder with a copy of the package that has another version."""
    copy = folder / "elsewhere"
    shutil.copytree(ROOT / "fa_cli", copy / "fa_cli", ignore=shutil.ignore_patterns("__pycache__"))
    init = copy / "fa_cli/__init__.py"
    init.write_text(init.read_text().replace(__version__, version))
    return str(copy)


def rows_of(printed: str) -> dict[str, dict[str, object]]:
    """The rows that `fa cluster check --format json` printed, by name of the worker."""
    return {row["name"]: row for row in json.loads(printed)}
