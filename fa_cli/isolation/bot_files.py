"""Which files are a bot's, and their digest. Reading them takes bounded time and memory, whatever lies in the folder.

A bot is plain files. Its folder may also hold folders and links that stay inside it; anything else is refused: FIFOs,
sockets, devices, links that lead out. Nothing here opens a file before it knows its type, waits in `open`, or reads
more than the file's size.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..errors import BotError
from ..text import cut
from .limits import GIB, MIB

MAX_ENTRIES = 100_000
"""Files, folders and links in a bot's folder."""
MAX_BYTES = GIB
"""Of all its files together; also of a bot that is a single file."""
VERSION_CONTROL = (".git", ".hg", ".svn", ".jj", ".bzr")
"""Not part of a bot, directly in its folder: their files change without a change of the bot. The sandbox hides them."""
_CHUNK = MIB
_KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class FileEntry(NamedTuple):
    """Something in a bot's folder."""

    name: str
    """Relative to the folder, with `/`. Bytes that are not UTF-8 are surrogates."""
    path: str
    status: os.stat_result
    """Of the entry itself: a link is not followed."""


def file_entries(bot: Path, made: Iterable[str] = ()) -> Iterator[FileEntry]:
    """All that lies in a bot's folder, in no order, without what version control keeps there.

    `made`: patterns of relative names to leave out. Raises BotError: more than MAX_ENTRIES, or a folder that can't be
    read.
    """
    patterns = tuple(made)
    above = [""]
    count = 0
    while above:
        prefix = above.pop()
        for name, path, status in _listed(bot, prefix):
            count += 1
            if count > MAX_ENTRIES:
                raise BotError(
                    f"{display_name(bot)} has more than {MAX_ENTRIES:,} files: remove those that it does not need"
                )
            is_folder = stat.S_ISDIR(status.st_mode)
            if any(fnmatchcase(f"{name}/" if is_folder else name, pattern) for pattern in patterns):
                continue
            if is_folder:
                above.append(f"{name}/")
            yield FileEntry(name, path, status)


def _listed(bot: Path, prefix: str) -> Iterator[FileEntry]:
    """One folder's entries."""
    try:
        with os.scandir(os.path.join(bot, prefix)) as found:  # noqa: PTH118 - a Path for each folder costs more than reading it
            for entry in found:
                status = entry.stat(follow_symlinks=False)
                if prefix or entry.name not in VERSION_CONTROL or stat.S_ISLNK(status.st_mode):
                    yield FileEntry(prefix + entry.name, entry.path, status)
    except OSError as error:
        raise _unreadable(bot, prefix or ".", error) from None


def bot_files(bot: Path, made: Iterable[str] = ()) -> list[FileEntry]:
    """The files and links of a bot's folder and its empty folders, by name, each checked. Arguments as for `entries`.

    Raises BotError, which names the entry: it is not a plain file, leads out of the folder, or the files are too large.
    """
    found = []
    filled = set()
    total = 0
    for entry in file_entries(bot, made):
        filled.add(entry.name.rpartition("/")[0])
        _check_entry(bot, entry)
        found.append(entry)
        total += entry.status.st_size if stat.S_ISREG(entry.status.st_mode) else 0
        if total > MAX_BYTES:
            raise BotError(
                f"{display_name(bot)}: its files are larger than {MAX_BYTES:,} bytes with {display_name(entry.name)}"
            )
    return sorted(entry for entry in found if not (stat.S_ISDIR(entry.status.st_mode) and entry.name in filled))


def _check_entry(bot: Path, entry: FileEntry) -> None:
    kind = stat.S_IFMT(entry.status.st_mode)
    if kind in _KINDS:
        raise BotError(
            f"{display_name(bot)}: {display_name(entry.name)} is {_KINDS[kind]}: a bot consists of plain files"
        )
    if kind == stat.S_IFLNK:
        target = _link_target(bot, entry.name, entry.path)
        if not _stays_inside(entry.name, target):
            raise BotError(
                f"{display_name(bot)}: the link {display_name(entry.name)} leads out of the bot's folder, "
                f"to {display_name(target)}: copy the file instead"
            )


def _stays_inside(name: str, target: str) -> bool:
    """Whether a link leads to something in the bot's folder, told without following it or others: those may be many.

    Its own folders are no links, so it may go up as many as there are. After that it only goes down, maybe through
    links of which the same is true.
    """
    parts = [part for part in target.split("/") if part not in ("", ".")]
    ups = sum(part == ".." for part in parts)
    return not target.startswith("/") and ups <= name.count("/") and ".." not in parts[ups:]


def digest_files(bot: Path, files: Iterable[FileEntry]) -> str:
    """SHA-256, in hex, over names and contents. Raises BotError for a file that can't be read, or changes meanwhile.

    A link counts by its target's name (its target is a file of its own), an empty folder by its name.
    """
    whole = hashlib.sha256()
    for name, path, status in files:
        content = hashlib.sha256()
        if stat.S_ISLNK(status.st_mode):
            name += "//"  # no file's name ends so
            content.update(os.fsencode(_link_target(bot, name, path)))
        elif stat.S_ISDIR(status.st_mode):
            name += "/"
        else:
            for chunk in _chunks(bot, name, path):
                content.update(chunk)
        whole.update(os.fsencode(name) + b"\0" + content.digest())
    return whole.hexdigest()


def single_file(path: Path) -> list[FileEntry]:
    """A bot that is one file, as `digest_files` takes it. Raises BotError if it is not plain or too large."""
    try:
        status = path.stat()
    except OSError as error:
        raise _unreadable(path, path.name, error) from None
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise BotError(
            f"{display_name(path)} is {_KINDS.get(kind, 'a folder')}: a bot is a plain file, or a folder of them"
        )
    if status.st_size > MAX_BYTES:
        raise BotError(f"{display_name(path)} is larger than {MAX_BYTES:,} bytes")
    return [FileEntry(path.name, str(path), status)]


def copy_files(bot: Path, files: Iterable[FileEntry], folder: Path) -> None:
    """Copy these into a folder, writable, with their permissions. Raises BotError as `digest_files` does."""
    for name, path, status in files:
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if stat.S_ISLNK(status.st_mode):
            copy.symlink_to(_link_target(bot, name, path))
        elif stat.S_ISDIR(status.st_mode):
            copy.mkdir()
        else:
            with copy.open("xb") as file:
                file.writelines(_chunks(bot, name, path))
            copy.chmod(stat.S_IMODE(status.st_mode) | stat.S_IWUSR)
            os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))


def read_start(path: Path, most: int) -> bytes:
    """The first bytes of a file, at most `most`. Raises OSError."""
    with open_plain(path) as file:
        return file.read(min(most, _size(file)))


def open_plain(path: str | Path) -> BinaryIO:
    """Open a file without waiting, as for the other end of a FIFO. Raises OSError, also if it is not a plain file."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "it is not a plain file any more")
    return os.fdopen(descriptor, "rb")


def _chunks(bot: Path, name: str, path: str) -> Iterator[bytes]:
    """A file's content, exactly as long as the file is when it is opened."""
    try:
        with open_plain(path) as file:
            left = _size(file)
            if left > MAX_BYTES:
                raise OSError(0, f"it is larger than {MAX_BYTES:,} bytes")
            while left and (chunk := file.read(min(_CHUNK, left))):
                left -= len(chunk)
                yield chunk
    except OSError as error:
        raise _unreadable(bot, name, error) from None


def _size(file: BinaryIO) -> int:
    """What is read of it at most: nothing of files that the kernel makes up, which may wait or never end."""
    return os.fstat(file.fileno()).st_size


def _link_target(bot: Path, name: str, path: str) -> str:
    try:
        return os.readlink(path)  # noqa: PTH115 - a Path would lose what the digest covers, such as a slash at the end
    except OSError as error:
        raise _unreadable(bot, name, error) from None


def _unreadable(bot: Path, name: str, error: OSError) -> BotError:
    return BotError(f"{display_name(bot)}: {display_name(name)} can't be read: {error.strerror}")


def display_name(name: str | Path) -> str:
    """A path in a message: fit for a terminal, and cut where it is very long."""
    return cut(str(name))
