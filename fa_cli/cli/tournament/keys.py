"""The keys of tournament files: the declared options of `fa tournament run`, with their types, bounds and defaults."""

from __future__ import annotations

import enum
import os
from functools import cache
from pathlib import Path
from typing import Any

from ...option import Declared, declared
from .. import common
from ..declared import choices, from_text, usual
from .options import RunOptions

BOTS = "bots"
OPTION = "option"
_WRITTEN = {"sandbox": "bwrap"}
"""Keys that a new file sets, to something else than the default."""


@cache
def keys() -> dict[str, Declared]:
    """The keys in the order of the help."""
    return {each.name: each for each in declared(RunOptions)}


def template(folder: Path, name: str) -> str:
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
    for key, each in keys().items():
        if key not in (BOTS, OPTION):
            value = _WRITTEN.get(key, _example(each))
            lines += ["", f"# {each.option.help}", f"{'' if key in _WRITTEN else '# '}{key} = {_as_toml(value)}"]
    lines += ["", "# The game's own options: see `fa games`.", f"# [{OPTION}]", '# side = "six"', ""]
    return "\n".join(lines)


def _example(each: Declared) -> Any:
    default = usual(each)
    if default is None:
        return each.option.example
    return default.value if isinstance(default, enum.Enum) else default


def _as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _kind(each: Declared) -> Any:
    """The type in a file."""
    if each.option.unit or each.type not in (bool, int, float, list[str], dict[str, str]):
        return str
    return each.type


def fits(each: Declared, value: Any) -> bool:
    """Whether a value of the file is one that the key can have."""
    kind, least = _kind(each), each.option.least
    if kind == dict[str, str]:
        return isinstance(value, dict)
    if kind == list[str]:
        return isinstance(value, list) and bool(value) and all(isinstance(one, str) and one for one in value)
    if isinstance(value, bool) or kind is bool:
        return isinstance(value, bool) and kind is bool
    if not isinstance(value, int | float if kind is float else kind):
        return False
    return (least is None or value >= least) and (not choices(each) or value in choices(each))


def expected(each: Declared) -> str:
    """What the key's value is, in words."""
    kind, least = _kind(each), each.option.least
    if words := choices(each):
        return "one of " + ", ".join(f'"{word}"' for word in words)
    if kind == dict[str, str]:
        return 'a table such as [option] with side = "six"'
    if kind == list[str]:
        return 'a list of texts such as ["one", "two"]'
    if kind in (int, float):
        return f"a {'whole ' if kind is int else ''}number" + (f" of at least {least}" if least is not None else "")
    return "true or false" if kind is bool else "a text in quotes"


def shown(value: Any) -> str:
    """A value as the file has it."""
    return _as_toml(value) if isinstance(value, str | bool | int | float | list) else "a table"


def check(each: Declared, value: Any) -> None:
    """What a text has to look like beyond being one. Raises FaError."""
    if each.option.unit:
        from_text(each, value)
    elif each.name == "name":
        common.check_name(value)
    elif each.name == "game":
        from ...tournament.setup import find_games

        find_games(value)
