"""The seccomp filter: a BPF program with which the kernel denies system calls of bots in the sandbox.

Denied are calls that inspect other processes, mount, change namespaces, keys, kernel modules, clocks or the cores in
use; that allocate memory which belongs to no process and so is not counted; and parts of the kernel that no game needs
and that had many holes. Unless a table below names another error, a denied call fails with EPERM.

A bot that plays is also denied calls through which two bots could talk by way of something that both can read, such as
locks on a file of the system. A build may use those: compilers lock their caches, and no game is going on.

The program is assembled from numbers, because libseccomp is not installed everywhere.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
import sys
from collections.abc import Iterable, Sequence

# the name of a system call, its number on x86_64, and its number on aarch64
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
statmount 457 457
listmount 458 458
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
semget 64 190
vmsplice 278 75
"""
# the same, and the error; 0: the call succeeds without effect, as hints to the kernel may. Anybody may set the times of
# /dev/null, which all bots see; openat2 and io_submit reveal what is in the page cache; the number of a pidfd's inode
# counts the machine's forks.
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
pidfd_open 434 434 ENOSYS
utimensat 280 88 0
"""


# the same, of the calls whose arguments are checked
_CHECKED = """
clone 56 220
socket 41 198
fcntl 72 25
madvise 28 233
preadv2 327 286
prctl 157 167
ioctl 16 29
mmap 9 222
setsockopt 54 208
getsockopt 55 209
statx 332 291
"""
_MACHINES = {"x86_64": (1, 0xC000003E), "aarch64": (2, 0xC00000B7)}
"""The column of each machine in these tables, and the kernel's AUDIT_ARCH number for it."""
_REVIEWED = 469
"""The last system call that was reviewed, file_setattr of Linux 6.17; the filter denies later ones with ENOSYS."""
_CLONE3 = 435
_NEW_NAMESPACES = 0x7E020000
"""The flags of clone that create a namespace: mounts, cgroups, UTS, IPC, users, processes, network."""
_THREAD, _SHARED_FILES = 0x10000, 0x400
"""Flags of clone: a thread; one that shares its process's table of open files, which is the one that /proc shows."""
_SHARED_MAPPING, _WITHOUT_FILE = 0x1, 0x20
"""Flags of mmap. The memory outlives its mappings, and is then not in the size of any process."""
_BUFFER_SIZES = (7, 8, 32, 33)
"""setsockopt: SO_SNDBUF, SO_RCVBUF and those for root; what sockets hold is counted by the default size."""
_NETLINK = 16
_FAMILIES = (socket.AF_UNIX, _NETLINK)
"""Socket families for bots that play. Not IP: the kernel counts IP sockets for the whole machine."""
_BUILD_FAMILIES = (*_FAMILIES, socket.AF_INET, socket.AF_INET6)
"""Build tools use the loopback. Other families, such as vsock to a virtual machine's host, ignore namespaces."""
_FCNTL = (0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16, 1027, 1028, 1030, 1032, 1033, 1034)
"""Allowed commands: descriptors, flags, signals, sizes of pipes, seals. Not locks, leases, watches, hints on files."""
_UNLOADING = (20, 21)
"""madvise: MADV_COLD, MADV_PAGEOUT."""
_MERGING = (12, 25)
"""madvise: MADV_MERGEABLE merges equal pages of different processes, MADV_COLLAPSE pages of a file."""
_PRCTL = (62, 67)
"""prctl: PR_SCHED_CORE, which makes other cores idle; PR_SET_MEMORY_MERGE."""
_IOCTL_TYPES = (0x5400, 0x8900)
"""Allowed kinds of ioctl: terminals and descriptors; sockets. Others reveal what is in memory of files that both may
read (ext4's extents), numbers of namespaces, which pages are shared (PAGEMAP_SCAN), or the keys of file systems."""
_CLONES = (0x40049409, 0x4020940D)
"""ioctl: FICLONE, FICLONERANGE; programs copy files so, and react to the errors of the file system only."""
_COUNTERS = (57, 71, 77)
"""getsockopt: SO_COOKIE, SO_NETNS_COOKIE, SO_PEERPIDFD count sockets, networks and forks of the machine."""
_PASS_PIDFD = (76,)
"""setsockopt: SO_PASSPIDFD, which sends such a descriptor along."""
_CLONE_PIDFD = 0x1000
_UNIQUE_MOUNT = 0x4000
"""statx: STATX_MNT_ID_UNIQUE, which counts the mounts of the machine."""
_READ_FLAGS = 0xFFFFFF88
"""preadv2: RWF_NOWAIT reveals what is in the page cache, RWF_DONTCACHE removes it; and flags that are not known yet."""
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN, _AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000


def seccomp_filter(machine: str = platform.machine(), build: bool = False) -> bytes:
    """The BPF program, as bwrap's --seccomp reads it; empty for a machine whose numbers are unknown.

    `build`: the filter for building a bot, else for playing.
    """
    if machine not in _MACHINES or sys.platform != "linux":
        return b""
    column, architecture = _MACHINES[machine]
    number = {words[0]: int(words[column]) for words in map(str.split, _CHECKED.split("\n")[1:-1])}
    program = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _REVIEWED + 1, 0, 1),  # among them those of x32, from 0x40000000
        _step(_RETURN, _ERROR | errno.ENOSYS),
        _step(_EQUAL, _CLONE3, 0, 1),
        _step(_RETURN, _ERROR | errno.ENOSYS),  # a filter can't read its flags; libraries fall back on clone
        *_calls(_DENIED if build else _DENIED + _SHARED, column),
        *_bits(number["clone"], 0, errno.EPERM, _NEW_NAMESPACES),
        *_bits(number["clone"], 0, errno.EPERM, _THREAD, missing=_SHARED_FILES),
        *_bits(number["mmap"], 3, errno.ENOMEM, _SHARED_MAPPING, _WITHOUT_FILE),
        *_none_of(number["setsockopt"], 2, _BUFFER_SIZES, 0),
        *_only(number["socket"], 0, _BUILD_FAMILIES if build else _FAMILIES, errno.EAFNOSUPPORT),
    ]
    if not build:
        program += [
            *_only(number["fcntl"], 1, _FCNTL, errno.EPERM),
            *_none_of(number["madvise"], 2, _UNLOADING, 0),
            *_none_of(number["madvise"], 2, _MERGING, errno.EINVAL),
            *_none_of(number["prctl"], 0, _PRCTL, errno.EPERM),
            *_ioctl(number["ioctl"]),
            *_route_only(number["socket"]),
            *_none_of(number["getsockopt"], 2, _COUNTERS, errno.ENOPROTOOPT),
            *_none_of(number["setsockopt"], 2, _PASS_PIDFD, errno.ENOPROTOOPT),
            *_bits(number["clone"], 0, errno.EINVAL, _CLONE_PIDFD),
            *_bits(number["statx"], 3, errno.EINVAL, _UNIQUE_MOUNT),
            *_bits(number["preadv2"], 5, errno.EOPNOTSUPP, _READ_FLAGS),
        ]
    return b"".join([*program, _step(_RETURN, _ALLOW)])


def _calls(table: str, column: int) -> Iterable[bytes]:
    """Steps that deny the calls of a table."""
    for row in filter(None, table.split("\n")):
        words = row.split()
        error = words[3] if len(words) > 3 else "EPERM"
        if words[column] != "-":
            yield _step(_EQUAL, int(words[column]), 0, 1)
            yield _step(_RETURN, _ERROR | (getattr(errno, error) if error != "0" else 0))


def _only(call: int, argument: int, values: Sequence[int], error: int) -> list[bytes]:
    """Steps that deny a call unless an argument, counted from 0, has one of these values."""
    steps = [_step(_EQUAL, value, len(values) - index, 0) for index, value in enumerate(values)]
    return _for_call(call, argument, [*steps, _step(_RETURN, _ERROR | error)])


def _none_of(call: int, argument: int, values: Iterable[int], error: int) -> list[bytes]:
    """Steps that deny a call if an argument has one of these values."""
    steps = [step for value in values for step in (_step(_EQUAL, value, 0, 1), _step(_RETURN, _ERROR | error))]
    return _for_call(call, argument, steps)


def _bits(call: int, argument: int, error: int, *present: int, missing: int = 0) -> list[bytes]:
    """Steps that deny a call if an argument has one of each of the bits `present`, and none of the bits `missing`."""
    after = len(present) + bool(missing)
    steps = [_step(_ANY_BIT, bits, 0, after - index) for index, bits in enumerate(present)]
    steps += [_step(_ANY_BIT, missing, 1, 0)] if missing else []
    return _for_call(call, argument, [*steps, _step(_RETURN, _ERROR | error)])


def _ioctl(call: int) -> list[bytes]:
    """Steps that deny all kinds of ioctl but a few. The second byte of a request is its kind."""
    clones = [
        _step(_EQUAL, value, len(_CLONES) - index + len(_IOCTL_TYPES) + 1, 0) for index, value in enumerate(_CLONES)
    ]
    kinds = [_step(_EQUAL, value, len(_IOCTL_TYPES) - index, 0) for index, value in enumerate(_IOCTL_TYPES)]
    return _for_call(call, 1, [*clones, _step(_AND, 0xFF00), *kinds, _step(_RETURN, _ERROR | errno.EPERM)])


def _route_only(call: int) -> list[bytes]:
    """Steps that deny netlink sockets of other protocols than NETLINK_ROUTE: sock_diag numbers sockets by counters."""
    protocol = [_step(_LOAD, _ARGUMENTS + 16), _step(_EQUAL, 0, 1, 0)]
    denied = _step(_RETURN, _ERROR | errno.EPROTONOSUPPORT)
    return _for_call(call, 0, [_step(_EQUAL, _NETLINK, 0, 3), *protocol, denied])


def _for_call(call: int, argument: int, steps: list[bytes]) -> list[bytes]:
    """Load the low half of an argument, run the steps and load the call's number again; other calls skip all that.

    Of all arguments that the filter checks the kernel itself uses the low half alone.
    """
    load = _step(_LOAD, _ARGUMENTS + 8 * argument)
    return [_step(_EQUAL, call, 0, len(steps) + 2), load, *steps, _step(_LOAD, _NUMBER)]


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """One instruction. A comparison skips `if_so` or `if_not` of the following ones."""
    return struct.pack("=HBBI", code, if_so, if_not, value)
