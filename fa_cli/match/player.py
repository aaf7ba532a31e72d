"""Players: what the referee asks of a seat. Bots' sessions, people, scripts, dice and the house bot are players."""

from __future__ import annotations

import random
from typing import Protocol

from msgspec import UNSET

from ..protocol.messages import End, Start
from ..protocol.session import EventsJSON, LegalActions, ObservationJSON
from ..results import Failure


class Player(Protocol):
    """What the referee needs of a seat. Nothing here raises for what a bot does: that is a `Failure`."""

    @property
    def wants_legal(self) -> bool:
        """Whether `decide` is to get the legal actions."""

    @property
    def wants_observation(self) -> bool:
        """Whether `decide` is to get the observation."""

    @property
    def wants_events(self) -> bool:
        """Whether `decide` and `end` are to get the events."""

    @property
    def asked(self) -> int:
        """Decisions put to it in this game."""

    @property
    def spent(self) -> float:
        """Seconds that they took."""

    @property
    def stderr_tail(self) -> str:
        """The last that its process wrote to stderr; empty without a process."""

    def start(self, message: Start) -> Failure | None:
        """Begin a game."""

    def decide(
        self, observation: ObservationJSON = UNSET, legal: LegalActions = UNSET, events: EventsJSON = UNSET
    ) -> str | Failure:
        """Its action; UNSET is for what it does not want."""

    def fail(self, failure: Failure) -> Failure:
        """End its part in the game; returns the failure."""

    def end(self, message: End) -> None:
        """Show it how the game ended."""

    def close(self) -> object:
        """It plays no more."""


class InProcessPlayer:
    """A player without a process: what those have in common that decide in this process."""

    wants_legal = False
    wants_observation = False
    wants_events = False
    stderr_tail = ""

    def __init__(self) -> None:
        self.asked = 0
        self.spent = 0.0

    def start(self, message: Start) -> Failure | None:
        """Begin a game."""
        return None

    def fail(self, failure: Failure) -> Failure:
        """Nothing is to be stopped."""
        return failure

    def end(self, message: End) -> None:
        """It needs no end."""

    def close(self) -> None:
        """Nothing is open."""


class RandomPlayer(InProcessPlayer):
    """Chooses by the game's `bot_seed` among the legal actions."""

    wants_legal = True

    def __init__(self) -> None:
        super().__init__()
        self._choices = random.Random()

    def start(self, message: Start) -> Failure | None:
        """Begin a game."""
        self._choices.seed(message.bot_seed)
        return None

    def decide(
        self, observation: ObservationJSON = UNSET, legal: LegalActions = UNSET, events: EventsJSON = UNSET
    ) -> str | Failure:
        """One of the legal actions."""
        assert legal is not UNSET
        return self._choices.choice(legal)
