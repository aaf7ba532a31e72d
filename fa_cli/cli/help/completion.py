"""Candidates for the last word of a command line: commands, options and the values that a placeholder stands for.

A shell's script calls `fa WORD... LAST` with `_FA_COMPLETE` set and reads lines: a candidate, a tab, a text about it.
A candidate that ends with `=` or `/` is to be continued. Nothing here prints an error: a shell is waiting.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ...errors import FaError
from ...text import printable
from .. import common
from ..framework.click_compat import Command, Context, Parameter, TyperGroup
from ..framework.commands import Group, first_sentence

Candidate = tuple[str, str]
"""A text and what it means."""
_MOST_DEFINITIONS = 50
"""Tournaments, the newest ones, whose bots are candidates."""
_LARGEST = 1 << 20  # bytes of a definition: completion has to be quick


class Line(NamedTuple):
    """A command line up to its last word."""

    command: Command
    context: Context
    options: Mapping[str, str]
    """The options typed so far, with their values."""
    arguments: Sequence[str]
    pending: Parameter | None
    """The option that the last word is the value of."""


def print_candidates(root: TyperGroup, context: Context, words: Sequence[str]) -> None:
    """Print the candidates for the last of the words."""
    with suppress(FaError, OSError):
        for text, meaning in candidates(root, context, words):
            print(f"{text}\t{printable(meaning)}")


def candidates(root: TyperGroup, context: Context, words: Sequence[str]) -> Iterator[Candidate]:
    """The candidates for the last of the words that follow `fa`; none with what a terminal might obey."""
    *before, last = words or [""]
    line = _read(root, context, before)
    common.SETTINGS.home = Path(line.options.get("--home") or os.environ.get("FA_HOME") or ".")
    for text, meaning in _all(line, last):
        if text.startswith(last) and text.isprintable():
            yield text, meaning


def _read(command: Command, context: Context, words: Iterable[str]) -> Line:
    options: dict[str, str] = {}
    arguments: list[str] = []
    pending: Parameter | None = None
    for word in words:
        if pending:
            options[pending.opts[0]] = word
            pending = None
        elif word.startswith("-") and word != "-":
            name, equals, value = word.partition("=")
            options[name] = value
            pending = None if equals else _valued(command, name)
        elif isinstance(command, TyperGroup) and (below := command.get_command(context, word)):
            command, context = below, Context(below, parent=context, info_name=word)
        else:
            arguments.append(word)
    return Line(command, context, options, arguments, pending)


def _valued(command: Command, name: str) -> Parameter | None:
    """The option of this name, if a value follows it."""
    return next((each for each in command.params if name in each.opts and not getattr(each, "is_flag", False)), None)


def _all(line: Line, last: str) -> Iterator[Candidate]:
    name, equals, value = last.partition("=")
    if line.pending:
        yield from _values(line.pending, line, last)
    elif last.startswith("-") and equals:
        option = _valued(line.command, name)
        yield from ((f"{name}={text}", meaning) for text, meaning in (_values(option, line, value) if option else ()))
    elif last.startswith("-"):
        yield from _options(line)
    elif isinstance(line.command, Group):
        yield from () if line.arguments else line.command.summaries(line.context)
    elif argument := _argument(line):
        yield from _values(argument, line, last)
    else:
        yield from _options(line)


def _options(line: Line) -> Iterator[Candidate]:
    """The options that are not typed yet or may be repeated."""
    for param in line.command.get_params(line.context):
        typed = set(line.options) & {*param.opts, *param.secondary_opts}
        if param.param_type_name == "option" and (not typed or getattr(param, "multiple", False)):
            names = param.secondary_opts if param.default is True and param.secondary_opts else param.opts
            yield max(names, key=len), first_sentence(str(getattr(param, "help", None) or ""))


def _argument(line: Line) -> Parameter | None:
    """The argument that the last word belongs to."""
    arguments = [param for param in line.command.params if param.param_type_name == "argument"]
    if len(line.arguments) < len(arguments):
        return arguments[len(line.arguments)]
    return arguments[-1] if arguments and arguments[-1].nargs == -1 else None


def _values(param: Parameter, line: Line, last: str) -> Iterator[Candidate]:
    choices = getattr(param.type, "choices", None)
    placeholder = (param.metavar or "").strip("[].")
    if choices:
        yield from ((str(getattr(choice, "value", choice)), "") for choice in choices)
    elif placeholder.islower() and "|" in placeholder:
        yield from ((word, "") for word in placeholder.split("|"))
    else:
        yield from _SOURCES.get(placeholder.removesuffix("...|FILE.toml"), _nothing)(line, last)


def _nothing(line: Line, last: str) -> Iterator[Candidate]:
    yield from ()


def _games(line: Line, last: str) -> Iterator[Candidate]:
    from ...games import MODULES

    yield from ((name, "") for name in MODULES)
    if line.context.command_path == "fa tournament run":
        yield "all", "every game at once"


def _game_options(line: Line, last: str) -> Iterator[Candidate]:
    """`side=six` for the game that the line names, or for all games."""
    from ...games import MODULES, find_game
    from ...games.options import describe_values, named_values

    named = [word for word in (line.options.get("--game"), *line.arguments) if word in MODULES]
    for game in map(find_game, named or MODULES):
        for name in game.options.__struct_fields__:
            values = named_values(game.options, name)
            if not values:
                yield f"{name}=", f"{game.name}: {describe_values(game.options, name)}"
            yield from ((f"{name}={value}", game.name) for value in values)


def _tournaments(line: Line, last: str) -> Iterator[Candidate]:
    names = {path.stem for path in common.tournaments_folder().glob("*.json")}
    yield from ((name, "tournament") for name in sorted(names))
    yield from _files(line, last)


def _logs(line: Line, last: str) -> Iterator[Candidate]:
    """Tournaments with a log, and files; for an option, files alone."""
    if not line.pending:
        yield from ((path.stem, "tournament") for path in sorted(common.logs_folder().glob("*.log")))
    yield from _files(line, last)


def _bots(line: Line, last: str) -> Iterator[Candidate]:
    """Shipped bots and files; for an option about bots that play, also the names of such bots."""
    from ...isolation.shipped_bots import shipped_paths

    name, equals, path = last.partition("=")
    prefix = f"{name}=" if equals else ""
    yield from ((f"{prefix}{bot}", "shipped bot") for bot in shipped_paths())
    yield from ((f"{prefix}{text}", meaning) for text, meaning in _files(line, path if equals else last))


def _players(line: Line, last: str) -> Iterator[Candidate]:
    """The bots of the newest tournaments; after a comma the next one."""
    import json

    from ...system import read_regular

    before = f"{last.rpartition(',')[0]}," if "," in last else ""
    files = sorted(common.tournaments_folder().glob("*.json"), key=lambda path: -path.stat().st_mtime)
    names: dict[str, None] = {}
    for file in files[:_MOST_DEFINITIONS]:
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            names |= dict.fromkeys(bot["name"] for bot in json.loads(read_regular(file, _LARGEST))["bots"])
    yield from ((f"{before}{name}", "") for name in sorted(names) if name not in before.split(","))


def _languages(line: Line, last: str) -> Iterator[Candidate]:
    from ...kits.languages import LANGUAGES

    yield from ((name, language.title) for name, language in LANGUAGES.items())


def _pages(line: Line, last: str) -> Iterator[Candidate]:
    from .docs import page_paths, title_of

    yield from ((name, title_of(path)) for name, path in page_paths().items())


def _files(line: Line, last: str) -> Iterator[Candidate]:
    """Files and folders, of hidden ones only if a dot is typed."""
    folder, _, start = last.rpartition("/")
    typed = f"{folder}/" if "/" in last else ""
    with suppress(OSError, RuntimeError):  # no such folder, or no such user
        for path in sorted(Path(typed or ".").expanduser().iterdir()):
            is_shown = start.startswith(".") or not path.name.startswith(".")
            if is_shown and path.name.startswith(start):
                yield f"{typed}{path.name}{'/' if path.is_dir() else ''}", ""


_SOURCES: Mapping[str, Callable[[Line, str], Iterator[Candidate]]] = {
    "GAME": _games,
    "NAME=VALUE": _game_options,
    "TOURNAMENT": _tournaments,
    "LOG": _logs,
    "BOT": _bots,
    "A": _players,
    "B": _players,
    "A,B": _players,
    "LANGUAGE": _languages,
    "PAGE": _pages,
    "FILE": _files,
    "FILE.jsonl": _files,
    "FOLDER": _files,
}
"""By placeholder."""
