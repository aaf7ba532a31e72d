"""The help of a command: usage, description, arguments, options in groups, examples and the page in docs/.

What does not fit a screen is shown by `--help-all`; `-h` then has the options that most people need.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from ...option import DeclaredOption, OptionGroup
from ...printing.terminal import folded
from ...printing.text import either
from ..declared_options import choices, default_text, metavar_of
from ..framework.commands import Command
from . import Explanation

_SCREEN = 24
"""Lines of a terminal: a longer help is shortened."""
_FEW = 8
"""Up to this many options are one section."""
_COLUMN = 21
"""The width of the first column: longer options have a line of their own."""
_WIDEST, _NARROWEST = 78, 50
_WIDEST_CHOICES = 24
"""Choices up to this width are the placeholder; wider ones follow the text."""
_DEFAULT = re.compile(r"\[default: [^]]*\]")
_LONGEST_GLUED = 30
_SPACE, _HYPHEN = "\N{NO-BREAK SPACE}", "\N{NON-BREAKING HYPHEN}"
"""Stand for a space and a hyphen where a line must not be broken."""
Row = tuple[str, str]


def help_of(command: Command, whole: bool = False) -> str:
    """The help of a command or group, whole or, if that is longer than a screen, in short."""
    width = max(min(shutil.get_terminal_size().columns - 2, _WIDEST), _NARROWEST)
    text = _page(command, sections(command), width, f"More: {_more(command)}")
    if whole or text.count("\n") <= _SCREEN:
        return text
    return _page(command, _in_short(command), width, f"All options: {command.name} --help-all\nMore: {_more(command)}")


def usage(command: Command) -> str:
    """The usage after the command's name."""
    arguments = [_placeholder(each) for each in command.parameters if each.is_argument]
    return " ".join(["[OPTIONS]", *(["COMMAND"] if command.commands else arguments)])


def sections(command: Command) -> Iterator[tuple[str, list[Row]]]:
    """Titles and rows of the help: the arguments, the options by group in the order of `OptionGroup`."""
    yield "Arguments", [(_placeholder(each), _text(each)) for each in command.parameters if each.is_argument]
    groups: dict[str, list[Row]] = {title: [] for title in OptionGroup}
    for each in command.parameters:
        if not each.is_argument:
            groups[each.option.group].append((_names(each), _text(each)))
    general = groups.pop(OptionGroup.GENERAL)
    if sum(map(len, groups.values())) <= _FEW:
        groups = {"Options": [row for rows in groups.values() for row in rows]}
    yield from ((title, rows) for title, rows in groups.items() if rows)
    yield OptionGroup.GENERAL, general


def _in_short(command: Command) -> Iterator[tuple[str, list[Row]]]:
    """The arguments, and the options that most people need with an example of each; of few options all."""
    arguments, *options, _general = sections(command)
    yield arguments
    first = getattr(getattr(command.target, "explanation", None), "first", {})
    if first:
        yield "Options, with an example of each", list(_examples_of(command, first))
    else:
        yield from options


def _examples_of(command: Command, first: Mapping[str, str]) -> Iterator[Row]:
    known = {name: each for each in command.parameters for name in each.names}
    for name, example in first.items():
        yield f"{name} {example}".rstrip(), _text(known[name])


def _page(command: Command, parts: Iterator[tuple[str, list[Row]]], width: int, end: str) -> str:
    (_, arguments), *options = parts
    begin = f"Usage: {command.name} "
    lines = textwrap.wrap(usage(command), width, initial_indent=begin, subsequent_indent=" " * len(begin))
    for paragraph in command.help.split("\n\n"):
        lines += ["", *textwrap.wrap(" ".join(paragraph.split()), width, initial_indent="  ", subsequent_indent="  ")]
    lines += _section("Arguments", arguments, width)
    if command.commands:
        lines += _section("Commands", command.summaries(), width, 0)
    for title, rows in options:
        lines += _section(title, rows, width)
    if explanation := getattr(command.target, "explanation", None):
        lines += _examples(explanation, width)
    return "\n".join([*lines, "", end, ""]).replace(_SPACE, " ").replace(_HYPHEN, "-")


def _section(title: str, rows: Sequence[Row], width: int, column: int = _COLUMN) -> list[str]:
    """A heading and rows of two columns, the first of them as wide as in other sections."""
    column = column or max(len(name) for name, _ in rows)
    indent = " " * (column + 4)
    lines = ["", f"{title}:"] if rows else []
    for name, text in rows:
        folded_text = textwrap.wrap(_DEFAULT.sub(_glue, text), width - column - 4)
        if len(name) > column:
            lines += [f"  {name}", *(indent + line for line in folded_text)]
        else:
            lines += [f"  {name:{column}}  {folded_text[0]}", *(indent + line for line in folded_text[1:])]
    return lines


def _more(command: Command) -> str:
    explanation = getattr(command.target, "explanation", None)
    return f"fa docs {explanation.page}" if explanation else f"{command.name} COMMAND -h"


def _glue(found: re.Match[str]) -> str:
    """A default that stays on one line if it is short; a long one at least does not end a line with `[default:`."""
    if len(found[0]) <= _LONGEST_GLUED:
        return found[0].replace(" ", _SPACE).replace("-", _HYPHEN)
    return found[0].replace(" ", _SPACE, 1)


def _names(declared: DeclaredOption) -> str:
    """`-j, --jobs N`; of a flag that is on by default, what turns it off."""
    if declared.is_flag:
        return declared.names[-1] if declared.option.unless else ", ".join(declared.names)
    return f"{', '.join(declared.names)} {_placeholder(declared)}"


def _placeholder(declared: DeclaredOption) -> str:
    if metavar := metavar_of(declared.option):
        return metavar
    if words := choices(declared):
        joined = "|".join(words)
        return joined if len(joined) <= _WIDEST_CHOICES else "WORD"
    return {int: "N", float: "X"}.get(declared.type, "TEXT")


def _text(declared: DeclaredOption) -> str:
    """The help with the choices that it does not name and the default, in brackets."""
    whole = declared.option.unless_help or declared.option.help
    text, bracket, default = whole.partition(" [default: ")
    words, default = choices(declared), default.rstrip("]") if bracket else _default(declared)
    if words and _placeholder(declared) == "WORD" and not all(word in text for word in words):
        text = f"{text.rstrip('.')}: {either(words)}."
    return f"{text} [default: {default}]" if default else text


def _default(declared: DeclaredOption) -> str:
    """The default as a person would type it; empty if there is none or it is to do nothing."""
    value: Any = default_text(declared)
    if value is None or isinstance(value, bool) or value == ():
        return ""
    return str(value.value if isinstance(value, Enum) else value)


def _examples(explanation: Explanation, width: int) -> list[str]:
    lines = ["", "Examples:"]
    for purpose, line in explanation.examples:
        lines += [*(f"  # {part}" for part in folded(purpose, width - 4, hanging=0)), f"  {line}", ""]
    return lines[:-1]
