"""Two bots in sandboxes of their own that try to tell each other bits, each by something that both may only read."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fa_cli.isolation import spawn
from fa_cli.isolation.bot_process import BotProcess
from fa_cli.isolation.limits import MIB, Limits
from fa_cli.isolation.sandbox import bubblewrap
from fa_cli.isolation.sandbox.seccomp import seccomp_filter

from ..fakes import talker
from ..needed import needs_sandbox
from .test_sandbox import Spy

pytestmark = [
    needs_sandbox,
    pytest.mark.skipif(not seccomp_filter(), reason="there is no filter of system calls for this machine"),
]
BITS = (1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0)
LIMITS = Limits(end=0.5, file_size=4 * MIB, memory=500 * MIB, processes=100, sandbox=True)
OF_THE_USER = ("lease", "mincore", "hint", "pipes")
"""Channels over what the user who runs the bots owns, or may have. Root's bots are users of their own."""
NEVER_OPEN = ("atime",)


@pytest.fixture(autouse=True)
def _one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel numbers sockets by core: bots on two of them could tell each other less."""
    monkeypatch.setattr(spawn, "CORES", spawn.CORES[:1])


@contextmanager
def pair(channel: str, folder: Path) -> Iterator[tuple[BotProcess, BotProcess]]:
    """A sender and a receiver, the same bot twice: they share their folder and the system."""
    folder.mkdir()
    shutil.copy(talker.__file__, folder / "talker.py")
    (folder / "shared").write_bytes(b"x" * 10_000)
    for number in range(1, 2 * len(BITS) + 1):
        with (folder / f"shared-{number}").open("wb") as file:
            for part in range(10):  # as many as an inode of ext4 has no room for
                os.pwrite(file.fileno(), b"x", part * 10_000)
    os.sync()  # what is not written yet can't be dropped from memory
    command = (sys.executable, "talker.py", channel)
    bots = [BotProcess(command, str(folder), None, LIMITS, all_cores=True) for _ in range(2)]
    try:
        yield bots[0], bots[1]
    finally:
        for bot in bots:
            bot.stop()


def say(bot: BotProcess, what: str) -> Any:
    answer = bot.ask(f"{what}\n".encode(), 20)
    assert isinstance(answer, bytes), (answer, bot.stderr_tail)
    return json.loads(answer)


def observations(channel: str, folder: Path) -> tuple[list[Any], list[Any]]:
    """What the receiver observes when 0 is sent, and when 1 is: how a number changes, as others change some too."""
    seen: tuple[list[Any], list[Any]] = [], []
    with pair(channel, folder) as (sender, receiver):
        for bit in BITS:
            say(sender, "0")
            before = say(receiver, "?")
            say(sender, str(bit))
            after = say(receiver, "?")
            seen[bit].append(after - before if isinstance(after, int) else after)
    return seen


def bits_told(zeros: list[Any], ones: list[Any]) -> int:
    """How many of the bits can be told from what was observed, by the best threshold."""
    if any(isinstance(value, str) for value in zeros + ones):
        return 0
    right = [sum(value < limit for value in zeros) + sum(value >= limit for value in ones) for limit in zeros + ones]
    return max(*right, *(len(BITS) - count for count in right))


@pytest.mark.parametrize("channel", talker.CHANNELS)
def test_nothing_is_carried(channel: str, tmp_path: Path) -> None:
    """All that is observed is one constant, or one error."""
    zeros, ones = observations(channel, tmp_path / "bot")
    assert len({json.dumps(value) for value in zeros + ones}) == 1, (zeros, ones)


@pytest.mark.slow
@pytest.mark.parametrize("channel", [name for name in talker.CHANNELS if name not in NEVER_OPEN])
def test_it_would_be_carried(channel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the part of the sandbox that is against it: the talkers are able to talk."""
    if os.getuid() == 0 and channel in OF_THE_USER:
        pytest.skip("root's bots are users of their own")
    monkeypatch.setattr(bubblewrap, "seccomp_filter", lambda build=False: seccomp_filter(build=True))
    monkeypatch.setattr(bubblewrap, "bound_machine_files", lambda first: ([], []))
    monkeypatch.setattr(bubblewrap, "launcher", lambda: b"")
    seen = []
    for number in range(4):  # others change counters too
        seen.append(observations(channel, tmp_path / str(number)))
        if bits_told(*seen[-1]) >= len(BITS) - 1:
            return
        if channel == "extents" and "OSError" in seen[-1][0]:
            pytest.skip("files of tests are not on ext4")
    pytest.fail(f"observed {seen}")


def test_what_it_sees_of_the_machine_is_constant(tmp_path: Path) -> None:
    """Every file of /proc that is not of its own processes, and every folder there, while another bot works."""
    shell = (
        "for f in /proc/[a-z]*; do test -L $f || { echo = $f; if test -d $f; then ls -A $f; else cat $f; fi; }; done"
    )
    everything = f"os.popen({f'({shell}) 2>/dev/null'!r}).read()"
    spy = Spy(tmp_path)
    try:
        before = spy.tries(everything)
        found = {part.partition("\n")[0]: part.partition("\n")[2] for part in before.removeprefix("= ").split("\n= ")}
        assert len(found) > 20
        assert {path for path, content in found.items() if content} == {
            f"/proc/{name}" for name in ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version")
        }
        for channel in ("load", "memory", "open-files"):
            with pair(channel, tmp_path / channel) as (sender, _):
                say(sender, "1")
                assert spy.tries(everything) == before
        assert spy.tries("os.listdir('/dev/pts')") == []
        assert spy.tries("os.cpu_count()") == os.cpu_count()
        memory = "int(open('/proc/meminfo').read().split('MemTotal:')[1].split()[0]) * 1024"
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        assert 0.9 * pages < spy.tries(memory) < 1.1 * pages
        assert spy.tries("open('/proc/meminfo', 'w')").startswith(("OSError", "PermissionError"))
        assert spy.tries("open('/proc/sys/x', 'w')").startswith(("OSError", "PermissionError"))
    finally:
        spy.channel.stop()
