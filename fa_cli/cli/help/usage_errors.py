"""Wrong command lines in plain words, with near misses and the options of other tools. Imported to report an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...option import DeclaredOption
from ...printing.text import counted, did_you_mean, listed
from ..framework.commands import Command, WrongWords
from .foreign_options import find_foreign, nearest_foreign

_INSTEAD = {
    ("fa match", "--players"): "name one bot for each player",
    ("fa tournament resume", "--games"): "--more N adds games",
}
"""The remedies for options that another command has, by command and option."""


class _Unknown(NamedTuple):
    """An option that a command lacks, as typed, and the text that may be its value."""

    option: str
    value: str


def usage_sentence(error: WrongWords, root: Command) -> str:
    """The mistake in the words of a command, and the remedy."""
    command = error.command
    known = {name: each for each in command.parameters for name in each.names}
    found = _first_wrong(known, error.words)
    if isinstance(found, str):
        return found
    hint = f" (see {command.name} --help)"
    if found is None:
        return f"{str(error).rstrip('.')}{hint}"
    return (
        _other_command(found, command, root)
        or _foreign(found, known)
        or f"no option {found.option}{_near(found, known)}{hint}"
    )


def _first_wrong(known: Mapping[str, DeclaredOption], words: Sequence[str]) -> _Unknown | str | None:
    """The first unknown option, or a sentence about a value that is missing or too much."""
    rest = list(words)
    while rest and (word := rest.pop(0)) != "--":
        if not word.startswith("-") or word == "-":
            continue
        name, equals, value = word.partition("=")
        declared, has_value = _option_of(known, word)
        if declared is None:
            return _Unknown(name, value if equals else next(iter(rest), ""))
        if declared.is_flag and has_value:
            return f"{name} takes no value"
        missing = 0 if declared.is_flag else declared.words - has_value
        is_one = declared.words == 1
        if len(rest) < missing or (not is_one and any(value.startswith("-") for value in rest[:missing])):
            several = f"{counted(declared.words, 'value')}: {name} {declared.option.metavar}"
            return f"{name} needs {'a value' if is_one else several}"
        del rest[:missing]
    return None


def _option_of(known: Mapping[str, DeclaredOption], word: str) -> tuple[DeclaredOption | None, bool]:
    """The option of a word, and whether its value is in the word: `--jobs=4`, or `-qj4`."""
    name, equals, _ = word.partition("=")
    declared = known.get(name)
    if declared is None and not word.startswith("--"):
        for index, letter in enumerate(word[1:], 2):
            declared = known.get(f"-{letter}")
            if declared is None or not declared.is_flag:
                return declared, index < len(word)
    return declared, bool(equals)


def _other_command(found: _Unknown, command: Command, root: Command) -> str:
    """The commands that have the option which this one lacks; empty if none has it."""
    option, value = found
    if instead := _INSTEAD.get((command.name, option)):
        return f"{command.name} has no option {option}: {instead}"
    if (row := find_foreign(option, value)) and row.has_value:
        return ""
    owners = [
        each.name for each in root.walk() if not each.commands and any(option in own.names for own in each.parameters)
    ]
    return f"{command.name} has no option {option}; it is one of {listed(owners, 4)}" if owners else ""


def _foreign(found: _Unknown, known: Mapping[str, DeclaredOption]) -> str:
    """The replacement of an option of another tool; empty if it is not one, or one of ours is near."""
    if row := find_foreign(*found):
        return row.sentence(found.option)
    near = None if _near(found, known) else nearest_foreign(found.option)
    return f"no option {found.option}; {near.sentence(near.option)}" if near else ""


def _near(found: _Unknown, known: Mapping[str, DeclaredOption]) -> str:
    """The most similar option, to end a sentence; the dashes, which all options share, do not count."""
    names = [name.removeprefix("--") for name in known if name.startswith("--")]
    return did_you_mean(found.option.removeprefix("--"), names).replace("mean ", "mean --")
