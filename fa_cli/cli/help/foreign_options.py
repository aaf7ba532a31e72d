"""Options of other tools and of earlier versions of `fa`, with what replaces them: read from the option map in docs/.

Its rows are `| option | here | note |`, the sections name the tools. An option may have a value behind it (`--format
swiss`); the row then stands for that value only. This module is imported only to report an option that a command does
not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from .pages import FOLDER

PAGE = FOLDER / "reference" / "option-map.md"
_ROW = re.compile(r"\| `(.+?)` \| (?:`(.+?)`|no such option) \| (.*?) \|")


class ForeignOption(NamedTuple):
    """An option that people know from elsewhere."""

    tools: str
    """The tools that have it, for a sentence."""
    option: str
    """The option as its tools spell it, perhaps with a value."""
    ours: str
    """The command of `fa` to use instead; empty if there is none."""
    note: str
    """How ours differs, or why there is none."""

    @property
    def our_option(self) -> str:
        """The name of our option, without dashes; empty if a command or nothing replaces it."""
        return next((word[2:] for word in self.ours.split() if word.startswith("--")), "")

    @property
    def has_value(self) -> bool:
        """Whether the row stands for one value of the option."""
        return " " in self.option

    def sentence(self, spelling: str) -> str:
        """The sentence that tells somebody who typed the option what to use instead."""
        use = f"use: {self.ours}" if self.ours else "fa has no such option"
        return f"{spelling} is an option of {self.tools}; {use}{f' ({self.note})' if self.note else ''}"


def foreign_options() -> Iterator[ForeignOption]:
    """All rows of the page; none if the documentation is not installed."""
    tools = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines() if PAGE.is_file() else ():
        if line.startswith("## "):
            tools = line.removeprefix("## ")
        elif match := _ROW.fullmatch(line):
            yield ForeignOption(tools, match[1], match[2] or "", match[3])


@cache
def _by_name() -> dict[str, ForeignOption]:
    return {_normalized(row.option): row for row in foreign_options()}


def _normalized(option: str) -> str:
    """An option for comparison: without dashes in front."""
    return option.lstrip("-").lower()


def find_foreign(option: str, value: str = "") -> ForeignOption | None:
    """The row of an option, spelled with any number of dashes; a row for its value comes first."""
    return _by_name().get(_normalized(f"{option} {value}")) or _by_name().get(_normalized(option))


def nearest_foreign(option: str) -> ForeignOption | None:
    """The row of the most similar option, if one is very similar."""
    from difflib import get_close_matches

    near = get_close_matches(_normalized(option), _by_name(), n=1, cutoff=0.8)
    return _by_name()[near[0]] if near else None
