"""The help of a command: usage, description, arguments, options in groups, examples and the page in docs/."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import Enum
from typing import Any

from ...option_group import OptionGroup
from ...terminal import folded
from ...text import either
from ..framework.click_compat import Command, Context, HelpFormatter, Parameter, TyperGroup
from . import GENERAL, Explanation

_FEW = 8
"""Up to this many options are one section."""
_COLUMN = 21
"""The widest first column: longer options have a line of their own."""
_WIDEST_CHOICES = 24
"""Choices up to this width are the placeholder; wider ones follow the text."""
_DEFAULT = re.compile(r"\[default: [^]]*\]")
_LONGEST_GLUED = 30
_SPACE, _HYPHEN = "\N{NO-BREAK SPACE}", "\N{NON-BREAKING HYPHEN}"
"""Stand for a space and a hyphen where a line must not be broken."""
Row = tuple[str, str]


def write_help(command: Command, context: Context, formatter: HelpFormatter) -> None:
    """Write the help of a command or of a group of commands."""
    arguments, *options = sections(command, context)
    formatter.write_usage(context.command_path, usage(command, context))
    command.format_help_text(context, formatter)
    _write_section(formatter, *arguments)
    if isinstance(command, TyperGroup):
        command.format_commands(context, formatter)
    for title, rows in options:
        _write_section(formatter, title, rows)
    if explanation := getattr(command.callback, "explanation", None):
        _write_explanation(explanation, formatter)
    elif isinstance(command, TyperGroup):
        formatter.write(f"\nMore: {context.command_path} COMMAND -h\n")
    formatter.buffer = ["".join(formatter.buffer).replace(_SPACE, " ").replace(_HYPHEN, "-")]


def usage(command: Command, context: Context) -> str:
    """What follows the command's name."""
    arguments = [param for param in command.get_params(context) if param.param_type_name == "argument"]
    words = ["COMMAND"] if isinstance(command, TyperGroup) else [_placeholder(param) for param in arguments]
    return " ".join(["[OPTIONS]", *words])


def sections(command: Command, context: Context) -> Iterator[tuple[str, list[Row]]]:
    """Titles and rows of the help: the arguments, the options by group in the order of `OptionGroup`, the general ones.

    Options without a group come first.
    """
    groups: dict[str, list[Row]] = {"Arguments": [], GENERAL: []}
    for param in command.get_params(context):
        if param.param_type_name == "argument":
            groups["Arguments"].append((_placeholder(param), _text(param)))
        else:
            title = GENERAL if param.name == "help" else getattr(param, "rich_help_panel", None) or "Options"
            groups.setdefault(title, []).append((_names(param), _text(param)))
    yield "Arguments", groups.pop("Arguments")
    general = groups.pop(GENERAL)
    if sum(map(len, groups.values())) <= _FEW:
        groups = {"Options": [row for title in _in_order(groups) for row in groups[title]]}
    yield from ((title, groups[title]) for title in _in_order(groups))
    yield GENERAL, general


def _write_section(formatter: HelpFormatter, title: str, rows: list[Row]) -> None:
    """Write rows; short first columns are padded, so that the sections of a page align."""
    if rows:
        with formatter.section(title):
            formatter.write_dl([(name.ljust(_COLUMN), _DEFAULT.sub(_glue, text)) for name, text in rows], _COLUMN)


def _glue(found: re.Match[str]) -> str:
    """A default that stays on one line if it is short; a long one at least does not end a line with `[default:`."""
    if len(found[0]) <= _LONGEST_GLUED:
        return found[0].replace(" ", _SPACE).replace("-", _HYPHEN)
    return found[0].replace(" ", _SPACE, 1)


def _in_order(titles: Collection[str]) -> list[str]:
    """In the order of `OptionGroup`, after those that it lacks."""
    order: list[str] = list(OptionGroup)
    return sorted(titles, key=lambda title: order.index(title) if title in order else -1)


def _names(param: Parameter) -> str:
    """`-j, --jobs N`; of a flag that is on by default, what turns it off."""
    is_on = getattr(param, "is_flag", False) and param.default and param.secondary_opts
    names = sorted(param.secondary_opts if is_on else param.opts, key=len)
    return ", ".join(names) if getattr(param, "is_flag", False) else f"{', '.join(names)} {_placeholder(param)}"


def _placeholder(param: Parameter) -> str:
    if param.metavar:
        return param.metavar
    if choices := _choices(param):
        joined = "|".join(choices)
        return joined if len(joined) <= _WIDEST_CHOICES else "WORD"
    return {"int": "N", "float": "X"}.get(param.type.name.split()[0], "TEXT")


def _choices(param: Parameter) -> list[str]:
    choices = getattr(param.type, "choices", ())
    return [str(choice.value if isinstance(choice, Enum) else choice) for choice in choices]


def _text(param: Parameter) -> str:
    """The help with the choices that it does not name and the default, in brackets."""
    text, bracket, default = str(getattr(param, "help", None) or "").partition(" [default: ")
    choices, default = _choices(param), default.rstrip("]") if bracket else _default(param)
    if _placeholder(param) == "WORD" and not all(choice in text for choice in choices):
        text = f"{text.rstrip('.')}: {either(choices)}."
    return f"{text} [default: {default}]" if default else text


def _default(param: Parameter) -> str:
    """The default as a person would type it; empty if there is none or it is to do nothing."""
    value: Any = param.default
    if value is None or isinstance(value, bool) or callable(value) or value in ((), []):
        return ""
    return str(value.value if isinstance(value, Enum) else value)


def _write_explanation(explanation: Explanation, formatter: HelpFormatter) -> None:
    with formatter.section("Examples"):
        for index, (purpose, line) in enumerate(explanation.examples):
            separator = "\n" if index else ""
            comment = "\n".join(f"  # {part}" for part in folded(purpose, formatter.width - 4, hanging=0))
            formatter.write(f"{separator}{comment}\n  {line}\n")
    formatter.write(f"\nMore: fa docs {explanation.page}\n")
