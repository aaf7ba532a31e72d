"""What every game's state provides, and the events that happen in a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

import msgspec

# The kinds of journal entries that all games share. Each game adds kinds of its own.
ACTION = "action"
POINTS = "points"
DREW = "drew"

JournalEntry = tuple[Any, ...]
"""One journal entry: `(kind, seat, ...)`. The caller of `apply` writes `(ACTION, seat, action number)`, the state all
other kinds."""


class State(Protocol):
    """A game in progress. `apply` is deterministic for a given chance source; copies share no mutable data."""

    players: int
    actor: int
    """The seat to decide; -1 when the game is over."""
    journal: list[JournalEntry] | None
    """The events so far, as entries for `Game.event_of`. None: events are not recorded."""

    def legal(self) -> Sequence[int]:
        """Return all legal actions in table order, without duplicates; empty only when the game is over.

        The sequence may be shared: do not change it.
        """

    def apply(self, action: int) -> None:
        """Play one of the legal actions. An illegal action is not detected; its effect is undefined."""

    def copy(self) -> Self:
        """Return an independent state whose journal is None."""

    def is_over(self) -> bool:
        """Return whether the game has ended; `scores`, `standing` and `reason` are then final."""

    def scores(self) -> list[int]:
        """Return the points by seat."""

    def standing(self) -> list[tuple[int, ...]]:
        """Return by seat the points and tie-breaks that rank it; higher is better."""

    def reason(self) -> str:
        """Return why the game ended, as a word of the game's rules; empty before the end."""


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
