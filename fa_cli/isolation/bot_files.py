"""The files of a bot and their digest, read in bounded time and memory whatever the bot's folder holds.

A bot consists of plain files, in a folder that may also hold folders and links to its own files. FIFOs, sockets,
devices and links out of the folder are refused. No function opens a file before its type is known, blocks in `open`, or
reads more than the file's size.
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
from ..printing.text import cut
from ..system import open_regular
from .limits import GIB, MIB

MAX_ENTRIES = 100_000
"""The most files, folders and links in a bot's folder."""
MAX_BYTES = GIB
"""The most bytes of all its files together, or of a bot that is a single file."""
VERSION_CONTROL = (".git", ".hg", ".svn", ".jj", ".bzr")
"""Not part of a bot at the top of its folder: they change without a change of the bot. The sandbox hides them."""
_CHUNK = MIB
_KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class FileEntry(NamedTuple):
    """A file, folder or link in a bot's folder."""

    name: str
    """Relative to the bot's folder, with `/`. Bytes that are not UTF-8 are surrogates."""
    path: str
    status: os.stat_result
    """The status of the entry itself: links are not followed."""


def file_entries(bot: Path, excluded: Iterable[str] = ()) -> Iterator[FileEntry]:
    """All entries of a bot's folder and its subfolders, in no order, without the `VERSION_CONTROL` folders.

    `excluded`: patterns of relative names to leave out. Raises BotError for more than MAX_ENTRIES entries, or a folder
    that can't be read.
    """
    patterns = tuple(excluded)
    pending = [""]
    count = 0
    while pending:
        prefix = pending.pop()
        for name, path, status in _scan(bot, prefix):
            count += 1
            if count > MAX_ENTRIES:
                raise BotError(
                    f"{display_name(bot)} has more than {MAX_ENTRIES:,} files: remove those that it does not need"
                )
            is_folder = stat.S_ISDIR(status.st_mode)
            if any(fnmatchcase(f"{name}/" if is_folder else name, pattern) for pattern in patterns):
                continue
            if is_folder:
                pending.append(f"{name}/")
            yield FileEntry(name, path, status)


def _scan(bot: Path, prefix: str) -> Iterator[FileEntry]:
    """The entries of one folder."""
    try:
        with os.scandir(os.path.join(bot, prefix)) as entries:  # noqa: PTH118 - making a Path takes longer than reading
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                if prefix or entry.name not in VERSION_CONTROL or stat.S_ISLNK(status.st_mode):
                    yield FileEntry(prefix + entry.name, entry.path, status)
    except OSError as error:
        raise _unreadable(bot, prefix or ".", error) from None


def bot_files(bot: Path, excluded: Iterable[str] = ()) -> list[FileEntry]:
    """The files, links and empty folders of a bot's folder, checked and sorted by name.

    Arguments as for `file_entries`. Raises BotError, which names the entry, for a special file, a link out of the
    folder, or files that are too large.
    """
    entries = []
    nonempty = set()
    total = 0
    for entry in file_entries(bot, excluded):
        nonempty.add(entry.name.rpartition("/")[0])
        _check_entry(bot, entry)
        entries.append(entry)
        total += entry.status.st_size if stat.S_ISREG(entry.status.st_mode) else 0
        if total > MAX_BYTES:
            raise BotError(
                f"{display_name(bot)}: its files are larger than {MAX_BYTES:,} bytes with {display_name(entry.name)}"
            )
    return sorted(entry for entry in entries if not (stat.S_ISDIR(entry.status.st_mode) and entry.name in nonempty))


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
    """Whether a link stays in the bot's folder, decided by its text: following links could take unbounded time.

    The folders above a link are real folders, so its target may begin with as many `..` as there are. After that it
    only goes down, perhaps through links that are checked themselves.
    """
    parts = [part for part in target.split("/") if part not in ("", ".")]
    ups = sum(part == ".." for part in parts)
    return not target.startswith("/") and ups <= name.count("/") and ".." not in parts[ups:]


def digest_files(bot: Path, files: Iterable[FileEntry]) -> str:
    """SHA-256, in hex, of names and contents. Raises BotError for a file that can't be read or changes meanwhile.

    Of a link the digest covers the target's name (the target is an entry of its own), of an empty folder the name.
    """
    digest = hashlib.sha256()
    for name, path, status in files:
        content = hashlib.sha256()
        if stat.S_ISLNK(status.st_mode):
            name += "//"  # no file name ends with two slashes
            content.update(os.fsencode(_link_target(bot, name, path)))
        elif stat.S_ISDIR(status.st_mode):
            name += "/"
        else:
            for chunk in _chunks(bot, name, path):
                content.update(chunk)
        digest.update(os.fsencode(name) + b"\0" + content.digest())
    return digest.hexdigest()


def single_file(path: Path) -> list[FileEntry]:
    """The only entry of a bot that is a single file. Raises BotError if the file is special or too large."""
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
    """Copy entries into a folder, with their permissions but writable. Raises BotError as `digest_files` does."""
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


def read_start(path: Path, max_bytes: int) -> bytes:
    """The first bytes of a file, at most `max_bytes`. Raises OSError."""
    with open_regular(path) as file:
        return file.read(min(max_bytes, _size(file)))


def _chunks(bot: Path, name: str, path: str) -> Iterator[bytes]:
    """The content of a file, as many bytes as the file has when it is opened."""
    try:
        with open_regular(path) as file:
            remaining = _size(file)
            if remaining > MAX_BYTES:
                raise OSError(0, f"it is larger than {MAX_BYTES:,} bytes")
            while remaining and (chunk := file.read(min(_CHUNK, remaining))):
                remaining -= len(chunk)
                yield chunk
    except OSError as error:
        raise _unreadable(bot, name, error) from None


def _size(file: BinaryIO) -> int:
    """The size in bytes; 0 for files that the kernel makes up, such as those in /proc, which may block or never end."""
    return os.fstat(file.fileno()).st_size


def _link_target(bot: Path, name: str, path: str) -> str:
    try:
        return os.readlink(path)  # noqa: PTH115 - a Path would lose what the digest covers, such as a slash at the end
    except OSError as error:
        raise _unreadable(bot, name, error) from None


def _unreadable(bot: Path, name: str, error: OSError) -> BotError:
    return BotError(f"{display_name(bot)}: {display_name(name)} can't be read: {error.strerror}")


def display_name(name: str | Path) -> str:
    """A path for a message: printable, and cut if it is very long."""
    return cut(str(name))
