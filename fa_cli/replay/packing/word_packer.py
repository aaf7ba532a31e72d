"""Packs actions word by word for the records of a log, each with what an earlier record of its game teaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .action_words import pack_words
from .definitions import base_size, has_room_for_base
from .loose_actions import WordedActions, model_after
from .payloads import Hex, Loose


class WordPacker:
    """Chooses the base of each record: the last one without a base of its game, unless it is less than half as long."""

    def __init__(self, bases: Mapping[int, tuple[str, WordedActions]]) -> None:
        self._bases = {game: (number, base) for number, (game, base) in sorted(bases.items())}
        self._count = len(bases)
        self._bytes = sum(base_size(base) for _, base in bases.values())
        self._new: tuple[str, int, WordedActions] | None = None

    def clear(self) -> None:
        """Forget all bases."""
        self._bases.clear()
        self._count = self._bytes = 0

    def pack(self, number: int, game: str, actions: Sequence[str], digest: Hex) -> tuple[bytes, Loose] | None:
        """The packed actions of the record with this number in its block, and its loose parts; None if too long."""
        base_number, base = self._bases.get(game, (number, None))
        if base is None or 2 * base.decisions < len(actions):
            return self._pack_base(number, game, actions, digest)
        packed = pack_words(actions, model_after(base))
        return None if packed is None else (packed[1], Loose(digest, list(packed[0]), base_number))

    def _pack_base(self, number: int, game: str, actions: Sequence[str], digest: Hex) -> tuple[bytes, Loose] | None:
        found = pack_words(actions, None)
        if found is None:
            return None
        words, packed = found
        base = WordedActions(len(actions), packed, tuple(words))
        if not has_room_for_base(base, self._count, self._bytes):
            return None
        self._new = (game, number, base)
        return packed, Loose(digest, list(words), number)

    def undo(self) -> None:
        """What was packed last will not be written."""
        self._new = None

    def was_written(self) -> None:
        """The record that was packed last is in the log: others can build on it if it has no base."""
        if self._new is not None:
            game, number, base = self._new
            self._bases[game] = (number, base)
            self._count += 1
            self._bytes += base_size(base)
        self._new = None
