"""Bots as archives, named by their digests: packed where a tournament runs, unpacked and built once on each machine."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import stat
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import BotError
from ..isolation.bot_files import MAX_BYTES, MAX_ENTRIES, digest_files
from ..isolation.builds import cache_folder
from ..isolation.discovery import Bot, read_bot, source_files
from ..system import open_regular
from .batch_messages import ArchivePiece


class ArchiveFolder:
    """The archives of a tournament's bots, each packed when it is first needed. Call `close` at the end."""

    def __init__(self, bots: Sequence[Bot]) -> None:
        self._bots = bots
        self._folder = tempfile.TemporaryDirectory(prefix="fa-bots-")

    def close(self) -> None:
        """Delete the archives."""
        self._folder.cleanup()

    def piece(self, bot: int, offset: int, most: int) -> ArchivePiece:
        """Up to `most` bytes of a bot's archive. Raises BotError if its files have changed, OSError."""
        path = Path(self._folder.name, str(bot))
        if not path.exists():
            with path.with_suffix(".part").open("wb") as file:
                _pack(self._bots[bot], file)
            path.with_suffix(".part").rename(path)
        with path.open("rb") as file:
            file.seek(offset)
            return ArchivePiece(bot, offset, path.stat().st_size, file.read(most))


def _pack(bot: Bot, archive: BinaryIO) -> None:
    """Write the files that the bot's digest covers. Raises BotError if they have another digest."""
    path = Path(bot.path)
    files = source_files(path)
    if digest_files(path, files) != bot.digest:
        raise BotError(f"{path} was changed")
    with tarfile.open(fileobj=archive, mode="w:gz", compresslevel=1) as tar:
        for name, source, status in files:
            member = tarfile.TarInfo(f"{path.name}/{name}" if path.is_dir() else path.name)
            if stat.S_ISLNK(status.st_mode):
                member.type, member.linkname = tarfile.SYMTYPE, os.readlink(source)  # noqa: PTH115 - as the digest has it
                tar.addfile(member)
            elif stat.S_ISDIR(status.st_mode):
                member.type = tarfile.DIRTYPE
                tar.addfile(member)
            else:
                with open_regular(source) as file:
                    member.size = os.fstat(file.fileno()).st_size
                    member.mode = 0o755 if status.st_mode & 0o111 else 0o644
                    tar.addfile(member, file)


class BotStore:
    """The bots that tournaments of other machines have sent to this one: `$XDG_CACHE_HOME/fa/cluster`.

    All processes of a user share it. Raises BotError if the folder can't be created.
    """

    def __init__(self) -> None:
        self._folder = cache_folder().with_name("cluster")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BotError(f"no place to store bots: {self._folder}: {error.strerror}") from None

    def add(self, bot: Bot, piece: ArchivePiece) -> None:
        """Keep a piece of a bot's archive; unpack the archive once it is whole. Raises BotError, OSError."""
        target = self._target(bot)
        with _locked(target):
            if target.is_dir():
                return
            part = target.with_suffix(".part")
            with part.open("r+b" if part.exists() else "w+b") as file:
                if file.seek(0, os.SEEK_END) < piece.offset:
                    raise BotError(f"{bot.name} arrived in the wrong order")
                file.truncate(piece.offset)  # what follows is from an attempt that was given up
                file.seek(piece.offset)
                file.write(piece.data)
                if file.tell() < piece.size:
                    return
                file.seek(0)
                self._unpack(bot, file, target)
            part.unlink()

    def find(self, bot: Bot, sandboxed: bool) -> Bot | None:
        """The bot as it can be started here, built if necessary; None if its files are not here.

        Raises BotError if it can't be run here.
        """
        target = self._target(bot)
        if not target.is_dir():
            return None
        with _locked(target):
            found = read_bot(target / Path(bot.path).name, bot.name, sandboxed)
            if found.digest != bot.digest:  # somebody has changed it here
                shutil.rmtree(target, ignore_errors=True)
                return None
        return found

    def forget(self, bot: Bot) -> None:
        """Remove the files of a bot, which were changed here."""
        target = self._target(bot)
        with _locked(target):
            shutil.rmtree(target, ignore_errors=True)

    def _target(self, bot: Bot) -> Path:
        """The folder for a bot. Bots in folders of different names may have the same digest."""
        key = hashlib.sha256(os.fsencode(f"{Path(bot.path).name}\0{bot.digest}")).hexdigest()
        return self._folder / key[:32]

    def _unpack(self, bot: Bot, archive: BinaryIO, target: Path) -> None:
        work = Path(tempfile.mkdtemp(dir=self._folder))
        try:
            unpack(archive, work)
            path = work / Path(bot.path).name
            if digest_files(path, source_files(path)) != bot.digest:
                raise BotError(f"{bot.name} arrived damaged")
            work.chmod(0o755)
            work.rename(target)
        except (tarfile.TarError, EOFError):
            raise BotError(f"{bot.name} arrived damaged") from None
        finally:
            shutil.rmtree(work, ignore_errors=True)


def unpack(archive: BinaryIO, folder: Path) -> None:
    """Create the files, links and empty folders of an archive in an empty folder. Raises BotError, TarError, OSError.

    Links are made last, so that no file is written through one; `source_files` refuses those that lead out.
    """
    links: list[tuple[Path, str]] = []
    size = count = 0
    with tarfile.open(fileobj=archive, mode="r:gz") as tar:
        for member in tar:
            count, size = count + 1, size + member.size
            if count > MAX_ENTRIES or size > MAX_BYTES or any(p in ("", ".", "..") for p in member.name.split("/")):
                raise BotError(f"its archive can't be taken: {member.name}")
            path = folder / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            if member.issym():
                links.append((path, member.linkname))
            elif member.isdir():
                path.mkdir()
            elif content := tar.extractfile(member):
                with path.open("xb") as file:
                    shutil.copyfileobj(content, file)
                path.chmod(0o755 if member.mode & 0o111 else 0o644)
    for path, target in links:
        path.symlink_to(target)


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Keep other processes from this bot: they unpack and build it once."""
    with target.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
