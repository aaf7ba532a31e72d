"""Helpers for the games' features.py files, which encode observations as numbers for machine learning.

Features are lists of small integers from 0 up, by name. Their lengths stay the same throughout a game. Seats count
from the observer: 0 is the observer, 1 the next seat, and so on. Names from a table are one-hot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

Features = dict[str, list[int]]


def one_hot(table: Sequence[object], value: object) -> list[int]:
    """Return a 1 at the value's index in the table and 0 elsewhere; all zeros for a value that is not in the table."""
    return [int(entry == value) for entry in table]


def seat_one_hot(players: int, observer: int, seat: int | None) -> list[int]:
    """Return the seat one-hot, counted from the observer; all zeros for None and for -1."""
    return one_hot(range(players), None if seat is None or seat < 0 else (seat - observer) % players)


def count(table: Sequence[object], values: Sequence[object]) -> list[int]:
    """Return for each entry of the table how often it occurs among the values."""
    return [values.count(entry) for entry in table]


def padded(values: Sequence[int], length: int) -> list[int]:
    """Return the values cut or padded with zeros to this length."""
    return [*values[:length], *[0] * (length - len(values))]


def from_observer(seats: Sequence[T], observer: int) -> list[T]:
    """Rotate a sequence by seat so that the observer comes first."""
    return [*seats[observer:], *seats[:observer]]
