"""One bot process: starting it, one line there and one line back within a deadline, its stderr, and its end.

The good path of a decision is one write and one read; everything that a bot may do instead goes through one loop that
waits for all three pipes and never for the bot.
"""

from __future__ import annotations

import os
import re
import select
import signal
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from time import monotonic, sleep
from typing import BinaryIO

from ..results import Failure, FaultKind
from ..system import cores
from .limits import DEFAULT_LIMITS, KIB, MIB, Limits
from .metering import LOOK_AFTER, Meter
from .sandbox import bubblewrap
from .spawn import CORES, read_now
from .tail import Tail

_READ = 64 * KIB
# The longest wait at one go, in seconds, and how much later than planned the referee may wake. When it wakes later
# still, it was itself stopped or starved; then only the planned wait counts, so that this costs no bot its game.
_SLICE = 0.1
_OVERSLEPT = 0.05
_LEAST = 1e-6  # seconds that an answer takes on the clock
_PAUSE = 0.05  # seconds since the last answer after which processor time is looked at before the next question
# So often in a row, a slice apart, nothing may be seen that could still write the answer: it could be in a fork.
_LOOKS = 2
# How long who has closed a pipe may take to end, and how long it may then take to be told how it ended.
_END_GRACE = 0.2
_WORD_GRACE = 10.0
# The last words of programs in several languages that were refused something.
_REFUSED = re.compile(
    r"MemoryError|OutOfMemoryError|out of memory|bad_alloc|annot allocate memory|Too many open files|EMFILE|"
    r"File too large|EFBIG|No space left on device|ENOSPC|Resource temporarily unavailable|EAGAIN|"
    r"can't start new thread"
)
_NEARLY = 0.8  # of the memory that is allowed: who has had that much and fails, fails for it


class BotProcess:
    """A running process and the pipes to it. `stop` or `quit` must be called. Raises OSError if it does not start."""

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        stderr_file: BinaryIO | None = None,
        limits: Limits = DEFAULT_LIMITS,
        own: str = "",
        spread: bool = False,
    ) -> None:
        self._limits = limits
        self._process = process = bubblewrap.start(command, folder, limits, own, spread)
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._tail = Tail(stderr_file, limits.stderr)
        self._poller = select.poll()
        self._poller.register(self._stdout, select.POLLIN)
        self._poller.register(self._stderr, select.POLLIN)
        self._only_answer = [(self._stdout, select.POLLIN)]
        self._silent = True  # nothing was ever read from it
        self._stopped = False
        self._answered = 0.0
        self._looked = False  # at its processor time, since the last question: what it waits for now is not in one
        self._meter = Meter(process, limits, len(CORES) if spread and CORES else cores())
        self.spent = 0.0
        """Seconds that the last question took, as the clock counts them."""
        self.refund = 0.0
        """Seconds to be taken off what earlier questions took: others had the core."""

    def begin_game(self) -> None:
        """From here on the processor time of another game counts."""
        self._meter.begin_game()
        self._answered = monotonic()

    @property
    def stderr_tail(self) -> str:
        """The last of what the process wrote to stderr; bytes that are no UTF-8 as escapes."""
        return self._tail.text()

    def ask(self, line: bytes, seconds: float) -> bytes | Failure:
        """Write a line and return the line that answers it, or what went wrong. After a failure only `stop` helps."""
        self.spent = self.refund = 0.0
        if self._poller.poll(0):
            failure = self._unasked()
            if failure:
                return failure
        meter = self._meter
        started = monotonic()
        if self._looked or meter.used > self._limits.cpu or started - self._answered > _PAUSE:
            failure = self._overused()
            if failure:
                return failure
            started = monotonic()
        meter.is_asked = True
        try:
            return self._ask(line, seconds, started)
        finally:
            meter.is_asked = False

    def _ask(self, line: bytes, seconds: float, started: float) -> bytes | Failure:
        try:
            written = os.write(self._stdin, line)
        except BlockingIOError:
            written = 0
        except OSError:
            return self._gone("closed its input")
        got: bytes | None = None
        wait = min(seconds, _SLICE)
        if written == len(line) and self._poller.poll(ceil(wait * 1000)) == self._only_answer:
            got = read_now(self._stdout, _READ)
            if got and got.find(b"\n") + 1 == len(got) <= self._limits.line:
                self._answered = now = monotonic()
                self.spent = taken = _counted(now - started, wait)
                self._silent = False
                self._meter.asked += taken
                if self._meter.asked > LOOK_AFTER:
                    self._deduct()
                return got
            if got == b"":
                return self._gone("closed its output")
        self._pass(_counted(monotonic() - started, wait))
        answer = self._wait(memoryview(line)[written:], bytearray(got or b""), seconds)
        self._answered = monotonic()
        self._deduct()
        return answer

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

    def quit(self, line: bytes, seconds: float) -> str | None:
        """Write a last line, close the input, and give the process so long to exit before it is stopped.

        Returns how it ended; None if it had to be stopped.
        """
        status = None
        if not self._stopped:
            with suppress(OSError):
                os.write(self._stdin, line)
            self._process.close_input()
            status = self._await_exit(seconds)
        self.stop()
        return status

    def stop(self) -> None:
        """Kill the process and all that it started, and leave nothing open. What it last wrote to stderr is kept."""
        if self._stopped:
            return
        self._stopped = True
        self._meter.close()
        self._process.kill()
        self._drain_stderr()
        self._process.close()

    def _overused(self) -> Failure | None:
        """Whether it used more processor time than allowed: in this game, or in it while nobody asked it anything."""
        self._meter.look()
        self._looked = False
        used, idle, limits = self._meter.used, self._meter.idle, self._limits
        if idle > limits.idle_cpu:
            detail = f"used {idle:.1f} seconds of processor time while others thought"
            return Failure(FaultKind.RESOURCE, f"{detail}, and {limits.idle_cpu:g} are allowed in a game")
        if used > limits.cpu:
            return Failure(FaultKind.RESOURCE, f"used more than {limits.cpu:g} seconds of processor time in a game")
        return None

    def _pass(self, seconds: float) -> None:
        """Count time that a question takes."""
        self.spent += seconds
        self._meter.asked += seconds

    def _deduct(self) -> None:
        """Take off the clock what belongs to other programs."""
        left = self.spent - self._meter.look()
        self._looked = True
        self.spent, self.refund = max(_LEAST, left), self.refund + max(0.0, -left)

    def _wait(self, rest: memoryview, got: bytearray, seconds: float, answered: bool = True) -> bytes | Failure:
        """The long way: write what is left, read until one line is whole or the time is up."""
        if rest:
            self._poller.register(self._stdin, select.POLLOUT)
        exited = False
        closed = noise = 0
        last = monotonic()
        while True:
            if got:
                self._silent = False
                if rest or b"\n" in got or len(got) > self._limits.line:
                    return self._whole(got, bool(rest))
            elif not rest and not answered:
                return b""
            if self.spent >= seconds:
                self._deduct()
            if self.spent >= seconds:
                return Failure(FaultKind.TIMEOUT, self._late(got, rest, seconds))
            if self._is_given_up():
                return Failure(FaultKind.TIMEOUT, "was not waited for")
            wait = min(seconds - self.spent, _SLICE)
            events = self._poller.poll(0 if exited else ceil(wait * 1000))
            now = monotonic()
            self._pass(_counted(now - last, wait))
            last = now
            if not events:
                if exited:
                    return self._gone("exited")
                self._meter.sample()
                exited = self._exit_status() is not None  # while others hold its pipes open, they do not end
                closed = closed + 1 if self._limits.sandbox and self._process.has_closed_output() else 0
                if closed == _LOOKS:
                    return self._gone("closed its output", bytes(got))
            for descriptor, _ in events:
                if descriptor == self._stderr:
                    noise += self._read_stderr()
                    if noise > self._limits.output:
                        return Failure(FaultKind.RESOURCE, f"wrote {_size(noise)} to stderr instead of an answer")
                elif descriptor == self._stdout:
                    chunk = read_now(self._stdout, _READ)
                    if chunk == b"":
                        return self._gone("closed its output", bytes(got))
                    got += chunk or b""
                else:
                    try:
                        rest = rest[os.write(self._stdin, rest) :]
                    except BlockingIOError:
                        continue
                    except OSError:
                        return self._gone("closed its input")
                    if not rest:
                        self._poller.unregister(self._stdin)

    def _is_given_up(self) -> bool:
        """Whether nobody wants the answer any more."""
        return False

    def _whole(self, got: bytearray, early: bool) -> bytes | Failure:
        """The one line in what was read, or why it is not one."""
        if early:
            return Failure(FaultKind.PROTOCOL, f"answered before it was asked to the end: {_shown(got)}")
        end = got.find(b"\n") + 1
        most = self._limits.line
        if not 0 < end <= most:
            return Failure(FaultKind.PROTOCOL, f"wrote a line of more than {most} bytes: {_shown(got)}")
        if end < len(got):
            return Failure(
                FaultKind.PROTOCOL, f"wrote more than one line: {_shown(got[:end])}, then {_shown(got[end:])}"
            )
        return bytes(got)

    def _unasked(self) -> Failure | None:
        """What there is to read before anything was asked: its stderr is fine, a line or an end is not."""
        for descriptor, _ in self._poller.poll(0):
            if descriptor == self._stderr:
                self._read_stderr()
                continue
            chunk = read_now(self._stdout, _READ)
            if chunk is None:
                continue
            if not chunk:
                return self._gone("closed its output")
            return Failure(FaultKind.PROTOCOL, f"wrote without being asked: {_shown(chunk)}")
        return None

    def _gone(self, otherwise: str, half: bytes = b"") -> Failure:
        """The process ended, or closed a pipe and may live on."""
        status = self._await_exit(_END_GRACE)
        if status is None and self._process.is_ending():
            status = self._await_exit(_WORD_GRACE)
        after = f" after half a line, {_shown(half)}" if half else " without an answer"
        resource = self._resource()
        if resource:
            return Failure(FaultKind.RESOURCE, resource)
        return Failure(FaultKind.CRASH, (status or otherwise) + after)

    def _resource(self) -> str:
        """What the process used too much of, if it ended for that."""
        match self._process.ending():
            case ["memory", used]:
                return f"used {_size(int(used))} of memory, and {_size(self._limits.memory)} are allowed"
            case ["processes", count]:
                return f"had {count} processes and threads, and {self._limits.processes} are allowed"
            case ["killed", number, _] if int(number) == signal.SIGXFSZ:
                return f"wrote a file of more than {_size(self._limits.file_size)}"
            case ["exited" | "killed", status, peak] if status != "0":
                self._drain_stderr()
                refused = _REFUSED.search(self.stderr_tail[-2000:])
                if refused:
                    return f"ended when it was refused more of the machine: {refused[0]}"
                if int(peak) > _NEARLY * self._limits.memory:
                    return f"ended with {_size(int(peak))} of memory, and {_size(self._limits.memory)} are allowed"
        return ""

    def _late(self, got: bytearray, rest: memoryview, seconds: float) -> str:
        if rest:
            return f"did not read its input within {seconds:g} seconds"
        hint = "; are its lines flushed?" if self._silent else ""
        half = f" but half a line, {_shown(got)}," if got else ""
        return f"gave no answer{half} within {seconds:g} seconds{hint}"

    def _exit_status(self) -> str | None:
        """How the process ended, in words; None while it runs."""
        match self._process.ending():
            case None:
                return None
            case ["exited", status, _] if self._limits.sandbox and _is_signal(int(status) - 128):
                return f"was killed by {signal.Signals(int(status) - 128).name}"  # so bubblewrap puts it
            case ["exited", status, _]:
                return f"exited with status {status}"
            case ["killed", number, _]:
                return f"was killed by {signal.Signals(int(number)).name}"
        return "was stopped"

    def _await_exit(self, seconds: float) -> str | None:
        """The status once the process has ended, its pipes emptied meanwhile; None when it does not end in time."""
        until = monotonic() + seconds
        pause = 0.0005
        while (status := self._exit_status()) is None and monotonic() < until:
            for descriptor, _ in self._poller.poll(0):
                if descriptor == self._stderr:
                    self._read_stderr()
                elif descriptor == self._stdout and read_now(self._stdout, _READ) == b"":
                    self._poller.unregister(self._stdout)
            sleep(pause)
            pause = min(2 * pause, 0.02)
        return status

    def _read_stderr(self) -> int:
        chunk = read_now(self._stderr, _READ)
        if chunk:
            self._tail.add(chunk)
        elif chunk == b"":
            self._poller.unregister(self._stderr)
        return len(chunk or b"")

    def _drain_stderr(self) -> None:
        """What a dead process left in the pipe; no more than pipes hold, as others may still write there."""
        for _ in range(16):
            chunk = read_now(self._stderr, _READ)
            if not chunk:
                return
            self._tail.add(chunk)


def _counted(passed: float, planned: float) -> float:
    """The seconds of a wait that count as the bot's."""
    return passed if passed <= planned + _OVERSLEPT else planned


def _shown(data: bytes | bytearray) -> str:
    """The beginning of what a bot wrote, as a Python literal."""
    text = repr(bytes(data[:80]))[1:]
    return f"{text} and more" if len(data) > 80 else text


def _size(amount: int) -> str:
    """Bytes in words."""
    return f"{amount / MIB:,.0f} MB" if amount >= MIB else f"{amount:,} bytes"


def _is_signal(number: int) -> bool:
    return number in {int(known) for known in signal.Signals}
