"""Tournament files: `fa tournament run FILE.toml`. Each key is an option of the command, which goes before the file.

What keys there are, and of what type, follows from the command's own options, so none can be forgotten.
"""

from __future__ import annotations

import glob
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ...errors import BadOption, BadPlayers, BotError, FaError, UnknownGame, UsageError
from ...option import Declared
from ..click_compat import Context, MissingParameter, TyperCommand, was_typed
from .keys import BOTS, OPTION, check, expected, fits, keys, shown, template

ENDING = ".toml"
_LONGEST = 64 * 1024
_MOST_LINES = 1000  # each may be read as often as there are lines, to find the one to name
META = "fa.tournament_file"
"""Where a command's context keeps its file."""
_BY_ERROR: Mapping[type[FaError], str] = {BadOption: OPTION, BadPlayers: "players", UnknownGame: "game", BotError: BOTS}


class TournamentFile:
    """A file that was read: its values as the command takes them, and on which line each key is."""

    def __init__(self, path: Path) -> None:
        """Raises UsageError with file, line and what was expected; OSError."""
        self.path = path
        self._text = _read(path)
        try:
            self._data = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise self._toml_error(error) from None
        except (ValueError, RecursionError) as error:  # a number of thousands of digits
            why = "it is nested too deep" if isinstance(error, RecursionError) else "a number in it is too long"
            raise UsageError(f"{path}: {why}") from None
        self.values: dict[str, Any] = {}
        """By the parameters' names."""
        for key, value in self._data.items():
            each = keys().get(key)
            if each is None:
                raise self.error(_unknown(key, keys()), key)
            self.values[each.parameter] = self._value(key, value, each)

    def error(self, text: str, *keys: str) -> UsageError:
        """The sentence with file and line in front."""
        return UsageError(f"{self.path}:{self.line(*keys)}: {text}")

    def line(self, *keys: str) -> int:
        """The line, from 1, on which a key (or one within a table) is said.

        It is the first one with which the file up to there has the key, less those that belong to the same value: the
        parser itself decides.
        """
        lines = self._text.splitlines()
        before = 0
        for count in range(len(lines) + 1):
            try:
                found: Any = tomllib.loads("\n".join(lines[:count]))
            except tomllib.TOMLDecodeError:
                continue
            for key in keys:
                found = found.get(key) if isinstance(found, dict) else None
            if found is not None:
                return before + 1
            before = count
        return 1

    def located(self, error: FaError, given: Callable[[str], bool]) -> FaError | None:
        """The error with file and line in front, if it is about a key of the file that the command line has not set."""
        key = getattr(error, "option", "")
        key = key or next((its for kind, its in _BY_ERROR.items() if isinstance(error, kind)), "")
        if key not in self._data or given(keys()[key].parameter):
            return None
        path = [key]
        if key == OPTION:
            named = re.search(r"option '?(\w+)", str(error))
            path += [named[1]] if named and named[1] in self._data[key] else []
        return error.within(f"{self.path}:{self.line(*path)}")

    def _toml_error(self, error: tomllib.TOMLDecodeError) -> UsageError:
        what, _, where = str(error).partition(" (at ")
        line = re.match(r"line ([0-9]+)", where)
        number = line[1] if line else self._text.count("\n") + 1  # at the end of the file
        return UsageError(f"{self.path}:{number}: this is no TOML: {what[:1].lower()}{what[1:]}")

    def _value(self, key: str, value: Any, each: Declared) -> Any:
        if not fits(each, value):
            raise self.error(f"{key} is {expected(each)}, not {shown(value)}", key)
        if key == BOTS:
            return self._bots(value)
        if key == OPTION:
            return self._options(value)
        if each.type is Path:
            return str(self.path.parent / value)
        try:
            check(each, value)
        except FaError as error:
            raise self.error(f"{key}: {error}", key) from None
        return value

    def _bots(self, patterns: Sequence[str]) -> list[str]:
        """Paths from the file's folder on, patterns filled in."""
        paths: list[str] = []
        for pattern in patterns:
            name, equals, rest = pattern.partition("=") if "/" not in pattern.partition("=")[0] else ("", "", pattern)
            if not equals:
                name, rest = "", pattern
            whole = str(self.path.parent / rest)
            found = sorted(glob.glob(whole)) if glob.has_magic(rest) else [whole]  # noqa: PTH207 - it may begin with ..
            if not found:
                raise self.error(f"nothing is there that {pattern!r} describes", BOTS)
            paths += [f"{name}={path}" if name else path for path in found]
        return paths

    def _options(self, table: Mapping[str, Any]) -> list[str]:
        for name, value in table.items():
            if not isinstance(value, str | int) or value == "":
                text = f"{OPTION}.{name} is a text, a whole number, true or false, not {shown(value)}"
                raise self.error(text, OPTION, name)
        texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in table.items()}
        return [f"{name}={text}" for name, text in texts.items()]


class FileCommand(TyperCommand):
    """A command that takes its options from a tournament file as well."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """As in click; an argument that ends in .toml is the file, and what it says are defaults."""
        files = [arg for arg in args if arg.endswith(ENDING) and not arg.startswith("-") and "=" not in arg]
        if len(files) > 1:
            raise UsageError(f"a tournament has one file, not {' and '.join(files)}")
        if files:
            file = TournamentFile(Path(files[0]))
            ctx.meta[META] = file
            ctx.default_map = file.values
            args = [arg for arg in args if arg != files[0]]
        try:
            return super().parse_args(ctx, args)
        except MissingParameter as error:
            if not files or error.param is None or error.param.name != BOTS:
                raise
            raise UsageError(f'{files[0]}:1: it names no bots; expected a line such as bots = ["bots/*"]') from None

    def invoke(self, ctx: Context) -> Any:
        """As in click; an error about a key of the file says where it is."""
        try:
            return super().invoke(ctx)
        except FaError as error:
            file = ctx.meta.get(META)
            located = file.located(error, lambda name: was_typed(ctx, name)) if file else None
            if located is None:
                raise
            raise located from None


def file_of(context: Context) -> str:
    """What the tournament file that was given is called, without its ending; empty if there is none."""
    file = context.meta.get(META)
    return file.path.stem if file else ""


def begin_file(path: Path) -> None:
    """Write a new tournament file. Raises UsageError."""
    try:
        with path.open("x") as file:
            file.write(template(path.parent, str(path)))
    except FileExistsError:
        raise UsageError(f"there is a file {path} already; it is left as it is") from None


def _read(path: Path) -> str:
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: this is no TOML: a byte there is no UTF-8") from None
    if len(text) > _LONGEST or text.count("\n") > _MOST_LINES:
        raise UsageError(f"{path}: a tournament file has at most {_LONGEST} characters on {_MOST_LINES} lines")
    return text


def _unknown(key: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(key.replace("_", "-"), known, n=1)
    return f"there is no key {key!r}; " + (
        f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
    )
