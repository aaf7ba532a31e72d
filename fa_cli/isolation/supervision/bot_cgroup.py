"""The control group (version 2) of one bot, inside the group that ../cgroups.py prepared.

The supervisor creates it, the bot's first process joins it before it runs the bot's program, and removing it kills
whatever is left inside. Without a prepared group every method does nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress
from time import monotonic, sleep

from .procfs import read

_REMOVE_SECONDS = 1.0


class BotCgroup:
    """`parent`: the folder of the prepared group; empty if there is none. `supervisor`: its process ID."""

    def __init__(self, parent: str, supervisor: int) -> None:
        self._path = f"{parent}/bot-{supervisor}" if parent else ""

    def create(self, memory: int, processes: int) -> None:
        """Create the group with limits in bytes and in processes and threads. Raises OSError."""
        if self._path:
            os.mkdir(self._path)  # noqa: PTH102  # pathlib is slow to import
            self._write("memory.max", memory)
            self._write("memory.oom.group", 1)
            self._write("pids.max", processes)
            with suppress(OSError):  # not where there is no swap
                self._write("memory.swap.max", 0)

    def join(self) -> None:
        """Move this process into the group. Raises OSError."""
        if self._path:
            self._write("cgroup.procs", os.getpid())

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel killed a process of the group because the group reached its memory limit."""
        lines = read(f"{self._path}/memory.events").splitlines() if self._path else []
        return any(line.startswith(b"oom_kill ") and line != b"oom_kill 0" for line in lines)

    def remove(self) -> None:
        """Kill all processes in the group and remove it."""
        if self._path:
            with suppress(OSError):
                self._write("cgroup.kill", 1)
            until = monotonic() + _REMOVE_SECONDS
            while monotonic() < until:
                try:
                    os.rmdir(self._path)  # noqa: PTH106
                except FileNotFoundError:
                    return
                except OSError:
                    sleep(0.002)

    def _write(self, name: str, value: int) -> None:
        with open(f"{self._path}/{name}", "w") as file:  # noqa: PTH123
            file.write(str(value))
