"""Killing a process with all its descendants, also when some of them are stopped, traced, or forking.

Linux can't kill a tree of processes at once: a child may fork while its siblings are being killed. So `kill_below`
lists the descendants in /proc and kills them, again and again, until only zombies are left. `become_subreaper` keeps
orphans in the tree, and `resume_when_orphaned` makes sure that a stopped process does not outlive its parent.

The supervisor server imports this module, so it is small. Without /proc (on macOS) its functions find no descendants.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from time import monotonic, sleep

from .procfs import children, fields, tree

_END_SECONDS = 10.0
"""The longest time to kill a tree. Milliseconds are enough unless the kernel holds a process in a system call."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def become_subreaper(yes: bool = True) -> None:
    """Make orphaned descendants of this process its children, or no longer. Does nothing except on Linux."""
    _prctl(_PR_SET_CHILD_SUBREAPER, int(yes))


def resume_when_orphaned() -> None:
    """Have the kernel send SIGCONT to this process when its parent ends, so that it runs on if somebody stopped it.

    It then sees the end of its parent and ends too. Does nothing except on Linux.
    """
    _prctl(_PR_SET_PDEATHSIG, signal.SIGCONT)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def kill_tree(root: int) -> None:
    """Kill a process and all its descendants. The process is stopped first, so that it starts nothing meanwhile."""
    with suppress(OSError):
        os.kill(root, signal.SIGSTOP)
    kill_below(root)
    with suppress(OSError):
        os.kill(root, signal.SIGKILL)


def kill_below(root: int, spared: Collection[int] = ()) -> None:
    """Kill all descendants of a process except for the children in `spared` and their descendants.

    Repeats until only zombies are left, and the same twice: a process that becomes an orphan meanwhile may be missing
    once. At most for `_END_SECONDS`.
    """
    until, before = monotonic() + _END_SECONDS, None
    while monotonic() < until:
        kept = [child for child in children(root) if child not in spared]
        found = [pid for child in kept for pid in (child, *tree(child))]
        living = [pid for pid in found if _is_living(fields(pid))]
        if not living and found == before:
            return
        before = found
        for pid in living:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if living:
            sleep(0.001)


def is_stopped(pid: int) -> bool:
    """Whether a process is stopped by a signal or by a tracer."""
    return fields(pid)[:1] in ([b"T"], [b"t"])


def _is_living(stat: list[bytes]) -> bool:
    """Whether a process runs. One whose first thread alone has ended looks like a zombie but has other threads."""
    return bool(stat) and (stat[0] not in (b"Z", b"X") or int(stat[17]) > 1)
