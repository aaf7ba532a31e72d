"""The help of a command: usage, description, arguments, options in groups, examples and the page in docs/."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from enum import Enum
from typing import Any

from ...text import either
from ..click_compat import Command, Context, HelpFormatter, Parameter, TyperGroup
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
    params = [param for param in command.get_params(context) if not getattr(param, "hidden", False)]
    arguments = [param for param in params if param.param_type_name == "argument"]
    formatter.write_usage(context.command_path, _usage(command, arguments))
    command.format_help_text(context, formatter)
    _section(formatter, "Arguments", [(_placeholder(param), _text(param)) for param in arguments])
    if isinstance(command, TyperGroup):
        command.format_commands(context, formatter)
    for title, rows in _option_groups([param for param in params if param.param_type_name == "option"]):
        _section(formatter, title, rows)
    if explanation := getattr(command.callback, "explanation", None):
        _write_explanation(explanation, formatter)
    formatter.buffer = ["".join(formatter.buffer).replace(_SPACE, " ").replace(_HYPHEN, "-")]


def _section(formatter: HelpFormatter, title: str, rows: list[Row]) -> None:
    """Write rows; short first columns are padded, so that the sections of a page align."""
    if rows:
        with formatter.section(title):
            formatter.write_dl([(name.ljust(_COLUMN), text) for name, text in rows], col_max=_COLUMN)


def _usage(command: Command, arguments: Iterable[Parameter]) -> str:
    words = ["COMMAND"] if isinstance(command, TyperGroup) else [_placeholder(param) for param in arguments]
    return " ".join(["[OPTIONS]", *words])


def _option_groups(options: Iterable[Parameter]) -> Iterator[tuple[str, list[Row]]]:
    """The sections of the help: the options by group, in the order of `OptionGroup`; those without one come first."""
    groups: dict[str, list[Row]] = {}
    for param in options:
        title = GENERAL if param.name == "help" else getattr(param, "rich_help_panel", None) or "Options"
        groups.setdefault(title, []).append((_names(param), _text(param)))
    general = groups.pop(GENERAL, [])
    if sum(map(len, groups.values())) <= _FEW:
        groups = {"Options": [row for title in _in_order(groups) for row in groups[title]]}
    yield from ((title, groups[title]) for title in _in_order(groups))
    yield GENERAL, general


def _in_order(titles: Collection[str]) -> list[str]:
    """In the order of `OptionGroup`, after those that it lacks."""
    if len(titles) < 2:
        return list(titles)
    from ...option import OptionGroup  # imports msgspec, which the help of `fa` does not need

    order = [group.value for group in OptionGroup]
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
    text = str(getattr(param, "help", None) or "")
    choices = _choices(param)
    if _placeholder(param) == "WORD" and not all(choice in text for choice in choices):
        text = f"{text.rstrip('.')}: {either(choices)}."
    default = _default(param)
    if default and "[default: " not in text:
        text = f"{text} [default: {default}]"
    return _DEFAULT.sub(_glue, text)


def _glue(found: re.Match[str]) -> str:
    """A short text in brackets, which stays on one line."""
    return found[0].replace(" ", _SPACE).replace("-", _HYPHEN) if len(found[0]) <= _LONGEST_GLUED else found[0]


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
            formatter.write(f"{separator}  # {purpose}\n  {line}\n")
    formatter.write(f"\nMore: fa docs {explanation.page}\n")
