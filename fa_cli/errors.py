"""Every exception that `fa` raises on purpose.

    FaError                 something a person can mend; its text is one clear sentence
    ├── UsageError          what was asked for can't be: an option, a value, a combination
    │   ├── UnknownGame     no game of that name
    │   ├── BadOption       a game's option or its value
    │   ├── BadPlayers      a number of players that the game does not take
    │   └── Impossible      a tournament that can't be played so; it names the option
    ├── BotError            no bot there, or it can't be started
    │   └── BotCannotRun    a bot indeed, but its interpreter or compiler is not here, or its build fails
    ├── ActionError         an action that the game does not have, or not now
    ├── LogError            a file that can't be read as what it should be
    │   ├── NotALog         it is no replay log at all
    │   └── NewerFormat     a later version of `fa` wrote it
    ├── CheckFailed         the command did its work and the answer is no (a bad log, a failed check)
    └── Interrupted         a person stopped it; what was finished is kept

Each class has the exit code that the command line leaves with: 1 the answer is no, 2 used wrongly or unreadable,
3 interrupted. A text says what was expected, what was found and where; each layer puts its context in front.
"""

from __future__ import annotations

import errno

_NO_MEMORY = (
    "failed to map segment",
    "cannot allocate memory",
    "can't start new thread",
    "error return without exception set",
    "returned null without setting an exception",
    "numpy source tree",
)
"""What a library that can't be loaded, a thread that can't be started, or Python itself says where memory is short."""


class FaError(Exception):
    """The root; never raised itself."""

    exit_code = 2

    def within(self, context: str) -> FaError:
        """The same error with its place in front: `logs/a.log: record 3: ...`."""
        return type(self)(f"{context}: {self}")


class UsageError(FaError):
    """What was asked for can't be."""


class UnknownGame(UsageError):
    """No game of that name."""


class BadOption(UsageError):
    """A game does not have this option, or not with this value."""


class BadPlayers(UsageError):
    """The game is not played by so many."""


class Impossible(UsageError):
    """A tournament can't be played so. `option` names the option that is at odds, without its dashes."""

    def __init__(self, text: str, option: str = "") -> None:
        super().__init__(text)
        self.option = option


class BotError(FaError):
    """No bot there, or it can't be started."""


class BotCannotRun(BotError):
    """A bot indeed, but its interpreter or compiler is not on this machine, or its build fails."""


class ActionError(FaError):
    """An action that the game does not have, or that is not legal now."""


class LogError(FaError):
    """A file that can't be read as what it should be."""


class NotALog(LogError):
    """The file is no replay log at all."""


class NewerFormat(LogError):
    """A later version of `fa` wrote the file."""


class CheckFailed(FaError):
    """The command did its work, and the answer is no."""

    exit_code = 1


class Interrupted(FaError):
    """A person stopped it; what was finished is kept."""

    exit_code = 3


def shortage(error: BaseException) -> str:
    """What the machine lacks if that is what the error is about, as a sentence; else empty.

    A person mends it outside of `fa`, mostly by a higher limit (`ulimit`).
    """
    text = str(error).lower()
    if isinstance(error, MemoryError) or (
        isinstance(error, ImportError | RuntimeError | SystemError) and any(words in text for words in _NO_MEMORY)
    ):
        return "not enough memory (see ulimit -v)"
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOMEM:
        return "not enough memory (see ulimit -v)"
    if number == errno.EAGAIN:
        return "no more processes can be started (see ulimit -u)"
    too_many = (errno.EMFILE, errno.ENFILE, errno.ETOOMANYREFS)  # the last: under way between the user's processes
    return "too many open files (see ulimit -n)" if number in too_many else ""
