"""Control groups (version 2) for bots: with them the kernel holds the memory and processes of each bot together.

They can be had where this process is alone in a group that was handed over to it, as by `systemd-run --user --scope
--property=Delegate=yes fa ...`. A group with groups in it can't have processes too, so it goes into one of its own.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from .supervision import procfs

ROOT = Path("/sys/fs/cgroup")
_REFEREE = "fa-referee"
_NEEDED = ("memory", "pids")


@cache
def group_for_bots() -> str:
    """The group in which the keeper makes one for each bot; empty where there is none."""
    try:
        own = _own_group()
        if own is None:
            return ""
        if own.name != _REFEREE:
            _make_room(own)
            return str(own)
        return str(own.parent)
    except OSError:
        return ""


def _own_group() -> Path | None:
    """This process's group, if it is one in which it may do what it has to."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    path = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), "/")
    own = ROOT / path.removeprefix("/")
    is_top = not (own / "cgroup.type").exists()
    if is_top or not set(_NEEDED) <= set((own / "cgroup.controllers").read_text().split()):
        return None
    if own.name == _REFEREE:
        return own
    ours = {os.getpid(), *procfs.tree(os.getpid())}
    there = set(map(int, (own / "cgroup.procs").read_text().split()))
    return own if there <= ours and os.access(own / "cgroup.subtree_control", os.W_OK) else None


def _make_room(own: Path) -> None:
    """Go into a group of the referee's own, and let the others have limits. Raises OSError."""
    referee = own / _REFEREE
    referee.mkdir(exist_ok=True)
    for pid in (own / "cgroup.procs").read_text().split():
        (referee / "cgroup.procs").write_text(pid)
    (own / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in _NEEDED))
