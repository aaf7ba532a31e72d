"""Ending processes with all that is below them, also where somebody has stopped them or those who should do it.

The keeper imports this, so it is small. Everything here needs /proc, and does nothing where there is none.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from time import monotonic, sleep

from .procfs import children, fields, tree

END_SECONDS = 10.0
"""How long ending a tree may take: only a process that the kernel holds on to needs more than moments."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def become_subreaper(yes: bool = True) -> None:
    """Orphans below this process become its children, or no longer do. Only Linux has that."""
    _prctl(_PR_SET_CHILD_SUBREAPER, int(yes))


def resume_when_orphaned() -> None:
    """If somebody has stopped this process when its parent ends, it runs again, to end too. Only Linux has that."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGCONT)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def kill_tree(root: int) -> None:
    """Kill a process and all that is below it. It is stopped first, so that it starts nothing meanwhile."""
    with suppress(OSError):
        os.kill(root, signal.SIGSTOP)
    kill_below(root)
    with suppress(OSError):
        os.kill(root, signal.SIGKILL)


def kill_below(root: int, spared: Collection[int] = ()) -> None:
    """Kill all that is below a process, but for these children of its and what is below them.

    What is forked meanwhile is below it too: this goes on until only the dead are left, who wait for their parents.
    """
    until = monotonic() + END_SECONDS
    while (living := _living_below(root, spared)) and monotonic() < until:
        for pid in living:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        sleep(0.001)


def is_stopped(pid: int) -> bool:
    """Whether somebody has stopped this process, or traces it."""
    return fields(pid)[:1] in ([b"T"], [b"t"])


def _living_below(root: int, spared: Collection[int]) -> list[int]:
    own = [child for child in children(root) if child not in spared]
    return [pid for child in own for pid in (child, *tree(child)) if _is_living(fields(pid))]


def _is_living(about: list[bytes]) -> bool:
    """Whether a process with these fields runs; one whose first thread alone has ended is shown as a zombie."""
    return bool(about) and (about[0] not in (b"Z", b"X") or int(about[17]) > 1)
