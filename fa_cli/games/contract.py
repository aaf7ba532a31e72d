"""What every game's state provides, and the events that happen in a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import msgspec

from .state import State

__all__ = ["ACTION", "DREW", "POINTS", "Event", "JournalEntry", "State", "options_json", "to_json"]

# The kinds of journal entries that all games share. Each game adds kinds of its own.
ACTION: Final = "action"
POINTS: Final = "points"
DREW: Final = "drew"

to_json: Callable[[object], bytes] = msgspec.json.Encoder().encode
"""Encode a value as JSON."""
options_json: Callable[[msgspec.Struct], bytes] = lru_cache(maxsize=16)(to_json)
"""Encode a game's options as JSON, once for all its observations."""

JournalEntry = tuple[Any, ...]
"""One journal entry: `(kind, seat, ...)`. The caller of `apply` writes `(ACTION, seat, action number)`, the state all
other kinds."""


class Event(msgspec.Struct, omit_defaults=True, frozen=True):
    """Something that happened, as a bot sees it. Which fields are present depends on `event`.

    `event` is `action` (a seat's action), `points` (points a seat scored, and what for), `drew` (cards that a seat
    drew: the seat itself sees which, the others how many), or a word of the game's own (see the game's page).
    """

    event: str
    seat: int | None = None
    action: str | None = None
    points: int | None = None
    count: int | None = None
    cards: list[str] | None = None
    what: str | None = None
