"""Packs the actions of a game that can't be dealt here, word by word, with probabilities learnt from those before.

A text is words and then an end, which are its symbols: 0 is the end, words count from 1. They are coded as in
`numerals.py`. A symbol weighs 1, and more for each time that it was there in the same context: after the same word,
after the same beginning of the text, and after that where the text before began with the same word. What was learnt
from an earlier game, the base, counts too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ...errors import LogError
from .numerals import CHUNK, join_numbers, number_of, split_numbers, to_bytes

_WORD: Final = re.compile(r"(?:[A-Za-z]+|[0-9]+|.) ?", re.DOTALL)
_GAINS: Final = (4, 16, 64)
"""By context: the weight that a symbol gains each time."""
_KINDS: Final = 3
"""Contexts that a symbol has."""
_SYMBOL_BITS: Final = 10
MOST_WORDS: Final = 256
"""Different words of a game, with those of its base."""
MOST_TEXT: Final = 1 << 16
"""Characters of a game's actions, each counted as one more."""
MOST_BYTES: Final = 1 << 13
"""Of a number that holds 256 actions."""
_FREE_SYMBOLS: Final = 2048
_SYMBOLS_PER_BYTE: Final = 16
"""Three times what games have. Without a limit three bytes could hold one word 65,536 times."""


class WordModel:
    """What the symbols so far teach about the next one."""

    def __init__(self, words: Sequence[str], base: WordModel | None) -> None:
        self.words: list[str] = [*(base.words if base else ()), *words]
        self._counts: dict[int, dict[int, int]] = {}  # by context, of each symbol
        self._base_counts: dict[int, dict[int, int]] = base._counts if base else {}
        self._nodes: dict[int, int] = {}  # by node and symbol: the node of a text's beginning
        self._base_nodes: dict[int, int] = base._nodes if base else {}
        self._node = self._word = self._first = self._first_before = 0

    def _contexts(self) -> tuple[int, int, int]:
        after_first = self._node << _SYMBOL_BITS | self._first_before
        return _KINDS * self._word, _KINDS * self._node + 1, _KINDS * after_first + 2

    def weights(self) -> list[int]:
        """The weight of each symbol."""
        weights = [1] * (len(self.words) + 1)
        for context, gain in zip(self._contexts(), _GAINS, strict=True):
            counts = self._counts.get(context) or self._base_counts.get(context)
            if counts is not None:
                for symbol, count in counts.items():
                    weights[symbol] += gain * count
        return weights

    def add(self, symbol: int) -> None:
        """Count a symbol, and move on to the next one."""
        for context in self._contexts():
            counts = self._counts.get(context)
            if counts is None:
                counts = self._counts[context] = dict(self._base_counts.get(context, {}))
            counts[symbol] = counts.get(symbol, 0) + 1
        if symbol == 0:
            self._first_before, self._first, self._node = self._first, 0, 0
        else:
            self._first = self._first or symbol
            self._node = self._next_node(self._node << _SYMBOL_BITS | symbol)
        self._word = symbol

    def _next_node(self, path: int) -> int:
        node = self._base_nodes.get(path) or self._nodes.get(path)
        if node is None:
            node = self._nodes[path] = len(self._base_nodes) + len(self._nodes) + 1
        return node


def pack_words(actions: Sequence[str], base: WordModel | None) -> tuple[list[str], bytes] | None:
    """The words that the base has not, in the order of their first use, and the packed actions; None if too much."""
    if _length(actions) > MOST_TEXT:
        return None
    split = [_WORD.findall(action) for action in actions]
    known = set(base.words) if base else set()
    words = [word for word in dict.fromkeys(word for text in split for word in text) if word not in known]
    model = WordModel(words, base)
    if len(model.words) > MOST_WORDS:
        return None
    symbols = {word: symbol for symbol, word in enumerate(model.words, 1)}
    numbers = [_pack_chunk(split[at : at + CHUNK], symbols, model) for at in range(0, len(split), CHUNK)]
    packed = join_numbers(numbers)
    if any(len(number) > MOST_BYTES for number in numbers) or sum(map(len, split)) + len(split) > _most_symbols(packed):
        return None
    return words, packed


def _most_symbols(packed: bytes) -> int:
    """How many symbols the bytes may hold, so that the time to unpack them is proportional to their number."""
    return _FREE_SYMBOLS + _SYMBOLS_PER_BYTE * len(packed)


def _length(actions: Sequence[str]) -> int:
    return len(actions) + sum(map(len, actions))


def _pack_chunk(texts: list[list[str]], symbols: dict[str, int], model: WordModel) -> bytes:
    steps = []
    for text in texts:
        for symbol in [*(symbols[word] for word in text), 0]:
            weights = model.weights()
            steps.append((sum(weights[:symbol]), weights[symbol], sum(weights)))
            model.add(symbol)
    return to_bytes(number_of(steps))


def unpack_words(
    packed: bytes, count: int, words: Sequence[str], base: WordModel | None
) -> tuple[list[str], WordModel]:
    """The actions that `pack_words` packed, and what they teach. Raises LogError unless `packed` holds just these."""
    model = WordModel(words, base)
    if len(model.words) > MOST_WORDS or "" in words:
        raise LogError("the actions have too many words, or an empty one")
    if count > MOST_TEXT:
        raise LogError(f"its actions take more than {MOST_TEXT:,} characters")
    actions: list[str] = []
    room = _Room(packed)
    for number in split_numbers(packed, 0, count, MOST_BYTES, "actions"):
        _unpack_chunk(int.from_bytes(number, "little"), min(CHUNK, count - len(actions)), model, actions, room)
    return actions, model


class _Room:
    """How much more the actions of a record may take."""

    def __init__(self, packed: bytes) -> None:
        self._characters = MOST_TEXT
        self._symbols = _most_symbols(packed)

    def take(self, characters: int) -> None:
        """Count a symbol of so many characters. Raises LogError."""
        self._characters -= characters
        self._symbols -= 1
        if self._characters < 0:
            raise LogError(f"its actions take more than {MOST_TEXT:,} characters")
        if self._symbols < 0:
            raise LogError("its actions are more than so few bytes may hold")


def _unpack_chunk(number: int, count: int, model: WordModel, actions: list[str], room: _Room) -> None:
    """Append `count` actions. Raises LogError."""
    for _ in range(count):
        text: list[str] = []
        while True:
            weights = model.weights()
            number, rest = divmod(number, sum(weights))
            symbol = 0
            while rest >= weights[symbol]:
                rest -= weights[symbol]
                symbol += 1
            number = number * weights[symbol] + rest
            model.add(symbol)
            room.take(len(model.words[symbol - 1]) if symbol else 1)
            if symbol == 0:
                break
            text.append(model.words[symbol - 1])
        actions.append("".join(text))
    if number:
        raise LogError("the packed actions do not end where the record does")
