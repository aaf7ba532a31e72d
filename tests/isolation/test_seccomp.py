"""The filter of system calls, run as the kernel runs it, for each machine that it is made for."""

from __future__ import annotations

import errno
import struct
from itertools import pairwise

import pytest

from fa_cli.isolation.sandbox.seccomp import seccomp_filter

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000


def run(machine: str, number: int, *arguments: int, build: bool = False, architecture: int = 0) -> int:
    """What the filter says to a call."""
    steps = list(struct.iter_unpack("=HBBI", seccomp_filter(machine, build)))
    words = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, architecture or ARCHITECTURES[machine], 0, *words)
    at = value = 0
    while True:
        code, if_so, if_not, operand = steps[at]
        at += 1
        if code == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
        elif code == 0x06:
            return int(operand)
        elif code == 0x54:
            value &= operand
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
            at += if_so if holds else if_not


# name, numbers on x86_64 and aarch64, arguments, and the error of a bot and of a build; None: allowed, 0: succeeds
CALLS = [
    ("read", 0, 63, (), None, None),
    ("futex", 202, 98, (), None, None),
    ("sysinfo", 99, 179, (), None, None),
    ("pipe2", 293, 59, (), None, None),
    ("flock", 73, 32, (3, 1), errno.EPERM, None),
    ("fcntl: a copy", 72, 25, (3, 1030), None, None),
    ("fcntl: F_GETFL", 72, 25, (3, 3), None, None),
    ("fcntl: F_GETLK", 72, 25, (3, 5), errno.EPERM, None),
    ("fcntl: F_SETLK", 72, 25, (3, 6), errno.EPERM, None),
    ("fcntl: F_SETLKW", 72, 25, (3, 7), errno.EPERM, None),
    ("fcntl: F_OFD_GETLK", 72, 25, (3, 36), errno.EPERM, None),
    ("fcntl: F_OFD_SETLK", 72, 25, (3, 37), errno.EPERM, None),
    ("fcntl: F_OFD_SETLKW", 72, 25, (3, 38), errno.EPERM, None),
    ("fcntl: F_SETLEASE", 72, 25, (3, 1024), errno.EPERM, None),
    ("fcntl: F_GETLEASE", 72, 25, (3, 1025), errno.EPERM, None),
    ("fcntl: F_NOTIFY", 72, 25, (3, 1026), errno.EPERM, None),
    ("fcntl: F_SETPIPE_SZ", 72, 25, (3, 1031), errno.EPERM, None),
    ("fcntl: F_SET_RW_HINT", 72, 25, (3, 1036), errno.EPERM, None),
    ("fcntl: F_SETLK, its upper half ignored", 72, 25, (3, 7 << 32 | 6), errno.EPERM, None),
    ("fcntl: of a later kernel", 72, 25, (3, 1039), errno.EPERM, None),
    ("inotify_init1", 294, 26, (), errno.EPERM, None),
    ("fanotify_init", 300, 262, (), errno.EPERM, errno.EPERM),
    ("mincore", 27, 232, (), errno.EPERM, None),
    ("cachestat", 451, 451, (), errno.EPERM, None),
    ("mq_open", 240, 180, (), errno.EPERM, None),
    ("io_setup", 206, 0, (), errno.ENOSYS, None),
    ("io_submit", 209, 2, (), errno.ENOSYS, None),
    ("openat2", 437, 437, (), errno.ENOSYS, None),
    ("ioctl: FIONREAD", 16, 29, (3, 0x541B), None, None),
    ("ioctl: FS_IOC_ADD_ENCRYPTION_KEY", 16, 29, (3, 0xC0506617), errno.EPERM, None),
    ("ioctl: FS_IOC_GET_ENCRYPTION_KEY_STATUS", 16, 29, (3, 0xC080661A), errno.EPERM, None),
    ("ioctl: TCGETS", 16, 29, (0, 0x5401), None, None),
    ("ioctl: SIOCGIFCONF", 16, 29, (3, 0x8912), None, None),
    ("ioctl: FICLONE", 16, 29, (3, 0x40049409), None, None),
    ("ioctl: FICLONERANGE", 16, 29, (3, 0x4020940D), None, None),
    ("ioctl: another of btrfs", 16, 29, (3, 0xC0109414), errno.EPERM, None),
    ("ioctl: EXT4_IOC_GETSTATE", 16, 29, (3, 0x40046629), errno.EPERM, None),
    ("ioctl: EXT4_IOC_PRECACHE_EXTENTS", 16, 29, (3, 0x6612), errno.EPERM, None),
    ("ioctl: PAGEMAP_SCAN", 16, 29, (3, 0xC0606610), errno.EPERM, None),
    ("ioctl: NS_GET_ID", 16, 29, (3, 0x8008B70D), errno.EPERM, None),
    ("ioctl: RNDGETENTCNT", 16, 29, (3, 0x80045200), errno.EPERM, None),
    ("ioctl: its upper half ignored", 16, 29, (3, 0x54 << 40 | 0x6612), errno.EPERM, None),
    ("getsockopt: SO_TYPE", 55, 209, (3, 1, 3), None, None),
    ("getsockopt: SO_PEERCRED", 55, 209, (3, 1, 17), None, None),
    ("getsockopt: SO_COOKIE", 55, 209, (3, 1, 57), errno.ENOPROTOOPT, None),
    ("getsockopt: SO_NETNS_COOKIE", 55, 209, (3, 1, 71), errno.ENOPROTOOPT, None),
    ("getsockopt: SO_PEERPIDFD", 55, 209, (3, 1, 77), errno.ENOPROTOOPT, None),
    ("setsockopt: SO_PASSCRED", 54, 208, (3, 1, 16), None, None),
    ("setsockopt: SO_PASSPIDFD", 54, 208, (3, 1, 76), errno.ENOPROTOOPT, None),
    ("pidfd_open", 434, 434, (1,), errno.ENOSYS, None),
    ("statx", 332, 291, (3, 0, 0, 0xFFF), None, None),
    ("statx: STATX_MNT_ID_UNIQUE", 332, 291, (3, 0, 0, 0x4FFF), errno.EINVAL, None),
    ("statmount", 457, 457, (), errno.EPERM, errno.EPERM),
    ("listmount", 458, 458, (), errno.EPERM, errno.EPERM),
    ("statfs", 137, 43, (), errno.ENOSYS, None),
    ("fstatfs", 138, 44, (), errno.ENOSYS, None),
    ("sync", 162, 81, (), 0, None),
    ("syncfs", 306, 267, (), 0, None),
    ("readahead", 187, 213, (), 0, None),
    ("fadvise64", 221, 223, (3, 0, 0, 4), 0, None),
    ("utimensat", 280, 88, (), 0, None),
    ("madvise: MADV_DONTNEED", 28, 233, (0, 0, 4), None, None),
    ("madvise: MADV_COLD", 28, 233, (0, 0, 20), 0, None),
    ("madvise: MADV_PAGEOUT", 28, 233, (0, 0, 21), 0, None),
    ("madvise: MADV_MERGEABLE", 28, 233, (0, 0, 12), errno.EINVAL, None),
    ("madvise: MADV_COLLAPSE", 28, 233, (0, 0, 25), errno.EINVAL, None),
    ("preadv2", 327, 286, (3, 0, 1, 0, 0, 0), None, None),
    ("preadv2: RWF_NOWAIT", 327, 286, (3, 0, 1, 0, 0, 8), errno.EOPNOTSUPP, None),
    ("preadv2: RWF_NOWAIT among others", 327, 286, (3, 0, 1, 0, 0, 15), errno.EOPNOTSUPP, None),
    ("preadv2: RWF_DONTCACHE", 327, 286, (3, 0, 1, 0, 0, 128), errno.EOPNOTSUPP, None),
    ("prctl: PR_SET_NAME", 157, 167, (15,), None, None),
    ("prctl: PR_SET_MEMORY_MERGE", 157, 167, (67,), errno.EPERM, None),
    ("prctl: PR_SCHED_CORE", 157, 167, (62,), errno.EPERM, None),
    ("socket: AF_UNIX", 41, 198, (1,), None, None),
    ("socket: AF_NETLINK", 41, 198, (16,), None, None),
    ("socket: NETLINK_ROUTE", 41, 198, (16, 3, 0), None, None),
    ("socket: NETLINK_SOCK_DIAG", 41, 198, (16, 3, 4), errno.EPROTONOSUPPORT, None),
    ("socket: AF_UNIX with a protocol", 41, 198, (1, 1, 1), None, None),
    ("socket: AF_INET", 41, 198, (2,), errno.EAFNOSUPPORT, None),
    ("socket: AF_INET6", 41, 198, (10,), errno.EAFNOSUPPORT, None),
    ("socket: AF_VSOCK", 41, 198, (40,), errno.EAFNOSUPPORT, errno.EAFNOSUPPORT),
    ("clone", 56, 220, (0x11,), None, None),
    ("clone: a pidfd", 56, 220, (0x1011,), errno.EINVAL, None),
    ("clone: a user namespace", 56, 220, (0x10000011,), errno.EPERM, errno.EPERM),
    ("clone: a thread", 56, 220, (0x10F00,), None, None),
    ("clone: a thread with open files of its own", 56, 220, (0x10B00,), errno.EPERM, errno.EPERM),
    ("mmap: private memory", 9, 222, (0, 1, 3, 0x22), None, None),
    ("mmap: a shared file", 9, 222, (0, 1, 3, 0x1), None, None),
    ("mmap: shared memory", 9, 222, (0, 1, 3, 0x21), errno.ENOMEM, errno.ENOMEM),
    ("mmap: shared memory, reserved and filled", 9, 222, (0, 1, 3, 0xC021), errno.ENOMEM, errno.ENOMEM),
    ("setsockopt: SO_REUSEADDR", 54, 208, (3, 1, 2), None, None),
    ("setsockopt: SO_SNDBUF", 54, 208, (3, 1, 7), 0, 0),
    ("setsockopt: SO_RCVBUF", 54, 208, (3, 1, 8), 0, 0),
    ("semget", 64, 190, (), errno.EPERM, errno.EPERM),
    ("vmsplice", 278, 75, (), errno.EPERM, errno.EPERM),
    ("clone3", 435, 435, (), errno.ENOSYS, errno.ENOSYS),
    ("ptrace", 101, 117, (), errno.EPERM, errno.EPERM),
    ("io_uring_setup", 425, 425, (), errno.EPERM, errno.EPERM),
    ("open_tree_attr", 467, 467, (), errno.EPERM, errno.EPERM),
    ("of a later kernel", 470, 470, (), errno.ENOSYS, errno.ENOSYS),
    ("of x32", 0x40000000, 0x40000000, (), errno.ENOSYS, errno.ENOSYS),
]


@pytest.mark.parametrize("build", [False, True])
@pytest.mark.parametrize(("column", "machine"), list(enumerate(ARCHITECTURES)))
def test_what_it_says(column: int, machine: str, build: bool) -> None:
    for name, *numbers, arguments, of_a_bot, of_a_build in CALLS:
        wanted = of_a_build if build else of_a_bot
        said = run(machine, numbers[column], *arguments, build=build)
        assert said == (ALLOW if wanted is None else ERROR | wanted), name


@pytest.mark.parametrize("build", [False, True])
def test_calls_of_another_machine_kill(build: bool) -> None:
    for machine, other in pairwise([*ARCHITECTURES, "x86_64"]):
        assert run(machine, 0, architecture=ARCHITECTURES[other], build=build) == KILL
    assert run("x86_64", 0, architecture=0x40000003, build=build) == KILL


@pytest.mark.parametrize("build", [False, True])
@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_call_gets_an_answer(machine: str, build: bool) -> None:
    """No jump leaves the program, whatever the number; the kernel would refuse it."""
    program = list(struct.iter_unpack("=HBBI", seccomp_filter(machine, build)))
    assert 20 < len(program) < 4096
    for place, (code, if_so, if_not, _) in enumerate(program):
        assert code == 0x06 or place + 1 + max(if_so, if_not) < len(program)
    assert {run(machine, number, build=build) & 0xFFFF0000 for number in range(600)} == {ALLOW, ERROR}


def test_a_machine_that_is_not_known() -> None:
    assert seccomp_filter("riscv64") == b""
