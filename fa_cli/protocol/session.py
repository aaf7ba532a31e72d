"""A session with one bot: `hello`, then `start`, `decide` and `end` for each game, finally `quit`.

Nothing that a bot does raises an exception. A fault is a `Failure`; the bot's process is then stopped at once and
restarted for its next game, so no late or extra line can be taken for a later answer.
"""

from __future__ import annotations

import errno
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import UNSET

from .. import mypyc_attr
from ..game_result import Failure, FaultKind, Loss, Refused
from ..printing.text import listed, printable
from . import decision_lines
from .messages import Answer, Clock, End, Hello, Json, Quit, Ready, Start
from .nesting import MOST_LEVELS, check_nesting

# Final: compiled code looks up other names of a module in a dict, each time
_decide_line: Final = decision_lines.decide_line
_plain_action: Final = decision_lines.plain_action
_encode: Final = msgspec.json.Encoder().encode
_decode_ready: Final = msgspec.json.Decoder(Ready).decode
_decode_answer: Final = msgspec.json.Decoder(Answer).decode
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_HELLO = _encode(Hello()) + b"\n"
_QUIT = _encode(Quit()) + b"\n"
_LACKS = (errno.EAGAIN, errno.ENOMEM, errno.ENOSPC)
_QUOTES = 6
"""Quotation marks of an answer with `id` and `action`. An answer with a field twice has more."""


def _ignore_wait(seat: int, seconds: float) -> None: ...


@mypyc_attr(allow_interpreted_subclasses=True)
class Connection(ABC):
    """A running bot, as a session uses it: lines to it and back, within deadlines. Times are in seconds."""

    def __init__(self) -> None:
        self.spent = 0.0
        """The time that the last question took on the bot's clock."""
        self.refund = 0.0
        """The time by which earlier questions were counted too long: other programs had the core."""

    @property
    @abstractmethod
    def stderr_tail(self) -> str:
        """The end of what the bot wrote to stderr; bytes that are not UTF-8 as escapes."""

    @abstractmethod
    def begin_game(self) -> None:
        """Count limits that are per game from now on."""

    @abstractmethod
    def is_idle(self) -> bool:
        """Whether the bot runs and has written nothing since its last answer."""

    @abstractmethod
    def ask(self, line: bytes, seconds: float) -> bytes | Failure:
        """Write a line and return the line that answers it, or the failure. After a failure call `stop`."""

    @abstractmethod
    def send(self, line: bytes, seconds: float) -> Failure | None:
        """Write a line that is not answered."""

    @abstractmethod
    def quit(self, line: bytes, seconds: float) -> str | None:
        """Write a last line. Returns how the bot exited; None if it had to be stopped."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the bot at once. The end of its stderr stays available."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Session:
    """A bot in one seat at a time, for any number of games. `close` must be called.

    `connect` starts the bot and raises OSError if it does not start. `start_seconds`: the bot's time to answer `hello`
    and `start`; `end_seconds`: its time to read `end`, and to exit after `quit`.
    """

    def __init__(self, connect: Callable[[], Connection], start_seconds: float, end_seconds: float) -> None:
        self._connect = connect
        self._start_seconds = start_seconds
        self._end_seconds = end_seconds
        self.ready = Ready("ready")
        """What the bot said of itself."""
        self.wants_legal = self.wants_observation = self.wants_events = True
        self.asked = 0
        """Decisions that the bot was asked for in this game."""
        self.spent = 0.0
        """Seconds that these decisions took."""
        self._connection: Connection | None = None
        self._stderr_tail = ""
        self.on_wait: Callable[[int, float], None] = _ignore_wait
        """Called before each wait for the bot with its seat (-1 outside games) and the longest wait in seconds."""
        self._seat = -1
        self._playing = False
        self._id = 0
        self._clock = Clock()
        self._clock_json = b""
        self._move = 0.0
        self._bank = 0.0
        self._drawn = 0.0  # from the bank since the last refund: the most that can be given back

    @property
    def stderr_tail(self) -> str:
        """The end of what the bot's process wrote to stderr, also after the process has ended."""
        return self._connection.stderr_tail if self._connection else self._stderr_tail

    def greet(self) -> Failure | None:
        """Start the process if none runs, and read the bot's `ready`."""
        failure = self._open() if self._connection is None else None
        return self.fail(failure) if failure else None

    def start(self, message: Start) -> Failure | None:
        """Begin a game, with the process of the last game if it still runs and is idle, else with a new one."""
        if self._connection and (self._playing or not self._connection.is_idle()):
            self.stop()
        self._seat = message.seat
        self.on_wait(message.seat, 4 * self._start_seconds)  # `hello` and `start`, each perhaps twice
        self.asked = 0
        self.spent = 0.0
        reused = self._connection is not None
        line = _encode(message) + b"\n"
        failure = self._begin(line, message.game)
        if failure and failure.kind not in (FaultKind.TIMEOUT, FaultKind.RESOURCE) and reused:
            self.stop()  # that it exited or wrote lines after its last game is not a fault in this one
            failure = self._begin(line, message.game)
        if failure:
            return self.fail(msgspec.structs.replace(failure, kind=FaultKind.START))
        self._playing = True
        assert self._connection
        self._connection.begin_game()
        self._clock = message.clock
        self._clock_json = _encode(message.clock)
        self._move = message.clock.move_ms / 1000
        self._bank = message.clock.bank_ms / 1000
        self._drawn = 0.0
        return None

    def decide(
        self,
        observation: Json = None,
        legal: Json = None,
        events: Json = None,
    ) -> str | Failure:
        """Ask for a decision. Returns the action that the bot names, legal or not; RuntimeError without a game."""
        connection = self._connection
        if connection is None:
            raise RuntimeError("this bot has no game under way")
        self._id = number = self._id + 1
        line = _decide_line(number, self._clock_json, legal, events, observation)
        self.on_wait(self._seat, self._move + self._bank)
        answer = connection.ask(line, self._move + self._bank)
        self._charge(connection.spent, connection.refund)
        action = read_answer(answer, number) if isinstance(answer, bytes) else answer
        return action if isinstance(action, str) else self.fail(action)

    def fail(self, failure: Failure) -> Failure:
        """Stop the bot after a failure, which is returned."""
        self.stop()
        return failure

    def end(self, message: End) -> None:
        """Send the result to the bot, unless it has failed in this game."""
        if self._connection is None or not self._playing:
            return
        self.on_wait(self._seat, self._end_seconds)
        self._playing = self._connection.send(_encode(message) + b"\n", self._end_seconds) is not None

    def stop(self) -> None:
        """Stop the process at once."""
        if self._connection:
            self._connection.stop()
            self._forget()

    def close(self) -> str | None:
        """Let the process exit. Returns how it exited; None if it had to be stopped."""
        exit_status = None
        self.on_wait(-1, self._end_seconds)
        if self._connection:
            if self._playing:
                self._connection.stop()
            else:
                exit_status = self._connection.quit(_QUIT, self._end_seconds)
            self._forget()
        return exit_status

    def _forget(self) -> None:
        assert self._connection
        self._stderr_tail = self._connection.stderr_tail
        self._connection = None
        self._playing = False

    def _begin(self, line: bytes, game: str) -> Failure | None:
        if self._connection is None:
            failure = self._open()
            if failure:
                return failure
        if self.ready.games and game not in self.ready.games:
            return Failure(FaultKind.START, f"plays {listed(self.ready.games)} and not {game}")
        answer = self._ask_ready(line, "start")
        return answer if isinstance(answer, Failure) else None

    def _open(self) -> Failure | None:
        """Start the process and exchange `hello` and `ready`."""
        try:
            self._connection = self._connect()
        except OSError as error:
            if error.errno in (
                errno.EMFILE,
                errno.ENFILE,
                errno.ETOOMANYREFS,
            ):  # our shortage, not the bot's fault
                raise
            if error.errno == errno.ECHILD:
                return Loss(FaultKind.START, "lost its supervisor while it was started")
            failure = Refused if error.errno in _LACKS else Failure
            return failure(FaultKind.START, f"could not be started: {error.strerror or error}")
        ready = self._ask_ready(_HELLO, "hello")
        if isinstance(ready, Failure):
            return ready
        self.ready = ready
        wants = ready.wants or ("legal", "observation", "events")
        self.wants_legal = "legal" in wants
        self.wants_observation = "observation" in wants
        self.wants_events = "events" in wants
        return None

    def _ask_ready(self, line: bytes, what: str) -> Ready | Failure:
        assert self._connection
        answer = self._connection.ask(line, self._start_seconds)
        if isinstance(answer, Failure):
            return msgspec.structs.replace(answer, detail=f"{answer.detail} (asked: {what})")
        return read_ready(answer, what)

    def _charge(self, seconds: float, refund: float) -> None:
        self.asked += 1
        self.spent += seconds
        if seconds <= self._move and not refund:
            return
        over = max(0.0, seconds - self._move) - min(refund, self._drawn)
        if refund:
            self._drawn = 0.0
        if over:
            self._drawn += max(0.0, over)
            self._bank = max(0.0, self._bank - over)
            self._clock_json = _encode(Clock(self._clock.move_ms, int(self._bank * 1000)))


def read_ready(line: bytes, what: str) -> Ready | Failure:
    """Decode a bot's answer to `what`: `hello` or `start`."""
    try:
        line.decode()
        check_nesting(line)
        return _decode_ready(line)
    except _UNREADABLE as error:
        return _unreadable(f"answer to {what}", line, error)


def read_answer(line: bytes, number: int) -> str | Failure:
    """The action in a bot's answer to the decision with this number."""
    action = _plain_action(line, number)
    if action is not None:
        return action
    try:
        check_nesting(line)
        answer = _decode_answer(line)
        if not line.isascii():
            line.decode()  # the decoder does not look into fields that it skips
        if line.count(b'"') > _QUOTES and (field := _repeated_field(line)):
            return Failure(FaultKind.PROTOCOL, f"gave two fields {field!r} in one answer: {line[:80]!r}")
    except _UNREADABLE as error:
        return _unreadable("answer", line, error)
    if answer.id != number and answer.id is not UNSET:
        return Failure(FaultKind.PROTOCOL, f"answered decision {answer.id} when asked for decision {number}")
    return answer.action


def _repeated_field(line: bytes) -> str:
    """`action` or `id` if an answer has that field more than once; else ""."""
    if line.count(b'"action"') <= 1 and line.count(b'"id"') <= 1 and b"\\" not in line:
        return ""
    names: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        names[:] = [name for name, _ in pairs]  # the outermost object comes last

    json.loads(line, object_pairs_hook=note, parse_int=str, parse_float=str)
    return next((name for name in ("action", "id") if names.count(name) > 1), "")


def _unreadable(what: str, line: bytes, error: Exception) -> Failure:
    why = printable(str(error))
    if isinstance(error, UnicodeDecodeError):
        why = "it is not UTF-8"
    elif isinstance(error, RecursionError):
        why = f"it is nested more than {MOST_LEVELS} deep"
    return Failure(FaultKind.PROTOCOL, f"gave an {what} that can't be read: {why}: {line[:80]!r}")
