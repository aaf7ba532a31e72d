"""Choosing one of many actions: by a label, by its words or their beginnings, and in steps if there are too many."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

_WORD = re.compile(r"[a-z][0-9](?=[a-z][0-9])|[^\s.]+(?:\.|\s*)")
_NUMBER = re.compile(r"\*?[0-9]+")
_GAP = 3
_ALPHABET = "abcdefghijklmnoprstuvwxyz"
_EXAMPLE = "for example: "


class Choice(NamedTuple):
    """A line or cell of a menu: its label, its text, and the actions it stands for."""

    label: str
    text: str
    actions: list[str]
    """Choosing one that has several leads to a menu of these."""


class Menu:
    """The actions to choose from. `describe` puts into words what an action does."""

    def __init__(self, actions: Sequence[str], describe: Callable[[str], str]) -> None:
        self.actions = list(actions)
        self._describe_action = describe
        self._words = [split(action) for action in actions]
        self._prefix_length = _common_prefix_length(self._words) if len(actions) > 1 else 0

    def choices(self, rows: int, width: int) -> list[Choice]:
        """A choice for each action; if these do not fit into the rows and columns, for each next word."""
        groups = self._groups()
        texts = [_joined(words[self._prefix_length :]) for words in self._words]
        single = self._labelled([[action] for action in self.actions], texts)
        needed = min(len(texts), _grid_rows(texts, width) + _has_letters(single))
        if needed <= max(1, rows) or all(len(indexes) == 1 for indexes in groups):
            return single
        actions = [[self.actions[index] for index in indexes] for indexes in groups]
        heads = [
            self._words[indexes[0]][: _common_prefix_length([self._words[index] for index in indexes])]
            for indexes in groups
        ]
        return self._labelled(actions, [_joined(head[self._prefix_length :]) for head in heads])

    def draw(self, rows: int, width: int) -> tuple[list[Choice], list[str]]:
        """The choices and the menu's lines: with descriptions if there is room, else a grid with few rows."""
        choices = self.choices(rows, width)
        if len(choices) <= rows:
            return choices, self._described_lines(choices, width)
        cells = [_cell(choice) for choice in choices]
        size = max(map(len, cells)) + _GAP
        across = max(1, width // size)
        starts = range(0, len(cells), across)
        lines = ["".join(cell.ljust(size) for cell in cells[start : start + across]).rstrip() for start in starts]
        header = self._grid_header(choices[0], width)
        return choices, [header, *lines] if header and (_has_letters(choices) or len(lines) < rows) else lines

    def find(self, typed: str, choices: Sequence[Choice]) -> list[str]:
        """The actions that the typed text means: by a choice's label, all words, or beginnings; empty if none.

        If nothing else fits, the sign of a joker may be left out: `3` for `*3`.
        """
        typed = " ".join(typed.casefold().split())
        return self._find(typed, choices) or self._find(typed, choices, loose=True)

    def _find(self, typed: str, choices: Sequence[Choice], loose: bool = False) -> list[str]:
        """Find actions as `find` does; with `loose` the sign of a joker may be left out."""
        for choice in choices:
            if typed in _forms(choice.label, loose):
                return choice.actions
        typed_words = _plain(split(typed))
        ends = []  # the words that may be typed for each action: all, or those after what all actions begin with
        for action, words in zip(self.actions, self._words, strict=True):
            plain = _plain(words)
            ends += [
                (action, end) for end in ([plain, plain[self._prefix_length :]] if self._prefix_length else [plain])
            ]
        exact = [
            action for action, end in ends if len(end) == len(typed_words) and _fits(end, typed_words, loose, True)
        ]
        if exact:
            fewest = min(action.count("*") for action in exact)
            return [action for action in exact if action.count("*") == fewest]
        return list(dict.fromkeys(action for action, end in ends if _fits(end, typed_words, loose)))

    def complete(self, before: str, prefix: str) -> list[str]:
        """The completions of a word's prefix, after the words before it."""
        words_before, index = _plain(split(before)), len(before.split())
        completions: dict[str, None] = {}
        for words in self._words:
            for rest in (words, words[self._prefix_length :]):
                parts = _joined(rest).split()
                if (
                    _fits(_plain(rest), words_before)
                    and index < len(parts)
                    and parts[index].casefold().startswith(prefix.casefold())
                ):
                    completions[parts[index]] = None
        return list(completions)

    def _groups(self) -> list[list[int]]:
        """The indexes of the actions, grouped by the first word after the common prefix."""
        groups: dict[str, list[int]] = {}
        for index, words in enumerate(self._words):
            next_word = words[self._prefix_length] if len(words) > self._prefix_length else ""
            groups.setdefault(next_word, []).append(index)
        return list(groups.values())

    def _labelled(self, actions: Sequence[list[str]], texts: Sequence[str]) -> list[Choice]:
        """Labels the choices with numbers. If the actions begin with numbers, with these or, if ambiguous, letters."""
        first_words = [split(text)[0].strip() for text in texts]
        if not any(map(_NUMBER.fullmatch, first_words)):
            labels = [str(number) for number in range(1, len(texts) + 1)]
        elif len(set(first_words)) == len(first_words):
            labels = [word.casefold() for word in first_words]
        else:
            labels = [_letters(index) for index in range(len(texts))]
        return [Choice(*parts) for parts in zip(labels, texts, actions, strict=True)]

    def _described_lines(self, choices: Sequence[Choice], width: int) -> list[str]:
        """A line for each choice: label, text and description."""
        texts = [self._common_prefix() + _counted(choice) for choice in choices]
        label_width, text_width = max(len(choice.label) for choice in choices), max(map(len, texts))
        lines = [
            f" {choice.label:>{label_width}}  {text:{text_width}}   {self._describe(choice)}"
            for choice, text in zip(choices, texts, strict=True)
        ]
        return [line if len(line) <= width else f"{line[: width - 3]}..." for line in lines]

    def _common_prefix(self) -> str:
        return "".join(self._words[0][: self._prefix_length])

    def _grid_header(self, first: Choice, width: int) -> str:
        """A line above a grid: the meaning of a letter, or what the first choice does; empty if it is too long."""
        description = self._describe(first).removeprefix(_EXAMPLE)
        candidates = [f"For example {first.label}: {description}"]
        if _has_letters([first]):
            start = f"Type a letter; {first.label} is {_joined([self._common_prefix()])} {_counted(first)}"
            candidates = [f"{start}: {description}", start]
        return next((line for line in candidates if len(line) <= width), "")

    def _describe(self, choice: Choice) -> str:
        description = self._describe_action(choice.actions[0])
        return description if len(choice.actions) == 1 else f"{_EXAMPLE}{description}"


def split(action: str) -> list[str]:
    """The words of an action: `place 34E.orange a3s5` as `place `, `34E.`, `orange `, `a3`, `s5`."""
    return _WORD.findall(action)


def _joined(words: Sequence[str]) -> str:
    return "".join(words).rstrip()


def _cell(choice: Choice) -> str:
    """`  1 34E (4)`; a label that is the action's next word itself is not repeated: `  5 (12)`."""
    label = f"{choice.label:>3}"
    rest = _counted(choice).removeprefix(choice.label) if choice.text == choice.label else f" {_counted(choice)}"
    return label + rest


def _has_letters(choices: Sequence[Choice]) -> bool:
    """Whether the labels are letters, which need an explanation."""
    return choices[0].label.isalpha()


def _counted(choice: Choice) -> str:
    """The text, with the number of actions if there are several: `34E (4)`."""
    return f"{choice.text.rstrip('.')} ({len(choice.actions)})" if len(choice.actions) > 1 else choice.text


def _common_prefix_length(texts: Sequence[Sequence[str]]) -> int:
    """The number of words that all texts begin with; of several texts at least one word of each is not counted."""
    if len(texts) == 1:
        return len(texts[0])
    shortest = min(map(len, texts))
    first = texts[0]
    return next(
        (index for index in range(shortest) if any(text[index] != first[index] for text in texts)), shortest - 1
    )


def _plain(words: Sequence[str]) -> list[str]:
    return [word.strip(" .").casefold() for word in words]


def _forms(word: str, loose: bool) -> tuple[str, ...]:
    return (word, word.lstrip("*")) if loose else (word,)


def _fits(words: Sequence[str], typed: Sequence[str], loose: bool = False, whole: bool = False) -> bool:
    """Whether each word begins with the typed one in one of its forms, or with `whole` is the typed one."""
    same = str.__eq__ if whole else str.startswith
    pairs = zip(words, typed, strict=False)
    return len(typed) <= len(words) and all(
        any(same(form, start) for form in _forms(word, loose)) for word, start in pairs
    )


def _grid_rows(texts: Sequence[str], width: int) -> int:
    size = max(map(len, texts)) + 4 + _GAP
    return -(-len(texts) // max(1, width // size))


def _letters(index: int) -> str:
    """`a` to `z`, then `aa`, `ab` ...; without q, which closes a list."""
    rest, last = divmod(index, len(_ALPHABET))
    return (_letters(rest - 1) if rest else "") + _ALPHABET[last]
