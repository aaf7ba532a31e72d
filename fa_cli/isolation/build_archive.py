"""The program that builds a bot inside the sandbox, and the tar archive that brings the result out.

Builds run `python -I -S -E build_archive.py SOURCES COMMAND...` in an empty folder that vanishes with the sandbox. The
program copies the sources there, runs the build command and, if that exits with 0, writes all files of the folder to
stdout as an uncompressed tar archive. It needs the standard library alone. The command's own output goes to stderr.

The build command can write to that stdout too, so `unpack` treats the archive as hostile: it bounds files, bytes and
headers, and creates plain files only, below one folder.
"""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
from pathlib import Path
from time import monotonic
from typing import BinaryIO

MAX_FILES = 100_000
"""The most files and folders together."""
_MAX_DEPTH = 100
"""The most folders in each other."""
UNPACK_SECONDS = 60.0
NOT_FOUND = 127
"""The exit status of `sh` for a program that does not exist."""
_HEADER_BYTES = 3 * 1024
"""Bytes of all headers of one file, enough for a name of 1,024. tarfile would read any size into memory at once."""
_CHUNK = 1 << 16
"""The bytes of contents read at once; the default grew to four times that in Python 3.14."""
_END = bytes(2 * tarfile.BLOCKSIZE)


class _BoundedReader:
    """As much of a file as tarfile uses to read, but with at most `left` bytes: tarfile trusts the sizes in headers."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.left = _HEADER_BYTES
        self.seek = file.seek
        self.tell = file.tell

    def read(self, size: int) -> bytes:
        """Raises ValueError for more than `left` bytes."""
        if not 0 <= size <= self.left:
            raise ValueError("it made an archive with damaged headers")
        self.left -= size
        return self._file.read(size)


def unpack(archive: BinaryIO, folder: Path, max_bytes: int) -> None:
    """Create the files of an archive in an empty folder, readable for everybody.

    `max_bytes`: of all contents together. Raises ValueError or OSError if the archive is damaged or too large, or has
    anything but plain files with names inside the folder.
    """
    archive.seek(max(0, archive.seek(0, os.SEEK_END) - len(_END)))
    if archive.read() != _END:
        raise ValueError("what it made did not come whole")
    archive.seek(0)
    reader = _BoundedReader(archive)
    try:
        with tarfile.TarFile(fileobj=reader, encoding="utf-8") as tar:  # type: ignore[arg-type]  # see _BoundedReader
            archive.seek(_unpack_members(tar, reader, folder, max_bytes))
        if any(map(any, iter(lambda: archive.read(tarfile.RECORDSIZE), b""))):  # where some versions of tarfile stop
            raise ValueError("it made an archive with damaged headers")
    except (OSError, ValueError, MemoryError):
        raise
    except Exception:  # whatever tarfile raises for damaged headers: TarError, OverflowError, RecursionError ...
        raise ValueError("it made an archive with damaged headers") from None


def _unpack_members(tar: tarfile.TarFile, reader: _BoundedReader, folder: Path, max_bytes: int) -> int:
    """Plain files alone are taken, and never through `TarFile.extract`, whose filters need Python 3.11.4.

    Returns the position behind the last file.
    """
    count = position = 0
    until = monotonic() + UNPACK_SECONDS
    while member := tar.next():
        tar.members.clear()  # type: ignore[attr-defined]  # else tarfile keeps every header in memory
        count += 1
        max_bytes -= member.size
        if member.pax_headers or not member.isreg() or member.issparse() or member.size < 0 or max_bytes < 0:
            raise ValueError("it made files that are too large, or none that can be taken")
        reader.left = member.size
        count += _make_folders(member.name, folder)
        if count > MAX_FILES:
            raise ValueError(f"it made more than {MAX_FILES} files and folders")
        if monotonic() > until:
            raise ValueError(f"unpacking what it made took more than {UNPACK_SECONDS:.0f} seconds")
        _unpack_file(tar, member, folder)
        reader.left = _HEADER_BYTES
        position = tar.offset  # of the next header
    return position


def _make_folders(name: str, folder: Path) -> int:
    """Create the folders of a file. Returns how many did not exist. Raises ValueError for a name that is refused."""
    *parents, last = name.split("/")
    if "\0" in name or any(part in ("", ".", "..") for part in (*parents, last)):
        raise ValueError(f"it made a file of the name {name!r}")
    if len(parents) > _MAX_DEPTH:
        raise ValueError(f"it made a file in more than {_MAX_DEPTH} folders in each other")
    missing = []
    path = (folder / name).parent
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for path in reversed(missing):
        path.mkdir()
    return len(missing)


def _unpack_file(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    path = folder / member.name
    content = tar.extractfile(member)
    assert content  # of a plain file there is one
    with content, path.open("xb") as file:
        shutil.copyfileobj(content, file, _CHUNK)
    path.chmod(0o755 if member.mode & 0o111 else 0o644)


def pack(folder: Path, archive: BinaryIO) -> None:
    """Write all files below a folder. A link to a file becomes a copy of it; anything else is left out."""
    with tarfile.open(fileobj=archive, mode="w|", format=tarfile.GNU_FORMAT, encoding="utf-8", dereference=True) as tar:
        for parent, _, names in os.walk(folder):
            for path in (Path(parent, name) for name in names):
                if path.is_file():
                    with path.open("rb") as file:
                        tar.addfile(tar.gettarinfo(arcname=str(path.relative_to(folder)), fileobj=file), file)


def _fail(error: OSError) -> None:
    raise error


def build(sources: Path, command: list[str]) -> int:
    """Copy the sources into the current folder and run the command there. Returns its exit status as a shell would."""
    for parent, folders, names in os.walk(sources, onerror=_fail):
        for name in folders + names:
            path = Path(parent, name)
            copy = path.relative_to(sources)
            if path.is_dir() and not path.is_symlink():
                copy.mkdir()
            else:
                shutil.copy2(path, copy, follow_symlinks=False)
    streams = ((os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, 2, 1))
    try:
        pid = os.posix_spawnp(command[0], command, os.environ, file_actions=streams)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return NOT_FOUND
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status if status >= 0 else 128 - status


def main() -> int:
    """Build, and write the archive to stdout. Returns the exit status."""
    sources = sys.argv[1]
    try:
        status = build(Path(sources), sys.argv[2:])
        if status == 0:
            pack(Path.cwd(), sys.stdout.buffer)
            sys.stdout.buffer.flush()
    except OSError as error:
        print(f"error: {str(error.filename).removeprefix(f'{sources}/')}: {error.strerror}", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
