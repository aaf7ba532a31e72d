"""Choosing one of many actions: by a label, by its words or their beginnings, in steps where there are too many."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

_WORD = re.compile(r"[a-z][0-9](?=[a-z][0-9])|[^\s.]+(?:\.|\s*)")
_NUMBER = re.compile(r"\*?[0-9]+")
_GAP = 3
_EXAMPLE = "for example: "


class Entry(NamedTuple):
    """One line, or cell, of a menu: what it stands for, and what is chosen by it."""

    label: str
    shown: str
    actions: list[str]
    """More than one: choosing it leaves these."""


class Menu:
    """The actions that are left to choose from; `words` says in words what an action does."""

    def __init__(self, actions: Sequence[str], words: Callable[[str], str]) -> None:
        self.actions = list(actions)
        self._words = words
        self._split = [split(action) for action in actions]
        self._shared = _shared(self._split) if len(actions) > 1 else 0

    def entries(self, rows: int, width: int) -> list[Entry]:
        """Every action, or if these do not fit into so many rows and columns, what their next words are."""
        groups = self._groups()
        shown = [_joined(words[self._shared :]) for words in self._split]
        every = self._labelled([[action] for action in self.actions], shown)
        needed = min(len(shown), _grid_rows(shown, width) + _has_letters(every))
        if needed <= max(1, rows) or all(len(places) == 1 for places in groups):
            return every
        chosen = [[self.actions[place] for place in places] for places in groups]
        heads = [self._split[places[0]][: _shared([self._split[place] for place in places])] for places in groups]
        return self._labelled(chosen, [_joined(head[self._shared :]) for head in heads])

    def draw(self, rows: int, width: int) -> tuple[list[Entry], list[str]]:
        """The entries and their lines: with what they do where there is room for it, else in as few rows as need be."""
        entries = self.entries(rows, width)
        if len(entries) <= rows:
            names = [self._whole(entry) for entry in entries]
            label, side = max(len(entry.label) for entry in entries), max(map(len, names))
            told = (self._told(entry) for entry in entries)
            rest = zip(entries, names, told, strict=True)
            whole = [f" {one.label:>{label}}  {name:{side}}   {words}" for one, name, words in rest]
            return entries, [line if len(line) <= width else f"{line[: width - 3]}..." for line in whole]
        cells = [_cell(entry) for entry in entries]
        size = max(map(len, cells)) + _GAP
        across = max(1, width // size)
        starts = range(0, len(cells), across)
        lines = ["".join(cell.ljust(size) for cell in cells[at : at + across]).rstrip() for at in starts]
        above = self._explained(entries[0], width)
        return entries, [above, *lines] if above and (_has_letters(entries) or len(lines) < rows) else lines

    def find(self, typed: str, entries: Sequence[Entry]) -> list[str]:
        """The actions that are meant by what was typed, none if it means nothing here."""
        typed = " ".join(typed.casefold().split())
        for entry in entries:
            if typed == entry.label:
                return entry.actions
        wanted = _plain(split(typed))
        exact = [action for action, words in zip(self.actions, self._split, strict=True) if self._is(words, wanted)]
        if exact:
            return exact[:1]
        return [action for action, words in zip(self.actions, self._split, strict=True) if self._begins(words, wanted)]

    def complete(self, before: str, begun: str) -> list[str]:
        """What the word that is begun can be, after the words before it."""
        done, at = _plain(split(before)), len(before.split())
        found: dict[str, None] = {}
        for words in self._split:
            for rest in (words, words[self._shared :]):
                parts = _joined(rest).split()
                if _fits(rest, done) and at < len(parts) and parts[at].casefold().startswith(begun.casefold()):
                    found[parts[at]] = None
        return list(found)

    def _is(self, words: Sequence[str], wanted: Sequence[str]) -> bool:
        return wanted in (_plain(words), _plain(words[self._shared :]))

    def _begins(self, words: Sequence[str], wanted: Sequence[str]) -> bool:
        return _fits(words, wanted) or _fits(words[self._shared :], wanted)

    def _groups(self) -> list[list[int]]:
        """The places of the actions, by their first word that is not shared by all."""
        groups: dict[str, list[int]] = {}
        for place, words in enumerate(self._split):
            groups.setdefault(words[self._shared] if len(words) > self._shared else "", []).append(place)
        return list(groups.values())

    def _labelled(self, chosen: Sequence[list[str]], shown: Sequence[str]) -> list[Entry]:
        """Numbers; where numbers are what one would type of the actions, these or letters."""
        firsts = [split(text)[0].strip() for text in shown]
        if not any(map(_NUMBER.fullmatch, firsts)):
            labels = [str(number) for number in range(1, len(shown) + 1)]
        elif len(set(firsts)) == len(firsts):
            labels = [first.casefold() for first in firsts]
        else:
            labels = [_letters(number) for number in range(len(shown))]
        return [Entry(*parts) for parts in zip(labels, shown, chosen, strict=True)]

    def _whole(self, entry: Entry) -> str:
        """With the words that all have in common, too."""
        return "".join(self._split[0][: self._shared]) + _counted(entry)

    def _explained(self, first: Entry, width: int) -> str:
        """A line above the cells: what a letter stands for, or what the first choice does; empty if it is too long."""
        words = self._told(first).removeprefix(_EXAMPLE)
        lines = [f"For example {first.label}: {words}"]
        if _has_letters([first]):
            start = f"Type a letter. {first.label} is {_joined(self._split[0][: self._shared])} {_counted(first)}"
            lines = [f"{start}: {words}", start]
        return next((line for line in lines if len(line) <= width), "")

    def _told(self, entry: Entry) -> str:
        words = self._words(entry.actions[0])
        return words if len(entry.actions) == 1 else f"{_EXAMPLE}{words}"


def split(action: str) -> list[str]:
    """`place 34E.orange a3s5` as `place `, `34E.`, `orange `, `a3`, `s5`: put together it is the same again."""
    return _WORD.findall(action)


def _joined(words: Sequence[str]) -> str:
    return "".join(words).rstrip()


def _cell(entry: Entry) -> str:
    """`  1 34E (4)`; a label that is the action's own next word is not repeated: `  5 (12)`."""
    label = f"{entry.label:>3}"
    rest = _counted(entry).removeprefix(entry.label) if entry.shown == entry.label else f" {_counted(entry)}"
    return label + rest


def _has_letters(entries: Sequence[Entry]) -> bool:
    """Whether the labels are letters, which say nothing by themselves."""
    return entries[0].label.isalpha()


def _counted(entry: Entry) -> str:
    """`34E (4)` for four actions that begin so."""
    return f"{entry.shown.rstrip('.')} ({len(entry.actions)})" if len(entry.actions) > 1 else entry.shown


def _shared(texts: Sequence[Sequence[str]]) -> int:
    """How many words at the beginning all have in common; of one text all, of several never all words of one."""
    if len(texts) == 1:
        return len(texts[0])
    least = min(map(len, texts))
    first = texts[0]
    return next((at for at in range(least) if any(text[at] != first[at] for text in texts)), least - 1)


def _plain(words: Sequence[str]) -> list[str]:
    return [word.strip(" .").casefold() for word in words]


def _fits(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether each word begins as it is wanted."""
    return len(wanted) <= len(words) and all(map(str.startswith, _plain(words), wanted))


def _grid_rows(shown: Sequence[str], width: int) -> int:
    size = max(map(len, shown)) + 4 + _GAP
    return -(-len(shown) // max(1, width // size))


def _letters(number: int) -> str:
    """`a` to `z`, then `aa`, `ab` ..."""
    rest, last = divmod(number, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("a") + last)
