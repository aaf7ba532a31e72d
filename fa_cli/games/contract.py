"""A game under way, and the journal of what happens in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

import msgspec

# Kinds of journal entries that every game writes alike; a game's own kinds are strings of its own.
ACTION = "action"
POINTS = "points"
DREW = "drew"

JournalEntry = tuple[Any, ...]
"""One journal entry: `(kind, seat, ...)`. ACTION: `(ACTION, seat, action number)`, written by whoever applies it."""


class State(Protocol):
    """A game under way. `apply` is deterministic given the chance source; `copy` shares nothing that changes."""

    players: int
    actor: int
    """The seat that decides; -1 when the game is over."""
    journal: list[JournalEntry] | None
    """None: nothing is written. A list: what happens is appended, as entries for `Game.event_of`."""

    def legal(self) -> Sequence[int]:
        """All legal actions, in table order, without duplicates; never empty before the end. Not to be changed."""

    def apply(self, action: int) -> None:
        """Play one of `legal()`. Nothing is checked: what an illegal action does is undefined."""

    def copy(self) -> Self:
        """An independent state; its journal is None."""

    def is_over(self) -> bool:
        """Whether the game has ended (`scores`, `standing` and `reason` are final)."""

    def scores(self) -> list[int]:
        """Points per seat."""

    def standing(self) -> list[tuple[int, ...]]:
        """Per seat what it is ranked by, tie-breaks included; higher is better."""

    def reason(self) -> str:
        """The game's word for why it ended; empty before."""


class Event(msgspec.Struct, omit_defaults=True, frozen=True):
    """Something that happened, as a bot hears of it. Which fields are there depends on `event`.

    `event` is `action` (a seat's action), `points` (points a seat scored, and what for), `drew` (cards that a seat
    drew: the seat itself hears which, the others how many), or a game's own word (see the game's page).
    """

    event: str
    seat: int | None = None
    action: str | None = None
    points: int | None = None
    count: int | None = None
    cards: list[str] | None = None
    what: str | None = None
