"""Control groups for bots: when they are created and what is written to them, in a folder that imitates the kernel."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fa_cli.isolation import cgroups
from fa_cli.isolation.cgroups import group_for_bots
from fa_cli.isolation.supervision.bot_cgroup import BotCgroup


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that looks like a group that was handed over, with this process alone in it."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    own = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), "")
    group = tmp_path / own
    group.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "cgroup.controllers": "cpu memory pids",
        "cgroup.procs": f"{os.getpid()}\n",
        "cgroup.subtree_control": "",
        "cgroup.type": "domain",
    }.items():
        (group / name).write_text(text)
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    group_for_bots.cache_clear()
    yield group
    group_for_bots.cache_clear()


def test_alone_in_a_group(group: Path) -> None:
    """The referee goes into one of its own, so that bots can have theirs beside it."""
    assert group_for_bots() == str(group)
    assert (group / "fa-referee" / "cgroup.procs").read_text() == str(os.getpid())
    assert (group / "cgroup.subtree_control").read_text() == "+memory +pids"


@pytest.mark.parametrize("changed", ["cgroup.procs", "cgroup.controllers", "cgroup.type", "gone"])
def test_no_group_is_touched_that_is_not_ours(changed: str, group: Path) -> None:
    """There is another process in it, the kernel counts no memory there, it is the top, or there is none."""
    if changed == "gone":
        (group / "cgroup.procs").unlink()
    elif changed == "cgroup.type":
        (group / changed).unlink()
    else:
        (group / changed).write_text({"cgroup.procs": f"1\n{os.getpid()}\n", "cgroup.controllers": "cpu pids"}[changed])
    assert group_for_bots() == ""
    assert not (group / "fa-referee").exists()


def test_a_bots_group(tmp_path: Path) -> None:
    group = BotCgroup(str(tmp_path), 7)
    group.create(1000, 20)
    made = {path.name: path.read_text() for path in (tmp_path / "bot-7").iterdir()}
    assert made == {"memory.max": "1000", "memory.oom.group": "1", "pids.max": "20", "memory.swap.max": "0"}
    group.join()
    assert (tmp_path / "bot-7" / "cgroup.procs").read_text() == str(os.getpid())
    assert not group.ran_out_of_memory()
    events = tmp_path / "bot-7" / "memory.events"
    events.write_text("low 0\nmax 9\noom 0\noom_kill 0\n")
    assert not group.ran_out_of_memory()
    events.write_text("low 0\nmax 9\noom 1\noom_kill 3\n")
    assert group.ran_out_of_memory()


def test_no_group_for_bots(tmp_path: Path) -> None:
    group = BotCgroup("", 7)
    group.create(1000, 20)
    group.join()
    group.remove()
    assert not group.ran_out_of_memory()
    assert list(tmp_path.iterdir()) == []
