"""Every exception that `fa` raises on purpose.

Each class has the exit code of the command line: 1 a check failed, 2 wrong usage or unreadable input, 3 interrupted. A
text says what was expected, what was found and where; each layer puts its context in front.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Self

_MEMORY_USED_UP = "not enough memory (see ulimit -v)"
_NO_MEMORY = (
    "failed to map segment",
    "cannot allocate memory",
    "error return without exception set",
    "returned null without setting an exception",
    "numpy source tree",
)
"""Parts of the messages with which libraries, threads and Python itself report a lack of memory."""


class FaError(Exception):
    """An error that a person can fix; its text is one clear sentence. The base class, never raised itself."""

    exit_code = 2
    details: Sequence[str] = ()
    """Lines to show below the sentence, such as a compiler's messages. They are not printable as they are."""

    def within(self, context: str) -> FaError:
        """The same error with its context in front: `logs/a.log: record 3: ...`."""
        return type(self)(f"{context}: {self}").with_details(self.details)

    def with_details(self, details: Sequence[str]) -> Self:
        """The error itself, with these details."""
        self.details = details
        return self


class UsageError(FaError):
    """A wrong option, value or combination."""


class UnknownGame(UsageError):
    """No game has this name."""


class BadOption(UsageError):
    """A game does not have this option or value."""


class BadPlayers(UsageError):
    """A game does not take this number of players."""


class Impossible(UsageError):
    """An option of a tournament that can't be satisfied. `option` is its name, without dashes."""

    def __init__(self, text: str, option: str = "") -> None:
        super().__init__(text)
        self.option = option


class NotFound(UsageError):
    """What a page asks the server for does not exist."""


class BotError(FaError):
    """A path without a bot, or a bot that does not start."""


class BotCannotRun(BotError):
    """A bot whose interpreter or compiler is missing, or whose build fails."""


class ActionError(FaError):
    """An action that does not exist or is not legal."""


class LogError(FaError):
    """An unreadable or damaged file."""

    log: Path | None = None
    """The path of the log, where results are read from several."""


class NotALog(LogError):
    """A file that is not a replay log."""


class NewerFormat(LogError):
    """A file that a later version of `fa` wrote."""


class WrongResult(LogError):
    """A record whose result does not fit its players."""


class LogChanged(LogError):
    """A log that something else cut off, moved, removed or overwrote while it was written."""


class Shortage(FaError):
    """The machine lacks memory, processes, files, disk or time that a bot needs to start."""


class StartRefused(Shortage):
    """The bot in `seat` was refused at its start what the other bots of this user may have had."""

    def __init__(self, text: str, seat: int = -1) -> None:
        super().__init__(text)
        self.seat = seat


class SupervisorLost(FaError):
    """One of `fa`'s own processes around a bot was killed, in a game in which the bot has `seat` (-1: in none)."""

    def __init__(self, text: str, seat: int = -1) -> None:
        super().__init__(text)
        self.seat = seat


class ProviderAway(FaError):
    """The provider of a bot's model gives no answer, in a game in which the bot has `seat`.

    `final`: trying again will not help before something is set, or paid.
    """

    def __init__(self, text: str, seat: int = -1, final: bool = False) -> None:
        super().__init__(text)
        self.seat = seat
        self.final = final


class ClusterError(FaError):
    """A cluster that can't be used, or a worker of it that can't play."""


class CheckFailed(FaError):
    """The command worked, and its check failed."""

    exit_code = 1


class Interrupted(FaError):
    """A person stopped the command; finished work is kept."""

    exit_code = 3


def check_new(path: Path, kind: type[FaError] = UsageError) -> None:
    """Raises `kind` unless a new file can get this path: nothing has it, and its folder exists."""
    if os.path.lexists(path):
        raise kind(f"{path}: it exists already and is not overwritten")
    if not path.parent.is_dir():
        raise kind(f"cannot write {path}: {path.parent} is not a folder")


@contextmanager
def writing(path: Path, kind: type[FaError] = UsageError) -> Iterator[None]:
    """Code that writes this file or folder. Raises `kind` with the reason if that fails, OSError for a shortage."""
    try:
        yield
    except OSError as error:
        if shortage(error):
            raise
        if isinstance(error, FileExistsError):
            check_new(path, kind)
        raise kind(f"cannot write {path}: {error.strerror or error}") from None


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Imports of packages of the extra `name`, which `what` needs. Raises UsageError if one is not installed."""
    try:
        yield
    except ImportError as error:
        missing = (error.name or name).partition(".")[0]
        raise UsageError(f"{what} needs {missing}: pip install 'fa-cli[{name}]'") from None


def in_words(error: Exception) -> str:
    """An error as a text for people: for OSError the file and the system's words, without a number."""
    if not isinstance(error, OSError):
        return str(error)
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename else what


def mute_without_memory(sentence: str) -> None:
    """Close stderr after the sentence that memory is used up: Python reports each callback there that it can't run."""
    if sentence == _MEMORY_USED_UP and sys.stderr is sys.__stderr__:
        with suppress(OSError):
            os.close(2)


def shortage(error: BaseException) -> str:
    """A sentence on the resource that the machine lacks, if that caused the error; else an empty text.

    A person can raise the limit outside of `fa` (`ulimit`).
    """
    if isinstance(error, BotError) and error.__context__:
        return shortage(error.__context__)
    text = str(error).lower()
    if isinstance(error, RuntimeError) and "can't start new thread" in text:
        return "no more threads can be started (see ulimit -u and ulimit -v)"
    if isinstance(error, MemoryError) or (
        isinstance(error, ImportError | RuntimeError | SystemError) and any(words in text for words in _NO_MEMORY)
    ):
        return _MEMORY_USED_UP
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOMEM:
        return _MEMORY_USED_UP
    if number == errno.EAGAIN:
        return "no more processes can be started (see ulimit -u)"
    too_many = (errno.EMFILE, errno.ENFILE, errno.ETOOMANYREFS)  # the last counts files in transit between processes
    return "too many open files (see ulimit -n)" if number in too_many else ""
