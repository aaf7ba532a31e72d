"""Observations as numbers for learning: what the games' features.py files share.

Features are by name lists of small whole numbers from 0 up, of the same lengths throughout a game. Seats are told
from the observer: 0 is itself, 1 who comes after it, and so on. Names in a table are one-hot: a 1 at their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

Features = dict[str, list[int]]


def one_hot(table: Sequence[object], value: object) -> list[int]:
    """A 1 at the value's place in the table; zeros alone for a value that is not there."""
    return [int(entry == value) for entry in table]


def seat_one_hot(players: int, observer: int, seat: int | None) -> list[int]:
    """The seat as the observer counts, one-hot; zeros alone for none, and for -1."""
    there = seat is not None and seat >= 0
    return one_hot(range(players), (seat - observer) % players if there and seat is not None else None)


def count(table: Sequence[object], values: Sequence[object]) -> list[int]:
    """How often each entry of the table is among the values."""
    return [values.count(entry) for entry in table]


def padded(values: Sequence[int], length: int) -> list[int]:
    """The values, then zeros up to that length."""
    return [*values[:length], *[0] * (length - len(values))]


def from_observer(seats: Sequence[T], observer: int) -> list[T]:
    """What there is of every seat, the observer's first."""
    return [*seats[observer:], *seats[:observer]]
