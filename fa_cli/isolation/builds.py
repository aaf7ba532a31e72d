"""Building bots in a folder aside, so that a bot's own folder is only ever read.

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
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from select import POLLIN
from time import monotonic, sleep
from typing import BinaryIO

import msgspec

from ..errors import BotCannotRun, BotError
from ..text import printable
from . import build_archive
from .bot_files import FileEntry, copy_files
from .limits import GIB, KIB, Limits
from .sandbox import bubblewrap
from .spawn import Process, read_now

BUILD_SECONDS = 300.0
BUILD_LIMITS = Limits(file_size=GIB, open_files=4096)
"""Of a build; in the sandbox its folder and its /tmp hold as much as a file may."""
MADE = ("*.o", "*.class", "target/*")
"""What compilers leave beside the sources, as patterns of relative names."""
_SAID = 8 * KIB
_CHUNK = 256 * KIB


def built_folder(
    bot: Path, sources: Sequence[FileEntry], digest: str, build: str | Sequence[str], sandboxed: bool
) -> Path:
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
    except OSError as error:
        raise BotCannotRun(f"{bot}: its build failed: {error.strerror}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def _make(bot: Path, sources: Sequence[FileEntry], command: Sequence[str], work: Path, target: Path) -> None:
    """Build as you, in a copy of the sources."""
    copy_files(bot, sources, work)
    program = command[0] if "/" in command[0] else shutil.which(command[0])
    if not program:
        raise BotCannotRun(f"{bot}: its build needs what is not on this machine: {printable(command[0])}")
    with tempfile.TemporaryFile() as printed:
        run = partial(Process, (program, *command[1:]), str(work), os.environ, BUILD_LIMITS, spread=True)
        status, said = _run(bot, run, printed)
        printed.seek(max(0, printed.tell() - _SAID))
        _check(bot, status, printed.read() + said)


def _make_sandboxed(bot: Path, sources: Sequence[FileEntry], command: Sequence[str], work: Path, target: Path) -> None:
    """Build in the bubblewrap, in a folder that is gone with it, and take what it made.

    It sees a copy of what its digest covers, and not the bot's folder.
    """
    with tempfile.TemporaryFile(dir=work.parent) as made, tempfile.TemporaryDirectory(dir=work.parent) as copied:
        copy_files(bot, sources, Path(copied))
        _show_folders(Path(copied))
        program = (sys.executable, "-I", "-S", "-E", build_archive.__file__, copied, *command)
        limits = msgspec.structs.replace(BUILD_LIMITS, sandbox=True)
        run = partial(bubblewrap.start_build, program, Path(copied), str(target.absolute()), limits)
        _check(bot, *_run(bot, run, made))
        made.seek(0)
        try:
            build_archive.unpack(made, work, BUILD_LIMITS.file_size)
        except (ValueError, OSError) as error:
            raise BotCannotRun(f"{bot}: its build failed: {printable(str(error))}") from None
    _show_folders(work)


def _show_folders(work: Path) -> None:
    """To the user who owns nothing, whatever our umask."""
    for folder, _, _ in os.walk(work):
        Path(folder).chmod(0o755)


def _run(bot: Path, start: Callable[[], Process], made: BinaryIO) -> tuple[list[str] | None, bytes]:
    """How it ended, as `Process.ending` says it, None where that took too long; and the last that it said on stderr."""
    try:
        process = start()
    except OSError as error:
        raise BotCannotRun(f"{bot}: its build does not start: {error.strerror}") from None
    try:
        return _watch(process, made)
    finally:
        process.kill()
        process.close()


def _watch(process: Process, made: BinaryIO) -> tuple[list[str] | None, bytes]:
    """Take what comes until its pipes end or the time is up."""
    until = monotonic() + BUILD_SECONDS
    said = b""
    room = BUILD_LIMITS.file_size * 2
    poller = select.poll()
    process.close_input()
    for descriptor in (process.stdout, process.stderr):
        poller.register(descriptor, POLLIN)
    open_ends = {process.stdout, process.stderr}
    while open_ends:
        events = poller.poll(max(0.0, until - monotonic()) * 1000)
        if monotonic() > until:  # a build that never stops printing always has something to read
            return None, said
        for descriptor, _ in events:
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


def _check(bot: Path, ending: list[str] | None, output: bytes) -> None:
    """Raises BotCannotRun unless a build ended well."""
    lines = [printable(line) for line in output.decode("utf-8", "backslashreplace").splitlines() if line.strip()]
    match ending:
        case None:
            raise BotCannotRun(f"{bot}: its build took more than {BUILD_SECONDS:.0f} seconds")
        case ["exited", "0", _]:
            return
        case ["exited", status, _] if int(status) == build_archive.NOT_FOUND:
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
