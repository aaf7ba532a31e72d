"""Packs the actions of a record that is not a whole game in legal actions.

A game is played beside the record. Each decision is a digit of a number as in `action_coding.py`: its index among the
legal actions of that game, or their number, which announces another digit, the number of its text. Texts are numbered
as in the action table; others follow. After an action that is not legal, the game beside plays the first legal one.
When it is over there are no legal actions. A game that can't be dealt is kept in words, but earlier versions packed its
actions with a list that is always empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from ...errors import LogError
from ...games.contract import State
from ..action_coding import ActionPacker
from .action_words import WordModel, unpack_words
from .mixed_radix import BLOCK_BYTES

MOST_BASES = 8
"""Of a numbering."""
_BLOCK_LIMIT = 1 << (8 * BLOCK_BYTES)


class WordedActions(msgspec.Struct, frozen=True):
    """Actions as `action_words` packs them; `words` are those that `base` has not."""

    decisions: int
    packed: bytes
    words: tuple[str, ...]
    base: WordedActions | None = None

    def unpacked(self) -> list[str]:
        """The actions. Raises LogError."""
        base = None if self.base is None else model_after(self.base)
        return unpack_words(self.packed, self.decisions, self.words, base)[0]


def model_after(actions: WordedActions) -> WordModel:
    """What these actions, which have no base, teach. Raises LogError."""
    model = _model_or_error(actions)
    if isinstance(model, LogError):
        raise model
    return model


@lru_cache(maxsize=2 * MOST_BASES)  # with the doubtful ones: none is made again for each record that builds on it
def _model_or_error(actions: WordedActions) -> WordModel | LogError:
    try:
        return unpack_words(actions.packed, actions.decisions, actions.words, None)[1]
    except LogError as error:
        return error.with_traceback(None)


def texts_beside(actions: Sequence[str], numbers: Mapping[str, int]) -> list[str]:
    """The texts that are not in the action table, in the order of their first use."""
    return [text for text in dict.fromkeys(actions) if text not in numbers]


def pack_loose(state: State, actions: Sequence[str], numbers: Mapping[str, int], texts: Sequence[str]) -> bytes:
    """Pack actions, played beside on `state`, the one after the deal.

    `numbers` is the action table, `texts` are the actions that it does not have.
    """
    packer = ActionPacker()
    beside = {text: number for number, text in enumerate(texts, len(numbers))}
    for action in actions:
        legal = _legal(state)
        number = numbers[action] if action in numbers else beside[action]
        is_legal = number in legal
        packer.add(legal.index(number) if is_legal else len(legal), len(legal) + 1)
        if not is_legal:
            packer.add(number, len(numbers) + len(beside))
        if legal:
            state.apply(number if is_legal else legal[0])
    return packer.bytes()


def unpack_loose(state: State | None, packed: bytes, count: int, texts: Sequence[str], most_bytes: int) -> list[str]:
    """The actions that `pack_loose` packed; `texts` has the action table, then the others.

    Raises LogError if they would take more than `most_bytes` as JSON, or if `packed` holds more, or less.
    """
    digits, actions, size = _Digits(packed), list[str](), 0
    digits.check_count(count)
    for _ in range(count):
        legal = _legal(state)
        index = digits.next(len(legal) + 1)
        number = legal[index] if index < len(legal) else digits.next(len(texts))
        if state is not None and legal:
            state.apply(number if index < len(legal) else legal[0])
        size += len(texts[number]) + 3  # two quotes and a comma
        if size > most_bytes:
            raise LogError(f"its actions take more than {most_bytes:,} bytes")
        actions.append(texts[number])
    digits.check_end()
    return actions


def _legal(state: State | None) -> Sequence[int]:
    return () if state is None or state.actor < 0 else state.legal()


class _Digits:
    """Reads back what an `ActionPacker` has packed."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._position = BLOCK_BYTES
        self._number = int.from_bytes(packed[:BLOCK_BYTES], "little")
        self._product = 1

    def next(self, choices: int) -> int:
        """The next digit, of a list of this length. Raises LogError."""
        if choices == 0:
            raise LogError("the packed actions have a text that does not exist")
        self._product *= choices
        if self._product > _BLOCK_LIMIT:
            self._check(self._number == 0)
            self._number = int.from_bytes(self._packed[self._position : self._position + BLOCK_BYTES], "little")
            self._position += BLOCK_BYTES
            self._product = choices
        self._number, digit = divmod(self._number, choices)
        return digit

    def check_count(self, decisions: int) -> None:
        """Raises LogError for more decisions than fit, each with two choices at least."""
        self._check(decisions <= 8 * (len(self._packed) + BLOCK_BYTES))

    def check_end(self) -> None:
        """Raises LogError unless all was read."""
        last = self._position - BLOCK_BYTES
        size = len(self._packed)
        self._check(not self._number and last <= size <= self._position and not self._packed.endswith(b"\0", last))

    def _check(self, is_right: bool) -> None:
        if not is_right:
            raise LogError("the packed actions do not end where the record does")
