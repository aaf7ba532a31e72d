"""Finding bots: a file or folder named on the command line becomes a `Bot`, a command that can be started."""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from ..decoding import built
from ..errors import BotCannotRun, BotError
from ..models.model import Model
from ..printing.text import MOST_KEY_PARTS, cut, has_long_key, quoted
from ..system import find_program, shebang
from . import bot_files, builds
from .bot_files import display_name
from .sandbox.hidden import hide
from .shipped_bots import BYTECODE, find_shipped, hint, is_installed, leading_sentence, typed_as
from .transport.remote import find_remote, is_remote, read_remote

MAX_NAME = 60
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{MAX_NAME - 1}}}")
_MAX_TOML = 64 * 1024
# by a file's extension: interpreters, of which the first that is installed runs it. mawk reads ahead unless interactive
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
_REMOTE = "plays over the network; its digest is what it states, unproved"
_BINARY_MAGIC = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


class Bot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A program that can be started, with its name and digest."""

    name: str
    path: str
    """The file or folder, as given on the command line."""
    command: tuple[str, ...] = ()
    """Empty in a definition: `read_bot` finds it again."""
    folder: str = ""
    """The working directory of its process: the bot's own folder, or that of its build. Empty in a definition."""
    digest: str = ""
    """SHA-256, in hex, of the names and contents of its files. Bots with the same digest are the same bot."""
    games: tuple[str, ...] = ()
    """The names of the games that it plays; empty for all."""
    description: str = ""
    threads: int = 1
    model: Model | None = None
    """The language model that it may talk to. None in a definition."""

    def plays(self, game: str) -> bool:
        """Whether its bot.toml allows this game."""
        return not self.games or game in self.games


class Skipped(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bot that a tournament skips because it can't be built or started."""

    name: str
    reason: str
    """One sentence, which names its path."""
    details: Sequence[str] = ()
    """What its compiler printed last; a definition does not keep it."""
    path: str = ""
    """As `Bot.path`; a definition does not keep it."""

    def __str__(self) -> str:
        return f"{self.name} is skipped: {self.reason}"


class BotFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a bot.toml."""

    command: str | list[str]
    """A program, relative to the folder, and its arguments. A string is split like a shell command. `python` is the
    Python that runs `fa`."""
    name: str | None = None
    """The bot's name; the folder's name by default."""
    build: str | list[str] | None = None
    """A command, run in a copy of the folder if its files have changed. `sh` runs a string."""
    games: list[str] = []
    description: Annotated[str, msgspec.Meta(max_length=500)] = ""
    threads: Annotated[int, msgspec.Meta(ge=1, le=1024)] = 1
    model: Model | None = None
    """The language model that it may talk to, over a socket of `fa`."""


def find_bots(
    paths: Sequence[str | Path], sandboxed: bool = False, skipped: list[Skipped] | None = None
) -> tuple[list[Bot], list[str]]:
    """Returns the bots at these paths, in order, and a sentence for each path that was skipped.

    A path may begin with a name: `old=bots/greedy.py`. The name of a shipped bot stands for its path. Paths of an
    expanded pattern (`expanded_paths`) that are not bots are skipped, while any other such path is an error. Without
    `skipped` a bot whose interpreter or compiler is missing is skipped, too. `sandboxed`: build bots in the sandbox.
    `skipped` collects bots that are broken in any way, instead of a sentence or an error.

    Raises BotError for a missing path, a path that is not a bot, two bots of one name, or, without `skipped`, a broken
    bot.
    """
    named_paths = [_split_name(str(path)) for path in paths]
    expanded = expanded_paths(paths)
    hide(path for _, path in named_paths if not is_installed(path))
    bots: list[Bot] = []
    notes: list[str] = []
    for name, path in named_paths:
        if is_remote(path):
            read_remote(path)  # raises for one that never was
        if not os.path.exists(path):  # noqa: PTH110 - unlike Path.exists it does not raise
            raise BotError(f"{display_name(path)}: no such file or folder{hint(path)}")
        if name is not None:
            _check_name(name, path)
        why_not = _why_not_a_bot(path)
        if why_not and str(path) not in expanded:
            raise BotError(f"{display_name(path)} is not a bot: {why_not}")
        if why_not:
            notes.append(f"{path} is skipped: {why_not}")
            continue
        try:
            bots.append(read_bot(path, name, sandboxed))
        except BotError as error:
            if skipped is not None:
                skipped.append(Skipped(name or path.absolute().stem, str(error), error.details, str(path)))
            elif isinstance(error, BotCannotRun):
                notes.append(f"{error}; it is skipped")
            else:
                raise
    _check_names(bots)
    return bots, notes


def expanded_paths(paths: Sequence[str | Path]) -> set[str]:
    """Those of the paths that a shell seems to have made of a pattern such as `bots/*`: several in one folder.

    The others were typed one by one: a path with a name, the name of a shipped bot, a path alone in its folder.
    """
    plain = [Path(text) for text in map(str, paths) if _split_name(text) == (None, Path(text))]
    per_folder = Counter(path.parent for path in plain)
    return {str(path) for path in plain if per_folder[path.parent] > 1}


def read_bot(path: str | Path, name: str | None = None, sandboxed: bool = False) -> Bot:
    """The bot in a file or folder, built if necessary. `sandboxed`: build it in the sandbox.

    Its name is `name`, else the one before `=` in `path`, else the one in its bot.toml, else that of the file or
    folder. Raises BotError, and BotCannotRun if its interpreter or compiler is missing or its build fails.
    """
    prefix, path = _split_name(str(path))
    name = name or prefix
    why_not = _why_not_a_bot(path)
    if why_not:
        raise BotError(f"{path} is not a bot: {why_not}")
    bot = _folder_bot(path, name, sandboxed) if path.is_dir() else _file_bot(path, name)
    hide_bots([bot])
    return bot


def hide_bots(bots: Iterable[Bot]) -> None:
    """Hide these bots from all others (see `hide`), but not those that everybody has with `fa`."""
    for bot in bots:
        path = Path(bot.path)
        if not is_installed(path):
            hide([path, bot.folder] if bot.folder and path.is_dir() else [path])


def bot_path(text: str) -> Path:
    """The path of a bot as it is typed: without the name before `=`, and with the path for a name."""
    return _split_name(text)[1]


def _split_name(text: str) -> tuple[str | None, Path]:
    """Split `name=path`, unless a file of that whole name exists. The name is None without one.

    A path that is the name of a shipped bot, and not a file here, becomes the path of that bot; `remote:NAME` the file
    of that remote bot.
    """
    name, equals, rest = text.partition("=")
    is_named = equals and "/" not in name and not os.path.exists(text)  # noqa: PTH110
    typed = rest if is_named else text
    return name if is_named else None, find_shipped(typed) or find_remote(typed) or Path(typed)


def _why_not_a_bot(path: Path) -> str:
    """Why a file or folder is not a bot; "" if it looks like one."""
    if path.name.startswith(".") and path.name not in (".", ".."):
        return "it is hidden"
    if path.name == "__pycache__":
        return "it holds only what Python keeps for itself"
    try:
        if path.is_dir():
            return "" if _is_file(path / "bot.toml") else "a folder of a bot has a bot.toml, and this one has none"
        if not path.exists():
            never = f"no bot {path.stem} has ever connected"
            return never if is_remote(path) else f"no such file or folder{hint(path)}"
        if not path.is_file():
            return "it is neither a file nor a folder"
    except OSError as error:
        return f"it can't be read: {error.strerror}"
    if path.suffix in _INTERPRETERS or is_remote(path):
        return ""
    if not _is_program(path):
        return "unknown extension and no #! line"
    return "" if os.access(path, os.X_OK) else f"it is not executable (chmod +x {quoted(path)})"


def _is_file(path: Path) -> bool:
    """As `Path.is_file`, but raises OSError in a folder without permissions; since Python 3.14 that returns False."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _is_program(path: Path) -> bool:
    return _first_line(path).startswith((b"#!", *_BINARY_MAGIC))


def _first_line(path: Path) -> bytes:
    try:
        return bot_files.read_start(path, 512).partition(b"\n")[0]
    except OSError as error:
        raise BotError(f"{display_name(path)} can't be read: {error.strerror}") from None


def _file_bot(path: Path, name: str | None) -> Bot:
    remote = read_remote(path) if is_remote(path) else None
    return Bot(
        name=_check_name(name or path.stem, path),
        path=str(path),
        command=() if remote else _file_command(path),
        folder=str(path.parent.absolute()),
        digest=bot_files.digest_files(path, bot_files.single_file(path)),
        games=remote.games if remote else (),
        description=_REMOTE if remote else "",
    )


def _file_command(path: Path) -> tuple[str, ...]:
    """Python files run with the Python that runs `fa`, executables as they are, other files by their extension."""
    absolute = str(path.absolute())
    if path.suffix != ".py" and os.access(path, os.X_OK) and _is_program(path):
        programs = shebang(_first_line(path))
        if programs and not find_program(programs[-1]):
            raise BotCannotRun(f"{path} needs {programs[-1] or 'an interpreter'}, which is not on this machine")
        return (absolute,)
    for interpreter, *options in _INTERPRETERS[path.suffix]:
        program = find_program(interpreter)
        if program:
            return (program, *options, absolute)
    names = " or ".join(interpreter for interpreter, *_ in _INTERPRETERS[path.suffix])
    raise BotCannotRun(f"{path} needs {names}, which is not on this machine")


def _folder_bot(path: Path, name: str | None, sandboxed: bool) -> Bot:
    toml = read_toml(path)
    name = _check_name(name or toml.name or path.absolute().name, path)
    command = _split_command(path, toml)
    sources = _folder_sources(path, toml)
    digest = bot_files.digest_files(path, sources)
    build = toml.build
    folder = builds.built_folder(path, sources, digest, build, sandboxed) if build else path.absolute()
    return Bot(
        name=name,
        path=str(path),
        command=(_find_program(command[0], folder, path), *command[1:]),
        folder=str(folder),
        digest=digest,
        games=tuple(toml.games),
        description=toml.description,
        threads=toml.threads,
        model=toml.model,
    )


def source_files(path: Path) -> list[bot_files.FileEntry]:
    """The files that the digest of the bot in a file or folder covers. Raises BotError."""
    if not path.is_dir():
        return bot_files.single_file(path)
    return _folder_sources(path, read_toml(path))


def _folder_sources(path: Path, toml: BotFile) -> list[bot_files.FileEntry]:
    excluded = [_split_command(path, toml)[0].removeprefix("./"), *builds.COMPILER_OUTPUT] if toml.build else []
    excluded += [BYTECODE] if is_installed(path) else []
    return bot_files.bot_files(path, excluded)


def description_of(path: Path) -> str:
    """How a bot plays, in one line, from its bot.toml or the comment that its file begins with. Raises BotError."""
    return read_toml(path).description if path.is_dir() else leading_sentence(path)


def read_toml(path: Path) -> BotFile:
    """The bot.toml of a folder. Raises BotError."""
    file = path / "bot.toml"
    try:
        text = bot_files.read_start(file, _MAX_TOML + 1)
    except OSError as error:
        raise BotError(f"{display_name(path)}: bot.toml can't be read: {error.strerror}") from None
    if len(text) > _MAX_TOML:
        raise BotError(f"{file} is longer than {_MAX_TOML} bytes")
    if has_long_key(text.decode("utf-8", "replace")):
        raise BotError(f"{file}: a key in it has more than {MOST_KEY_PARTS} parts")
    try:
        return msgspec.toml.decode(text, type=built(BotFile))
    except msgspec.ValidationError as error:
        raise BotError(f"{file}: {error}") from None
    except (msgspec.DecodeError, ValueError) as error:  # ValueError: not UTF-8, or a number with thousands of digits
        raise BotError(f"{file}: invalid TOML: {error}") from None
    except RecursionError:
        raise BotError(f"{file}: it is nested too deep") from None


def _split_command(path: Path, toml: BotFile) -> list[str]:
    file, command = path / "bot.toml", toml.command
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise BotError(f"{file}: command {command!r}: {error}") from None
    if not words or not words[0] or any("\0" in word for word in words):
        raise BotError(f"{file}: command {command!r} names no program")
    return words


def _find_program(program: str, folder: Path, path: Path) -> str:
    """The path of a program: in the bot's own folder, else by PATH. Raises BotError."""
    if program in ("python", "python3"):
        return sys.executable
    local = folder / program
    is_local = os.path.isfile(local)  # noqa: PTH113 - unlike Path.is_file it does not raise for a name that is too long
    if is_local and os.access(local, os.X_OK):
        return str(local)
    if is_local:
        raise BotError(f"{path}: its program {program} is not executable (chmod +x {quoted(local)})")
    if "/" in program and not Path(program).is_absolute():
        unmade = "" if folder == path.absolute() else ": its build must make it, for a file of that name is not copied"
        raise BotError(f"{path}: its program {program} was not found{unmade}")
    by_path = find_program(program)
    if not by_path:
        raise BotCannotRun(f"{path} needs {program}, which is not on this machine")
    return by_path


def is_name(text: str) -> bool:
    """Whether a bot may have this name."""
    return _NAME.fullmatch(text) is not None


def _check_name(name: str, path: Path) -> str:
    if not is_name(name):
        renamed = quoted(f"{_ascii(name) or 'NAME'}={typed_as(path)}")
        raise BotError(f"{typed_as(path)}: {invalid_name(name)}; give the bot another name: {renamed}")
    return name


def invalid_name(name: str, most: int = MAX_NAME) -> str:
    """A sentence on a name that no player can have in a log."""
    return (
        f"invalid name '{cut(name, MAX_NAME)}': logs allow the letters a to z and A to Z, digits and . _ + - (at most "
        f"{most}, a letter or digit first)"
    )


def _ascii(name: str) -> str:
    """What is left of a name without accents, as a suggestion; empty if a bot cannot have it."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode().replace(" ", "-")
    return plain if is_name(plain) else ""


def _check_names(bots: Sequence[Bot]) -> None:
    """Raises BotError if two bots have the same name, also but for upper and lower case."""
    known: dict[str, Bot] = {}
    for bot in bots:
        other = known.setdefault(bot.name.casefold(), bot)
        if other is bot:
            continue
        if Path(other.path).resolve() == Path(bot.path).resolve():
            raise BotError(f"{typed_as(other.path)} is named twice")
        names = bot.name if bot.name == other.name else f"{other.name} and {bot.name}, the same but for case"
        paths = f"{typed_as(other.path)} and {typed_as(bot.path)}"
        raise BotError(f"two bots are called {names}: {paths}; give one another name: other={typed_as(bot.path)}")
