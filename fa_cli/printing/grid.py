"""Cells as the lines of a table, drawn by tabulate."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Literal


def grid(
    headings: Sequence[str], rows: Sequence[Sequence[str]], rights: Sequence[bool], style: Literal["simple", "pipe"]
) -> list[str]:
    """The lines of a table: columns as wide as their widest cell, blanks in cells kept.

    `rights`: whether a column is aligned to the right. A cell may have several lines and colours.
    """
    import tabulate

    tabulate.WIDE_CHARS_MODE = not all(map(str.isascii, chain(headings, *rows)))  # letters need a large library
    tabulate.PRESERVE_WHITESPACE = True
    tabulate.MIN_PADDING = 0  # else headings of two letters make columns of four
    alignments = ["right" if right else "left" for right in rights] if rows else None
    return tabulate.tabulate(rows, headings, style, disable_numparse=True, colalign=alignments).splitlines()
