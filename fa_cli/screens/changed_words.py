"""Which words of a drawn board have changed since the board before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

Span = tuple[int, int]
"""The first column, and the one after the last."""

_WORD = re.compile(r"\S+")


def changed_words(before: Sequence[str], after: Sequence[str]) -> list[list[Span]]:
    """The words that are not in the same line of `before`, by line of `after`; a board without a line before has none.

    Lines may have come or gone between the two.
    """
    spans: list[list[Span]] = [[] for _ in after]
    for tag, start, stop, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag in ("replace", "insert"):
            for number, (old, new) in enumerate(zip_longest(before[start:stop], after[first:last], fillvalue="")):
                if first + number < last:
                    spans[first + number] = list(_new_words(old, new))
    return spans


def _new_words(before: str, after: str) -> Iterator[Span]:
    words = list(_WORD.finditer(after))
    old, new = _WORD.findall(before), [word[0] for word in words]
    for tag, _, _, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag in ("replace", "insert"):
            yield words[first].start(), words[last - 1].end()
