"""One bot process: write it a line, read the line that answers within a deadline, keep its stderr, end it.

Usually a decision is one exchange (line_exchange.py): a write, a poll and a read. Whatever else a bot may do (answer
late, write half a line, fill stderr, not read, exit) goes through the loop in `_wait`, which polls all three pipes. No
read or write blocks.

The deadline counts the seconds that polls took, less what clock_metering.py attributes to other programs. If this
process itself was stopped or starved and wakes late, only the planned length of the poll counts.
"""

from __future__ import annotations

import os
import re
import select
import signal
from collections.abc import Sequence
from contextlib import suppress
from math import ceil, inf
from time import monotonic, sleep
from typing import BinaryIO, Final

from .. import mypyc_attr
from ..game_result import Failure, FaultKind, Loss, Refused
from ..printing.text import counted
from ..system import cores, signal_name
from .clock_metering import MEASURE_AFTER, Meter, counted_seconds
from .limits import DEFAULT_LIMITS, KIB, Limits, size_of
from .line_exchange import ANSWERED, CLOSED, LATE, UNASKED, LineExchange
from .sandbox import bubblewrap
from .spawn import CORES, read_now
from .stderr_tail import STDERR_FILE, Tail
from .supervision.usage import MAX_MAPPINGS
from .transport.base import Transport

_READ: Final = 64 * KIB
_POLL_SECONDS: Final = 0.1
MIN_SPENT: Final = 1e-6
"""The shortest time, in seconds, that an answer takes on the clock."""
_PAUSE: Final = 0.05
"""Seconds since the last answer after which the processor time used meanwhile is checked before the next question."""
_CLOSED_POLLS = 2
"""Polls in a row that must find no process with stdout open for writing: the writer could be missed during a fork."""
_EXIT_SECONDS = 0.2
"""For a process to exit after it has closed a pipe."""
_REPORT_SECONDS = 10.0
"""For the supervisor to report how an exiting process ended."""
REFUSED = re.compile(
    r"MemoryError|OutOfMemoryError|out of memory|bad_alloc|annot allocate memory|Too many open files|EMFILE|"
    r"File too large|EFBIG|No space left on device|ENOSPC|Resource temporarily unavailable|EAGAIN|"
    r"can't start new thread"
)
"""What programs in several languages print when the system refuses them a resource."""
_SIGNALS = frozenset(map(int, signal.Signals))
_WAS_REFUSED = "ended when it was refused more of the machine"
_NEAR_LIMIT = 0.8
"""A process that fails after using this share of the memory it is allowed counts as out of memory."""


@mypyc_attr(allow_interpreted_subclasses=True)
class BotProcess(Transport):
    """A running bot and the pipes to it. `stop` or `quit` must be called. Raises OSError if it does not start.

    `stderr_file`: receives what the bot writes to stderr. `bot_path`, `all_cores`, `gateway`: see `bubblewrap.start`.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        stderr_file: BinaryIO | None = None,
        limits: Limits = DEFAULT_LIMITS,
        bot_path: str = "",
        all_cores: bool = False,
        gateway: str = "",
    ) -> None:
        super().__init__()
        self._limits = limits
        self._process = process = bubblewrap.start(command, folder, limits, bot_path, all_cores, gateway)
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._tail = Tail(stderr_file, limits.stderr, STDERR_FILE)
        self._poller = select.poll()
        self._poller.register(self._stdout, select.POLLIN)
        self._poller.register(self._stderr, select.POLLIN)
        self._exchange = LineExchange(self._stdin, self._stdout, self._stderr, limits.line)
        self._silent = True  # nothing has ever been read from it
        self._stopped = False
        self._answered = 0.0  # when the last answer was read
        self._measured = False  # whether the meter was read after the last answer
        self._meter = Meter(process, len(CORES) if all_cores and CORES else cores())

    def begin_game(self) -> None:
        """Count the processor time of a new game from now on."""
        self._meter.begin_game()
        self._answered = monotonic()

    @property
    def stderr_tail(self) -> str:
        """The end of what the process wrote to stderr; bytes that are not UTF-8 as escapes."""
        return self._tail.text()

    def ask(self, line: bytes, seconds: float) -> bytes | Failure:
        self.spent = self.refund = 0.0
        self._meter.is_asked = True
        try:
            return self._ask(line, seconds)
        finally:
            self._meter.is_asked = False

    def _ask(self, line: bytes, seconds: float) -> bytes | Failure:
        timeout = _POLL_SECONDS if seconds > _POLL_SECONDS else seconds
        latest = 0.0 if self._measured else self._answered + _PAUSE
        written, chunk, started, ended = self._exchange.ask(line, timeout, latest)
        if written == UNASKED:
            failure = self._unasked_output()
            if failure:
                return failure
            written, chunk, started, ended = self._exchange.ask(line, timeout, latest)
        if written == LATE:
            failure = self._overused()
            if failure:
                return failure
            written, chunk, started, ended = self._exchange.ask(line, timeout, inf)
        if written == ANSWERED:
            assert chunk is not None
            self._answered = ended
            self.spent = spent = counted_seconds(ended - started, timeout)
            self._silent = False
            meter = self._meter
            meter.asked = asked = meter.asked + spent
            if asked > MEASURE_AFTER:
                self._deduct()
            return chunk
        if written == CLOSED:
            return self._gone("closed its input")
        self._count(counted_seconds(ended - started, timeout))
        if chunk == b"":
            return self._gone("closed its output")
        answer = self._wait(memoryview(line)[max(0, written) :], bytearray(chunk or b""), seconds)
        self._answered = monotonic()
        self._deduct()
        return answer

    def send(self, line: bytes, seconds: float) -> Failure | None:
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
        """Whether the process runs and has written nothing to stdout since its last answer."""
        return not self._poller.poll(0) or self._unasked_output() is None

    def quit(self, line: bytes, seconds: float) -> str | None:
        """Write a last line, close the bot's stdin, and stop the process if it does not exit within `seconds`.

        Returns how it exited; None if it had to be stopped.
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
        """Kill the process and all that it started, and close the pipes. The end of its stderr stays available."""
        if self._stopped:
            return
        self._stopped = True
        self._meter.close()
        self._process.kill()
        self._drain_stderr()
        self._process.close()

    def _overused(self) -> Failure | None:
        """The failure if it used more processor time than allowed: in this game, or outside its questions."""
        self._meter.measure()
        self._measured = False
        used, idle, limits = self._meter.used, self._meter.idle, self._limits
        if idle > limits.idle_cpu:
            detail = f"used {idle:.1f} seconds of processor time while others thought"
            return Failure(FaultKind.RESOURCE, f"{detail}, and {limits.idle_cpu:g} are allowed in a game")
        if used > limits.cpu:
            allowed = counted(limits.cpu, "second")
            return Failure(FaultKind.RESOURCE, f"used more than {allowed} of processor time in a game")
        return None

    def _count(self, seconds: float) -> None:
        """Add to the time that the current question takes."""
        self.spent += seconds
        self._meter.asked += seconds

    def _deduct(self) -> None:
        """Deduct from the clock what belongs to other programs."""
        remaining = self.spent - self._meter.measure()
        self._measured = True
        self.spent, self.refund = max(MIN_SPENT, remaining), self.refund + max(0.0, -remaining)

    def _wait(self, rest: memoryview, got: bytearray, seconds: float, answered: bool = True) -> bytes | Failure:
        """Write the rest of a line and read until one line is complete or the time is up.

        `got`: the part of the answer that was read already. `answered`: False for a line that gets no answer.
        """
        if rest:
            self._poller.register(self._stdin, select.POLLOUT)
        exited = False
        closed_polls = stderr_size = 0
        last = monotonic()
        while True:
            if got:
                self._silent = False
                if rest or b"\n" in got or len(got) > self._limits.line:
                    return self._checked_answer(got, bool(rest))
            elif not rest and not answered:
                return b""
            if self.spent >= seconds:
                self._deduct()
            if self.spent >= seconds:
                return Failure(FaultKind.TIMEOUT, self._timeout_detail(got, rest, seconds))
            if self._is_given_up():
                return Failure(FaultKind.TIMEOUT, "was not waited for")
            timeout = min(seconds - self.spent, _POLL_SECONDS)
            events = self._poller.poll(0 if exited else ceil(timeout * 1000))
            now = monotonic()
            self._count(counted_seconds(now - last, timeout))
            last = now
            if not events:
                if exited:
                    return self._gone("exited")
                self._meter.sample()
                exited = self._exit_status() is not None  # its pipes may be held open by processes that it started
                closed = self._limits.sandbox and self._process.has_closed_output()
                closed_polls = closed_polls + 1 if closed else 0
                if closed_polls == _CLOSED_POLLS:
                    return self._gone("closed its output", bytes(got))
            for descriptor, _ in events:
                if descriptor == self._stderr:
                    stderr_size += self._read_stderr()
                    if stderr_size > self._limits.output:
                        detail = f"wrote {size_of(stderr_size)} to stderr instead of an answer"
                        return Failure(FaultKind.RESOURCE, detail)
                elif descriptor == self._stdout:
                    chunk = read_now(self._stdout, _READ)
                    if chunk == b"":
                        return self._gone("closed its output", bytes(got))
                    got += chunk or b""
                else:
                    try:
                        written = os.write(self._stdin, rest)  # not within the slice: mypyc evaluates that twice
                    except BlockingIOError:
                        continue
                    except OSError:
                        return self._gone("closed its input")
                    rest = rest[written:]
                    if not rest:
                        self._poller.unregister(self._stdin)

    def _checked_answer(self, got: bytearray, early: bool) -> bytes | Failure:
        """What was read if it is exactly one line, else the failure. `early`: the question is not written yet."""
        if early:
            return Failure(FaultKind.PROTOCOL, f"answered before it was asked to the end: {_excerpt(got)}")
        end = got.find(b"\n") + 1
        max_size = self._limits.line
        if not 0 < end <= max_size:
            return Failure(FaultKind.PROTOCOL, f"wrote a line of more than {max_size} bytes: {_excerpt(got)}")
        if end < len(got):
            return Failure(
                FaultKind.PROTOCOL, f"wrote more than one line: {_excerpt(got[:end])}, then {_excerpt(got[end:])}"
            )
        return bytes(got)

    def _unasked_output(self) -> Failure | None:
        """Read what the bot wrote before it was asked. Output to stderr is fine; a line or a closed stdout is not."""
        for descriptor, _ in self._poller.poll(0):
            if descriptor == self._stderr:
                self._read_stderr()
                continue
            chunk = read_now(self._stdout, _READ)
            if chunk is None:
                continue
            if not chunk:
                return self._gone("closed its output")
            return Failure(FaultKind.PROTOCOL, f"wrote without being asked: {_excerpt(chunk)}")
        return None

    def _gone(self, otherwise: str, half: bytes = b"") -> Failure:
        """The failure of a process that closed a pipe: how it exited, or `otherwise` if it runs on."""
        status = self._await_exit(_EXIT_SECONDS)
        if status is None and self._process.is_ending():
            status = self._await_exit(_REPORT_SECONDS)
        if self._has_lost_supervisor():
            return Loss(FaultKind.CRASH, "lost its supervisor")
        after = f" after half a line, {_excerpt(half)}" if half else " without an answer"
        exceeded = self._exceeded_limit()
        if exceeded:
            failure = Refused if exceeded.startswith(_WAS_REFUSED) else Failure
            return failure(FaultKind.RESOURCE, exceeded)
        return Failure(FaultKind.CRASH, (status or otherwise) + after)

    def _has_lost_supervisor(self) -> bool:
        """Whether its supervisor or bubblewrap's outer process was killed, which no bot in the sandbox can reach."""
        match self._process.ending():
            case ["lost"]:
                return True
            case ["killed", number, _]:
                return self._limits.sandbox and int(number) != signal.SIGXFSZ
        return False

    def _exceeded_limit(self) -> str:
        """The limit that ended the process, in words; "" if it ended otherwise."""
        match self._process.ending():
            case ["memory", used]:
                return f"used {size_of(int(used))} of memory, and {size_of(self._limits.memory)} are allowed"
            case ["processes", count]:
                return f"had {count} processes and threads, and {self._limits.processes} are allowed"
            case ["mappings", count]:
                return f"had {count} mappings of memory, and {MAX_MAPPINGS} are allowed"
            case ["files", count]:
                return f"had {count} open files and epoll watches, and {self._limits.all_files} are allowed"
            case ["killed", number, _] if int(number) == signal.SIGXFSZ:
                return f"wrote a file of more than {size_of(self._limits.file_size)}"
            case ["exited" | "killed", status, peak] if status != "0":
                self._drain_stderr()
                refused = REFUSED.search(self.stderr_tail[-2000:])
                if refused:
                    return f"{_WAS_REFUSED}: {refused[0]}"
                if int(peak) > _NEAR_LIMIT * self._limits.memory:
                    return f"ended with {size_of(int(peak))} of memory, and {size_of(self._limits.memory)} are allowed"
        return ""

    def _timeout_detail(self, got: bytearray, rest: memoryview, seconds: float) -> str:
        if rest:
            return f"did not read its input within {counted(seconds, 'second')}"
        hint = "; does it end its lines with a newline?" if got else "; are its lines flushed?" if self._silent else ""
        half = f" but half a line, {_excerpt(got)}," if got else ""
        return f"gave no answer{half} within {counted(seconds, 'second')}{hint}"

    def _exit_status(self) -> str | None:
        """How the process ended, in words; None while it runs."""
        match self._process.ending():
            case None:
                return None
            case ["exited", status, _] if self._limits.sandbox and int(status) - 128 in _SIGNALS:
                return f"was killed by {signal_name(int(status) - 128)}"  # as bubblewrap reports it
            case ["exited", status, _]:
                return f"exited with status {status}"
            case ["killed", number, _]:
                return f"was killed by {signal_name(int(number))}"
        return "was stopped"

    def _await_exit(self, seconds: float) -> str | None:
        """Wait for the process to exit and empty its pipes meanwhile. Returns None if it does not exit in time."""
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
            self._exchange.ignore_stderr()
        return len(chunk or b"")

    def _drain_stderr(self) -> None:
        """Read what a dead process left in the pipe, at most what a pipe holds: others may still write to it."""
        for _ in range(16):
            chunk = read_now(self._stderr, _READ)
            if not chunk:
                return
            self._tail.add(chunk)


def _excerpt(data: bytes | bytearray) -> str:
    """The first 80 bytes as a Python literal."""
    text = repr(bytes(data[:80]))[1:]
    return f"{text} and more" if len(data) > 80 else text
