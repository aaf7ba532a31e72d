"""What a bot may use of the machine, how long it may take for what no clock of a game counts, how often it may fail."""

from __future__ import annotations

import enum
import os
import resource
from contextlib import suppress
from typing import Annotated

import msgspec

from ..option import Option, Unit

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB
_FEW_FILES = 1024
"""With fewer open files than these allowed to us, all are left to the bots, which could not run with less."""
_MANY_FILES = 1 << 20
_Amount = Annotated[int, msgspec.Meta(ge=1)]
_Seconds = Annotated[float, msgspec.Meta(ge=0)]


_GROUP = "Limits of bots"


class Sandbox(enum.Enum):
    """What a person may ask for."""

    AUTO = "auto"
    """Where it works; a sentence where it doesn't."""
    BWRAP = "bwrap"
    NONE = "none"


SANDBOX = Option(
    "Run bots in a sandbox: where that works, always, never.",
    group=_GROUP,
    docs="`bwrap`: refuse to run without the sandbox; `auto` warns where there is none; `none`",
)


class Limits(msgspec.Struct, frozen=True):
    """The defaults are such that no honest bot notices them. Sizes are in bytes, times in seconds."""

    start: Annotated[_Seconds, Option("For a bot to start.", name="start-time", unit=Unit.SECONDS)] = 10.0
    """From starting the process, or from `start`, to `ready`."""
    end: _Seconds = 1.0
    """To read `end`; to exit after `quit`."""
    line: Annotated[_Amount, Option("Of the longest line that is read.", group=_GROUP, unit=Unit.BYTES)] = 64 * KIB
    """The longest line that a bot may write, its newline included."""
    output: Annotated[
        _Amount,
        Option("Of all output for one decision, stderr too.", name="output-size", group=_GROUP, unit=Unit.BYTES),
    ] = 16 * MIB
    """All that it may write while one answer is waited for, stderr included."""
    stderr: Annotated[
        _Amount, Option("Of stderr kept: the last.", name="stderr-size", group=_GROUP, unit=Unit.BYTES)
    ] = 8 * KIB
    """How much of its stderr is kept: the last."""
    memory: Annotated[_Amount, Option("For a bot's processes together.", group=_GROUP, unit=Unit.BYTES)] = 4 * GIB
    """For all its processes together, in the sandbox with the files in its /tmp; and for the data of each."""
    processes: Annotated[_Amount, Option("Processes and threads of a bot at a time.", "N", least=1, group=_GROUP)] = 512
    """Its processes and threads at a time."""
    file_size: Annotated[
        _Amount, Option("Of the largest file; of all in /tmp in the sandbox.", group=_GROUP, unit=Unit.BYTES)
    ] = 256 * MIB
    """The largest file that it may write; in the sandbox also all that it has in /tmp."""
    open_files: Annotated[_Amount, Option("Open files of a process.", "N", least=8, group=_GROUP)] = 1024
    cpu: Annotated[
        _Seconds, Option("Processor time of a bot's processes in a game.", group=_GROUP, unit=Unit.SECONDS)
    ] = 36_000.0
    """Processor time in one game, of all its processes and threads."""
    idle_cpu: Annotated[
        _Seconds, Option("The same on others' turns, or between games.", group=_GROUP, unit=Unit.SECONDS)
    ] = 5.0
    """The same outside its own decisions, in one game or between two."""
    max_faults: Annotated[
        int,
        msgspec.Meta(ge=0),
        Option(
            "Suspend a bot after N faults; 0 never does.",
            "N",
            least=0,
            group=_GROUP,
            docs="suspend a bot after so many faults, see below; 0 never does",
        ),
    ] = msgspec.field(default=10, name="bench")
    """Faults in a tournament after which a bot is suspended if a tenth of its games have one; 0 never suspends."""
    sandbox: bool = False
    """Whether it runs in one."""
    unsandboxed: str = ""
    """Why a person's bots run in none, for the warning; empty in the sandbox."""


DEFAULT_LIMITS = Limits()


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_files_of_bots() -> int:
    """The most files that a bot may have open. This process's own limit is raised as far as it goes, to twice that.

    The kernel counts the descriptors that all processes of a user have sent to each other and not taken yet, and sends
    none for who is allowed fewer open files: bots could keep us from starting any.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most == resource.RLIM_INFINITY:
        return _MANY_FILES
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most // 2 if most >= _FEW_FILES else most
