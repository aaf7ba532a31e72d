"""A bot's files: their digest, and building them in a folder aside, so that its own folder is only ever read.

A build is kept by the digest of its sources in `$XDG_CACHE_HOME/fa/bots` (`~/.cache/fa/bots`), and made again only
when they change.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from ..errors import BotCannotRun, BotError
from ..text import printable
from .processes import run_to_end

BUILD_SECONDS = 300.0
MADE = ("*.o", "*.class", "target/*")
"""What compilers leave beside the sources, as patterns of relative names."""
_NOT_FOUND = 127
"""What `sh` exits with when it finds no such program."""

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


def built_folder(bot: Path, sources: Sources, digest: str, build: str | Sequence[str]) -> Path:
    """A folder with the sources and what the build command makes of them. Raises BotCannotRun where that fails."""
    command = ["sh", "-c", build] if isinstance(build, str) else list(build)
    machine = f"{platform.system()} {platform.machine()}"
    key = hashlib.sha256("\0".join([digest, machine, *command]).encode()).hexdigest()
    target = _cache() / f"{bot.absolute().name}-{key[:20]}"
    if target.is_dir():
        return target
    work = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        for name, path in sources:
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, work / name)
        _build(bot, command, work)
        _keep(work, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def _build(bot: Path, command: Sequence[str], work: Path) -> None:
    try:
        status, output = run_to_end(command, work, BUILD_SECONDS)
    except OSError as error:
        raise BotCannotRun(f"{bot}: its build command {command[0]!r} does not start: {error.strerror}") from None
    lines = [printable(line) for line in output.splitlines() if line.strip()]
    if status is None:
        raise BotCannotRun(f"{bot}: its build took more than {BUILD_SECONDS:.0f} seconds")
    if status == _NOT_FOUND:
        raise BotCannotRun(f"{bot}: its build needs what is not on this machine: {lines[-1] if lines else command}")
    if status:
        said = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "it said nothing")
        raise BotCannotRun(f"{bot}: its build failed with status {status}: {said}")


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
