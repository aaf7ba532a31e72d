"""What a bot may use of the machine, how long it may take for what no clock of a game counts, how often it may fail."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from typing import Annotated

import msgspec

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB
_FEW_FILES = 1024
"""With fewer open files than these allowed to us, all are left to the bots, which could not run with less."""
_MANY_FILES = 1 << 20
_Amount = Annotated[int, msgspec.Meta(ge=1)]
_Seconds = Annotated[float, msgspec.Meta(ge=0)]


class Limits(msgspec.Struct, frozen=True):
    """The defaults are such that no honest bot notices them. Sizes are in bytes, times in seconds."""

    start: _Seconds = 10.0
    """From starting the process, or from `start`, to `ready`."""
    end: _Seconds = 1.0
    """To read `end`; to exit after `quit`."""
    line: _Amount = 64 * KIB
    """The longest line that a bot may write, its newline included."""
    output: _Amount = 16 * MIB
    """All that it may write while one answer is waited for, stderr included."""
    stderr: _Amount = 8 * KIB
    """How much of its stderr is kept: the last."""
    memory: _Amount = 4 * GIB
    """For all its processes together, in the sandbox with the files in its /tmp; and for the data of each."""
    processes: _Amount = 512
    """Its processes and threads at a time."""
    file_size: _Amount = 256 * MIB
    """The largest file that it may write; in the sandbox also all that it has in /tmp."""
    open_files: _Amount = 1024
    cpu: _Seconds = 36_000.0
    """Processor time in one game, of all its processes and threads."""
    idle_cpu: _Seconds = 5.0
    """The same outside its own decisions, in one game or between two."""
    bench: Annotated[int, msgspec.Meta(ge=0)] = 10
    """Faults in a tournament after which a bot plays no more, if a tenth of its games have one; 0: it always plays."""
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
