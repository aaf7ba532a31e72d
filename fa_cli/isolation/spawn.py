"""Starting programs: bots through the supervisor server, and short commands such as ssh-keygen directly.

A `Process` sends an order to the server (supervisor_client.py), with one end of three pipes and of a control socket.
The server forks a supervisor, which starts the program and reports on the control socket how it ends; the lines are
listed in supervision/supervisor.py. Closing our end of that socket makes the supervisor kill all that the program
started. No other module of the package starts a program.
"""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path

from .cgroups import group_for_bots
from .limits import DEFAULT_LIMITS, KIB, MIB, Limits, open_files_of_bots
from .supervision import procfs
from .supervision.killing import become_subreaper, is_stopped, kill_below, kill_tree
from .supervision.procfs import children
from .supervision.supervisor import Order
from .supervisor_client import START_SECONDS, SUPERVISORS

CORES = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
"""The cores that this process had when it started: all that it may give to a bot."""
_END_SECONDS = 15.0
_POLL_SECONDS = 0.1
PENDING_SIGNALS = 1024
"""Signals and timers that may be queued for a bot."""
_STOPPED_POLLS = 2
"""Polls in a row that must find a process stopped: a traced process looks stopped for moments."""
_OUTPUT_KEPT = 8 * KIB
_SANDBOX_PROCESSES = 8
"""Processes allowed beside the bot's own, for bubblewrap and what it runs."""
_BOTS_AT_LIMIT = 8
"""Bots that may have all processes they are allowed before the kernel refuses the user another one."""
_SANDBOX_FILE_SIZE = MIB
"""bubblewrap writes constants for /proc into files of up to this size. The sandbox's own file systems are bounded."""


class Process:
    """A running program with pipes to it, below a supervisor. `kill` and `close` must be called.

    `command` begins with the program's path. `inputs`: contents of files that the program finds open from descriptor
    `FIRST_INPUT` on. `all_cores`: it may use all of `CORES`, else only those that this process had when its supervisor
    server was started. Our ends of the pipes are non-blocking (see `read_now`). Raises OSError if it does not start.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str],
        limits: Limits = DEFAULT_LIMITS,
        inputs: Sequence[bytes] = (),
        all_cores: bool = False,
    ) -> None:
        order: Order = {
            "command": list(command),
            "folder": folder,
            "environment": dict(environment),
            "resources": _resource_limits(limits),
            "memory": limits.memory,
            "processes": limits.processes + _SANDBOX_PROCESSES,
            "files": limits.all_files,
            "cgroup": group_for_bots(),
            "tmpfs_size": limits.file_size if limits.sandbox else 0,
            "inputs": [content.hex() for content in inputs],
            "cores": CORES if all_cores else [],
        }
        self._killed = False
        data = json.dumps(order).encode()
        if not self._start(data) and not self._start(data):
            raise OSError(errno.ECHILD, os.strerror(errno.ECHILD))

    def _start(self, order: bytes) -> bool:
        """Returns False if the supervisor server was stopped or killed before it forked a supervisor."""
        (bot_stdin, self.stdin), (self.stdout, bot_stdout), (self.stderr, bot_stderr) = os.pipe(), os.pipe(), os.pipe()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self._control, supervisor_control = socket.socketpair()
        self._control.setblocking(False)
        self._unread = b""
        self._supervisor = self._bot = 0
        try:
            server = SUPERVISORS.send(order, [bot_stdin, bot_stdout, bot_stderr, supervisor_control.fileno()])
        except OSError:
            self.close()
            raise
        finally:
            for descriptor in (bot_stdin, bot_stdout, bot_stderr):
                os.close(descriptor)
            supervisor_control.close()
        return self._await_start(server)

    def _await_start(self, server: int) -> bool:
        words = self._next_line(server)
        if words[:1] == ["supervised"]:
            self._supervisor = int(words[1])
            words = self._next_line(self._supervisor)
        if words[:1] == ["started"]:
            self._bot = int(words[1])
            return True
        if not self._supervisor:
            self.close()
            SUPERVISORS.replace(server)
            return False
        self.kill()
        self.close()
        number = int(words[1]) if words else errno.ECHILD
        raise OSError(number, os.strerror(number))

    def _next_line(self, writer: int) -> list[str]:
        """The words of the next line on the control socket; empty if its writer ends, is stopped or does not answer."""
        while b"\n" not in self._unread and _wait_readable(self._control, writer, START_SECONDS):
            chunk = self._control.recv(256)
            if not chunk:
                break
            self._unread += chunk
        line, newline, rest = self._unread.partition(b"\n")
        self._unread = rest
        return line.decode().split() if newline else []

    def ending(self) -> list[str] | None:
        """The words of the supervisor's last line, or `["lost"]` if the supervisor was killed; None while it runs."""
        if b"\n" not in self._unread:
            try:
                chunk = self._control.recv(256)
            except BlockingIOError:
                return None
            except OSError:
                chunk = b""
            self._unread += chunk or b"lost\n"
        return self._unread.partition(b"\n")[0].decode().split()

    def cpu_seconds(self) -> float:
        """Processor time of all its processes so far."""
        return procfs.cpu_seconds(self._supervisor) if self._supervisor else 0.0

    def cpu_and_delays(self) -> tuple[float, dict[int, float], list[int]]:
        """`cpu_seconds`, the seconds that each of its threads has waited for a core, and its process IDs."""
        return procfs.cpu_and_delays(self._supervisor) if self._supervisor else (0.0, {}, [])

    def is_ending(self) -> bool:
        """Whether its first process is exiting or has ended; `ending` reports how a moment later."""
        return procfs.is_ending(self._bot)

    def has_closed_output(self) -> bool:
        """Whether no process in the sandbox can write to stdout any more.

        The pipe itself stays open then: bubblewrap's two processes, one outside and one inside, have it open.
        """
        pipe = f"pipe:[{os.fstat(self.stdout).st_ino}]"
        inside = list(procfs.tree(self._bot))[1:]
        if not inside or any(procfs.can_write(pid, pipe) for pid in inside):
            return False
        return list(procfs.tree(self._bot))[1:] == inside  # a process that was forked meanwhile may have it

    def close_input(self) -> None:
        """Close our end of its stdin, so that the program reads the end of its input."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def kill(self) -> None:
        """Kill the program and all that it started, and wait until nothing is left. Pipes stay open until `close`."""
        if self._killed:
            return
        self._killed = True
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        while _wait_readable(self._control, self._supervisor, _END_SECONDS):
            try:
                chunk = self._control.recv(256)
            except OSError:
                return
            if not chunk:
                return
            self._unread += chunk
        if self._supervisor:
            kill_tree(self._supervisor)

    def close(self) -> None:
        """Close our ends of the pipes and the control socket."""
        self._control.close()
        self.close_input()
        for descriptor in (self.stdout, self.stderr):
            with suppress(OSError):
                os.close(descriptor)


def read_now(descriptor: int, size: int) -> bytes | None:
    """Read from a non-blocking pipe: b"" at its end, None if it is empty.

    A poll before it does not help: the bot can open its own pipe by /proc/self/fd and take back what it wrote.
    """
    try:
        return os.read(descriptor, size)
    except BlockingIOError:
        return None


def _resource_limits(limits: Limits) -> dict[str, int]:
    """Limits of each single process, by setrlimit's names.

    DATA rather than AS (address space): Java and Node reserve far more addresses than they use. The kernel counts NPROC
    and SIGPENDING for each user. Root's bots in the sandbox are users of their own, so these limit each bot; other
    users' bots get them inside the sandbox (prlimit), because the limits outside would hold for all bots together.
    Without the sandbox NPROC only stops a fork bomb before the supervisor counts its processes, and has no effect for
    root; SIGPENDING is so low that no bot can exhaust the user's allowance.
    """
    if limits.sandbox and os.getuid() == 0:
        per_user = {"NPROC": limits.processes, "SIGPENDING": PENDING_SIGNALS}
    elif limits.sandbox:
        per_user = {}
    elif os.getuid() == 0:
        per_user = {"SIGPENDING": PENDING_SIGNALS}
    else:
        per_user = {"NPROC": _machine_threads() + _BOTS_AT_LIMIT * limits.processes, "SIGPENDING": PENDING_SIGNALS}
    return {
        "DATA": limits.memory,
        "FSIZE": max(limits.file_size, _SANDBOX_FILE_SIZE) if limits.sandbox else limits.file_size,
        "NOFILE": min(limits.open_files, open_files_of_bots()),
        "CORE": 0,
        **per_user,
    }


def _machine_threads() -> int:
    """Threads of all users, which is at least what NPROC counts already for this one."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 4096


def _wait_readable(control: socket.socket, writer: int, seconds: float) -> bool:
    """Wait for a line on the control socket. Returns False after `seconds`, or if its writer is stopped.

    Counts polls instead of reading the clock, so that a pause of this process itself does not use up the time.
    """
    poller = select.poll()
    poller.register(control, select.POLLIN)
    stopped = 0
    for _ in range(ceil(seconds / _POLL_SECONDS)):
        if poller.poll(_POLL_SECONDS * 1000):
            return True
        stopped = stopped + 1 if is_stopped(writer) else 0
        if stopped == _STOPPED_POLLS:
            break
    return False


@contextmanager
def no_leftover_processes() -> Iterator[None]:
    """At the end, kill all processes that were started inside: children, orphans, stopped ones. Don't nest.

    Children from before stay, and so does the supervisor server.
    """
    own = os.getpid()
    become_subreaper()
    before = children(own)
    try:
        yield
    finally:
        spared = {*before, SUPERVISORS.pid}
        kill_below(own, spared)
        for orphan in set(children(own)) - spared:
            with suppress(ChildProcessError):
                os.waitpid(orphan, os.WNOHANG)
        become_subreaper(False)


def start_python(call: str, module: str, descriptor: int) -> subprocess.Popen[bytes]:
    """Start a Python process that calls a function of a module with a descriptor, which it inherits.

    It has our modules and environment, and a session of its own: Ctrl-C is for us. Raises OSError.
    """
    program = f"import sys; sys.path[:] = {sys.path!r}; from {module} import {call}; {call}({descriptor})"
    return subprocess.Popen(
        [sys.executable, "-c", program],
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


def run_to_end(
    command: Sequence[str], folder: Path, seconds: float, stdin_path: str | Path = os.devnull
) -> tuple[int | None, str]:
    """Run a command and wait. Returns its exit status, None after `seconds`, and the end of its stdout and stderr.

    Raises OSError if it does not start or `stdin_path` can't be read.
    """
    with tempfile.TemporaryFile() as output, Path(stdin_path).open("rb") as stdin:
        process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            start_new_session=True,
        )
        status: int | None = None
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            pass
        finally:
            if status is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        output.seek(max(0, output.seek(0, os.SEEK_END) - _OUTPUT_KEPT))
        return status, output.read().decode("utf-8", "backslashreplace")
