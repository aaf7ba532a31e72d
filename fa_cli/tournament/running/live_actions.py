"""The actions of a worker's game so far, in memory shared with the main process, for people who watch the game.

A thread of the worker copies them once a second, so the game does not wait. Who reads while the worker writes finds a
wrong checksum.
"""

from __future__ import annotations

import multiprocessing
import struct
from array import array
from typing import Any
from zlib import crc32

PERIOD = 1.0
"""Seconds between two copies."""
_MOST = 1000
"""Actions; of a longer game no more can be watched."""
_CHECKSUM = struct.Struct("<I")
_HEADER = struct.Struct("<QH")
"""The game's index, and the number of actions."""


def shared_actions() -> Any:
    """Shared memory for the actions of one worker's game."""
    return multiprocessing.get_context("spawn").RawArray("B", _CHECKSUM.size + _HEADER.size + 2 * _MOST)


class ActionsPublisher:
    """A worker's side."""

    def __init__(self, memory: Any) -> None:
        self._memory = memoryview(memory).cast("B")
        self._game: tuple[int, list[int]] = 0, []

    def begin(self, index: int) -> list[int]:
        """A game begins. Add the numbers of its actions to the list returned."""
        actions: list[int] = []
        self._game = index, actions  # in one step, because the thread may read it at any time
        return actions

    def publish(self) -> None:
        """Copy what has been played."""
        index, actions = self._game
        numbers = array("H", actions[:_MOST])
        data = _HEADER.pack(index, len(numbers)) + numbers.tobytes()
        self._memory[: _CHECKSUM.size + len(data)] = _CHECKSUM.pack(crc32(data)) + data


def published_actions(memory: Any, index: int) -> list[int]:
    """The numbers of the actions of the game with this index that its worker has published; none if it has not."""
    view = memoryview(memory).cast("B")
    header = bytes(view[_CHECKSUM.size :][: _HEADER.size])
    game, count = _HEADER.unpack(header)
    numbers = bytes(view[_CHECKSUM.size + _HEADER.size :][: 2 * count])
    if game != index or crc32(header + numbers) != _CHECKSUM.unpack(view[: _CHECKSUM.size])[0]:
        return []
    return list(array("H", numbers))
