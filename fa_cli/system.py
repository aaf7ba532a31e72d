"""What the machine and its file system offer, each thing in one place."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_PART = ".part"
"""The end of the names of temporary files."""
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}
"""The errors of file systems without them, such as exFAT."""
Signature = tuple[int, int, int, int]
"""Inode, size, and the times of the last change of content and of status, in nanoseconds."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def signal_name(number: int) -> str:
    """`SIGKILL`; `signal 40` for one without a name, as those for real time are."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def find_program(name: str) -> str | None:
    """The path of a program, None if there is none. Not from relative parts of PATH: those may hold a bot's files.

    A bot, whose current folder is its own, would find another program there, or none.
    """
    from shutil import which

    return which(name, path=":".join(folder for folder in os.get_exec_path() if Path(folder).is_absolute()))


@contextmanager
def safe_path() -> Iterator[None]:
    """New processes of Python import nothing from the current folder, which may hold a bot's files: `array.py`."""
    name = "PYTHONSAFEPATH"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def cache_home() -> Path:
    """The user's folder for caches: `$XDG_CACHE_HOME`, or `~/.cache`. Raises RuntimeError if the user has no home."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def state_home() -> Path:
    """The user's folder for what programs keep: `$XDG_STATE_HOME`, or `~/.local/state`.

    Raises RuntimeError if the user has no home.
    """
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")


def file_signature(status: os.stat_result) -> Signature:
    """Equal signatures mean that nobody has written to the file in between."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def files_in(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder with this suffix, by name; none if there is no such folder. Raises OSError."""
    try:
        names = os.listdir(folder)  # noqa: PTH208  # paths of thousands of logs take longer to make and to compare
    except FileNotFoundError:
        return []
    return [folder / name for name in sorted(names) if name.endswith(suffix)]


@contextmanager
def written_atomically(path: Path, *, replace: bool) -> Iterator[Path]:
    """A temporary path in the same folder, which gets the name `path` when the block ends without an error.

    The block creates the file, and flushes it to the disk if it has to survive a crash of the machine. Readers of
    `path` see the old file, the whole new one, or none. Raises FileExistsError if `replace` is false and `path` exists
    by then, and OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{_PART}")
    temporary.unlink(missing_ok=True)  # left by a killed process with this number
    try:
        yield temporary
        if replace:
            temporary.replace(path)
        else:
            _move_if_free(temporary, path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _move_if_free(temporary: Path, path: Path) -> None:
    """Give a file another name, unless that is taken. Raises FileExistsError, OSError."""
    try:
        os.link(temporary, path)  # unlike a rename it fails if somebody else was faster
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)  # for all who find no hard links here; a kill ends the lock
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
            temporary.rename(path)
        finally:
            os.close(folder)


def remove_abandoned(path: Path) -> None:
    """Remove the temporary files of `path` that killed processes of this machine have left."""
    start = f".{path.name}."
    with suppress(OSError):
        for file in path.parent.iterdir():
            number = file.name.removeprefix(start).removesuffix(_PART)
            is_part = file.name == f"{start}{number}{_PART}" and number.isdecimal()
            is_left = is_part and (int(number) == os.getpid() or not is_running(int(number)))
            if is_left and not is_locked(file):
                file.unlink()


def is_running(process: int) -> bool:
    """Whether there is a process with this number, perhaps another user's."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def is_locked(path: Path) -> bool:
    """Whether a process has locked the file, perhaps in another container. Raises OSError if it has no locks."""
    with open_regular(path) as file:
        return not lock(file.fileno(), fcntl.LOCK_SH)


def lock(file: int, kind: int = fcntl.LOCK_EX) -> bool:
    """Lock a file by its descriptor; False if another process has locked it. Raises OSError if it has no locks."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def open_regular(path: str | Path) -> BinaryIO:
    """Open a regular file for reading. Raises OSError, also for a pipe or a device, and never waits for one."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "this is not a regular file", str(path))
    return os.fdopen(file, "rb")


def read_regular(path: Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes. Raises OSError, also for a larger file."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise OSError(errno.EFBIG, f"it has {size:,} bytes, and at most {most:,} are read", str(path))
        return file.read(size)


def sync(path: Path) -> None:
    """Make what a file has now safe on the disk, whoever wrote it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def write_atomically(path: Path, content: bytes, *, replace: bool, mode: int = 0o666) -> None:
    """Write a whole file as in `written_atomically`, safe on the disk; `mode` is reduced by the umask."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with (
        written_atomically(path, replace=replace) as temporary,
        os.fdopen(os.open(temporary, flags, mode), "wb") as file,
    ):
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def shebang(first_line: bytes) -> list[str] | None:
    """The programs that a script's `#!` line names; None without such a line.

    The interpreter comes first; after `env` the program that env finds by PATH follows. A missing name is "".
    `#!/usr/bin/env -S node --jitless` gives `["/usr/bin/env", "node"]`.
    """
    if not first_line.startswith(b"#!"):
        return None
    text = first_line[2:].decode("utf-8", "replace")
    interpreter = text.strip(" \t\n").replace("\t", " ").partition(" ")[0]  # a carriage return belongs to the name
    if interpreter.rpartition("/")[2] != "env":
        return [interpreter]
    return [interpreter, next((word for word in text.split()[1:] if not word.startswith("-") and "=" not in word), "")]
