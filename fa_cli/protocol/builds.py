"""A bot's files: their digest, and building them in a folder aside, so that its own folder is only ever read.

A build is kept by the digest of its sources in `$XDG_CACHE_HOME/fa/bots` (`~/.cache/fa/bots`), and made again only
when they change.
"""

from __future__ import annotations

import hashlib
import os
import platform
import select
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from select import POLLIN, POLLOUT
from time import monotonic, sleep
from typing import BinaryIO

import msgspec

from ..errors import BotCannotRun, BotError
from ..text import printable
from . import parcel, sandbox
from .limits import GIB, KIB, Limits
from .processes import Process, read_now

BUILD_SECONDS = 300.0
BUILD_LIMITS = Limits(file_size=GIB, open_files=4096)
"""Of a build; in the sandbox its folder and its /tmp hold as much as a file may."""
MADE = ("*.o", "*.class", "target/*")
"""What compilers leave beside the sources, as patterns of relative names."""
_SAID = 8 * KIB
_CHUNK = 256 * KIB

Sources = Sequence[tuple[str, Path]]
"""Relative names, in order, and where each file is."""


def source_files(folder: Path, made: Iterable[str] = ()) -> Sources:
    """A folder's own files, by name: none that is hidden, Python's own cache, or like one of the patterns `made`."""
    patterns = tuple(made)
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        for name in files:
            path = Path(place, name)
            relative = path.relative_to(folder).as_posix()
            if not name.startswith(".") and not any(fnmatchcase(relative, pattern) for pattern in patterns):
                found.append((relative, path))
    return sorted((name, path) for name, path in found if path.is_file())


def digest_files(sources: Sources) -> str:
    """SHA-256, in hex, over names and contents."""
    whole = hashlib.sha256()
    for name, path in sources:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").digest()
        whole.update(name.encode("utf-8", "surrogateescape") + b"\0" + content)
    return whole.hexdigest()


def built_folder(bot: Path, sources: Sources, digest: str, build: str | Sequence[str], sandboxed: bool) -> Path:
    """A folder with the sources and what the build command makes of them. Raises BotCannotRun where that fails."""
    command = ["sh", "-c", build] if isinstance(build, str) else list(build)
    machine = f"{platform.system()} {platform.machine()}" + (" sandbox" if sandboxed else "")
    key = hashlib.sha256("\0".join([digest, machine, *command]).encode()).hexdigest()
    target = _cache() / f"{bot.absolute().name}-{key[:20]}"
    if target.is_dir():
        return target
    work = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        make = _make_sandboxed if sandboxed else _make
        make(bot, sources, command, work, target)
        _keep(work, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def _make(bot: Path, sources: Sources, command: Sequence[str], work: Path, target: Path) -> None:
    """Build as you, in a copy of the sources."""
    for name, path in sources:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, work / name)
    program = command[0] if "/" in command[0] else shutil.which(command[0])
    if not program:
        raise BotCannotRun(f"{bot}: its build needs what is not on this machine: {printable(command[0])}")
    with tempfile.TemporaryFile() as printed:
        run = partial(Process, (program, *command[1:]), str(work), os.environ, BUILD_LIMITS, spread=True)
        status, said = _run(bot, run, b"", printed)
        printed.seek(max(0, printed.tell() - _SAID))
        _check(bot, status, printed.read() + said)


def _make_sandboxed(bot: Path, sources: Sources, command: Sequence[str], work: Path, target: Path) -> None:
    """Build in the sandbox, in a folder that is gone with it, and take what it made."""
    program = (sys.executable, "-I", "-S", "-E", parcel.__file__, str(bot.absolute()), *command)
    names = b"".join(os.fsencode(name) + b"\0" for name, _ in sources)
    with tempfile.TemporaryFile(dir=work.parent) as made:
        limits = msgspec.structs.replace(BUILD_LIMITS, sandbox=True)
        run = partial(sandbox.start_build, program, bot.absolute(), str(target.absolute()), limits)
        _check(bot, *_run(bot, run, names, made))
        made.seek(0)
        try:
            parcel.unpack(made, work, BUILD_LIMITS.file_size)
        except (ValueError, OSError) as error:
            raise BotCannotRun(f"{bot}: its build failed: {printable(str(error))}") from None
    for folder, _, _ in os.walk(work):
        Path(folder).chmod(0o755)  # for the user who owns nothing, whatever our umask


def _run(bot: Path, start: Callable[[], Process], given: bytes, made: BinaryIO) -> tuple[list[str] | None, bytes]:
    """How it ended, as `Process.ending` says it, None where that took too long; and the last that it said on stderr."""
    try:
        process = start()
    except OSError as error:
        raise BotCannotRun(f"{bot}: its build does not start: {error.strerror}") from None
    try:
        return _watch(process, given, made)
    finally:
        process.kill()
        process.close()


def _watch(process: Process, given: bytes, made: BinaryIO) -> tuple[list[str] | None, bytes]:
    """Hand in what is given, take what comes, until its pipes end or the time is up."""
    until = monotonic() + BUILD_SECONDS
    said = b""
    room = BUILD_LIMITS.file_size * 2
    poller = select.poll()
    for descriptor, event in ((process.stdin, POLLOUT), (process.stdout, POLLIN), (process.stderr, POLLIN)):
        poller.register(descriptor, event)
    open_ends = {process.stdout, process.stderr}
    while open_ends:
        events = poller.poll(max(0.0, until - monotonic()) * 1000)
        if monotonic() > until:  # a build that never stops printing always has something to read
            return None, said
        for descriptor, _ in events:
            if descriptor == process.stdin:
                given = _feed(process, given)
                if not given:
                    poller.unregister(descriptor)
                    process.close_input()
                continue
            chunk = read_now(descriptor, _CHUNK)
            if chunk is None:
                continue
            if not chunk:
                open_ends.discard(descriptor)
                poller.unregister(descriptor)
            elif descriptor == process.stderr:
                said = (said + chunk)[-_SAID:]
            elif room > 0:
                made.write(chunk)
                room -= len(chunk)
    while (ending := process.ending()) is None and monotonic() < until:
        sleep(0.001)  # its pipes end a moment before it does
    return ending, said


def _feed(process: Process, given: bytes) -> bytes:
    """What is left of it to be written; nothing for a process that does not read."""
    try:
        return given[os.write(process.stdin, given) :] if given else b""
    except BlockingIOError:
        return given
    except OSError:
        return b""


def _check(bot: Path, ending: list[str] | None, output: bytes) -> None:
    """Raises BotCannotRun unless a build ended well."""
    lines = [printable(line) for line in output.decode("utf-8", "backslashreplace").splitlines() if line.strip()]
    match ending:
        case None:
            raise BotCannotRun(f"{bot}: its build took more than {BUILD_SECONDS:.0f} seconds")
        case ["exited", "0", _]:
            return
        case ["exited", status, _] if int(status) == parcel.NOT_FOUND:
            raise BotCannotRun(f"{bot}: its build needs what is not on this machine: {lines[-1] if lines else ''}")
        case ["exited", status, _]:
            how = f"with status {status}"
        case ["killed", number, _]:
            how = f"of {signal.Signals(int(number)).name}"
        case [what, amount, *_]:
            how = f"for too much {what}, {amount}"
        case _:
            how = "with its supervisor"
    said = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "it said nothing")
    raise BotCannotRun(f"{bot}: its build failed {how}: {said}")


def _keep(work: Path, target: Path) -> None:
    """Put the build in its place, unless another process was quicker."""
    work.chmod(0o755)
    try:
        work.rename(target)
    except OSError:
        if not target.is_dir():
            raise


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(home, "fa", "bots")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BotError(
            f"no place to build bots: {folder}: {error.strerror} (XDG_CACHE_HOME can name another)"
        ) from None
    return folder
