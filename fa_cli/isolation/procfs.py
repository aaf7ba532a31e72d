"""What Linux tells of processes, in /proc: who started whom, what they use. The keeper imports this, so it is small."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_IN_MEMORY = ("/tmp", "/dev/shm")
_FILE = 1024  # what the kernel needs for a file, about
_EXITING = 0x4  # among a process's flags (PF_EXITING): its files are closed before it is a zombie


def tree(root: int) -> Iterator[int]:
    """The processes below this one, parents before children, as far as /proc tells."""
    waiting = children(root)
    while waiting:
        yield from waiting
        waiting = [child for pid in waiting for child in children(pid)]


def children(pid: int) -> list[int]:
    """Those that this process has started, or was left with, and that are still there."""
    return [int(child) for task in _tasks(pid) for child in read(f"/proc/{pid}/task/{task}/children").split()]


def _tasks(pid: int) -> list[str]:
    """The numbers of a process's threads; none of one that is gone."""
    with suppress(OSError):
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208  # pathlib is slow to import
    return []


def read(path: str) -> bytes:
    """A small file; empty for a process that is gone."""
    with suppress(OSError), open(path, "rb") as file:  # noqa: PTH123
        return file.read()
    return b""


def fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat after the name; empty for a process that is gone."""
    return read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def cpu_seconds(supervisor: int) -> float:
    """Processor time of a bot so far, of its processes that are gone too; 0 where there is no /proc."""
    return _cpu_seconds([supervisor, *tree(supervisor)])


def cpu_and_delays(supervisor: int) -> tuple[float, dict[int, float], list[int]]:
    """Processor time as in `cpu_seconds`, and `run_delays` of the bot's processes (not the supervisor), and those."""
    processes = list(tree(supervisor))
    return _cpu_seconds([supervisor, *processes]), run_delays(*processes), processes


def _cpu_seconds(processes: list[int]) -> float:
    return sum(int(ticks) for pid in processes for ticks in fields(pid)[11:15]) / _TICKS


def run_delays(*pids: int) -> dict[int, float]:
    """Seconds that each thread of these processes was ready to run and had no core; empty if unknown."""
    files = ((int(task), f"/proc/{pid}/task/{task}/schedstat") for pid in pids for task in _tasks(pid))
    return {task: int(found[1]) / 1e9 for task, path in files if len(found := read(path).split()) > 1}


def use(root: int) -> tuple[int, int]:
    """Bytes of memory of what is below this process, pages that are shared counted each time; and its threads."""
    found = [each for pid in tree(root) if (each := fields(pid))]
    return sum(int(each[21]) for each in found) * _PAGE, sum(int(each[17]) for each in found)


def exact_memory(root: int) -> int | None:
    """The same with each shared page counted once in all; None where that can't be read."""
    rollups = [read(f"/proc/{pid}/smaps_rollup") for pid in tree(root)]
    lines = [line for rollup in rollups for line in rollup.splitlines() if line.startswith(b"Pss:")]
    return sum(int(line.split()[1]) for line in lines) * 1024 if lines else None


def files_memory(root: int, room: int) -> int:
    """Bytes of memory of the files in a sandbox that was started below this process; each folder has this room."""
    used = 0
    for pid in list(tree(root))[-1:]:  # one that is inside: the first is bubblewrap's, outside
        for folder in _IN_MEMORY:
            with suppress(OSError):
                found = os.statvfs(f"/proc/{pid}/root{folder}")
                if found.f_blocks == -(-room // found.f_frsize):  # else it is not set up yet, and the machine's own
                    used += (found.f_blocks - found.f_bfree) * found.f_frsize
                    used += (found.f_files - found.f_ffree) * _FILE
    return used


def can_write(pid: int, file: str) -> bool:
    """Whether a thread of this process has this file open for writing; true where that can't be seen.

    `file`: as the links in /proc/PID/fd name it, such as `pipe:[4711]`.
    """
    with suppress(FileNotFoundError, NotADirectoryError, ProcessLookupError):  # it has ended meanwhile
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  # the first thread may have ended before others
            with suppress(FileNotFoundError, ProcessLookupError):
                if _task_can_write(f"/proc/{pid}/task/{task}/fd", file):
                    return True
    return False


def _task_can_write(folder: str, file: str) -> bool:
    """Raises FileNotFoundError or ProcessLookupError where the thread has ended."""
    try:
        for number in sorted(os.listdir(folder)):  # noqa: PTH208
            with suppress(FileNotFoundError):  # closed meanwhile
                link = f"{folder}/{number}"
                if os.readlink(link) == file and os.lstat(link).st_mode & stat.S_IWUSR:  # noqa: PTH115
                    return True
    except PermissionError:
        return True
    return False


def is_ending(pid: int) -> bool:
    """Whether this process is about to end or has ended; false where there is no /proc."""
    found = fields(pid)
    return found[0] in (b"Z", b"X") or bool(int(found[6]) & _EXITING) if found else sys.platform == "linux"
