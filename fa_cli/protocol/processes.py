"""Starting programs: bots by way of the keeper, and commands that run to their end. Nothing else starts any.

The keeper (keeper.py) is one small process for each process that plays; it is started with the first bot.
"""

from __future__ import annotations

import atexit
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from . import procfs
from .cgroups import group_for_bots
from .limits import DEFAULT_LIMITS, KIB, Limits

_FOLDER = str(Path(__file__).absolute().parents[2])
# not -m: nothing of the current folder or of the environment shall decide what is imported
_KEEPER = f"import sys; sys.path.append({_FOLDER!r}); from fa_cli.protocol.keeper import main; main()"
CORES = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
"""The cores that this process had when it began: all that it may give to a bot."""
_END_SECONDS = 15.0
_OUTPUT_KEPT = 8 * KIB
_ROOM_FOR_OTHERS = 8
"""So many bots at their limit of processes may run beside what the user runs, before the system stops the next."""


class Process:
    """A running program, its three pipes, and who watches it. `kill` and `close` must be called.

    No read or write of ours on a pipe blocks: see `read_now`.

    The first word of the command is the program's path. `spread`: it may use all cores that this process had at first,
    else those that this process has when its keeper is started. Raises OSError where it does not start.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str],
        limits: Limits = DEFAULT_LIMITS,
        seccomp: bytes = b"",
        spread: bool = False,
    ) -> None:
        order = {
            "command": list(command),
            "folder": folder,
            "environment": dict(environment),
            "resources": _resources(limits),
            "memory": limits.memory,
            "processes": limits.processes + _ROOM_FOR_OTHERS,
            "group": group_for_bots(),
            "room": limits.file_size if limits.sandbox else 0,
            "seccomp": seccomp.hex(),
            "cores": CORES if spread else [],
        }
        (their_in, self.stdin), (self.stdout, their_out), (self.stderr, their_err) = os.pipe(), os.pipe(), os.pipe()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self._control, their_control = socket.socketpair()
        self._said = b""
        self._supervisor = self._bot = 0
        self._killed = False
        try:
            _KEEPERS.send(json.dumps(order).encode(), [their_in, their_out, their_err, their_control.fileno()])
        except OSError:
            self.close()
            raise
        finally:
            for descriptor in (their_in, their_out, their_err):
                os.close(descriptor)
            their_control.close()
        self._await_start()

    def _await_start(self) -> None:
        words = self._read_line()
        if words[:1] == ["started"]:
            self._supervisor, self._bot = int(words[1]), int(words[2])
            self._control.setblocking(False)
            return
        self.kill()
        self.close()
        number = int(words[1]) if words else errno.ECHILD
        raise OSError(number, os.strerror(number))

    def _read_line(self) -> list[str]:
        while b"\n" not in self._said:
            chunk = self._control.recv(256)
            if not chunk:
                return []
            self._said += chunk
        line, _, self._said = self._said.partition(b"\n")
        return line.decode().split()

    def ending(self) -> list[str] | None:
        """How it ended, in the supervisor's words (see keeper.py); None while it runs."""
        if b"\n" not in self._said:
            try:
                chunk = self._control.recv(256)
            except BlockingIOError:
                return None
            except OSError:
                chunk = b""
            self._said += chunk or b"lost\n"  # the supervisor was killed
        return self._said.partition(b"\n")[0].decode().split()

    def cpu_seconds(self) -> float:
        """Processor time of all its processes so far."""
        return procfs.cpu_seconds(self._supervisor) if self._supervisor else 0.0

    def cpu_and_delays(self) -> tuple[float, dict[int, float]]:
        """The same, and the seconds that each of their threads has waited for a core."""
        return procfs.cpu_and_delays(self._supervisor) if self._supervisor else (0.0, {})

    def is_ending(self) -> bool:
        """Whether its first process is about to end or has ended; `ending` says how, a moment later."""
        return procfs.is_ending(self._bot)

    def has_closed_output(self) -> bool:
        """In the sandbox: whether nothing in it can write to its stdout any more.

        The pipe does not end then: bubblewrap's two processes, one outside and one inside, hold it open.
        """
        pipe = f"pipe:[{os.fstat(self.stdout).st_ino}]"
        inside = list(procfs.tree(self._bot))[1:]
        return bool(inside) and not any(procfs.can_write(pid, pipe) for pid in inside)

    def close_input(self) -> None:
        """No more comes: the program finds the end of its input."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def kill(self) -> None:
        """Kill it and all that it started, and wait until nothing is left. Its pipes stay open until `close`."""
        if self._killed:
            return
        self._killed = True
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        self._control.settimeout(_END_SECONDS)
        try:
            while chunk := self._control.recv(256):
                self._said += chunk
        except TimeoutError:  # whoever stopped the supervisor has its bot killed by the keeper
            with suppress(OSError):
                os.kill(self._supervisor, signal.SIGKILL)
        except OSError:
            pass
        self._control.setblocking(False)

    def close(self) -> None:
        """Close what is open here."""
        self._control.close()
        self.close_input()
        for descriptor in (self.stdout, self.stderr):
            with suppress(OSError):
                os.close(descriptor)


def read_now(descriptor: int, size: int) -> bytes | None:
    """Read what is in a pipe: empty at its end, None where nothing is in it.

    Whoever writes to a pipe can also open it for reading, by /proc/self/fd, and take bytes back that a poll has seen.
    """
    try:
        return os.read(descriptor, size)
    except BlockingIOError:
        return None


def _resources(limits: Limits) -> dict[str, int]:
    """Limits of each single process, as setrlimit names them.

    Data and not the address space: Java and Node reserve far more addresses than they use. What the number of processes
    limits is all that the user runs: in the sandbox root's bots are users of their own, others' get it inside; without
    it, it only keeps a bomb from going off before the supervisor has counted, and does nothing for root.
    """
    if limits.sandbox and os.getuid() == 0:
        processes = {"NPROC": limits.processes}
    elif limits.sandbox or os.getuid() == 0:
        processes = {}
    else:
        processes = {"NPROC": _threads() + _ROOM_FOR_OTHERS * limits.processes}
    return {
        "DATA": limits.memory,
        "FSIZE": limits.file_size,
        "NOFILE": limits.open_files,
        "CORE": 0,
        **processes,
    }


def _threads() -> int:
    """Threads of all that this user runs, roughly: with those of others."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 4096


class _Keepers:
    """This process's keeper: started when first needed, and again if somebody killed it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def send(self, order: bytes, descriptors: list[int]) -> None:
        """Give an order. Raises OSError."""
        with self._lock:
            for last in (False, True):
                try:
                    self._send(order, descriptors)
                    return
                except OSError:
                    self._end()
                    if last:
                        raise

    def _send(self, order: bytes, descriptors: list[int]) -> None:
        if self._process and self._process.poll() is not None:
            self._end()
        if self._socket is None:
            self._start()
        assert self._socket
        socket.send_fds(self._socket, [len(order).to_bytes(4, "little")], descriptors)
        self._socket.sendall(order)

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-E", "-c", _KEEPER, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the referee
            )
        self._socket = ours
        atexit.register(self._end)

    def _end(self) -> None:
        atexit.unregister(self._end)
        if self._socket:
            self._socket.close()
            self._socket = None
        if self._process:
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


_KEEPERS = _Keepers()


def run_to_end(
    command: Sequence[str], folder: Path, seconds: float, read: str | Path = os.devnull
) -> tuple[int | None, str]:
    """Run a command and wait: its status, None if it took too long, and the last of what it printed.

    `read`: the file that it has as its input. Raises OSError if that can't be read, or it does not start.
    """
    with tempfile.TemporaryFile() as output, Path(read).open("rb") as given:
        process = subprocess.Popen(
            command,
            stdin=given,
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
