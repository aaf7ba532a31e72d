"""Bots that misbehave on demand, as real processes."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import NoReturn

import pytest

from fa_cli.isolation.discovery import Bot

FAKE = Path(__file__).parent / "fake.py"


def fake_bot(behaviour: str, *flags: str | Path) -> Bot:
    """The bot `fake.py` with this behaviour and these flags."""
    command = (sys.executable, "-S", str(FAKE), behaviour, *map(str, flags))
    return Bot(name=behaviour, path=str(FAKE), command=command, folder=str(FAKE.parent))


def assert_gone(pids: Path) -> None:
    """Assert that no process whose number a fake wrote to the file is left, not even as a zombie."""
    noted = [int(line) for line in pids.read_text().split()]
    assert noted
    for pid in noted:
        for _ in range(500):  # init reaps the processes that were killed besides the bot itself, late on a busy machine
            if not is_running(pid):
                break
            time.sleep(0.02)
        assert not is_running(pid), f"process {pid} is left"


def is_running(pid: int) -> bool:
    """Whether a process with this number exists, zombies included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def processes_of(marker: str | Path) -> list[int]:
    """The numbers of the processes with this text in their command line or environment, this one excluded."""
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
    """Assert that within `seconds` no process with this text is left."""
    until = time.monotonic() + seconds
    while (left := processes_of(marker)) and time.monotonic() < until:
        time.sleep(0.02)
    assert left == [], [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in left if is_running(pid)]


def compiled(source: str, folder: Path) -> str:
    """Compile one of the C files here into a folder and return the program; skips the test without a compiler."""
    program = folder / Path(source).stem
    program.write_bytes(_program(source))
    program.chmod(0o755)
    return str(program)


@cache
def _program(source: str) -> bytes:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    with TemporaryDirectory() as folder:
        program = Path(folder, "program")
        subprocess.run([compiler, "-O1", "-pthread", "-o", program, FAKE.parent / source], check=True)
        return program.read_bytes()


def drop_privileges(*privileges: int) -> None:
    """Give up some of root's capabilities, in a process that will run another program."""
    for privilege in privileges:
        ctypes.CDLL(None).prctl(24, privilege, 0, 0, 0)  # PR_CAPBSET_DROP


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail if the body takes longer than `seconds`, also if it waits for something that never comes."""

    def late(number: int, frame: FrameType | None) -> NoReturn:
        raise AssertionError(f"it still waits after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
