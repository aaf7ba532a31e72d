"""Players: the referee's view of a seat. Bot sessions, people, scripts, dice and the house bot are players."""

from __future__ import annotations

import random
from typing import Protocol

import msgspec

from ..game_result import Failure
from ..protocol.messages import End, Json, Start


class Player(Protocol):
    """What the referee needs of a seat. Whatever a bot does wrong is a `Failure`, never an exception."""

    wants_legal: bool
    """Whether `decide` needs the legal actions."""
    wants_observation: bool
    """Whether `decide` needs the observation."""
    wants_events: bool
    """Whether `decide` and `end` need the events."""

    @property
    def asked(self) -> int:
        """The number of decisions asked of it in this game."""

    @property
    def spent(self) -> float:
        """The seconds that these decisions took."""

    @property
    def stderr_tail(self) -> str:
        """The end of its process's stderr; empty without a process."""

    def start(self, message: Start) -> Failure | None:
        """Begin a game."""

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> str | Failure:
        """Choose an action. Arguments are JSON, as in the protocol; None if the player does not need them."""

    def fail(self, failure: Failure) -> Failure:
        """End its part in the game; returns the failure."""

    def end(self, message: End) -> None:
        """Report how the game ended."""

    def close(self) -> object:
        """Release what it holds; it plays no more games."""


read_texts = msgspec.json.Decoder(list[str]).decode
"""Decode legal actions."""


class InProcessPlayer:
    """The base of players that decide in this process."""

    wants_legal = False
    wants_observation = False
    wants_events = False
    stderr_tail = ""

    def __init__(self) -> None:
        self.asked = 0
        self.spent = 0.0

    def start(self, message: Start) -> Failure | None:
        return None

    def fail(self, failure: Failure) -> Failure:
        """Return the failure; there is no process to stop."""
        return failure

    def end(self, message: End) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class RandomPlayer(InProcessPlayer):
    """Dice: chooses among the legal actions at random, seeded with the game's `bot_seed`."""

    wants_legal = True

    def __init__(self) -> None:
        super().__init__()
        self._choices = random.Random()

    def start(self, message: Start) -> Failure | None:
        self._choices.seed(message.bot_seed)
        return None

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> str | Failure:
        assert legal is not None
        return self._choices.choice(read_texts(legal))
