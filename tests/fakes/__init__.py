"""Bots that misbehave on demand, as real processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

import pytest

from fa_cli.protocol.bots import Bot

FAKE = Path(__file__).parent / "fake.py"


def fake_bot(behaviour: str, *flags: str | Path) -> Bot:
    """A bot that is `fake.py` with these flags."""
    command = (sys.executable, "-S", str(FAKE), behaviour, *map(str, flags))
    return Bot(name=behaviour, path=str(FAKE), command=command, folder=str(FAKE.parent))


def assert_gone(pids: Path) -> None:
    """That none of the processes whose numbers a fake noted is left, not even as a zombie."""
    noted = [int(line) for line in pids.read_text().split()]
    assert noted
    for pid in noted:
        for _ in range(100):  # what was killed beside the bot itself is waited for by init
            if not is_running(pid):
                break
            time.sleep(0.02)
        assert not is_running(pid), f"process {pid} is left"


def is_running(pid: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def processes_of(marker: str | Path) -> list[int]:
    """The processes that have this text in their command line or environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            try:
                if str(marker).encode() in (folder / name).read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    return sorted({pid for pid in found if pid != os.getpid()})


def assert_none_left(marker: str | Path, seconds: float = 0.0) -> None:
    """That no process with this text is there, at the latest after so many seconds."""
    until = time.monotonic() + seconds
    while (left := processes_of(marker)) and time.monotonic() < until:
        time.sleep(0.02)
    assert left == [], [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in left if is_running(pid)]


def compiled(source: str, folder: Path) -> str:
    """A program that is one of the C files here, compiled into a folder; skips the test where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = folder / Path(source).stem
    subprocess.run([compiler, "-O1", "-pthread", "-o", program, FAKE.parent / source], check=True)
    return str(program)


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """That the body ends in so many seconds, also where it waits for something that never comes."""

    def late(number: int, frame: FrameType | None) -> NoReturn:
        raise AssertionError(f"it still waits after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
