"""Preparing control groups (version 2), with which the kernel limits all processes of a bot together.

This works if `fa` is alone in a control group that was delegated to it, for example by `systemd-run --user --scope
--property=Delegate=yes fa ...`. A group can't hold both limited groups and processes, so this process moves into a
subgroup `fa-referee`; the supervisors create one subgroup for each bot beside it (supervision/bot_cgroup.py).
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from .supervision import procfs

ROOT = Path("/sys/fs/cgroup")
_REFEREE = "fa-referee"
_CONTROLLERS = ("memory", "pids")


@cache
def group_for_bots() -> str:
    """The folder in which supervisors create a group for each bot; empty if none is delegated to `fa`."""
    try:
        own = _own_group()
        if own is None:
            return ""
        if own.name != _REFEREE:
            _move_into_subgroup(own)
            return str(own)
        return str(own.parent)
    except OSError:
        return ""


def _own_group() -> Path | None:
    """This process's group if it has no other processes and may be changed; else None. Raises OSError."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    path = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), "/")
    own = ROOT / path.removeprefix("/")
    is_top = not (own / "cgroup.type").exists()
    if is_top or not set(_CONTROLLERS) <= set((own / "cgroup.controllers").read_text().split()):
        return None
    if own.name == _REFEREE:
        return own
    ours = {os.getpid(), *procfs.tree(os.getpid())}
    members = set(map(int, (own / "cgroup.procs").read_text().split()))
    return own if members <= ours and os.access(own / "cgroup.subtree_control", os.W_OK) else None


def _move_into_subgroup(own: Path) -> None:
    """Move all processes into `fa-referee`, then enable limits for other subgroups. Raises OSError."""
    referee = own / _REFEREE
    referee.mkdir(exist_ok=True)
    for pid in (own / "cgroup.procs").read_text().split():
        (referee / "cgroup.procs").write_text(pid)
    (own / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in _CONTROLLERS))
