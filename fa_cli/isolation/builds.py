"""Building bots whose bot.toml has a `build` command, in a copy: a bot's own folder is only read.

Builds are cached in `$XDG_CACHE_HOME/fa/bots` (`~/.cache/fa/bots`) under a digest of the sources, the command and the
kind of machine, so a bot is rebuilt only when one of these changes.
"""

from __future__ import annotations

import hashlib
import os
import platform
import select
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from select import POLLIN
from time import monotonic, sleep
from typing import BinaryIO

import msgspec

from ..errors import BotCannotRun, BotError, SupervisorLost
from ..printing.text import cut, printable
from ..system import cache_home, find_program, signal_name
from . import build_archive
from .bot_files import FileEntry, copy_files
from .limits import GIB, KIB, MIB, Limits
from .sandbox import bubblewrap
from .spawn import Process, read_now
from .stderr_tail import Tail

BUILD_SECONDS = 300.0
BUILD_LIMITS = Limits(file_size=GIB, open_files=4096)
"""Limits of a build. In the sandbox its folder and its /tmp each hold `file_size`."""
COMPILER_OUTPUT = ("*.o", "*.class", "target/*")
"""Files that compilers leave beside the sources, as patterns of relative names; not part of a bot."""
MAX_LOG = 16 * MIB
"""The most bytes of a build's output that its log keeps."""
LINES_SHOWN = 40
"""The last lines of a failed build that are shown."""
_TAIL = 64 * KIB  # enough for these lines
_CHUNK = 256 * KIB
_LONGEST_NAME = 100
on_build: Callable[[Path], None] | None = None
"""Called with the path of a bot before it is built, not if its build is cached."""


def built_folder(
    bot: Path, sources: Sequence[FileEntry], digest: str, build: str | Sequence[str], sandboxed: bool
) -> Path:
    """The folder with the sources of a bot and the result of its build command. Builds it unless it is cached.

    `build`: a command for `sh`, or a program with arguments. Raises BotCannotRun if the build fails, with the last
    lines of its output as details; the whole output is then in a log in the cache, which the sentence names. Raises
    BotError if the cache can't be written.
    """
    command = ["sh", "-c", build] if isinstance(build, str) else list(build)
    machine = f"{platform.system()} {platform.machine()}" + (" sandbox" if sandboxed else "")
    key = hashlib.sha256("\0".join([digest, machine, *command]).encode()).hexdigest()
    name = os.fsencode(bot.absolute().name)[:_LONGEST_NAME].decode("utf-8", "ignore")  # file names have a limit
    target = cache_folder() / f"{name}-{key[:20]}"
    if target.is_dir():
        return target
    if on_build:
        on_build(bot)
    work = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        with _BuildLog(target) as log:
            build_in = _build_in_sandbox if sandboxed else _build_directly
            build_in(bot, sources, command, work, target, log)
            _move_to_cache(work, target)
    except OSError as error:
        raise BotCannotRun(f"{bot}: its build failed: {error.strerror}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


class _BuildLog:
    """What a build prints. After a failure with output the file is `TARGET.log`; otherwise there is none."""

    def __init__(self, target: Path) -> None:
        self.path = target.with_name(f"{target.name}.log")

    def __enter__(self) -> _BuildLog:
        descriptor, self._temporary = tempfile.mkstemp(dir=self.path.parent)
        self._file = os.fdopen(descriptor, "wb")
        self._tail = Tail(self._file, _TAIL, MAX_LOG)
        self.write = self._tail.add
        return self

    def lines(self) -> list[str]:
        """The last lines, without empty ones."""
        return [line for line in self._tail.text().splitlines() if line.strip()][-LINES_SHOWN:]

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind and self._tail.text():
            Path(self._temporary).replace(self.path)
        else:
            Path(self._temporary).unlink()


def _build_directly(
    bot: Path, sources: Sequence[FileEntry], command: Sequence[str], work: Path, target: Path, log: _BuildLog
) -> None:
    """Build without the sandbox, in a copy of the sources."""
    copy_files(bot, sources, work)
    program = command[0] if "/" in command[0] else find_program(command[0])
    if not program:
        raise BotCannotRun(f"{bot}: its build needs what is not on this machine: {printable(command[0])}")
    start = partial(Process, (program, *command[1:]), str(work), os.environ, BUILD_LIMITS, all_cores=True)
    _run(bot, start, log, log)


def _build_in_sandbox(
    bot: Path, sources: Sequence[FileEntry], command: Sequence[str], work: Path, target: Path, log: _BuildLog
) -> None:
    """Build in the sandbox, in a folder that vanishes with it, and unpack the result into `work`.

    The build sees a copy of the files that the bot's digest covers, not the bot's folder.
    """
    with tempfile.TemporaryFile(dir=work.parent) as archive, tempfile.TemporaryDirectory(dir=work.parent) as copied:
        copy_files(bot, sources, Path(copied))
        _make_folders_readable(Path(copied))
        program = (sys.executable, "-I", "-S", "-E", build_archive.__file__, copied, *command)
        limits = msgspec.structs.replace(BUILD_LIMITS, sandbox=True)
        start = partial(bubblewrap.start_build, program, Path(copied), str(target.absolute()), limits)
        _run(bot, start, archive, log)
        try:
            build_archive.unpack(archive, work, BUILD_LIMITS.file_size)
        except (ValueError, OSError) as error:
            raise BotCannotRun(f"{bot}: its build failed: {printable(str(error))}") from None
    _make_folders_readable(work)


def _make_folders_readable(root: Path) -> None:
    """For the user of the sandbox, who owns no file; whatever our umask is."""
    for folder, _, _ in os.walk(root):
        Path(folder).chmod(0o755)


def _run(bot: Path, start: Callable[[], Process], stdout: BinaryIO | _BuildLog, log: _BuildLog) -> None:
    """Run a build and write what it prints. Raises BotCannotRun unless it starts and exits with status 0."""
    try:
        process = start()
    except OSError as error:
        raise BotCannotRun(f"{bot}: its build does not start: {error.strerror}") from None
    try:
        ending = _copy_output(process, stdout, log)
    finally:
        process.kill()
        process.close()
    _check_ending(bot, ending, log)


def _copy_output(process: Process, stdout: BinaryIO | _BuildLog, stderr: _BuildLog) -> list[str] | None:
    """Copy until both pipes are closed; returns `Process.ending`, which is None after `BUILD_SECONDS`."""
    until = monotonic() + BUILD_SECONDS
    bytes_left = BUILD_LIMITS.file_size * 2
    poller = select.poll()
    process.close_input()
    for descriptor in (process.stdout, process.stderr):
        poller.register(descriptor, POLLIN)
    open_pipes = {process.stdout, process.stderr}
    while open_pipes:
        events = poller.poll(max(0.0, until - monotonic()) * 1000)
        if monotonic() > until:  # a build that never stops printing always has something to read
            return None
        for descriptor, _ in events:
            chunk = read_now(descriptor, _CHUNK)
            if chunk is None:
                continue
            if not chunk:
                open_pipes.discard(descriptor)
                poller.unregister(descriptor)
            elif descriptor == process.stderr:
                stderr.write(chunk)
            elif bytes_left > 0:
                stdout.write(chunk)
                bytes_left -= len(chunk)
    while (ending := process.ending()) is None and monotonic() < until:
        sleep(0.001)  # the pipes close a moment before the supervisor reports the end
    return ending


def _check_ending(bot: Path, ending: list[str] | None, log: _BuildLog) -> None:
    """Raises BotCannotRun unless a build exited with status 0."""
    lines = log.lines()
    where = f" (full output: {log.path})" if lines else ""
    match ending:
        case None:
            raise BotCannotRun(f"{bot}: its build took more than {BUILD_SECONDS:.0f} seconds{where}").with_details(
                lines
            )
        case ["exited", "0", _]:
            return
        case ["exited", status, _] if int(status) == build_archive.NOT_FOUND:
            missing = cut(lines[-1]) if lines else ""
            raise BotCannotRun(f"{bot}: its build needs what is not on this machine: {missing}")
        case ["exited", status, _]:
            how = f"with status {status}"
        case ["killed", number, _]:
            how = f"of {signal_name(int(number))}"
        case [what, amount, *_]:
            how = f"for too much {what}, {amount}"
        case _:
            raise SupervisorLost(f"{bot}: the process of fa that supervises its build was killed; try again")
    message = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "it printed nothing")
    raise BotCannotRun(f"{bot}: its build failed {how}: {cut(message)}{where}").with_details(lines)


def _move_to_cache(work: Path, target: Path) -> None:
    """Rename the finished build, unless another process has finished the same build first."""
    work.chmod(0o755)
    try:
        work.rename(target)
    except OSError:
        if not target.is_dir():
            raise


def cache_folder() -> Path:
    """The folder of all builds, created if necessary. Raises BotError if it can't be."""
    folder = cache_home() / "fa" / "bots"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BotError(
            f"no place to build bots: {folder}: {error.strerror} (XDG_CACHE_HOME can name another)"
        ) from None
    return folder
