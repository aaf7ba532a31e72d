"""The launcher that hides from a bot the files about processes in /proc, by Landlock, and then becomes the bot.

Files such as /proc/self/pagemap, smaps, fdinfo, autogroup, io and net show numbers that count for the whole machine, or
what other bots have in memory. They can't be hidden by mounts, since each process has its own. Landlock restricts what
a process and its children may read, by folders and files that are listed before; it needs Linux 5.19 and must begin
inside the sandbox, after all mounts. bubblewrap has no option for it, so it starts this program: 300 bytes that need no
compiler, no library and no interpreter, and add about a millisecond to a start.

Its arguments are the paths that may be read, `/` first, then an empty one, then the command by its full path. It lets
the first path stand for renaming files between folders, which Landlock denies otherwise. It skips paths that can't be
opened, and exits with status 126 if anything else fails. Files of /proc/self are listed for one process; should the
kernel run short of memory and forget them, they are hidden too.
"""

from __future__ import annotations

import platform
import struct
import sys
from functools import cache

_X86_64 = """
-                _start:
4989e6           mov r14, rsp
4883ec10         sub rsp, 16
48c7042404200000 mov qword ptr [rsp], 0x2004
b8bc010000       mov eax, 444
4889e7           mov rdi, rsp
be08000000       mov esi, 8
31d2             xor edx, edx
0f05             syscall
85c0             test eax, eax
787f             js fail
4189c5           mov r13d, eax
498d5e10         lea rbx, [r14+16]
c7042400200000   mov dword ptr [rsp], 0x2000
-                next:
488b33           mov rsi, [rbx]
4885f6           test rsi, rsi
7469             jz fail
4883c308         add rbx, 8
803e00           cmp byte ptr [rsi], 0
743b             jz restrict
bf9cffffff       mov edi, -100
ba00002800       mov edx, 0x280000
b801010000       mov eax, 257
0f05             syscall
85c0             test eax, eax
78da             js next
89442408         mov [rsp+8], eax
4489ef           mov edi, r13d
be01000000       mov esi, 1
4889e2           mov rdx, rsp
4531d2           xor r10d, r10d
b8bd010000       mov eax, 445
0f05             syscall
85c0             test eax, eax
782e             js fail
c7042404000000   mov dword ptr [rsp], 4
ebb4             jmp next
-                restrict:
4489ef           mov edi, r13d
31f6             xor esi, esi
b8be010000       mov eax, 446
0f05             syscall
85c0             test eax, eax
7815             js fail
488b3b           mov rdi, [rbx]
4889de           mov rsi, rbx
498b06           mov rax, [r14]
498d54c610       lea rdx, [r14+rax*8+16]
b83b000000       mov eax, 59
0f05             syscall
-                fail:
bf7e000000       mov edi, 126
b83c000000       mov eax, 60
0f05             syscall
"""
_AARCH64 = """
-        _start:
f3030091 mov x19, sp
ff4300d1 sub sp, sp, #16
890084d2 mov x9, #0x2004
e90300f9 str x9, [sp]
883780d2 mov x8, #444
e0030091 mov x0, sp
010180d2 mov x1, #8
020080d2 mov x2, #0
010000d4 svc #0
a004f8b7 tbnz x0, #63, fail
f40300aa mov x20, x0
75420091 add x21, x19, #16
090084d2 mov x9, #0x2000
e90300f9 str x9, [sp]
-        next:
a18640f8 ldr x1, [x21], #8
e10300b4 cbz x1, fail
29004039 ldrb w9, [x1]
29020034 cbz w9, restrict
600c8092 mov x0, #-100
0205a0d2 mov x2, #0x280000
080780d2 mov x8, #56
010000d4 svc #0
00ffffb7 tbnz x0, #63, next
e00b00b9 str w0, [sp, #8]
e00314aa mov x0, x20
210080d2 mov x1, #1
e2030091 mov x2, sp
030080d2 mov x3, #0
a83780d2 mov x8, #445
010000d4 svc #0
0002f8b7 tbnz x0, #63, fail
890080d2 mov x9, #4
e90300f9 str x9, [sp]
edffff17 b next
-        restrict:
e00314aa mov x0, x20
010080d2 mov x1, #0
c83780d2 mov x8, #446
010000d4 svc #0
0001f8b7 tbnz x0, #63, fail
a00240f9 ldr x0, [x21]
e10315aa mov x1, x21
690240f9 ldr x9, [x19]
620e098b add x2, x19, x9, lsl #3
42400091 add x2, x2, #16
a81b80d2 mov x8, #221
010000d4 svc #0
-        fail:
c00f80d2 mov x0, #126
a80b80d2 mov x8, #93
010000d4 svc #0
"""
LISTINGS = {"x86_64": _X86_64, "aarch64": _AARCH64}
"""For each machine the instructions: their bytes in hex, and their names."""
_ELF_MACHINES = {"x86_64": 62, "aarch64": 183}
_BASE, _HEADERS = 0x400000, 64 + 56
_CREATE_RULESET, _VERSION = 444, 1
_NEEDED_VERSION = 2
"""Renaming between folders can be allowed from this version on."""
_OWN = "auxv cgroup cmdline comm environ limits maps mountinfo mounts stat statm status"
"""Files of the bot's first process that stay readable, because runtimes read them."""
PATH = "/dev/launcher"
"""Where the sandbox has the program."""


@cache
def launcher(machine: str = platform.machine()) -> bytes:
    """The program, an ELF file; empty where Landlock is not available or the machine is unknown."""
    return elf(machine) if machine in LISTINGS and _version() >= _NEEDED_VERSION else b""


def elf(machine: str) -> bytes:
    """The program for a machine, whatever this kernel can do."""
    code = machine_code(machine)
    size = _HEADERS + len(code)
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 2, _ELF_MACHINES[machine], 1,
                         _BASE + _HEADERS, 64, 0, 0, 64, 56, 1, 0, 0, 0)  # fmt: skip
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, _BASE, _BASE, size, size, 0x10000)
    return header + segment + code


def machine_code(machine: str) -> bytes:
    """The instructions of the listing."""
    rows = filter(None, LISTINGS[machine].split("\n"))
    return b"".join(bytes.fromhex(word) for word in (row.split()[0] for row in rows) if word != "-")


def launch_words(readable: list[str]) -> list[str]:
    """The words before a command that start it with these top folders and files as all that it may read."""
    return [PATH, "/", *readable, *(f"/proc/self/{name}" for name in _OWN.split()), ""]


def _version() -> int:
    """The version of Landlock in this kernel; 0 or less if it is missing."""
    if sys.platform != "linux":
        return 0
    import ctypes

    version: int = ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, _VERSION)
    return version
