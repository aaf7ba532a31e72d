"""Texts that change over the positions of a game, such as the parts of a drawing: each is written once, then named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct


class TextTables:
    """The different texts of each key, over all games of a page, numbered from 0 by key."""

    def __init__(self) -> None:
        self._keys: dict[str, int] = {}
        self._texts: defaultdict[int, dict[str, int]] = defaultdict(dict)

    def key_number(self, key: str) -> int:
        """Return the key's number; a new key gets the next one."""
        return self._keys.setdefault(key, len(self._keys))

    def number(self, key: int, text: str) -> int:
        """Return the text's number among those of its key; a new text gets the next one."""
        return self._texts[key].setdefault(text, len(self._texts[key]))

    def texts(self) -> list[list[str]]:
        """Return the texts by key."""
        return [list(self._texts[key]) for key in self._keys.values()]


class Timelines(Struct, frozen=True):
    """Slots that show a text each; by slot:"""

    keys: list[int]
    """The number of its key."""
    gaps: list[list[int]]
    """For each change: how many positions it comes after the one before. The first one is at position 0."""
    steps: list[list[int]]
    """For each change: the number of the new text among those of the key, less that of the old text; first less 0."""


class TimelineWriter:
    """Collects the texts of all slots, position by position."""

    def __init__(self, tables: TextTables, keys: Sequence[str]) -> None:
        self._tables = tables
        self._positions = 0
        self._shown: list[str | None] = [None] * len(keys)
        self._changed = [0] * len(keys)
        self._numbers = [0] * len(keys)
        self.timelines = Timelines(list(map(tables.key_number, keys)), [[] for _ in keys], [[] for _ in keys])

    def add(self, texts: Sequence[str]) -> None:
        """Add a position with the text of each slot."""
        for slot, (old, new) in enumerate(zip(self._shown, texts, strict=True)):
            if old != new:
                self._change(slot, new)
        self._shown = [*texts]
        self._positions += 1

    def _change(self, slot: int, text: str) -> None:
        """Write that the slot shows this text from now on; differences pack better than numbers."""
        number = self._tables.number(self.timelines.keys[slot], text)
        self.timelines.gaps[slot].append(self._positions - self._changed[slot])
        self.timelines.steps[slot].append(number - self._numbers[slot])
        self._changed[slot], self._numbers[slot] = self._positions, number
