"""The keys of tournament files: those of the command's own options, so that none can be forgotten."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .. import common
from ..click_compat import Command, Parameter

BOTS = "bots"
OPTION = "option"
_EXAMPLES = {
    "challenger": ["greedy"],
    "rounds": 3,
    "sets": 1,
    "advance": 1,
    "extra-sets": 2,
    "players": 4,
    "games": 240,
    "jobs": 2,
    "seed": "spring",
    "name": "spring",
    "bank": "30s",
    "stderr": "stderr",
    "until": "decided",
    "compare": "greedy,planner",
}
"""For the keys that have no value when nothing is said."""
_WRITTEN = {"sandbox": "bwrap"}
"""Keys that a new file sets, to something else than the default."""


def parameters(command: Command) -> Iterator[Parameter]:
    """The options of a command that a file may have, and its bots."""
    for parameter in command.params:
        if parameter.expose_value and not getattr(parameter, "hidden", False) and parameter.name != "help":
            yield parameter


def key_of(parameter: Parameter) -> str:
    """The key of a parameter: the option's name without its dashes."""
    longs = [option.removeprefix("--") for option in parameter.opts if option.startswith("--")]
    return longs[0] if longs else str(parameter.name)


def template(command: Command, folder: Path, name: str) -> str:
    """A file with every key in it, with its default and what it means; only the bots and the sandbox are no comment."""
    lines = [
        f"# A tournament of bots, to be run with: fa tournament run {name}",
        "#",
        "# Each key is an option of `fa tournament run`, and what is said there goes before what is said here.",
        "# The lines with a # in front have the default, or an example.",
        "",
        '# Files or folders, from this file\'s folder on; "old=bots/greedy.py" gives one another name.',
        f'{BOTS} = ["{os.path.relpath("bots", folder)}/*"]',
    ]
    for parameter in parameters(command):
        key = key_of(parameter)
        if key not in (BOTS, OPTION):
            help_text = " ".join((getattr(parameter, "help", None) or "").split())
            value = _WRITTEN.get(key, _usual(key, parameter))
            lines += ["", f"# {help_text}", f"{'' if key in _WRITTEN else '# '}{key} = {_as_toml(value)}"]
    lines += ["", "# The game's own options: see `fa games`.", f"# [{OPTION}]", '# side = "six"', ""]
    return "\n".join(lines)


def _usual(key: str, parameter: Parameter) -> Any:
    usual = getattr(parameter, "default", None)
    if usual in (None, "", []) or callable(usual):
        return _EXAMPLES.get(key, "")
    return getattr(usual, "value", usual)


def _as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _kind(parameter: Parameter) -> type:
    if getattr(parameter, "is_flag", False):
        return bool
    if getattr(parameter, "multiple", False) or parameter.nargs == -1:
        return list
    name = parameter.type.name
    return int if name.startswith("int") else float if name.startswith("float") else str


def fits(key: str, value: Any, parameter: Parameter) -> bool:
    """Whether a value of the file has the key's type."""
    kind = _kind(parameter)
    if key == OPTION:
        return isinstance(value, dict)
    if kind is list:
        return isinstance(value, list) and bool(value) and all(isinstance(one, str) and one for one in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def expected(key: str, parameter: Parameter) -> str:
    """What the key's value is, in words."""
    if key == OPTION:
        return 'a table such as [option] with side = "six"'
    kind, choices = _kind(parameter), getattr(parameter.type, "choices", None)
    if choices:
        return "one of " + ", ".join(f'"{getattr(choice, "value", choice)}"' for choice in choices)
    if kind is list:
        return 'a list of texts such as ["one", "two"]'
    if kind in (int, float):
        low, high = getattr(parameter.type, "min", None), getattr(parameter.type, "max", None)
        least = f" of at least {low}" if low is not None else ""
        return f"a {'whole ' if kind is int else ''}number{least}" + (
            f" and at most {high}" if high is not None else ""
        )
    return "true or false" if kind is bool else "a text in quotes"


def shown(value: Any) -> str:
    """A value as the file has it."""
    return _as_toml(value) if isinstance(value, str | bool | int | float | list) else "a table"


def check(key: str, value: Any, metavar: str | None) -> None:
    """What a text has to look like beyond being one. Raises FaError."""
    if metavar == "TIME":
        common.parse_duration(value)
    elif metavar == "SIZE":
        common.parse_size(value)
    elif key == "name":
        common.check_name(value)
    elif key == "game":
        from ...tournament.prepare import find_games

        find_games(value)
