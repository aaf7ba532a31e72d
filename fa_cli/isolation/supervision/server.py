"""The supervisor server: a small program that forks a supervisor for every bot that the referee starts.

Each process that plays games has one server; ../supervisor_client.py starts it with the first bot. Forking from this
small process takes a tenth of the time that starting a Python interpreter takes, and its import list is kept short
for that reason: this package imports the standard library alone, and neither pathlib nor subprocess.

An order begins with four bytes, its length (little endian), which carry four descriptors (SCM_RIGHTS): the bot's ends
of its stdin, stdout and stderr, and the supervisor's end of its control socket. The order follows as JSON (`Order`).

The server is a child subreaper like its supervisors: if a supervisor is killed, the bot's processes become children of
the server, which kills them. When the referee closes the socket of orders, or ends in any way, the server gives its
supervisors `_GRACE_SECONDS` to end their bots, kills what is left, and exits.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from time import monotonic

from .addresses import fix_addresses
from .bot_cgroup import BotCgroup
from .killing import become_subreaper, kill_below, resume_when_orphaned
from .procfs import children, tree
from .supervisor import Supervisor, child_exit_pipe, drain

_GRACE_SECONDS = 2.0  # a supervisor that somebody has stopped does not end by itself


class SupervisorServer:
    """`orders`: the socket that orders arrive on."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders
        self._supervisors: dict[int, BotCgroup] = {}

    def run(self) -> None:
        """Serve orders until the referee is gone."""
        become_subreaper()
        resume_when_orphaned()
        fix_addresses()
        child_exits = child_exit_pipe()
        poller = select.poll()
        poller.register(self._orders.fileno(), select.POLLIN)
        poller.register(child_exits, select.POLLIN)
        while True:
            ready = poller.poll()
            drain(child_exits)
            self._reap()
            if any(descriptor != child_exits for descriptor, _ in ready) and not self._serve_order():
                break
        poller.unregister(self._orders.fileno())
        until = monotonic() + _GRACE_SECONDS
        while self._reap() and monotonic() < until:
            poller.poll(100)
            drain(child_exits)
        kill_below(os.getpid())
        self._reap()

    def _serve_order(self) -> bool:
        """Read an order and fork its supervisor. Returns False if no more orders come."""
        header, descriptors, _, _ = socket.recv_fds(self._orders, 4, 8)
        if len(descriptors) < 4:
            return False
        size = int.from_bytes(header, "little")
        data = b""
        while len(data) < size:
            chunk = self._orders.recv(size - len(data))
            if not chunk:
                return False
            data += chunk
        order = json.loads(data)
        pid = os.fork()
        if pid == 0:
            try:
                os.close(self._orders.fileno())
                Supervisor(order, descriptors[:3], descriptors[3]).run()
            finally:
                os._exit(0)
        self._supervisors[pid] = BotCgroup(order["cgroup"], pid)
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _reap(self) -> bool:
        """Collect children that have ended and kill orphans of dead supervisors. Returns whether children remain."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                break
            if not os.WIFSTOPPED(status) and pid in self._supervisors:
                self._supervisors.pop(pid).remove()  # a supervisor that was killed has not removed it
        for child in children(os.getpid()):
            if child not in self._supervisors:
                for pid in [child, *tree(child)]:
                    with suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
        return True


def main() -> None:
    """Serve orders on the socket whose descriptor is the only argument."""
    SupervisorServer(socket.socket(fileno=int(sys.argv[1]))).run()
