"""What a run is doing, in a small file beside the log, so that another process can watch it without a lock.

The run rewrites the file every second while it plays, and removes it at its end. A run that is killed leaves it behind.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Self

import msgspec

from ...decoding import built
from ...errors import LogError
from ...replay.log_writer import PRIVATE
from ...system import is_running, open_regular, written_atomically

HEARTBEAT = 1.0
"""Seconds between two writings."""
SILENCE = 10.0
"""Seconds without a writing after which a run counts as killed or suspended: many heartbeats, for busy machines."""
_LARGEST = 1 << 20
"""Bytes; no run writes a larger file."""
_Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
_Time = Annotated[float, msgspec.Meta(ge=0, lt=1e12)]
"""A Unix time in seconds."""


class GameInProgress(msgspec.Struct, frozen=True):
    """A game that a worker is playing."""

    index: _Count
    """The game's place in the log, from 0."""
    since: _Time
    """The time at which it began."""
    setting: _Count
    """An index in the definition's list of settings."""
    seats: list[_Count]
    """A bot per seat, as indexes in the definition's list of bots."""
    number: _Count
    """Its deal is that of this number."""
    actions: list[_Count] | None = None
    """The numbers of its actions so far; None if whoever plays it does not tell them."""


def _machine() -> str:
    """Where numbers of processes hold: the kernel and its namespace; empty where nothing tells."""
    with suppress(OSError):
        return f"{Path('/proc/sys/kernel/random/boot_id').read_text('ascii')}{Path('/proc/self/ns/pid').readlink()}"
    return ""


class RunStatus(msgspec.Struct, frozen=True):
    """A run at one moment."""

    updated: _Time
    """The time at which this was written."""
    started: _Time
    """The time at which the run began."""
    done_before: _Count
    """Games that were in the log when the run began."""
    done: _Count
    """Games in the log now."""
    games: _Count
    """Games of the whole tournament, as known now."""
    stopping: bool
    """Whether only the games in progress are played to their end."""
    playing: list[GameInProgress]
    evidence: str = ""
    """How near the test of two bots is to a decision, in words; empty without one."""
    machine: str = msgspec.field(default_factory=_machine)
    process: _Count = msgspec.field(default_factory=os.getpid)
    """The run's process, on its machine."""

    def rate(self, done: int, now: float) -> float:
        """Games per second in this run, with `done` games in the log at the Unix time `now`."""
        return max(0, done - self.done_before) / max(1e-6, now - self.started)

    def is_alive(self, now: float) -> bool:
        """Whether the run has written recently, and its process was not killed since, if it is one of this machine."""
        is_seen = self.machine and self.machine == _machine()
        return now - self.updated < SILENCE and not (is_seen and not is_running(self.process))


class StatusFile:
    """The file of a run with `done_before` games in the log. Use it in a `with`. Errors of the disk are ignored."""

    def __init__(self, path: Path, done_before: int) -> None:
        self._path = path
        self._done_before = done_before
        self._started = time.time()
        self._next = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    @property
    def is_due(self) -> bool:
        """Whether it is time for the next writing."""
        return time.monotonic() >= self._next

    def write(
        self, done: int, games: int, stopping: bool, playing: Sequence[GameInProgress], evidence: str = ""
    ) -> None:
        """Write the status of this moment."""
        self._next = time.monotonic() + HEARTBEAT
        status = RunStatus(
            time.time(), self._started, self._done_before, done, games, stopping, list(playing), evidence
        )
        with suppress(OSError), written_atomically(self._path, replace=True) as temporary:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
            with os.fdopen(os.open(temporary, flags, PRIVATE), "wb") as file:
                file.write(msgspec.json.encode(status))


def read_status(path: Path) -> RunStatus | None:
    """The status in a file; None if there is none, or if no run has written it. Never waits."""
    try:
        return checked_status(path)
    except LogError:
        return None


def checked_status(path: Path) -> RunStatus | None:
    """The status in a file; None if there is no file. Raises LogError for one that no run has written."""
    try:
        with open_regular(path) as file:
            return msgspec.json.decode(file.read(_LARGEST), type=built(RunStatus))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LogError(f"{path} is not the status of a run: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise LogError(f"{path} is not the status of a run") from None
