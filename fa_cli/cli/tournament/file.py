"""Tournament files: `fa tournament run FILE.toml`. Each key is an option of the command; the command line overrides it.

The keys and their types follow from the command's own options, so none can be forgotten.
"""

from __future__ import annotations

import glob
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import BadOption, BadPlayers, BotError, FaError, UnknownGame, UsageError, check_new, writing
from ...option import DeclaredOption
from ...printing.text import MOST_KEY_PARTS, has_long_key, near_or_all, quoted
from .. import common
from .file_keys import BOTS, OPTION, as_written, check, expected, fits, keys, template

ENDING = ".toml"
_LONGEST = 64 * 1024
_MOST_LINES = 1000
_BY_ERROR: Mapping[type[FaError], str] = {BadOption: OPTION, BadPlayers: "players", UnknownGame: "game", BotError: BOTS}


class TournamentFile:
    """A tournament file: its values as the command's parameters, and the line of each key."""

    def __init__(self, path: Path) -> None:
        """Raises UsageError with file, line and what was expected, OSError if the file can't be read."""
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
        """The values by parameter."""
        for key, value in self._data.items():
            declared = keys().get(key)
            if declared is None:
                raise self.error(_unknown(key, value, keys()), key)
            self.values[declared.parameter] = self._value(key, value, declared)

    def error(self, text: str, *keys: str) -> UsageError:
        """An error at the line of a key."""
        return UsageError(f"{self.path}:{self.line(*keys)}: {text}")

    def line(self, *keys: str) -> int:
        """The line, from 1, of a key, or of a key within a table."""
        return _line(self._text.split("\n"), keys)

    def located(self, error: FaError, was_typed: Callable[[str], bool]) -> FaError | None:
        """The error with file and line, if it is about a key that the command line has not set; else None."""
        key = getattr(error, "option", "")
        key = key or next((key for kind, key in _BY_ERROR.items() if isinstance(error, kind)), "")
        if key not in self._data or was_typed(keys()[key].parameter):
            return None
        path = [key]
        if key == OPTION:
            match = re.search(r"option '?(\w+)", str(error))
            path += [match[1]] if match and match[1] in self._data[key] else []
        return error.within(f"{self.path}:{self.line(*path)}")

    def _toml_error(self, error: tomllib.TOMLDecodeError) -> UsageError:
        problem, _, position = str(error).partition(" (at ")
        match = re.match(r"line ([0-9]+)", position)
        line = match[1] if match else self._text.count("\n") + 1  # at the end of the file
        return UsageError(f"{self.path}:{line}: invalid TOML: {problem[:1].lower()}{problem[1:]}")

    def _value(self, key: str, value: Any, declared: DeclaredOption) -> Any:
        if not fits(declared, value):
            from ..help.foreign_options import find_foreign

            foreign = find_foreign(key, str(value))
            if foreign and foreign.has_value:
                raise self.error(f'use {foreign.our_option} = "{value}": {foreign.note}', key)
            raise self.error(f"{key} is {expected(declared)}, not {as_written(value)}", key)
        if key == BOTS:
            return self._bots(value)
        if key == OPTION:
            return self._options(value)
        if declared.type is Path:
            return str(self.path.parent / value)
        try:
            check(declared, value)
        except FaError as error:
            raise self.error(f"{key}: {error}", key) from None
        return value

    def _bots(self, patterns: Sequence[str]) -> list[str]:
        """Paths relative to the file or of shipped bots, with patterns expanded; `NAME=` stays in front of each."""
        from ...isolation.shipped_bots import find_shipped

        paths: list[str] = []
        folder = self.path.parent
        for pattern in patterns:
            name, equals, rest = pattern.partition("=")
            if not equals or "/" in name:
                name, rest = "", pattern
            matches = [str(find_shipped(rest, folder) or folder / rest)]
            if glob.has_magic(rest):
                matches = sorted(glob.glob(str(glob.escape(str(folder)) / Path(rest))))  # noqa: PTH207 - it may begin with ..
            if not matches:
                raise self.error(f"no file matches {pattern!r}; fa bots lists the shipped bots", BOTS)
            paths += [f"{name}={match}" if name else match for match in matches]
        return paths

    def _options(self, table: Mapping[str, Any]) -> list[str]:
        for name, value in table.items():
            if not isinstance(value, str | int) or value == "":
                text = f"{OPTION}.{name} is a text, a whole number, true or false, not {as_written(value)}"
                raise self.error(text, OPTION, name)
        texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in table.items()}
        return [f"{name}={text}" for name, text in texts.items()]


def with_file(typed: Mapping[str, Any], call: Callable[[Mapping[str, Any]], None]) -> None:
    """Call a command with what is typed; a bot that ends in .toml is a file, whose values come first.

    An error about a key of the file gets its file and line.
    """
    bots = typed.get(BOTS, [])
    files = [bot for bot in bots if bot.endswith(ENDING) and "=" not in bot]
    if not files:
        call(typed)
        return
    if len(files) > 1:
        raise UsageError(f"a tournament has one file, not {' and '.join(files)}")
    file = TournamentFile(Path(files[0]))
    others = [bot for bot in bots if bot != files[0]]
    own = {name: value for name, value in typed.items() if name != BOTS} | ({BOTS: others} if others else {})
    values = file.values | own
    if "name" not in values:
        values["name"] = numbered_name(file.path.stem)
    if BOTS not in values:
        raise UsageError(f'{file.path}:1: it names no bots; add e.g. bots = ["greedy", "mine.py"]')
    try:
        call(values)
    except FaError as error:
        located = file.located(error, own.__contains__)
        if located is None:
            raise
        raise located from None


def numbered_name(base: str) -> str:
    """A name for a tournament with the first free number. Raises UsageError if none can begin so."""
    from ...tournament.definition import free_name

    return free_name(common.check_name(base), [common.tournaments_folder(), common.logs_folder()])


def begin_file(path: Path, sandboxed: bool) -> None:
    """Write a new tournament file. Raises UsageError if it exists, or if `fa tournament run` could not run it."""
    from ...system import write_atomically

    _check_runnable(path)
    with writing(path):
        write_atomically(path, template(path.parent, quoted(path), sandboxed).encode(), replace=False)


def _check_runnable(path: Path) -> None:
    """Raises UsageError if it would not be taken for a tournament file, or if no tournament can be named after it."""
    if path.suffix != ENDING:
        longer = quoted(f"{path}{ENDING}")
        raise UsageError(f"the name of a tournament file ends in {ENDING}: fa tournament init {longer}")
    if "=" in str(path):
        raise UsageError(f"{path} can't be run: NAME=PATH is a bot, so the path of a tournament file has no =")
    common.check_name(path.stem)
    check_new(path)


def _read(path: Path) -> str:
    from ...system import read_regular

    try:
        text = read_regular(path, 4 * _LONGEST).decode()
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: invalid TOML: a byte that is not UTF-8") from None
    if len(text) > _LONGEST or text.count("\n") > _MOST_LINES:
        raise UsageError(f"{path}: a tournament file has at most {_LONGEST} characters on {_MOST_LINES} lines")
    if has_long_key(text):
        raise UsageError(f"{path}: a key in it has more than {MOST_KEY_PARTS} parts")
    return text


def _line(lines: Sequence[str], keys: Sequence[str]) -> int:
    """The line, from 1, on which a key begins; 1 if it is not found.

    The parser reports where a key stands that it has already: in a text with the same key in front.
    """
    path = ".".join(json.dumps(key, ensure_ascii=False) for key in keys)
    try:
        tomllib.loads("\n".join([f"{path} = 0", *lines]))
        return 1
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"at line ([0-9]+)", str(error))
    end = int(match[1]) - 1 if match else len(lines)
    if keys[1:] and lines[end - 1].lstrip().startswith("["):  # the head of the table
        rest = lines[end:]
        return end + _line(rest, keys[1:])
    return next((line for line in range(end, 0, -1) if _is_begun(lines[line - 1 : end], keys[-1])), max(1, end))


def _is_begun(lines: Sequence[str], key: str) -> bool:
    """Whether the lines are whole values, of which one is the key's."""
    try:
        return key in lines[0] and bool(tomllib.loads("\n".join(lines)))
    except tomllib.TOMLDecodeError:
        return False


def _unknown(key: str, value: object, known: Mapping[str, Any]) -> str:
    from ..help.foreign_options import find_foreign

    foreign = find_foreign(key, str(value))
    if foreign and foreign.our_option in known:
        return f"no key {key!r}; use {foreign.our_option}"
    return f"no key {key!r}{near_or_all(key.replace('_', '-'), sorted(known), 'keys')}"
