"""The supervisor: the parent process of one bot, which kills everything the bot started when the bot has to end.

The supervisor server (server.py) forks one supervisor per bot, and the supervisor forks the bot. It makes itself a
child subreaper (prctl PR_SET_CHILD_SUBREAPER): a process whose parent exits becomes a child of the supervisor, so
whatever the bot starts stays below the supervisor, even after setsid() or a double fork. The supervisor kills all of it
with SIGKILL when

- the bot's first process exits;
- the bot uses more memory, processes, mappings or files than allowed, which is checked every `CHECK_SECONDS`;
- the referee closes its end of the control socket, or ends in any way: the kernel then closes it.

The bot's stdin, stdout and stderr are pipes that the referee made, so lines do not pass through the supervisor.

The supervisor writes these lines to the control socket and closes it once no process is left:

    supervised PID           its own process ID, at once
    started PID              the bot's first process
    failed ERRNO             or: the bot could not be started; no further line
    exited STATUS PEAK       the bot's first process exited
    killed SIGNAL PEAK       or: was killed by a signal
    memory BYTES             or: the bot used more memory than allowed
    processes COUNT          or: the bot had more processes and threads than allowed
    mappings COUNT           or: more mappings of memory in all its processes
    files COUNT              or: more open files and watches of epoll in all its processes

PEAK is the most memory, in bytes, that the bot was seen to use.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sys
from contextlib import suppress
from time import monotonic
from typing import NoReturn, TypedDict

from .bot_cgroup import BotCgroup
from .killing import become_subreaper, kill_below, resume_when_orphaned
from .usage import MAX_MAPPINGS, Usage

CHECK_SECONDS = 0.25
"""Seconds between two checks of what a bot uses."""
FIRST_INPUT = 3
"""The descriptor of the first of `Order.inputs` in the bot's process."""
UID = "@UID@"
"""In a command, replaced by a random user ID. The process ID in it would tell a bot how many processes there were."""
_FIRST_UID, _UIDS = 0x7000_0000, 1 << 28  # beyond the users of any system; of 64 bots two are the same once in 130,000
_ERROR_PIPE = 20  # beyond the inputs
_MAX_INHERITED = 256


class Order(TypedDict):
    """What to start and how: the JSON that the referee sends to the supervisor server for each bot."""

    command: list[str]
    """The first word is the path of the program."""
    folder: str
    environment: dict[str, str]
    resources: dict[str, int]
    """Limits of each single process, by the names of setrlimit without `RLIMIT_`."""
    memory: int
    """Bytes that all processes of the bot may use together."""
    processes: int
    """Processes and threads that may be below the supervisor: the bot's and the sandbox's own."""
    files: int
    """Open files and watches of `epoll` that all processes of the bot may have together."""
    cgroup: str
    """The folder in which each bot gets a control group; empty for none."""
    tmpfs_size: int
    """The size of each file system in memory that the bot's sandbox has; 0 without the sandbox."""
    inputs: list[str]
    """Contents, in hex, of files that the process finds open from descriptor `FIRST_INPUT` on."""
    cores: list[int]
    """The cores that the bot may use; empty: those of the supervisor server."""


def child_exit_pipe() -> int:
    """A descriptor that becomes readable whenever a child of this process has ended."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def drain(reader: int) -> None:
    """Read a non-blocking pipe until it is empty."""
    with suppress(BlockingIOError):
        while os.read(reader, 512):
            pass


class Supervisor:
    """The supervisor of one bot, in a process of its own.

    `pipes`: the bot's ends of its stdin, stdout and stderr. `control`: the descriptor of the control socket.
    """

    def __init__(self, order: Order, pipes: list[int], control: int) -> None:
        self._order = order
        self._pipes = pipes
        self._control = socket.socket(fileno=control)
        self._bot = 0
        self._ended: tuple[int, int] | None = None  # wait status and peak memory of the bot's first process
        self._peak = 0
        self._cgroup = BotCgroup(order["cgroup"], os.getpid())

    def run(self) -> None:
        """Start the bot, wait for its end, and kill all that it started."""
        become_subreaper()
        resume_when_orphaned()
        self._report(f"supervised {os.getpid()}")
        child_exits = child_exit_pipe()
        try:
            self._cgroup.create(self._order["memory"], self._order["processes"])
            error = self._start()
        except OSError as refused:
            error = refused.errno or 1
        if error:
            self._cgroup.remove()
            self._report(f"failed {error}")
            return
        self._report(f"started {self._bot}")
        exceeded = self._watch(child_exits)
        if exceeded or self._ended:
            self._report(exceeded or self._ending())
        with suppress(OSError):
            os.killpg(self._bot, signal.SIGKILL)
        kill_below(os.getpid())
        self._reap()
        self._cgroup.remove()

    def _watch(self, child_exits: int) -> str:
        """Wait until the bot has ended, the referee is gone or a limit is exceeded. Returns the limit's line, or ""."""
        poller = select.poll()
        poller.register(self._control.fileno(), select.POLLIN)
        poller.register(child_exits, select.POLLIN)
        checked = monotonic()
        while True:
            ready = poller.poll(CHECK_SECONDS * 1000)
            drain(child_exits)
            self._reap()
            if self._ended or any(descriptor != child_exits for descriptor, _ in ready):
                return ""
            if monotonic() - checked >= CHECK_SECONDS:
                checked = monotonic()
                exceeded = self._exceeded_limit()
                if exceeded:
                    return exceeded

    def _exceeded_limit(self) -> str:
        """The line for the limit that the bot exceeds now, or ""."""
        order = self._order
        usage = Usage(os.getpid(), order["tmpfs_size"])
        memory = usage.memory()
        if memory > order["memory"]:
            memory = usage.exact_memory(order["memory"])
        self._peak = max(self._peak, memory)
        if memory > order["memory"]:
            return f"memory {memory}"
        if (threads := usage.threads()) > order["processes"]:
            return f"processes {threads}"
        if (mappings := usage.mappings()) > MAX_MAPPINGS:
            return f"mappings {mappings}"
        files = usage.files(order["files"])
        return f"files {files}" if files > order["files"] else ""

    def _reap(self) -> bool:
        """Collect children that have ended. Returns whether children remain."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self._bot and not os.WIFSTOPPED(status):  # a bot may make us its tracer and stop
                unit = 1 if sys.platform == "darwin" else 1024
                self._ended = status, max(self._peak, usage.ru_maxrss * unit)

    def _ending(self) -> str:
        assert self._ended
        status, peak = self._ended
        if self._cgroup.ran_out_of_memory():
            return f"memory {self._order['memory']}"
        if os.WIFSIGNALED(status):
            return f"killed {os.WTERMSIG(status)} {peak}"
        return f"exited {os.WEXITSTATUS(status)} {peak}"

    def _report(self, line: str) -> None:
        with suppress(OSError):
            self._control.sendall(line.encode() + b"\n")

    def _start(self) -> int:
        """Fork the bot. Returns 0, or the errno that kept its program from starting."""
        reader, writer = os.pipe()
        self._bot = os.fork()
        if self._bot == 0:
            self._become_bot(writer)
        os.close(writer)
        for pipe in self._pipes:
            os.close(pipe)
        with os.fdopen(reader, "rb") as file:  # ends without a number once the program runs: the pipe closes on exec
            return int(file.read() or 0)

    def _become_bot(self, writer: int) -> NoReturn:
        """In the child: set up its group, descriptors, limits and folder, and run the program."""
        try:
            os.setsid()
            os.dup2(writer, _ERROR_PIPE, inheritable=False)
            self._cgroup.join()
            for number, pipe in enumerate(self._pipes):
                os.dup2(pipe, number)
            os.closerange(3, _ERROR_PIPE)
            os.closerange(_ERROR_PIPE + 1, _MAX_INHERITED)
            self._open_inputs()
            self._set_limits()
            if self._order["cores"]:
                os.sched_setaffinity(0, self._order["cores"])
            os.chdir(self._order["folder"])
            uid = str(_FIRST_UID + int.from_bytes(os.urandom(4), "big") % _UIDS)
            command = [word.replace(UID, uid) for word in self._order["command"]]
            os.execve(command[0], command, self._order["environment"])
        except OSError as error:
            os.write(_ERROR_PIPE, str(error.errno or 1).encode())
        finally:
            os._exit(127)

    def _open_inputs(self) -> None:
        for number, content in enumerate(self._order["inputs"], FIRST_INPUT):
            file = os.memfd_create("input")
            os.write(file, bytes.fromhex(content))
            os.lseek(file, 0, os.SEEK_SET)
            assert file == number
            os.set_inheritable(file, True)

    def _set_limits(self) -> None:
        for name, value in self._order["resources"].items():
            number = getattr(resource, f"RLIMIT_{name}", None)
            if number is None:
                continue
            hard = resource.getrlimit(number)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            with suppress(ValueError, OSError):  # a system that does not know it
                resource.setrlimit(number, (value, value))
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, and inherited
            signal.signal(ignored, signal.SIG_DFL)
