"""The keys of tournament files: the declared options of `fa tournament run`, with their types, bounds and defaults."""

from __future__ import annotations

import enum
import os
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ...option import DeclaredOption, OptionGroup, declared_options
from ...printing.text import cut
from .. import common
from ..declared_options import allowed_range, choices, default_text, from_text
from .run_options import RunOptions

_TEXTS = Annotated[list[Annotated[str, msgspec.Meta(min_length=1)]], msgspec.Meta(min_length=1)]
BOTS = "bots"
OPTION = "option"
_STARTERS = ["greedy", "planner", "random"]
"""The shipped bots of a new file, where there is no folder of bots; all run with Python alone."""


@cache
def keys() -> dict[str, DeclaredOption]:
    """The keys, in the order of the help."""
    order = list(OptionGroup)
    options = sorted(declared_options(RunOptions), key=lambda declared: order.index(declared.option.group))
    return {declared.name: declared for declared in options}


def template(folder: Path, name: str, sandboxed: bool) -> str:
    """A file with every key, its default and its help. All lines are comments, except the bots and the sandbox.

    The bots are those in bots/ of the current folder, or shipped ones. `sandboxed`: the file requires the sandbox.
    """
    bots = Path("bots")
    has_bots = bots.is_dir() and any(bots.iterdir())
    settings = {"sandbox": "bwrap"} if sandboxed else {}
    lines = [
        f"# A tournament of bots, to be run with: fa tournament run {name}",
        "#",
        "# Each key is an option of `fa tournament run`; an option on the command line overrides its key here.",
        "# Lines that begin with # show the default, or an example.",
        "",
        '# Files or folders, relative to this file, or shipped bots (`fa bots`); "old=bots/greedy.py" renames one.',
        f"{BOTS} = {_as_toml([f'{os.path.relpath(bots, folder)}/*'] if has_bots else _STARTERS)}",
    ]
    for key, declared in keys().items():
        if key not in (BOTS, OPTION):
            value = settings.get(key, _example(declared))
            lines += ["", f"# {declared.option.help}", f"{'' if key in settings else '# '}{key} = {_as_toml(value)}"]
    lines += ["", "# The game's own options: see `fa games`.", f"# [{OPTION}]", '# side = "six"', ""]
    return "\n".join(lines)


def _example(declared: DeclaredOption) -> Any:
    default = default_text(declared)
    if default is None:
        return declared.option.example
    return default.value if isinstance(default, enum.Enum) else default


def _as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _kind(declared: DeclaredOption) -> Any:
    """The type of the key's value in a file."""
    return str if declared.option.unit or declared.type is Path else declared.type


def fits(declared: DeclaredOption, value: Any) -> bool:
    """Whether a file's value has the key's type and bounds."""
    kind = {list[str]: _TEXTS, dict[str, str]: dict}.get(_kind(declared), _kind(declared))
    bounded = declared.bounds and not declared.option.unit
    try:
        msgspec.convert(value, Annotated[kind, declared.bounds] if bounded else kind)
    except msgspec.ValidationError:
        return False
    return True


def expected(declared: DeclaredOption) -> str:
    """The key's type and bounds, in words."""
    kind = _kind(declared)
    if words := choices(declared):
        return "one of " + ", ".join(f'"{word}"' for word in words)
    if kind == dict[str, str]:
        return 'a table such as [option] with side = "six"'
    if kind == list[str]:
        return 'a list of texts such as ["one", "two"]'
    if kind in (int, float):
        return allowed_range(declared)
    return "true or false" if kind is bool else "a text in quotes"


def as_written(value: Any) -> str:
    """A value as a file has it."""
    return cut(_as_toml(value), 60) if isinstance(value, str | bool | int | float | list) else "a table"


def check(declared: DeclaredOption, value: Any) -> None:
    """Raises FaError if a text does not have the form that the key requires."""
    if declared.option.unit:
        from_text(declared, value)
    elif declared.name == "name":
        common.check_name(value)
    elif declared.name == "game":
        from ...tournament.setup import find_games

        find_games(value)
