"""What the seats of a game answered, so that the game can be played again: whole, or as far as it came."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from ..games.core import Game, State
from ..protocol.bots import Bot
from ..protocol.channel import Failure
from ..protocol.limits import DEFAULT_LIMITS, Limits
from ..protocol.messages import Start
from ..protocol.session import Legal, News, Session, Shown
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
            elif not scripts[seat].answers:
                scripts[seat].at_start = failures[seat]  # before its first decision
        state.apply(game.numbers[action])
    return scripts


class Scripted(Session):
    """A session that first answers by its script; what it hears meanwhile, it hears with its first own decision."""

    def __init__(self, bot: Bot, script: Script, limits: Limits = DEFAULT_LIMITS) -> None:
        super().__init__(bot, limits)
        self._script = script
        self._missed: list[Any] = []

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        return self._script.at_start or super().start(message)

    def decide(
        self,
        observation: Shown = UNSET,
        legal: Legal = UNSET,
        events: News = UNSET,
    ) -> Answer:
        """The script's answer; after its end the bot's own."""
        if events is not UNSET:
            events = self._missed = [*self._missed, *events]
        if self._script.answers:
            self.asked += 1
            answer = self._script.answers.popleft()
            return self.fail(answer) if isinstance(answer, Failure) else answer
        self._missed = []
        return self.answer(observation, legal, events)

    def answer(
        self,
        observation: Shown,
        legal: Legal,
        events: News,
    ) -> Answer:
        """The bot's own."""
        return super().decide(observation, legal, events)


class Actor(Scripted):
    """A seat that is played by its script to the end, without a process."""

    def __init__(self, name: str, script: Script) -> None:
        super().__init__(Bot(name, "", (), ""), script)
        self.wants_legal = self.wants_observation = self.wants_events = False

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        return self._script.at_start
