"""The system calls that a bot in the sandbox may not make, as a filter that the kernel runs.

Denied are: looking into other processes, mounting, changing namespaces, keys, kernel modules, clocks, choosing other
cores than those given, memory that belongs to no process and so is not counted, and parts of the kernel with a history
of holes that no game needs. A denied call fails as one that is not permitted, by default.

A bot that plays is also denied the calls by which two bots could talk through what both may only read, such as a lock
on a file of the system. A build may make those: compilers lock their caches, and nothing plays through it.

The filter is put together here from numbers, since no library for it is everywhere.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# a system call and its number on x86_64 and aarch64
_DENIED = """
ptrace 101 117
process_vm_readv 310 270
process_vm_writev 311 271
process_madvise 440 440
kcmp 312 272
pidfd_getfd 438 438
mount 165 40
umount2 166 39
pivot_root 155 41
chroot 161 51
move_mount 429 429
open_tree 428 428
open_tree_attr 467 467
fsopen 430 430
fsconfig 431 431
fsmount 432 432
fspick 433 433
mount_setattr 442 442
setns 308 268
unshare 272 97
keyctl 250 219
add_key 248 217
request_key 249 218
bpf 321 280
perf_event_open 298 241
userfaultfd 323 282
kexec_load 246 104
kexec_file_load 320 294
init_module 175 105
finit_module 313 273
delete_module 176 106
reboot 169 142
swapon 167 224
swapoff 168 225
acct 163 89
quotactl 179 60
quotactl_fd 443 443
syslog 103 116
settimeofday 164 170
clock_settime 227 112
clock_adjtime 305 266
adjtimex 159 171
sethostname 170 161
setdomainname 171 162
iopl 172 -
ioperm 173 -
vhangup 153 58
name_to_handle_at 303 264
open_by_handle_at 304 265
lookup_dcookie 212 18
io_uring_setup 425 425
io_uring_enter 426 426
io_uring_register 427 427
fanotify_init 300 262
nfsservctl 180 42
move_pages 279 239
migrate_pages 256 238
sched_setaffinity 203 122
memfd_create 319 279
memfd_secret 447 447
shmget 29 194
msgget 68 186
"""
# the same, and what a call fails with; 0: it succeeds and does nothing, as hints to the kernel may. Anybody may set the
# times of a device such as /dev/null, which all see; openat2 and io_submit can tell what the kernel has in its caches.
_SHARED = """
flock 73 32 EPERM
inotify_init 253 - EPERM
inotify_init1 294 26 EPERM
mincore 27 232 EPERM
cachestat 451 451 EPERM
mq_open 240 180 EPERM
io_setup 206 0 ENOSYS
io_submit 209 2 ENOSYS
openat2 437 437 ENOSYS
statfs 137 43 ENOSYS
fstatfs 138 44 ENOSYS
ustat 136 - ENOSYS
sync 162 81 0
syncfs 306 267 0
readahead 187 213 0
fadvise64 221 223 0
utime 132 - 0
utimes 235 - 0
futimesat 261 - 0
utimensat 280 88 0
"""


class _Machine(NamedTuple):
    column: int
    architecture: int
    """As the kernel's audit names it."""
    clone: int
    socket: int
    fcntl: int
    madvise: int
    preadv2: int
    prctl: int
    ioctl: int


_MACHINES = {
    "x86_64": _Machine(1, 0xC000003E, 56, 41, 72, 28, 327, 157, 16),
    "aarch64": _Machine(2, 0xC00000B7, 220, 198, 25, 233, 286, 167, 29),
}
_REVIEWED = 469
"""The last system call of the table that was looked through, file_setattr of Linux 6.17; later ones do not exist."""
_CLONE3 = 435
_NEW_NAMESPACES = 0x7E020000
"""The flags of clone that make a namespace: for mounts, cgroups, names, IPC, users, processes, network."""
_FAMILIES = (socket.AF_UNIX, 16)
"""What a bot's sockets may be of; 16 is netlink. The kernel counts those of IP for the whole machine."""
_BUILD_FAMILIES = (*_FAMILIES, socket.AF_INET, socket.AF_INET6)
"""Tools talk to themselves over the loopback. Other families, as to a virtual machine's host, know no namespaces."""
_FCNTL = (0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16, 1027, 1028, 1030, 1032, 1033, 1034)
"""Of descriptors, their flags and signals, sizes of pipes, seals. Not locks, leases, watches, hints on files."""
_UNLOADING = (20, 21)
"""madvise: MADV_COLD, MADV_PAGEOUT."""
_MERGING = (12, 25)
"""madvise: MADV_MERGEABLE, of equal pages of different processes; MADV_COLLAPSE, of the pages of a file."""
_PRCTL = (62, 67)
"""PR_SCHED_CORE, which idles other cores; PR_SET_MEMORY_MERGE."""
_FILE_KEYS = (0xC0506617, 0xC0406618, 0xC0406619, 0xC080661A)
"""ioctl: keys of encrypted file systems are added and seen by all their users: FS_IOC_ADD_ENCRYPTION_KEY and others."""
_READ_FLAGS = 0xFFFFFF88
"""Of preadv2: RWF_NOWAIT tells what is in memory, RWF_DONTCACHE removes it; those that are not known yet."""
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000


def seccomp_filter(machine: str = platform.machine(), build: bool = False) -> bytes:
    """The filter as the kernel takes it; empty where this module does not know the machine's numbers.

    `build`: for what builds a bot, else for what plays.
    """
    known = _MACHINES.get(machine)
    if known is None or sys.platform != "linux":
        return b""
    program = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, known.architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _REVIEWED + 1, 0, 1),  # among them x86_64's others, from 0x40000000
        _step(_RETURN, _ERROR | errno.ENOSYS),
        _step(_EQUAL, _CLONE3, 0, 1),
        _step(_RETURN, _ERROR | errno.ENOSYS),  # its flags are out of a filter's sight; libraries go on with clone
        *_calls(_DENIED if build else _DENIED + _SHARED, known.column),
        *_any_bit(known.clone, 0, _NEW_NAMESPACES, errno.EPERM),
        *_only(known.socket, 0, _BUILD_FAMILIES if build else _FAMILIES, errno.EAFNOSUPPORT),
    ]
    if not build:
        program += [
            *_only(known.fcntl, 1, _FCNTL, errno.EPERM),
            *_none_of(known.madvise, 2, _UNLOADING, 0),
            *_none_of(known.madvise, 2, _MERGING, errno.EINVAL),
            *_none_of(known.prctl, 0, _PRCTL, errno.EPERM),
            *_none_of(known.ioctl, 1, _FILE_KEYS, errno.EPERM),
            *_any_bit(known.preadv2, 5, _READ_FLAGS, errno.EOPNOTSUPP),
        ]
    return b"".join([*program, _step(_RETURN, _ALLOW)])


def _calls(table: str, column: int) -> Iterable[bytes]:
    """Deny the calls of a table."""
    for row in filter(None, table.split("\n")):
        words = row.split()
        error = words[3] if len(words) > 3 else "EPERM"
        if words[column] != "-":
            yield _step(_EQUAL, int(words[column]), 0, 1)
            yield _step(_RETURN, _ERROR | (getattr(errno, error) if error != "0" else 0))


def _only(call: int, argument: int, values: Sequence[int], error: int) -> list[bytes]:
    """Deny a call unless this argument, counted from 0, has one of these values."""
    steps = [_step(_EQUAL, value, len(values) - place, 0) for place, value in enumerate(values)]
    return _of(call, argument, [*steps, _step(_RETURN, _ERROR | error)])


def _none_of(call: int, argument: int, values: Iterable[int], error: int) -> list[bytes]:
    """Deny a call if this argument has one of these values."""
    steps = [step for value in values for step in (_step(_EQUAL, value, 0, 1), _step(_RETURN, _ERROR | error))]
    return _of(call, argument, steps)


def _any_bit(call: int, argument: int, bits: int, error: int) -> list[bytes]:
    """Deny a call if this argument has one of these bits."""
    return _of(call, argument, [_step(_ANY_BIT, bits, 0, 1), _step(_RETURN, _ERROR | error)])


def _of(call: int, argument: int, steps: list[bytes]) -> list[bytes]:
    """Steps for one call only: they find the low half of this argument, what follows them the call's number again.

    The kernel takes the low half alone of all arguments that are looked at here.
    """
    load = _step(_LOAD, _ARGUMENTS + 8 * argument)
    return [_step(_EQUAL, call, 0, len(steps) + 2), load, *steps, _step(_LOAD, _NUMBER)]


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """One instruction; a comparison skips so many of the next."""
    return struct.pack("=HBBI", code, if_so, if_not, value)
