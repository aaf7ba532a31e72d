"""What a bot uses of the machine now, as /proc shows it: memory, processes, mappings, open files.

The supervisor looks four times a second, so a look is cheap for an ordinary bot and bounded for any other. Memory
includes what the kernel keeps for a bot and no process's own size shows: page tables, sockets, files in /tmp.
"""

from __future__ import annotations

import os
from contextlib import suppress

from .procfs import names, read, tree

MAX_MAPPINGS = 8 * 65_530
"""Mappings of memory that all processes of a bot may have together; the kernel lets one process have 65,530."""
_MAY_BE_MANY = MAX_MAPPINGS // 65_530
"""Mappings are counted for bots with more processes than this: fewer can't reach the limit."""
_TMPFS_FOLDERS = ("/tmp", "/dev/shm")
_INODE = 1024  # bytes of kernel memory for a file, about
_SOCKET = 256 * 1024
"""The most bytes of unread data in a socket, about. It may be closed, or wait for an accept, and has no descriptor."""
_CHUNK = 65_536


class Usage:
    """What the descendants of a process use. `tmpfs_size`: as in `Order`."""

    def __init__(self, root: int, tmpfs_size: int) -> None:
        self._processes = list(tree(root))
        self._statuses = {pid: _status(pid) for pid in self._processes}
        kernel = (b"VmPTE:", b"VmSwap:", b"HugetlbPages:")  # outside of the resident memory
        self._kernel = sum(_kib(status, name) for _, status in self._statuses.values() for name in kernel)
        if tmpfs_size:
            self._kernel += self._tmpfs_memory(tmpfs_size) + self._sockets() * _SOCKET

    def memory(self) -> int:
        """Memory in bytes, shared pages counted in each process."""
        return self._kernel + sum(_kib(status, b"VmRSS:") for _, status in self._statuses.values())

    def exact_memory(self, most: int) -> int:
        """The same, each shared page counted once where the kernel reports that; slow, and ends just above `most`."""
        used = self._kernel
        for folder, _ in self._statuses.values():
            if used > most:
                break
            # Read again: a process that has ended since uses nothing.
            used += _kib(read(f"{folder}/smaps_rollup"), b"Pss:") or _kib(read(f"{folder}/status"), b"VmRSS:")
        return used

    def threads(self) -> int:
        """Processes and threads."""
        return sum(_number(status, b"Threads:") for _, status in self._statuses.values())

    def mappings(self) -> int:
        """Mappings of memory, counted to just above `MAX_MAPPINGS`; 0 for a bot with few processes."""
        count = 0
        if len(self._processes) > _MAY_BE_MANY:
            for folder, _ in self._statuses.values():
                count += _lines(f"{folder}/maps", MAX_MAPPINGS - count)
        return count

    def files(self, most: int) -> int:
        """Open descriptors and watches of `epoll`, counted to just above `most`."""
        count = 0
        for folder, _ in self._statuses.values():
            for name in names(f"{folder}/fd"):
                count += 1
                with suppress(OSError):
                    if os.readlink(f"{folder}/fd/{name}") == "anon_inode:[eventpoll]":  # noqa: PTH115
                        count += read(f"{folder}/fdinfo/{name}").count(b"tfd:")
                if count > most:
                    return count
        return count

    def _tmpfs_memory(self, size: int) -> int:
        """Bytes that files take in the /tmp and /dev/shm of the sandbox; each of the two has this size."""
        used = 0
        for pid in self._inside():
            for folder in _TMPFS_FOLDERS:
                with suppress(OSError):
                    status = os.statvfs(f"/proc/{pid}/root{folder}")
                    if status.f_blocks == -(-size // status.f_frsize):  # else still the machine's own, not yet replaced
                        used += (status.f_blocks - status.f_bfree) * status.f_frsize
                        used += (status.f_files - status.f_ffree) * _INODE
        return used

    def _sockets(self) -> int:
        """All sockets in the sandbox's network, also those without a descriptor."""
        for pid in self._inside():
            with suppress(OSError):
                if os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net"):  # noqa: PTH115
                    return _number(read(f"/proc/{pid}/net/sockstat"), b"sockets: used")
        return 0

    def _inside(self) -> list[int]:
        """bubblewrap's process inside the sandbox, below the one outside: the bot can't end it and live on."""
        return self._processes[1:2]


def _status(pid: int) -> tuple[str, bytes]:
    """The folder of a process in /proc and its `status`; of another thread if the first one has ended.

    The kernel then shows neither memory nor files of the process as a whole.
    """
    status = read(f"/proc/{pid}/status")
    if b"\nVmRSS" not in status and _number(status, b"Threads:") > 1:
        for task in names(f"/proc/{pid}/task"):
            folder = f"/proc/{pid}/task/{task}"
            if b"\nVmRSS" in (other := read(f"{folder}/status")):
                return folder, other
    return f"/proc/{pid}", status


def _kib(text: bytes, start: bytes) -> int:
    """The bytes of a line such as `VmRSS:   1200 kB`; 0 without it."""
    return 1024 * _number(text, start)


def _number(text: bytes, start: bytes) -> int:
    """The number in the first line that begins so; 0 without it."""
    _, _, rest = (b"\n" + text).partition(b"\n" + start)
    return int(rest.split(maxsplit=1)[0]) if rest else 0


def _lines(path: str, most: int) -> int:
    """The lines of a file, counted to just above `most`."""
    count = 0
    with suppress(OSError), open(path, "rb", buffering=0) as file:  # noqa: PTH123  # pathlib is slow to import
        while count <= most and (chunk := file.read(_CHUNK)):
            count += chunk.count(b"\n")
    return count
