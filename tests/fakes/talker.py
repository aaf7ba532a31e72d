"""A bot that sends bits to a copy of itself in another sandbox, or receives them: `talker.py CHANNEL`, with `shared`.

It reads `1` and `0`, which it sends, and `?`, at which it prints what it observes, as JSON. An error is printed as its
name. `shared` is a file beside it, which both may only read.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import mmap
import os
import pty
import re
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
NUMBERS = {"x86_64": {"inotify_init1": 294, "mincore": 27}, "aarch64": {"inotify_init1": 26, "mincore": 232}}
SHARED = Path(__file__).parent / "shared"
LOCK = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
SET_HINT, GET_HINT, SET_PIPE_SIZE = 1036, 1035, 1031
SO_COOKIE = 57
HELD: list[object] = []
"""What is kept to send a 1, and given back to send a 0."""


def call(result: int) -> int:
    """A call's result. Raises OSError."""
    if result == -1:
        raise OSError(ctypes.get_errno(), "")
    return result


def opened() -> int:
    return os.open(SHARED, os.O_RDONLY)


@cache
def shared() -> int:
    """The file, open from when it is first needed."""
    return opened()


def flock(bit: int) -> None:
    fcntl.flock(shared(), fcntl.LOCK_SH if bit else fcntl.LOCK_UN)


def flocked() -> bool:
    try:
        fcntl.flock(shared(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(shared(), fcntl.LOCK_UN)
    return False


def lock(bit: int) -> None:
    fcntl.lockf(shared(), fcntl.LOCK_SH | fcntl.LOCK_NB if bit else fcntl.LOCK_UN)


def locked() -> int:
    """The type of a lock that is in the way."""
    return int(struct.unpack("hhqqi4x", fcntl.fcntl(shared(), fcntl.F_GETLK, LOCK))[0])


def open_lock(bit: int) -> None:
    """A lock of the open file, F_OFD_SETLK."""
    kind = fcntl.F_RDLCK if bit else fcntl.F_UNLCK
    fcntl.fcntl(shared(), 37, struct.pack("hhqqi4x", kind, os.SEEK_SET, 0, 0, 0))


def lease(bit: int) -> None:
    """Whether the file is open elsewhere is what keeps another one from a lease."""
    if bit:
        HELD.append(opened())
    else:
        while HELD:
            os.close(HELD.pop())  # type: ignore[arg-type]


def leased() -> bool:
    try:
        fcntl.fcntl(shared(), fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except BlockingIOError:
        return True
    fcntl.fcntl(shared(), fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def touch_file(bit: int) -> None:
    if bit:
        os.close(opened())


WATCH: list[int] = []


def watched() -> int:
    """Bytes of news of the file since the last look."""
    if not WATCH:
        WATCH.append(call(LIBC.syscall(NUMBERS[os.uname().machine]["inotify_init1"], os.O_NONBLOCK)))
        call(LIBC.inotify_add_watch(WATCH[0], os.fsencode(SHARED), 0x20))
    try:
        return len(os.read(WATCH[0], 4096))
    except BlockingIOError:
        return 0


def load_page(bit: int) -> None:
    """Have the file in memory or not."""
    os.posix_fadvise(shared(), 0, 0, os.POSIX_FADV_RANDOM)
    for _ in range(8):  # a page that was just read stays for a moment
        os.posix_fadvise(shared(), 0, 0, os.POSIX_FADV_DONTNEED)
        time.sleep(0.002)
    if bit:
        os.pread(shared(), 1, 0)


def loaded() -> bool:
    """Asked without loading it."""
    try:
        return bool(os.preadv(shared(), [bytearray(1)], 0, os.RWF_NOWAIT))
    except BlockingIOError:
        return False


def resident() -> int:
    pages = ctypes.create_string_buffer(1)
    with mmap.mmap(shared(), mmap.PAGESIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE) as mapped:
        place = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
        call(LIBC.syscall(NUMBERS[os.uname().machine]["mincore"], ctypes.c_void_p(place), mmap.PAGESIZE, pages))
        return pages.raw[0] & 1


def hint(bit: int) -> None:
    fcntl.fcntl(shared(), SET_HINT, struct.pack("q", 2 + bit))


def hinted() -> int:
    return int(struct.unpack("q", fcntl.fcntl(shared(), GET_HINT, bytes(8)))[0])


def read_file(bit: int) -> None:
    if bit:
        os.pread(shared(), 10, 0)
        list(SHARED.parent.iterdir())


def read_times() -> list[int]:
    return [SHARED.stat().st_atime_ns, SHARED.parent.stat().st_atime_ns]


def hold(make: Callable[[], object], release: Callable[..., object]) -> Callable[[int], None]:
    """A sender that holds many of something to send a 1."""

    def send(bit: int) -> None:
        while HELD:
            release(HELD.pop())
        if bit:
            HELD.extend(make() for _ in range(64))

    return send


def fork() -> int:
    pid = os.fork()
    if pid == 0:
        LIBC.pause()
    return pid


def end(pid: int) -> None:
    os.kill(pid, 9)
    os.waitpid(pid, 0)


def number(path: str, pattern: str) -> Callable[[], int]:
    def look() -> int:
        found = re.search(pattern, Path(path).read_text())
        return int(found[1]) if found else -1

    return look


def close_pair(pair: tuple[int, int]) -> None:
    for descriptor in pair:
        os.close(descriptor)


def set_times(bit: int) -> None:
    time.sleep(0.01)  # the kernel's clock for files is that coarse
    if bit:
        os.utime("/dev/null")


def look_up(bit: int) -> None:
    """Have the kernel remember, in each round for another name, that no such file."""
    ROUND.append(None)
    if bit:
        SHARED.with_name(f"absent-{len(ROUND)}").exists()


def looked_up() -> int:
    """Whether the kernel can tell without looking: openat2 with RESOLVE_CACHED."""
    ROUND.append(None)
    how = struct.pack("QQQ", 0, 0, 0x20)
    name = os.fsencode(SHARED.with_name(f"absent-{len(ROUND)}"))
    LIBC.syscall(437, -100, name, how, len(how))
    if ctypes.get_errno() == errno.ENOSYS:
        raise OSError(errno.ENOSYS, "")
    return ctypes.get_errno()


ROUND: list[None] = []


def large_pipe() -> tuple[int, int]:
    ends = os.pipe()
    fcntl.fcntl(ends[1], SET_PIPE_SIZE, 1 << 20)
    return ends


def largest_pipe() -> int:
    """What a pipe may hold: less when the user's pipes hold much already."""
    ends = os.pipe()
    try:
        return fcntl.fcntl(ends[1], SET_PIPE_SIZE, 1 << 20)
    except PermissionError:
        return 0
    finally:
        close_pair(ends)


def new_socket() -> socket.socket:
    """A socket that the kernel has numbered."""
    made = socket.socket(socket.AF_UNIX)
    made.getsockopt(socket.SOL_SOCKET, SO_COOKIE, 8)
    return made


def socket_cookie() -> int:
    with socket.socket(socket.AF_UNIX) as made:
        return int.from_bytes(made.getsockopt(socket.SOL_SOCKET, SO_COOKIE, 8), sys.byteorder)


def diagnosed_cookie() -> int:
    """The number of a new socket in a dump by NETLINK_SOCK_DIAG."""
    with socket.socket(socket.AF_UNIX) as made, socket.socket(16, socket.SOCK_RAW, 4) as netlink:
        made.bind("")
        request = struct.pack(
            "=BBHIIIII", 1, 0, 0, 0xFFFFFFFF, os.fstat(made.fileno()).st_ino, 0, 0xFFFFFFFF, 0xFFFFFFFF
        )
        netlink.send(struct.pack("=IHHII", 16 + len(request), 20, 1, 1, 0) + request)
        answer = netlink.recv(65536)
        return int(struct.unpack_from("=Q", answer, 16 + 8)[0])


def process_number() -> int:
    """The inode number of a new process's descriptor."""
    pid = fork()
    try:
        descriptor = os.pidfd_open(pid)
        try:
            return os.fstat(descriptor).st_ino
        finally:
            os.close(descriptor)
    finally:
        end(pid)


def cache_extents(bit: int) -> None:
    """Have ext4 keep, in each round for another file, where its parts are."""
    ROUND.append(None)
    if bit:
        fcntl.ioctl(os.open(SHARED.with_name(f"shared-{len(ROUND)}"), os.O_RDONLY), 0x6612)


def cached_extents() -> int:
    ROUND.append(None)
    flags = bytearray(4)
    fcntl.ioctl(os.open(SHARED.with_name(f"shared-{len(ROUND)}"), os.O_RDONLY), 0x40046629, flags)
    return flags[0] & 1


MAPPED: list[mmap.mmap] = []


def map_page(bit: int) -> None:
    """Have a page of the file mapped, or not."""
    while MAPPED:
        MAPPED.pop().close()
    if bit:
        MAPPED.append(mmap.mmap(shared(), mmap.PAGESIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE))
        MAPPED[0][0]


def mapped_alone(of_page: Callable[[int], int]) -> Callable[[], int]:
    """Look at the page while it is mapped here too."""

    def look() -> int:
        with mmap.mmap(shared(), mmap.PAGESIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE) as mapped:
            mapped[0]
            place = ctypes.c_char.from_buffer(mapped)
            try:
                return of_page(ctypes.addressof(place))
            finally:
                del place

    return look


def by_pagemap(address: int) -> int:
    with Path("/proc/self/pagemap").open("rb") as pages:
        return os.pread(pages.fileno(), 8, address // mmap.PAGESIZE * 8)[7] & 1


def by_smaps(address: int) -> int:
    """Kilobytes of the page that others have mapped."""
    part = Path("/proc/self/smaps").read_text().split(f"\n{address:x}-")[1]
    return int(re.findall(r"Shared_Clean: +(\d+)", part)[0])


def event_number() -> int:
    """The lowest number that no counter of events on the machine has."""
    descriptor = os.eventfd(0)
    try:
        return int(re.findall(r"eventfd-id: (\d+)", Path(f"/proc/self/fdinfo/{descriptor}").read_text())[0])
    finally:
        os.close(descriptor)


def session() -> int:
    pid = os.fork()
    if pid == 0:
        os.setsid()
        LIBC.pause()
    return pid


def session_number() -> int:
    """The number of a new session's group."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        with suppress(OSError):
            os.write(writer, Path("/proc/self/autogroup").read_bytes())
        os._exit(0)
    os.close(writer)
    os.waitpid(pid, 0)
    with os.fdopen(reader) as answer:
        found = re.search(r"-(\d+)", answer.read())
    if not found:
        raise PermissionError
    return int(found[1])


files = hold(opened, os.close)
processes = hold(fork, end)
memory = hold(lambda: bytearray(b"x" * 5_000_000), lambda held: None)
terminals = hold(pty.openpty, close_pair)
sockets = hold(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM), lambda held: held.close())
CHANNELS: dict[str, tuple[Callable[[int], None], Callable[[], object]]] = {
    "flock": (flock, flocked),
    "fcntl": (lock, locked),
    "open-file-lock": (open_lock, locked),
    "lease": (lease, leased),
    "inotify": (touch_file, watched),
    "page-cache": (load_page, loaded),
    "mincore": (load_page, resident),
    "hint": (hint, hinted),
    "atime": (read_file, read_times),
    "device-times": (set_times, lambda: Path("/dev/null").stat().st_mtime_ns),
    "open-files": (files, number("/proc/sys/fs/file-nr", r"^(\d+)")),
    "load": (processes, number("/proc/loadavg", r"/(\d+)")),
    "forks": (processes, number("/proc/stat", r"processes (\d+)")),
    "memory": (memory, number("/proc/meminfo", r"AnonPages: +(\d+)")),
    "pages": (memory, number("/proc/vmstat", r"nr_anon_pages (\d+)")),
    "terminals": (terminals, number("/proc/sys/kernel/pty/nr", r"(\d+)")),
    "pipes": (hold(large_pipe, close_pair), largest_pipe),
    "names": (look_up, looked_up),
    "socket-cookies": (hold(new_socket, lambda held: held.close()), socket_cookie),
    "socket-diagnosis": (hold(new_socket, lambda held: held.close()), diagnosed_cookie),
    "process-numbers": (processes, process_number),
    "extents": (cache_extents, cached_extents),
    "pagemap": (map_page, mapped_alone(by_pagemap)),
    "smaps": (map_page, mapped_alone(by_smaps)),
    "events": (hold(lambda: os.eventfd(0), os.close), event_number),
    "sessions": (hold(session, end), session_number),
    "sockets": (sockets, number("/proc/self/net/sockstat", r"TCP: .* alloc (\d+)")),
}
"""How to send, and how to observe."""


def main() -> None:
    send, observe = CHANNELS[sys.argv[1]]
    for line in sys.stdin:
        seen: object = None
        try:
            if line[0] == "?":
                seen = observe()
            else:
                send(int(line[0]))
        except (OSError, ValueError) as error:
            seen = type(error).__name__
        print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    main()
