"""This process's supervisor server (supervision/server.py): starting it, sending it orders, replacing and ending it.

A bot can stop or kill the server when it runs without the sandbox. An order that the server can't take is therefore
sent once more, to a new server. The supervisors of bots that are playing outlive a server that is killed.
"""

from __future__ import annotations

import atexit
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from .supervision.killing import is_stopped, kill_tree

START_SECONDS = 30.0
"""The longest wait for the server or a supervisor to answer."""
_END_SECONDS = 5.0
_FOLDER = str(Path(__file__).absolute().parents[2])
# not -m: neither the current folder nor the environment may decide what is imported
_PROGRAM = f"import sys; sys.path.append({_FOLDER!r}); from fa_cli.isolation.supervision.server import main; main()"


class SupervisorClient:
    """The server starts with the first order, and again if somebody has killed or stopped it. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        # killed servers that can't be waited for yet: the death of a traced process is seen by its tracer first
        self._dying: list[subprocess.Popen[bytes]] = []

    @property
    def pid(self) -> int:
        """The server's process ID; 0 if none runs."""
        return self._process.pid if self._process else 0

    def send(self, order: bytes, descriptors: list[int]) -> int:
        """Send an order and its four descriptors. Returns the process ID of the server that took it. Raises OSError."""
        with self._lock:
            try:
                self._send(order, descriptors)
            except OSError:
                self._abandon()
                try:
                    self._send(order, descriptors)
                except OSError:
                    self._abandon()
                    raise
            return self.pid

    def replace(self, pid: int) -> None:
        """Abandon the server with this process ID, if it is still the current one: it does not answer."""
        with self._lock:
            if self.pid == pid:
                self._abandon()

    def close(self) -> None:
        """Let the server end, with all that its bots have left."""
        if self._socket:
            self._socket.close()
        if self._process and not is_stopped(self._process.pid):
            with suppress(subprocess.TimeoutExpired, KeyboardInterrupt):  # Ctrl-C: wait no longer
                self._process.wait(_END_SECONDS)
        if self._process and self._process.poll() is None:
            kill_tree(self._process.pid)
        self._forget()

    def _send(self, order: bytes, descriptors: list[int]) -> None:
        if self._process and self._process.poll() is not None:
            self._abandon()
        if self._socket is None:
            self._start()
        assert self._socket
        socket.send_fds(self._socket, [len(order).to_bytes(4, "little")], descriptors)
        self._socket.sendall(order)

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        ours.settimeout(START_SECONDS)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-E", "-c", _PROGRAM, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the referee
            )
        self._socket = ours
        atexit.register(self.close)

    def _abandon(self) -> None:
        """Kill the server alone: its supervisors still end the bots that are playing."""
        if self._process:
            self._process.kill()
        self._forget()

    def _forget(self) -> None:
        atexit.unregister(self.close)
        if self._socket:
            self._socket.close()
            self._socket = None
        if self._process:
            self._dying = [process for process in (*self._dying, self._process) if process.poll() is None]
            self._process = None


SUPERVISORS = SupervisorClient()
"""The client of this process."""
