"""Starting programs: bots by way of the keeper, and commands that run to their end. Nothing else starts any.

The keeper (supervisor.py) is one small process for each process that plays; it is started with the first bot.
"""

from __future__ import annotations

import atexit
import errno
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path

from . import procfs
from .cgroups import group_for_bots
from .killing import become_subreaper, is_stopped, kill_below, kill_tree
from .limits import DEFAULT_LIMITS, KIB, MIB, Limits, open_files_of_bots
from .procfs import children

_FOLDER = str(Path(__file__).absolute().parents[2])
# not -m: nothing of the current folder or of the environment shall decide what is imported
_KEEPER = f"import sys; sys.path.append({_FOLDER!r}); from fa_cli.isolation.supervisor import main; main()"
CORES = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
"""The cores that this process had when it began: all that it may give to a bot."""
_START_SECONDS = 30.0
_END_SECONDS = 15.0
_KEEPER_SECONDS = 5.0
# The longest wait for a word at one go, in seconds; and so often in a row a process must look stopped: in the kernel it
# does for moments when it is traced.
_SLICE = 0.1
_LOOKS = 2
_OUTPUT_KEPT = 8 * KIB
_SIGNALS = 1024
"""Signals and timers that may wait for a bot."""
_LEAST_FILE = MIB
"""What bubblewrap must be able to write, as constants for /proc. All that a bot can write to has a size of its own."""
_ROOM_FOR_OTHERS = 8
"""So many bots at their limit of processes may run beside what the user runs, before the system stops the next."""


class Process:
    """A running program, its three pipes, and who watches it. `kill` and `close` must be called.

    No read or write of ours on a pipe blocks: see `read_now`.

    The first word of the command is the program's path. `spread`: it may use all cores that this process had at first,
    else those that this process has when its keeper is started. `inputs`: what it finds on the descriptors from INPUTS
    on. Raises OSError where it does not start.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str],
        limits: Limits = DEFAULT_LIMITS,
        inputs: Sequence[bytes] = (),
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
            "inputs": [content.hex() for content in inputs],
            "cores": CORES if spread else [],
        }
        self._killed = False
        for last in (False, True):
            try:
                self._begin(json.dumps(order).encode())
                return
            except _NoAnswer:
                if last:
                    raise

    def _begin(self, order: bytes) -> None:
        (their_in, self.stdin), (self.stdout, their_out), (self.stderr, their_err) = os.pipe(), os.pipe(), os.pipe()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self._control, their_control = socket.socketpair()
        self._control.setblocking(False)
        self._said = b""
        self._supervisor = self._bot = 0
        try:
            keeper = _KEEPERS.send(order, [their_in, their_out, their_err, their_control.fileno()])
        except OSError:
            self.close()
            raise
        finally:
            for descriptor in (their_in, their_out, their_err):
                os.close(descriptor)
            their_control.close()
        self._await_start(keeper)

    def _await_start(self, keeper: int) -> None:
        words = self._next_line(keeper)
        if words[:1] == ["supervised"]:
            self._supervisor = int(words[1])
            words = self._next_line(self._supervisor)
        if words[:1] == ["started"]:
            self._bot = int(words[1])
            return
        if not self._supervisor:
            self.close()
            _KEEPERS.replace(keeper)
            raise _NoAnswer(errno.ECHILD, os.strerror(errno.ECHILD))
        self.kill()
        self.close()
        number = int(words[1]) if words else errno.ECHILD
        raise OSError(number, os.strerror(number))

    def _next_line(self, teller: int) -> list[str]:
        """The words of the next line from this process; none if it ends or does not answer."""
        while b"\n" not in self._said and _await_words(self._control, teller, _START_SECONDS):
            chunk = self._control.recv(256)
            if not chunk:
                break
            self._said += chunk
        line, newline, rest = self._said.partition(b"\n")
        self._said = rest
        return line.decode().split() if newline else []

    def ending(self) -> list[str] | None:
        """How it ended, in the supervisor's words (see supervisor.py); None while it runs."""
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

    def cpu_and_delays(self) -> tuple[float, dict[int, float], list[int]]:
        """The same, the seconds that each of their threads has waited for a core, and the processes."""
        return procfs.cpu_and_delays(self._supervisor) if self._supervisor else (0.0, {}, [])

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
        while _await_words(self._control, self._supervisor, _END_SECONDS):
            try:
                chunk = self._control.recv(256)
            except OSError:
                return
            if not chunk:
                return
            self._said += chunk
        if self._supervisor:
            kill_tree(self._supervisor)

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
    it, it only keeps a bomb from going off before the supervisor has counted, and does nothing for root. The kernel
    adds up the waiting signals of all that a user runs: few bots can't fill that, so that none sees what others do.
    """
    if limits.sandbox and os.getuid() == 0:
        processes = {"NPROC": limits.processes}
    elif limits.sandbox or os.getuid() == 0:
        processes = {}
    else:
        processes = {"NPROC": _threads() + _ROOM_FOR_OTHERS * limits.processes}
    return {
        "DATA": limits.memory,
        "FSIZE": max(limits.file_size, _LEAST_FILE) if limits.sandbox else limits.file_size,
        "NOFILE": min(limits.open_files, open_files_of_bots()),
        "CORE": 0,
        "SIGPENDING": _SIGNALS,
        **processes,
    }


def _threads() -> int:
    """Threads of all that this user runs, roughly: with those of others."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 4096


class _NoAnswer(OSError):
    """The keeper was stopped or killed before it had started anything."""


def _await_words(control: socket.socket, teller: int, seconds: float) -> bool:
    """Wait until there is something to read; false where nothing comes in time, or whoever would say it was stopped.

    Only the time that was planned counts, so that it is no one's fault when this process was stopped itself.
    """
    poller = select.poll()
    poller.register(control, select.POLLIN)
    stopped = 0
    for _ in range(ceil(seconds / _SLICE)):
        if poller.poll(_SLICE * 1000):
            return True
        stopped = stopped + 1 if is_stopped(teller) else 0
        if stopped == _LOOKS:
            break
    return False


class _SupervisorServers:
    """This process's keeper: started when first needed, and again if somebody has killed or stopped it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._dying: list[subprocess.Popen[bytes]] = []  # a bot that traces one keeps its death from being seen

    @property
    def pid(self) -> int:
        """That of the keeper; 0 where there is none."""
        return self._process.pid if self._process else 0

    def send(self, order: bytes, descriptors: list[int]) -> int:
        """Give an order. Returns the number of the keeper that has it. Raises OSError."""
        with self._lock:
            for last in (False, True):
                try:
                    self._send(order, descriptors)
                    return self.pid
                except OSError:
                    self._abandon()
                    if last:
                        raise
        raise AssertionError

    def replace(self, keeper: int) -> None:
        """Have another keeper for the next order, if this one is still there: it does not answer."""
        with self._lock:
            if self.pid == keeper:
                self._abandon()

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
        ours.settimeout(_START_SECONDS)
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

    def _abandon(self) -> None:
        """Kill it alone: its supervisors see to the end of the bots that play now."""
        if self._process:
            self._process.kill()
        self._forget()

    def _end(self) -> None:
        """Let it end, with what is left of its bots."""
        if self._socket:
            self._socket.close()
        if self._process and not is_stopped(self._process.pid):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_KEEPER_SECONDS)
        if self._process and self._process.poll() is None:
            kill_tree(self._process.pid)
        self._forget()

    def _forget(self) -> None:
        atexit.unregister(self._end)
        if self._socket:
            self._socket.close()
            self._socket = None
        if self._process:
            self._dying = [process for process in (*self._dying, self._process) if process.poll() is None]
            self._process = None


_KEEPERS = _SupervisorServers()


@contextmanager
def no_leftover_processes() -> Iterator[None]:
    """Nothing that is started in here is left at its end: not below this process, not as an orphan, not stopped.

    What was below this process before stays, and the keeper. Not to be nested.
    """
    own = os.getpid()
    become_subreaper()
    before = children(own)
    try:
        yield
    finally:
        spared = {*before, _KEEPERS.pid}
        kill_below(own, spared)
        for orphan in set(children(own)) - spared:
            with suppress(ChildProcessError):
                os.waitpid(orphan, os.WNOHANG)
        become_subreaper(False)


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
