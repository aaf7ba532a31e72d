"""What the machine and its file system offer, each thing in one place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

Signature = tuple[int, int, int, int]
"""Inode, size, and the times of the last change of content and of status, in nanoseconds."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cache_home() -> Path:
    """The user's folder for caches: `$XDG_CACHE_HOME`, or `~/.cache`. Raises RuntimeError if the user has no home."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def file_signature(status: os.stat_result) -> Signature:
    """Equal signatures mean that nobody has written to the file in between."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


@contextmanager
def written_atomically(path: Path, *, replace: bool) -> Iterator[Path]:
    """A temporary path in the same folder, which gets the name `path` when the block ends without an error.

    The block creates the file, and flushes it to the disk if it has to survive a crash of the machine. Readers of
    `path` see the old file, the whole new one, or none. Raises FileExistsError if `replace` is false and `path` exists
    by then, and OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        if replace:
            temporary.replace(path)
        else:
            os.link(temporary, path)  # unlike a rename it fails if somebody else was faster
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


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
    words = first_line[2:].decode("utf-8", "replace").split()
    interpreter = words[0] if words else ""
    if interpreter.rpartition("/")[2] != "env":
        return [interpreter]
    return [interpreter, next((word for word in words[1:] if not word.startswith("-") and "=" not in word), "")]
