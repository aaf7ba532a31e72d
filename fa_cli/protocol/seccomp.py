"""The system calls that a bot in the sandbox may not make, as a filter that the kernel runs.

Denied are: looking into other processes, mounting, changing namespaces, keys, kernel modules, clocks, choosing other
cores than those given, memory that belongs to no process and so is not counted, and parts of the kernel with a history
of holes that no game needs. A denied call fails as one that is not permitted. The filter is put together here from
numbers, since no library for it is everywhere.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
import sys
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


class _Machine(NamedTuple):
    column: int
    architecture: int
    """As the kernel's audit names it."""
    clone: int
    socket: int


_MACHINES = {
    "x86_64": _Machine(1, 0xC000003E, 56, 41),
    "aarch64": _Machine(2, 0xC00000B7, 220, 198),
}
_CLONE3 = 435
_NEW_NAMESPACES = 0x7E020000
"""The flags of clone that make a namespace: for mounts, cgroups, names, IPC, users, processes, network."""
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)
"""What sockets may be of; 16 is netlink. Others, as those to a virtual machine's host, know no namespaces."""
_X32 = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000


def seccomp_filter(machine: str = platform.machine()) -> bytes:
    """The filter as the kernel takes it; empty where this module does not know the machine's numbers."""
    known = _MACHINES.get(machine)
    if known is None or sys.platform != "linux":
        return b""
    rows = [row.split() for row in _DENIED.split("\n") if row]
    denied = [int(row[known.column]) for row in rows if row[known.column] != "-"]
    program = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, known.architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _X32, 0, 1),
        _step(_RETURN, _ERROR | errno.ENOSYS),
        _step(_EQUAL, _CLONE3, 0, 1),
        _step(_RETURN, _ERROR | errno.ENOSYS),  # its flags are out of a filter's sight; libraries go on with clone
    ]
    for number in denied:
        program += [_step(_EQUAL, number, 0, 1), _step(_RETURN, _ERROR | errno.EPERM)]
    program += [
        _step(_EQUAL, known.clone, 0, 4),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1),
        _step(_RETURN, _ERROR | errno.EPERM),
        _step(_RETURN, _ALLOW),
        _step(_EQUAL, known.socket, 0, len(_FAMILIES) + 2),
        _step(_LOAD, _FIRST_ARGUMENT),
        *(_step(_EQUAL, family, len(_FAMILIES) - place, 0) for place, family in enumerate(_FAMILIES)),
        _step(_RETURN, _ERROR | errno.EAFNOSUPPORT),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(program)


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """One instruction; a comparison skips so many of the next."""
    return struct.pack("=HBBI", code, if_so, if_not, value)
