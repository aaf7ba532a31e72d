"""Which programs are bots: what a path on the command line or a bot.toml says, as something that can be started."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from ..errors import BotCannotRun, BotError
from ..text import quoted
from . import bot_files, builds
from .bot_files import display_name

MAX_NAME = 60
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{MAX_NAME - 1}}}")
_MAX_TOML = 64 * 1024
# What runs a file of this ending: the first of these that is here. mawk reads ahead unless told to be interactive.
_INTERPRETERS: dict[str, tuple[tuple[str, ...], ...]] = {
    ".py": ((sys.executable,),),
    ".js": (("node",),),
    ".mjs": (("node",),),
    ".cjs": (("node",),),
    ".sh": (("bash",), ("sh",)),
    ".awk": (("gawk", "-f"), ("mawk", "-W", "interactive", "-f"), ("awk", "-f")),
    ".pl": (("perl",),),
    ".rb": (("ruby",),),
    ".lua": (("lua",),),
    ".php": (("php",),),
    ".jar": (("java", "-jar"),),
    ".java": (("java",),),
}
_BINARY = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


class Bot(msgspec.Struct, frozen=True):
    """A program that can be started, and who it is."""

    name: str
    path: str
    """The file or folder that a person named."""
    command: tuple[str, ...]
    folder: str
    """Where its process runs: the bot's own folder, or where it was built."""
    digest: str = ""
    """SHA-256 in hex over the names and contents of its files: two bots with the same digest are the same bot."""
    games: tuple[str, ...] = ()
    """The names of the games that it plays; empty: all."""
    description: str = ""
    threads: int = 1

    def plays(self, game: str) -> bool:
        """Whether it says that it plays this game."""
        return not self.games or game in self.games


class Skipped(msgspec.Struct, frozen=True):
    """A bot that takes no part in a tournament, since it can't be built or started."""

    name: str
    reason: str
    """A sentence that names its path."""

    def __str__(self) -> str:
        return f"{self.name} is skipped: {self.reason}"


class BotFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """bot.toml: what a folder says of the bot in it."""

    command: str | list[str]
    """Relative to the folder. A string is split as a shell would; `python` is the Python that runs `fa`."""
    name: str | None = None
    """The folder's name when nothing is said."""
    build: str | list[str] | None = None
    """Run in a copy of the folder whenever its files have changed; a string by `sh`."""
    games: list[str] = []
    description: Annotated[str, msgspec.Meta(max_length=500)] = ""
    threads: Annotated[int, msgspec.Meta(ge=1, le=1024)] = 1


def find_bots(
    paths: Sequence[str | Path], sandboxed: bool = False, skipped: list[Skipped] | None = None
) -> tuple[list[Bot], list[str]]:
    """The bots at these paths, in order, and a sentence on each path that brought none.

    A path may have a name in front: `old=bots/greedy.py`. A path beside others of the same folder is taken to come
    from a pattern (`bots/*`), and what is no bot there is passed over; on its own it is an error. A bot whose
    interpreter or compiler is missing is left out either way. `sandboxed`: they are built in the sandbox. `skipped`
    takes bots that are broken in any way, which have no sentence then. Raises BotError: nothing at a path, no bot
    there, two bots of one name, or without `skipped` a broken bot.
    """
    named = [_split_name(str(path)) for path in paths]
    beside = Counter(path.parent for _, path in named)
    bots: list[Bot] = []
    notes: list[str] = []
    for name, path in named:
        if not os.path.exists(path):  # noqa: PTH110 - unlike Path.exists it does not raise
            raise BotError(f"{display_name(path)}: there is no such file or folder")
        from_pattern = name is None and beside[path.parent] > 1
        why_not = _why_no_bot(path)
        if why_not and not from_pattern:
            raise BotError(f"{display_name(path)} is no bot: {why_not}")
        if why_not:
            notes.append(f"{path} is passed over: {why_not}")
            continue
        try:
            bots.append(read_bot(path, name, sandboxed))
        except BotError as error:
            if skipped is not None:
                skipped.append(Skipped(name or path.absolute().stem, str(error)))
            elif isinstance(error, BotCannotRun):
                notes.append(f"{error}; it is left out")
            else:
                raise
    _check_names(bots)
    return bots, notes


def read_bot(path: str | Path, name: str | None = None, sandboxed: bool = False) -> Bot:
    """The bot in this file or folder, built if need be. Raises BotError; BotCannotRun if this machine lacks something.

    `name`, or one in front of the path, goes before the name that the bot has in its bot.toml or by its file;
    `sandboxed`: built in the sandbox.
    """
    in_front, path = _split_name(str(path))
    name = name or in_front
    why_not = _why_no_bot(path)
    if why_not:
        raise BotError(f"{path} is no bot: {why_not}")
    return _folder_bot(path, name, sandboxed) if path.is_dir() else _file_bot(path, name)


def _split_name(text: str) -> tuple[str | None, Path]:
    """`name=path`, unless there is a file of just that name."""
    name, equals, rest = text.partition("=")
    if not equals or "/" in name or os.path.exists(text):  # noqa: PTH110
        return None, Path(text)
    return name, Path(rest)


def _why_no_bot(path: Path) -> str:
    """What keeps a file or folder from being a bot at all; empty if it looks like one."""
    try:
        return _why_unlike_a_bot(path)
    except OSError as error:
        return f"it can't be read: {error.strerror}"


def _why_unlike_a_bot(path: Path) -> str:
    """Raises OSError where that can't be seen, as in a folder without permissions."""
    if path.name.startswith(".") and path.name not in (".", ".."):
        return "it is hidden"
    if path.name == "__pycache__":
        return "it holds only what Python keeps for itself"
    if path.is_dir():
        return "" if (path / "bot.toml").is_file() else "a folder of a bot has a bot.toml, and this one has none"
    if not path.exists():
        return "there is no such file or folder"
    if not path.is_file():
        return "it is neither a file nor a folder"
    if path.suffix in _INTERPRETERS or (_is_program(path) and os.access(path, os.X_OK)):
        return ""
    if _is_program(path):
        return f"it is not executable (chmod +x {quoted(path)})"
    return "neither its ending nor its beginning says what would run it"


def _is_program(path: Path) -> bool:
    return _first_line(path).startswith((b"#!", *_BINARY))


def _first_line(path: Path) -> bytes:
    try:
        return bot_files.read_start(path, 512).partition(b"\n")[0]
    except OSError as error:
        raise BotError(f"{display_name(path)} can't be read: {error.strerror}") from None


def _file_bot(path: Path, name: str | None) -> Bot:
    name = _check_name(name or path.stem, path)
    return Bot(
        name=name,
        path=str(path),
        command=_file_command(path),
        folder=str(path.parent.absolute()),
        digest=bot_files.digest_files(path, bot_files.single_file(path)),
    )


def _file_command(path: Path) -> tuple[str, ...]:
    """Python files run with the Python that runs `fa`; others as they are if they can, else by their ending."""
    whole = str(path.absolute())
    if path.suffix != ".py" and os.access(path, os.X_OK) and _is_program(path):
        _check_shebang(path)
        return (whole,)
    for start in _INTERPRETERS[path.suffix]:
        program = shutil.which(start[0])
        if program:
            return (program, *start[1:], whole)
    wanted = " or ".join(start[0] for start in _INTERPRETERS[path.suffix])
    raise BotCannotRun(f"{path} needs {wanted}, which is not on this machine")


def _check_shebang(path: Path) -> None:
    first = _first_line(path)
    if not first.startswith(b"#!"):
        return
    words = first[2:].decode("utf-8", "replace").split()
    program = words[0] if words else ""
    if Path(program).name == "env":
        program = next((word for word in words[1:] if not word.startswith("-") and "=" not in word), "")
    if not shutil.which(program):
        raise BotCannotRun(f"{path} needs {program or 'an interpreter'}, which is not on this machine")


def _folder_bot(path: Path, name: str | None, sandboxed: bool) -> Bot:
    file = path / "bot.toml"
    about = _read_toml(path, file)
    name = _check_name(name or about.name or path.absolute().name, path)
    command = _split_command(about.command, file)
    made = (command[0].removeprefix("./"), *builds.MADE) if about.build else ()
    sources = bot_files.bot_files(path, made)
    digest = bot_files.digest_files(path, sources)
    folder = path.absolute()
    if about.build:
        folder = builds.built_folder(path, sources, digest, about.build, sandboxed)
    return Bot(
        name=name,
        path=str(path),
        command=(_find_program(command[0], folder, path), *command[1:]),
        folder=str(folder),
        digest=digest,
        games=tuple(about.games),
        description=about.description,
        threads=about.threads,
    )


def _read_toml(path: Path, file: Path) -> BotFile:
    try:
        text = bot_files.read_start(file, _MAX_TOML + 1)
    except OSError as error:
        raise BotError(f"{display_name(path)}: bot.toml can't be read: {error.strerror}") from None
    if len(text) > _MAX_TOML:
        raise BotError(f"{file} is longer than {_MAX_TOML} bytes")
    try:
        return msgspec.toml.decode(text, type=BotFile)
    except (msgspec.DecodeError, ValueError) as error:  # also for what is no UTF-8, and numbers of thousands of digits
        raise BotError(f"{file}: {error}") from None
    except RecursionError:
        raise BotError(f"{file}: it is nested too deep") from None


def _split_command(command: str | list[str], file: Path) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise BotError(f"{file}: command {command!r}: {error}") from None
    if not words or not words[0] or any("\0" in word for word in words):
        raise BotError(f"{file}: command {command!r} names no program")
    return words


def _find_program(program: str, folder: Path, path: Path) -> str:
    """The program in the bot's own folder if it is there, else by PATH."""
    if program in ("python", "python3"):
        return sys.executable
    own = folder / program
    is_own = os.path.isfile(own)  # noqa: PTH113 - unlike Path.is_file it does not raise for a name that is too long
    if is_own and os.access(own, os.X_OK):
        return str(own)
    if is_own:
        raise BotError(f"{path}: its program {program} is not executable (chmod +x {quoted(own)})")
    if "/" in program and not Path(program).is_absolute():
        raise BotError(f"{path}: its program {program} is not there")
    found = shutil.which(program)
    if not found:
        raise BotCannotRun(f"{path} needs {program}, which is not on this machine")
    return found


def is_name(text: str) -> bool:
    """Whether a bot may be called so."""
    return _NAME.fullmatch(text) is not None


def _check_name(name: str, where: Path) -> str:
    if not is_name(name):
        raise BotError(
            f"{where}: a bot's name is letters, digits and . _ + - (at most {MAX_NAME}, a letter or digit first), "
            f"not {name!r}; one can be given as NAME={where}"
        )
    return name


def _check_names(bots: Sequence[Bot]) -> None:
    """Raises BotError where two bots have one name."""
    places: dict[str, str] = {}
    for bot in bots:
        if bot.name in places:
            other = places[bot.name]
            raise BotError(
                f"{other} is named twice"
                if Path(other).resolve() == Path(bot.path).resolve()
                else f"two bots are called {bot.name}: {other} and {bot.path}; give one another name: other={bot.path}"
            )
        places[bot.name] = bot.path
