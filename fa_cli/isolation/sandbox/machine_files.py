"""What a bot in the sandbox sees of the machine in /proc and /dev: constants, so that it can't observe other bots.

Many files in /proc, and the terminals in /dev/pts, are about the whole machine: free memory, forks, open files. Java,
Node, Go and others read some of them when they start. Those are replaced by constants of the same format; all others
are hidden. Files about the bot's own processes stay.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_PROC = Path("/proc")
_UNCHANGED = ("self", "thread-self", "mounts", "net")
"""About the bot's own processes and namespaces; landlock.py hides most of it."""
_MEMORY = ("MemTotal", "MemFree", "MemAvailable")
_NO_MEMORY = ("Buffers", "Cached", "SwapCached", "SwapTotal", "SwapFree", "Shmem", "SReclaimable")


def bound_machine_files(first: int) -> tuple[list[str], list[bytes]]:
    """bubblewrap's options that hide and replace these files, and the contents of the descriptors from `first` on."""
    constants = _constants()
    words = []
    for number, name in enumerate(constants, first):
        words += ["--perms", "0444", "--ro-bind-data", str(number), f"/proc/{name}"]
    for name, is_folder in _hidden_names(tuple(constants)):
        words += _empty_folder(f"/proc/{name}") if is_folder else ["--ro-bind", "/dev/null", f"/proc/{name}"]
    return [*words, *_empty_folder("/dev/pts")], list(constants.values())


def constant_files() -> list[str]:
    """The paths of the files that are replaced by constants."""
    return [f"/proc/{name}" for name in _constants()]


def _empty_folder(path: str) -> Sequence[str]:
    return "--tmpfs", path, "--remount-ro", path


@cache
def _hidden_names(constants: Sequence[str]) -> list[tuple[str, bool]]:
    """All other names in /proc, and whether each is a folder."""
    visible = {*_UNCHANGED, *constants}
    hidden = [entry for entry in os.scandir(_PROC) if not entry.name.isdigit() and entry.name not in visible]
    return sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in hidden)


@cache
def _constants() -> dict[str, bytes]:
    """Files that programs read, by name: constant parts as they are, the rest as if nothing ran or used memory."""
    meminfo = dict(re.findall(r"^(\w+):\s+(.*)$", _read("meminfo"), re.MULTILINE))
    total = meminfo.get("MemTotal", "0 kB")
    memory = {**dict.fromkeys(_MEMORY, total), **dict.fromkeys(_NO_MEMORY, "0 kB")}
    if "Hugepagesize" in meminfo:
        memory["Hugepagesize"] = meminfo["Hugepagesize"]
    stat = _read("stat")
    processors = re.findall(r"^cpu\d*", stat, re.MULTILINE)
    boot_time = re.findall(r"^btime .*$", stat, re.MULTILINE)
    counts = [*(f"{name} {'0 ' * 9}0" for name in processors), "intr 0", "ctxt 0", *boot_time, "processes 1"]
    files = {
        "cpuinfo": re.sub(r"(?m)^(cpu MHz\s*: ).*$", r"\g<1>1000.000", _read("cpuinfo")),
        "filesystems": _read("filesystems"),
        "loadavg": "0.00 0.00 0.00 1/1 1\n",
        "meminfo": "".join(f"{name}: {value:>20}\n" for name, value in memory.items()),
        "stat": "\n".join([*counts, "procs_running 1", "procs_blocked 0", ""]),
        "uptime": "1000.00 1000.00\n",
        "version": _read("version"),
    }
    return {name: text.encode() for name, text in files.items()}


def _read(name: str) -> str:
    return (_PROC / name).read_text(errors="replace")
