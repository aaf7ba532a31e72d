"""A build in the sandbox: the sources copied in, the build command run, and what there is then sent out as one stream.

A program of its own, of the standard library alone: `python -I -S -E parcel.py SOURCES COMMAND...`, in an empty folder
that is gone with it. It writes the parcel, in which a file is FILE or PROGRAM, the lengths of its name and content, and
both; END comes last. What a build wrote is not believed: `unpack` has bounds, and makes nothing but files and folders
below the one that it is given.
"""

from __future__ import annotations

import os
import shutil
import struct
import sys
from pathlib import Path
from typing import BinaryIO

END, FILE, PROGRAM = 0, 1, 2
MOST_FILES = 100_000
NOT_FOUND = 127
"""What `sh` exits with when it finds no such program."""
_HEAD = struct.Struct(">BHQ")
_MOST_NAME = 1024
_CHUNK = 1 << 20


def unpack(parcel: BinaryIO, folder: Path, most: int) -> None:
    """Make the files of a parcel in an empty folder. Raises ValueError or OSError.

    `most`: bytes of all contents together.
    """
    for _ in range(MOST_FILES):
        kind, length, size = _HEAD.unpack(_exactly(parcel, _HEAD.size))
        if kind == END:
            return
        most -= size
        if kind not in (FILE, PROGRAM) or not 0 < length <= _MOST_NAME or most < 0:
            raise ValueError("it made files that are too large, or none that can be taken")
        name = os.fsdecode(_exactly(parcel, length))
        if "\0" in name or any(part in ("", ".", "..") for part in name.split("/")):
            raise ValueError(f"it made a file of the name {name!r}")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            while size:
                file.write(_exactly(parcel, part := min(size, _CHUNK)))
                size -= part
        path.chmod(0o755 if kind == PROGRAM else 0o644)
    raise ValueError(f"it made more than {MOST_FILES} files")


def _exactly(parcel: BinaryIO, size: int) -> bytes:
    data = parcel.read(size)
    if len(data) != size:
        raise ValueError("what it made did not come whole")
    return data


def pack(folder: Path, parcel: BinaryIO) -> None:
    """Write all files below a folder; a link to a file as that file, others not at all."""
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            if path.is_file():
                _pack_file(path, os.fsencode(path.relative_to(folder)), parcel)
    parcel.write(_HEAD.pack(END, 0, 0))


def _pack_file(path: Path, name: bytes, parcel: BinaryIO) -> None:
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        kind = PROGRAM if status.st_mode & 0o111 else FILE
        parcel.write(_HEAD.pack(kind, len(name), status.st_size) + name)
        shutil.copyfileobj(file, parcel, _CHUNK)


def _fail(error: OSError) -> None:
    raise error


def build(sources: Path, command: list[str]) -> int:
    """Copy the sources here and run the command; its status."""
    for place, folders, names in os.walk(sources, onerror=_fail):
        for name in folders + names:
            path = Path(place, name)
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
    """See the top."""
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
