"""The keeper: starts bots for a referee, and sees to it that nothing of a bot outlives it, or the referee.

A program of its own, of the standard library alone, which spawn.py starts. It forks a supervisor for each
bot, which costs a tenth of starting a Python, and the supervisor forks the bot. The bot's pipes are the referee's own,
handed over, so a line from or to a bot does not pass here.

The supervisor is a child subreaper: whatever the bot starts, however it detaches itself, stays below it. When the
referee closes its end of the control socket or is killed, or the bot's first process ends, all that is below is killed.
The keeper is a subreaper too, for what is below a supervisor that was killed itself.

What a supervisor says on the control socket: `supervised PID`, its own number, as soon as it is there; then `started
PID`, the bot's, or `failed ERRNO`; when the bot has ended or must, `exited STATUS PEAK`, `killed SIGNAL PEAK`, `memory
BYTES` or `processes COUNT`. PEAK is the most memory that the bot had, in bytes. Once nothing is left the socket is
closed.
"""

from __future__ import annotations

import array
import json
import os
import resource
import select
import signal
import socket
import sys
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, NoReturn

from .killing import END_SECONDS, become_subreaper, kill_below, resume_when_orphaned
from .procfs import children, exact_memory, files_memory, read, tree, use

LOOK = 0.25
"""Seconds between two looks at what a bot uses."""
INPUTS = 3
"""The first of the descriptors that a bot's inputs are on in the process that the supervisor starts."""
UID = "@UID@"
"""What in a command stands for a user number that no other process has."""
_FIRST_UID = 0x7000_0000  # a range that nobody's users are from, with room for every process number
_ERROR = 20
_GRACE = 2.0  # seconds in which supervisors end their bots when the referee is gone; one that was stopped does not


def watchchildren() -> int:
    """A descriptor that can be read from whenever a child has ended."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def drain(reader: int) -> None:
    with suppress(BlockingIOError):
        while os.read(reader, 512):
            pass


class Group:
    """A control group of version 2 for one bot, below the one that cgroups.py has; nothing where it has none."""

    def __init__(self, above: str, supervisor: int) -> None:
        self._path = f"{above}/bot-{supervisor}" if above else ""

    def make(self, memory: int, processes: int) -> None:
        """Raises OSError."""
        if self._path:
            os.mkdir(self._path)  # noqa: PTH102  # pathlib is slow to import
            self._write("memory.max", memory)
            self._write("memory.oom.group", 1)
            self._write("pids.max", processes)
            with suppress(OSError):  # not where there is no swap
                self._write("memory.swap.max", 0)

    def enter(self) -> None:
        """With this process. Raises OSError."""
        if self._path:
            self._write("cgroup.procs", os.getpid())

    def ran_out(self) -> bool:
        """Whether the kernel ended what was in it for its memory."""
        lines = read(f"{self._path}/memory.events").splitlines() if self._path else []
        return any(line.startswith(b"oom_kill ") and line != b"oom_kill 0" for line in lines)

    def remove(self) -> None:
        """With what is in it."""
        if self._path:
            with suppress(OSError):
                self._write("cgroup.kill", 1)
            until = monotonic() + 1
            while monotonic() < until:
                try:
                    os.rmdir(self._path)  # noqa: PTH106
                except FileNotFoundError:
                    return
                except OSError:
                    sleep(0.002)

    def _write(self, name: str, value: int) -> None:
        with open(f"{self._path}/{name}", "w") as file:  # noqa: PTH123
            file.write(str(value))


class Supervisor:
    """One bot's. Lives in a process of its own and never returns to where it was forked."""

    def __init__(self, order: dict[str, Any], pipes: list[int], control: int) -> None:
        self._order = order
        self._pipes = pipes
        self._control = socket.socket(fileno=control)
        self._bot = 0
        self._ended: tuple[int, int] | None = None  # wait status and peak memory of the bot's first process
        self._peak = 0
        self._group = Group(order["group"], os.getpid())

    def run(self) -> None:
        """From the bot's start to its end, and that of all it started."""
        become_subreaper()
        resume_when_orphaned()
        self._say(f"supervised {os.getpid()}")
        wake = watchchildren()
        try:
            self._group.make(self._order["memory"], self._order["processes"])
            error = self._start()
        except OSError as refused:
            error = refused.errno or 1
        if error:
            self._group.remove()
            self._say(f"failed {error}")
            return
        self._say(f"started {self._bot}")
        over = self._watch(wake)
        if over or self._ended:
            self._say(over or self._ending())
        end_all(self._bot, self._reap)
        self._group.remove()

    def _watch(self, wake: int) -> str:
        """Until the bot has ended or shall end; what it used too much of, if it did."""
        poller = select.poll()
        poller.register(self._control.fileno(), select.POLLIN)
        poller.register(wake, select.POLLIN)
        looked = monotonic()
        while True:
            ready = poller.poll(LOOK * 1000)
            drain(wake)
            self._reap()
            if self._ended or any(descriptor != wake for descriptor, _ in ready):
                return ""
            if monotonic() - looked >= LOOK:
                looked = monotonic()
                over = self._is_finished()
                if over:
                    return over

    def _is_finished(self) -> str:
        memory, threads = use(os.getpid())
        files = files_memory(os.getpid(), self._order["room"]) if self._order["room"] else 0
        memory += files
        if memory > self._order["memory"]:
            exact = exact_memory(os.getpid())
            memory = memory if exact is None else exact + files
        self._peak = max(self._peak, memory)
        if memory > self._order["memory"]:
            return f"memory {memory}"
        return f"processes {threads}" if threads > self._order["processes"] else ""

    def _reap(self) -> bool:
        """Take the ends of children; whether there may be more."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self._bot and not os.WIFSTOPPED(status):  # who has itself traced is stopped as our tracee
                unit = 1 if sys.platform == "darwin" else 1024
                self._ended = status, max(self._peak, usage.ru_maxrss * unit)

    def _ending(self) -> str:
        assert self._ended
        status, peak = self._ended
        if self._group.ran_out():
            return f"memory {self._order['memory']}"
        if os.WIFSIGNALED(status):
            return f"killed {os.WTERMSIG(status)} {peak}"
        return f"exited {os.WEXITSTATUS(status)} {peak}"

    def _say(self, what: str) -> None:
        with suppress(OSError):
            self._control.sendall(what.encode() + b"\n")

    def _start(self) -> int:
        """Start the bot; the error number if that fails."""
        reader, writer = os.pipe()
        self._bot = os.fork()
        if self._bot == 0:
            self._become_bot(writer)
        os.close(writer)
        for pipe in self._pipes:
            os.close(pipe)
        with os.fdopen(reader, "rb") as file:
            return int(file.read() or 0)

    def _become_bot(self, writer: int) -> NoReturn:
        try:
            os.setsid()
            os.dup2(writer, _ERROR, inheritable=False)
            self._group.enter()
            for number, pipe in enumerate(self._pipes):
                os.dup2(pipe, number)
            os.closerange(3, _ERROR)
            os.closerange(_ERROR + 1, 256)
            self._hand_over()
            self._restrict()
            if self._order["cores"]:
                os.sched_setaffinity(0, self._order["cores"])
            os.chdir(self._order["folder"])
            uid = str(_FIRST_UID + os.getpid())
            command = [word.replace(UID, uid) for word in self._order["command"]]
            os.execve(command[0], command, self._order["environment"])
        except OSError as error:
            os.write(_ERROR, str(error.errno or 1).encode())
        finally:
            os._exit(127)

    def _hand_over(self) -> None:
        for number, content in enumerate(self._order["inputs"], INPUTS):
            file = os.memfd_create("input")
            os.write(file, bytes.fromhex(content))
            os.lseek(file, 0, os.SEEK_SET)
            assert file == number
            os.set_inheritable(file, True)

    def _restrict(self) -> None:
        for name, value in self._order["resources"].items():
            number = getattr(resource, f"RLIMIT_{name}", None)
            if number is None:
                continue
            most = resource.getrlimit(number)[1]
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            with suppress(ValueError, OSError):  # a system that does not know it
                resource.setrlimit(number, (value, value))
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored, signal.SIG_DFL)


def end_all(first: int, reap: Any) -> None:
    """Kill all that is below this process until nothing is left; what is forked meanwhile is below it too."""
    until = monotonic() + END_SECONDS
    with suppress(OSError):
        os.killpg(first, signal.SIGKILL)
    while reap() and monotonic() < until:
        for pid in list(tree(os.getpid())):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        sleep(0.001)


class SupervisorServer:
    """The process that forks supervisors, one for each order that comes over its socket."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders
        self._supervisors: dict[int, Group] = {}

    def run(self) -> None:
        """Until the referee is gone."""
        become_subreaper()
        resume_when_orphaned()
        wake = watchchildren()
        poller = select.poll()
        poller.register(self._orders.fileno(), select.POLLIN)
        poller.register(wake, select.POLLIN)
        while True:
            ready = poller.poll()
            drain(wake)
            self._reap()
            if any(descriptor != wake for descriptor, _ in ready) and not self._take():
                break
        poller.unregister(self._orders.fileno())
        until = monotonic() + _GRACE
        while self._reap() and monotonic() < until:
            poller.poll(100)
            drain(wake)
        kill_below(os.getpid())
        self._reap()

    def _take(self) -> bool:
        """Read an order and fork its supervisor; false at the end of orders."""
        header, descriptors = _receive(self._orders)
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
        self._supervisors[pid] = Group(order["group"], pid)
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _reap(self) -> bool:
        """Take the ends of children. Where a supervisor was killed, its bot is a child now, and ends."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                break
            if not os.WIFSTOPPED(status) and pid in self._supervisors:
                self._supervisors.pop(pid).remove()  # which one that was killed has left
        for orphan in children(os.getpid()):
            if orphan not in self._supervisors:
                for pid in [orphan, *tree(orphan)]:
                    with suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
        return True


def _receive(orders: socket.socket) -> tuple[bytes, list[int]]:
    """The four bytes that an order begins with, and the descriptors that come with them."""
    room = array.array("i", [0] * 8)
    data, ancillary, _, _ = orders.recvmsg(4, socket.CMSG_SPACE(room.itemsize * len(room)))
    descriptors = array.array("i")
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(content[: len(content) - len(content) % room.itemsize])
    return data, list(descriptors)


def main() -> None:
    """With the descriptor of the socket that orders come over as the only argument."""
    SupervisorServer(socket.socket(fileno=int(sys.argv[1]))).run()
