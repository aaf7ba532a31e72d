"""One bot process: starting it, one line there and one line back within a deadline, its stderr, and its end.

This is the only place that starts processes. The good path of a decision is one write and one read; everything that
a bot may do instead goes through one loop that waits for all three pipes and never for the bot.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from time import monotonic, sleep
from typing import BinaryIO

import msgspec

from ..results import FaultKind

MAX_LINE = 64 * 1024
"""The longest line that a bot may write, in bytes, its newline included."""
STDERR_TAIL = 8 * 1024
"""How much of a bot's stderr is kept, in bytes: the last."""
STDERR_FILE = 64 * 1024 * 1024
"""How much of a process's stderr goes to a file, in bytes: the first."""
_READ = MAX_LINE
# The longest wait at one go, in seconds, and how much later than planned the referee may wake. When it wakes later
# still, it was itself stopped or starved; then only the planned wait counts, so that this costs no bot its game.
_SLICE = 0.1
_OVERSLEPT = 0.05
_ROOT = Path(__file__).parent.parent.parent
_INSTALLED = _ROOT.name in ("site-packages", "dist-packages")


class Failure(msgspec.Struct, frozen=True):
    """What went wrong with a bot, and a sentence on it that begins with a verb."""

    kind: FaultKind
    detail: str


class Channel:
    """A running process and the pipes to it. `stop` or `quit` must be called. Raises OSError if it does not start."""

    def __init__(self, command: Sequence[str], folder: str, stderr_file: BinaryIO | None = None) -> None:
        self._process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=_environment(command),
            start_new_session=True,  # Ctrl-C is for the referee; and the group can be killed whole
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._stderr = self._process.stderr.fileno()
        os.set_blocking(self._stdin, False)
        self._tail = _Tail(stderr_file)
        self._poller = select.poll()
        self._poller.register(self._stdout, select.POLLIN)
        self._poller.register(self._stderr, select.POLLIN)
        self._only_answer = [(self._stdout, select.POLLIN)]
        self._silent = True  # nothing was ever read from it
        self._stopped = False
        self.spent = 0.0
        """Seconds that the last question took, as the clock counts them."""

    @property
    def stderr_tail(self) -> str:
        """The last of what the process wrote to stderr; bytes that are no UTF-8 as escapes."""
        return self._tail.text()

    def ask(self, line: bytes, seconds: float) -> bytes | Failure:
        """Write a line and return the line that answers it, or what went wrong. After a failure only `stop` helps."""
        self.spent = 0.0
        if self._poller.poll(0):
            failure = self._unasked()
            if failure:
                return failure
        started = monotonic()
        try:
            written = os.write(self._stdin, line)
        except BlockingIOError:
            written = 0
        except OSError:
            return self._gone("closed its input")
        got = b""
        wait = min(seconds, _SLICE)
        if written == len(line) and self._poller.poll(ceil(wait * 1000)) == self._only_answer:
            got = os.read(self._stdout, _READ)
            if got.find(b"\n") + 1 == len(got) > 0:
                self.spent = _counted(monotonic() - started, wait)
                self._silent = False
                return got
            if not got:
                return self._gone("closed its output")
        self.spent = _counted(monotonic() - started, wait)
        return self._wait(memoryview(line)[written:], bytearray(got), seconds)

    def send(self, line: bytes, seconds: float) -> Failure | None:
        """Write a line that is not answered."""
        self.spent = 0.0
        try:
            written = os.write(self._stdin, line)
        except BlockingIOError:
            written = 0
        except OSError:
            return self._gone("closed its input")
        if written == len(line):
            return None
        answer = self._wait(memoryview(line)[written:], bytearray(), seconds, answered=False)
        return answer if isinstance(answer, Failure) else None

    def is_idle(self) -> bool:
        """Whether the process is there and has written nothing that was not asked for."""
        return not self._poller.poll(0) or self._unasked() is None

    def quit(self, line: bytes, seconds: float) -> None:
        """Write a last line, close the input, and give the process so long to exit before it is stopped."""
        if not self._stopped:
            with suppress(OSError):
                os.write(self._stdin, line)
            with suppress(OSError):
                self._process.stdin.close()  # type: ignore[union-attr]
            self._await_exit(seconds)
        self.stop()

    def stop(self) -> None:
        """Kill the process and its group, and leave nothing open. What it last wrote to stderr is kept."""
        if self._stopped:
            return
        self._stopped = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)  # before it is waited for: its number can't be another's
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        self._drain_stderr()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]

    def _wait(self, rest: memoryview, got: bytearray, seconds: float, answered: bool = True) -> bytes | Failure:
        """The long way: write what is left, read until one line is whole or the time is up."""
        if rest:
            self._poller.register(self._stdin, select.POLLOUT)
        exited = False
        last = monotonic()
        while True:
            if got:
                self._silent = False
                if rest or b"\n" in got or len(got) > MAX_LINE:
                    return _whole(got, bool(rest))
            elif not rest and not answered:
                return b""
            if self.spent >= seconds:
                return Failure(FaultKind.TIMEOUT, self._late(got, rest, seconds))
            wait = min(seconds - self.spent, _SLICE)
            events = self._poller.poll(0 if exited else ceil(wait * 1000))
            now = monotonic()
            self.spent += _counted(now - last, wait)
            last = now
            if not events:
                if exited:
                    return self._gone("exited")
                exited = self._exit_status() is not None  # while others hold its pipes open, they do not end
            for descriptor, _ in events:
                if descriptor == self._stderr:
                    self._read_stderr()
                elif descriptor == self._stdout:
                    chunk = os.read(self._stdout, _READ)
                    if not chunk:
                        return self._gone("closed its output", bytes(got))
                    got += chunk
                else:
                    try:
                        rest = rest[os.write(self._stdin, rest) :]
                    except BlockingIOError:
                        continue
                    except OSError:
                        return self._gone("closed its input")
                    if not rest:
                        self._poller.unregister(self._stdin)

    def _unasked(self) -> Failure | None:
        """What there is to read before anything was asked: its stderr is fine, a line or an end is not."""
        for descriptor, _ in self._poller.poll(0):
            if descriptor == self._stderr:
                self._read_stderr()
                continue
            chunk = os.read(self._stdout, _READ)
            if not chunk:
                return self._gone("closed its output")
            return Failure(FaultKind.PROTOCOL, f"wrote without being asked: {_shown(chunk)}")
        return None

    def _gone(self, otherwise: str, half: bytes = b"") -> Failure:
        """The process ended, or closed a pipe and may live on."""
        status = self._await_exit(0.2)
        after = f" after half a line, {_shown(half)}" if half else " without an answer"
        return Failure(FaultKind.CRASH, (status or otherwise) + after)

    def _late(self, got: bytearray, rest: memoryview, seconds: float) -> str:
        if rest:
            return f"did not read its input within {seconds:g} seconds"
        hint = "; are its lines flushed?" if self._silent else ""
        half = f" but half a line, {_shown(got)}," if got else ""
        return f"gave no answer{half} within {seconds:g} seconds{hint}"

    def _exit_status(self) -> str | None:
        """How the process ended, in words; None while it runs. It is not waited for: its number stays taken."""
        found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        if found.si_code == os.CLD_EXITED:
            return f"exited with status {found.si_status}"
        return f"was killed by {signal.Signals(found.si_status).name}"

    def _await_exit(self, seconds: float) -> str | None:
        """The status once the process has ended, its pipes emptied meanwhile; None when it does not end in time."""
        until = monotonic() + seconds
        pause = 0.0005
        while (status := self._exit_status()) is None and monotonic() < until:
            for descriptor, _ in self._poller.poll(0):
                if descriptor == self._stderr:
                    self._read_stderr()
                elif descriptor == self._stdout and not os.read(self._stdout, _READ):
                    self._poller.unregister(self._stdout)
            sleep(pause)
            pause = min(2 * pause, 0.02)
        return status

    def _read_stderr(self) -> None:
        chunk = os.read(self._stderr, _READ)
        if chunk:
            self._tail.add(chunk)
        else:
            self._poller.unregister(self._stderr)

    def _drain_stderr(self) -> None:
        """What a dead process left in the pipe; no more than pipes hold, as others may still write there."""
        poller = select.poll()
        poller.register(self._stderr, select.POLLIN)
        for _ in range(16):
            if not poller.poll(0):
                return
            chunk = os.read(self._stderr, _READ)
            if not chunk:
                return
            self._tail.add(chunk)


class _Tail:
    """The last of a stream in memory, and the first of it in a file if there is one."""

    def __init__(self, file: BinaryIO | None) -> None:
        self._last = bytearray()
        self._file = file
        self._room = STDERR_FILE

    def add(self, chunk: bytes) -> None:
        self._last += chunk
        if len(self._last) > 2 * STDERR_TAIL:
            del self._last[:-STDERR_TAIL]
        if self._file and self._room > 0:
            self._file.write(chunk[: self._room])
            self._room -= len(chunk)

    def text(self) -> str:
        return self._last[-STDERR_TAIL:].decode("utf-8", "backslashreplace")


def _counted(passed: float, planned: float) -> float:
    """The seconds of a wait that count as the bot's."""
    return passed if passed <= planned + _OVERSLEPT else planned


def _whole(got: bytearray, early: bool) -> bytes | Failure:
    """The one line in what was read, or why it is not one."""
    if early:
        return Failure(FaultKind.PROTOCOL, f"answered before it was asked to the end: {_shown(got)}")
    end = got.find(b"\n") + 1
    if not 0 < end <= MAX_LINE:
        return Failure(FaultKind.PROTOCOL, f"wrote a line of more than {MAX_LINE} bytes: {_shown(got)}")
    if end < len(got):
        return Failure(FaultKind.PROTOCOL, f"wrote more than one line: {_shown(got[:end])}, then {_shown(got[end:])}")
    return bytes(got)


def _shown(data: bytes | bytearray) -> str:
    """The beginning of what a bot wrote, as a Python literal."""
    text = repr(bytes(data[:80]))[1:]
    return f"{text} and more" if len(data) > 80 else text


def _environment(command: Sequence[str]) -> Mapping[str, str]:
    """Ours; a Python bot run by our own Python also finds `fa_cli` where it is not installed."""
    environment = dict(os.environ)
    if command[0] == sys.executable and not _INSTALLED:
        paths = [str(_ROOT), *filter(None, [environment.get("PYTHONPATH")])]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    return environment


def run_to_end(command: Sequence[str], folder: Path, seconds: float) -> tuple[int | None, str]:
    """Run a command and wait: its status, None if it took too long, and the last of what it printed.

    Raises OSError if it does not start.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
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
        output.seek(max(0, output.seek(0, os.SEEK_END) - STDERR_TAIL))
        return status, output.read().decode("utf-8", "backslashreplace")
