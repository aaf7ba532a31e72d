"""What the seats of a game answered, so that the game can be played again: whole, or as far as it came."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ..games.core import Game, State
from ..protocol.bots import Bot
from ..protocol.channel import Failure
from ..protocol.messages import Start
from ..protocol.session import Session
from ..replay.record import fault_detail
from ..results import Fault, FaultKind

Answer = str | Failure


class Script(msgspec.Struct):
    """One seat's part in a game."""

    answers: deque[Answer]
    """To each decision that was put to its bot; a failure is the last."""
    at_start: Failure | None = None
    """Its bot failed before the first one."""


def scripts_of(
    game: Game, state: State, actions: Sequence[str], faults: Sequence[Fault], meta: Mapping[str, Any]
) -> list[Script]:
    """A script for each seat; the state, as it was dealt, is played on. The actions have to be legal.

    `meta` is that of the record: its `fault_details` say in words what failed.
    """
    scripts = [Script(deque()) for _ in range(state.players)]
    first = {fault.seat: fault for fault in reversed(faults)}
    failures = {seat: Failure(fault.kind, fault_detail(meta, fault) or "failed") for seat, fault in first.items()}
    for seat, fault in first.items():
        if fault.kind is FaultKind.START:
            scripts[seat].at_start = failures[seat]
    for ply, action in enumerate(actions):
        seat = state.actor
        if len(state.legal()) > 1:
            if seat not in first or ply < first[seat].ply:
                scripts[seat].answers.append(action)
            elif ply == first[seat].ply and not scripts[seat].at_start:
                scripts[seat].answers.append(failures[seat])
        state.apply(game.numbers[action])
    return scripts


class Actor(Session):
    """A seat that is played by its script, without a process."""

    def __init__(self, name: str, script: Script) -> None:
        super().__init__(Bot(name, "", (), ""))
        self.wants_legal = self.wants_observation = self.wants_events = False
        self._script = script

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        return self._script.at_start

    def decide(
        self,
        observation: msgspec.Struct | msgspec.Raw | UnsetType = UNSET,
        legal: Sequence[str] | UnsetType = UNSET,
        events: Sequence[Any] | UnsetType = UNSET,
    ) -> Answer:
        """What was answered."""
        return self._script.answers.popleft()
