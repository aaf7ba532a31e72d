"""The limits of a bot: what it may use of the machine, its time to start and to end, and its number of faults."""

from __future__ import annotations

import enum
import resource
from contextlib import suppress
from typing import Annotated

import msgspec

from ..option import WEEK, Option, OptionGroup, Unit

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB
_FEW_FILES = 1024
"""If our own hard limit of open files is below this, bots get all of it: half would be too few for them to run."""
_UNLIMITED_FILES = 1 << 20
_FILES_TOGETHER = 4
"""All processes of a bot together may open this multiple of what one may."""
_Seconds = Annotated[float, msgspec.Meta(ge=0, le=WEEK)]
_Size = Annotated[int, msgspec.Meta(ge=1, le=1024 * GIB)]
_Memory = Annotated[int, msgspec.Meta(ge=MIB, le=1024 * GIB)]  # with less not even what starts a bot runs
_HeldSize = Annotated[int, msgspec.Meta(ge=1, le=GIB)]
"""The size of what `fa` holds in its own memory, in bytes."""
_Processes = Annotated[int, msgspec.Meta(ge=1, le=1 << 22)]  # Linux has no more process numbers
_OpenFiles = Annotated[int, msgspec.Meta(ge=8, le=1 << 20)]  # fs.nr_open, by default
_Faults = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


_GROUP = OptionGroup.LIMITS


class Sandbox(enum.Enum):
    """The values of `--sandbox`."""

    AUTO = "auto"
    """Use the sandbox if it is installed, else print a warning."""
    BWRAP = "bwrap"
    NONE = "none"


SANDBOX = Option(
    "Run bots in the sandbox if it is installed (auto), always (bwrap) or never (none).",
    group=_GROUP,
    docs="`bwrap`: refuse to run without the sandbox; `auto` warns where none is installed; `none`",
)


class Limits(msgspec.Struct, frozen=True):
    """The limits of a bot. Sizes are in bytes, times in seconds. An honest bot stays far below the defaults."""

    start: Annotated[
        _Seconds, Option("Allow TIME for a bot to start.", name="start-time", unit=Unit.SECONDS, group=OptionGroup.TIME)
    ] = 10.0
    """From the start of the process, or from the line `start`, until `ready`."""
    end: _Seconds = 1.0
    """To read `end`, and to exit after `quit`."""
    line: Annotated[_HeldSize, Option("Limit each line that a bot writes.", group=_GROUP, unit=Unit.BYTES)] = 64 * KIB
    """The longest line that a bot may write, its newline included."""
    output: Annotated[
        _Size,
        Option("Limit its output per decision, stderr included.", name="output-size", group=_GROUP, unit=Unit.BYTES),
    ] = 16 * MIB
    """All that it may write during one question, stderr included."""
    stderr: Annotated[
        _HeldSize,
        Option(
            "Keep the last SIZE of a bot's stderr; records have up to 1,000 characters.",
            name="stderr-size",
            group=_GROUP,
            unit=Unit.BYTES,
        ),
    ] = 8 * KIB
    """The bytes kept of its stderr: the last ones."""
    memory: Annotated[
        _Memory, Option("Limit the memory of all processes of a bot together.", group=_GROUP, unit=Unit.BYTES)
    ] = 4 * GIB
    """For all its processes together, including files in the sandbox's /tmp; also for the data of each process."""
    processes: Annotated[_Processes, Option("Limit the processes and threads of a bot.", "N", group=_GROUP)] = 512
    """Its processes and threads at a time."""
    file_size: Annotated[_Size, Option("Limit each file; in the sandbox also /tmp.", group=_GROUP, unit=Unit.BYTES)] = (
        256 * MIB
    )
    """The largest file that it may write; in the sandbox also the size of its /tmp."""
    open_files: Annotated[_OpenFiles, Option("Limit the open files of each process.", "N", group=_GROUP)] = 1024
    cpu: Annotated[_Seconds, Option("Limit its processor time per game.", group=_GROUP, unit=Unit.SECONDS)] = 36_000.0
    """Processor time in one game, of all its processes and threads."""
    idle_cpu: Annotated[
        _Seconds, Option("Limit its processor time outside its own decisions.", group=_GROUP, unit=Unit.SECONDS)
    ] = 5.0
    """The same outside its own decisions, in one game or between two."""
    max_faults: Annotated[
        _Faults,
        Option("Suspend a bot after N faults, in at least a tenth of its games; 0 never does.", "N", group=_GROUP),
    ] = msgspec.field(default=10, name="bench")
    """Faults in a tournament after which a bot is suspended if a tenth of its games have one; 0 never suspends."""
    sandbox: bool = False
    """Whether the bot runs in the sandbox."""
    unsandboxed: str = ""
    """Why bots run without the sandbox, for the warning; empty in the sandbox."""

    @property
    def all_files(self) -> int:
        """Open files and watches of `epoll` that all processes of a bot may have together."""
        return _FILES_TOGETHER * self.open_files


DEFAULT_LIMITS = Limits()


def size_of(amount: int) -> str:
    """Bytes in words."""
    return f"{amount / MIB:,.0f} MB" if amount >= MIB else f"{amount:,} bytes"


def open_files_of_bots() -> int:
    """The most files that a bot may have open: half of our hard limit. Raises our own soft limit to the hard limit.

    The kernel counts descriptors in flight, sent over sockets and not received yet, for each user, and refuses to send
    more to a process whose own limit is below that count. With our limit, bots could stop us from starting any bot.
    """
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard == resource.RLIM_INFINITY:
        return _UNLIMITED_FILES
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard // 2 if hard >= _FEW_FILES else hard
