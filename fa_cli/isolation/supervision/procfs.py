"""Reading /proc: descendants of a process, their processor time, waiting time and open files.

The supervisor server imports this module, so it is small. Processes end while they are read: a missing file counts as
empty. Without /proc (on macOS) every function returns what it returns for a process that is gone.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress

_TICKS = os.sysconf("SC_CLK_TCK")
_SMALL = 16_384
"""Bytes read at once; most files of /proc are smaller."""
_EXITING = 0x4  # PF_EXITING among a process's flags: its files are closed before it is a zombie


def tree(root: int) -> Iterator[int]:
    """The descendants of a process, parents before children."""
    generation = children(root)
    while generation:
        yield from generation
        generation = [child for pid in generation for child in children(pid)]


def children(pid: int) -> list[int]:
    """The children of a process, adopted ones and zombies included."""
    tasks = names(f"/proc/{pid}/task")
    return [int(child) for task in tasks for child in read(f"/proc/{pid}/task/{task}/children").split()]


def names(folder: str) -> list[str]:
    """The names in a folder; none if it is missing or unreadable."""
    with suppress(OSError):
        return os.listdir(folder)  # noqa: PTH208  # pathlib is slow to import
    return []


def read(path: str) -> bytes:
    """A small file; empty if it is missing or unreadable."""
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # `open` makes twice as many system calls
        try:
            content = os.read(file, _SMALL)
            while more := os.read(file, _SMALL):
                content += more
            return content
        finally:
            os.close(file)
    return b""


def fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat that follow the name: index 0 is field 3 of proc(5), the state."""
    return read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def cpu_seconds(supervisor: int) -> float:
    """Processor time of a bot so far, including its processes that ended and were waited for."""
    return _cpu_seconds([supervisor, *tree(supervisor)])


def cpu_and_delays(supervisor: int) -> tuple[float, dict[int, float], list[int]]:
    """`cpu_seconds`, the delays of the threads of the bot's processes (without the supervisor), and their IDs."""
    processes = list(tree(supervisor))
    times = {int(task): run_and_delay(f"{pid}/task/{task}") for pid in processes for task in names(f"/proc/{pid}/task")}
    delays = {task: found[1] for task, found in times.items() if found}
    return _cpu_seconds([supervisor, *processes]), delays, processes


def _cpu_seconds(processes: list[int]) -> float:
    return sum(int(ticks) for pid in processes for ticks in fields(pid)[11:15]) / _TICKS


def own_delay() -> float:
    """Seconds that this thread was ready to run but waited for a core; 0 if unknown."""
    return (run_and_delay("thread-self") or (0.0, 0.0))[1]


def run_and_delay(thread: int | str) -> tuple[float, float] | None:
    """Seconds that a thread ran, and that it was ready to run but waited for a core; None if unknown.

    `thread`: its folder in /proc, or a process for its first thread.
    """
    columns = read(f"/proc/{thread}/schedstat").split()
    return (int(columns[0]) / 1e9, int(columns[1]) / 1e9) if len(columns) > 1 else None


def can_write(pid: int, file: str) -> bool:
    """Whether a thread of a process has a file open for writing; True if that can't be read.

    `file`: as the links in /proc/PID/fd name it, such as `pipe:[4711]`.
    """
    try:
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  # the first thread may have ended before others
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
                for number in sorted(os.listdir(f"/proc/{pid}/task/{task}/fd")):  # noqa: PTH208
                    with suppress(FileNotFoundError):  # closed meanwhile
                        link = f"/proc/{pid}/task/{task}/fd/{number}"
                        if os.readlink(link) == file and os.lstat(link).st_mode & stat.S_IWUSR:  # noqa: PTH115
                            return True
    except PermissionError:
        return True
    except (FileNotFoundError, NotADirectoryError, ProcessLookupError):
        pass  # it has ended meanwhile
    return False


def is_ending(pid: int) -> bool:
    """Whether a process is exiting or has ended; False without /proc."""
    row = fields(pid)
    return row[0] in (b"Z", b"X") or bool(int(row[6]) & _EXITING) if row else sys.platform == "linux"
