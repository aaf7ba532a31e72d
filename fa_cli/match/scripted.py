"""Scripts: the recorded answers of each seat, with which a game is played again, whole or up to where it stopped."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ..game_result import Failure, Fault, FaultKind
from ..games.contract import State
from ..games.game import Game
from ..protocol.messages import End, Json, Start
from ..replay.record import fault_detail
from .player import InProcessPlayer, Player

AnswerOrFailure = str | Failure


class Script(msgspec.Struct):
    """The recorded answers of one seat."""

    answers: deque[AnswerOrFailure]
    """One for each decision that its bot was asked; a failure can only be the last."""
    at_start: Failure | None = None
    """The failure of its bot before its first decision, if there was one."""
    spent: float = 0.0
    """The seconds that the answers took, if known."""


def scripts_of(
    game: Game, state: State, actions: Sequence[str], faults: Sequence[Fault], meta: Mapping[str, Any]
) -> list[Script]:
    """A script for each seat of a recorded game.

    `state` is the state after the deal, and is changed. The actions must be legal. `meta` is the record's, whose
    `fault_details` describe the failures.
    """
    scripts = [Script(deque()) for _ in range(state.players)]
    first = {fault.seat: fault for fault in reversed(faults)}
    failures = {seat: Failure(fault.kind, fault_detail(meta, fault) or "failed") for seat, fault in first.items()}
    for seat, fault in first.items():
        if fault.kind is FaultKind.START and not fault.ply:  # later it is that of a bot that took the seat over
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
        state.apply(game.action_numbers[action])
    return scripts


class ResumedPlayer:
    """A player that answers from a script first, and then by itself.

    The events of the scripted part are passed on with the first decision of its own. A player that can't start fails at
    that decision. All else is the player's own.
    """

    wants_legal: bool
    wants_observation: bool
    wants_events: bool
    stderr_tail: str
    fail: Callable[[Failure], Failure]
    end: Callable[[End], None]
    close: Callable[[], object]

    def __init__(self, player: Player, script: Script) -> None:
        self._player = player
        self._script = script
        self._missed_events: list[bytes] = []
        self._scripted = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._player, name)

    @property
    def asked(self) -> int:
        """The number of decisions in this game, including the scripted ones."""
        return self._scripted + self._player.asked

    @property
    def spent(self) -> float:
        """The seconds that these decisions took."""
        return self._script.spent + self._player.spent

    def start(self, message: Start) -> Failure | None:
        failure = self._script.at_start or self._player.start(message)
        if not (failure and self._script.answers):
            return failure
        self._script.answers.append(failure)
        return None

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> AnswerOrFailure:
        if events is not None:
            self._missed_events.append(events[1:-1])
            events = b"[%b]" % b",".join(filter(None, self._missed_events))
        if self._script.answers:
            self._scripted += 1
            answer = self._script.answers.popleft()
            return self.fail(answer) if isinstance(answer, Failure) else answer
        self._missed_events = []
        return self._player.decide(observation, legal, events)


class ScriptedPlayer(InProcessPlayer):
    """A player that answers from its script to the end."""

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script

    def start(self, message: Start) -> Failure | None:
        return self._script.at_start

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> AnswerOrFailure:
        self.asked += 1
        return self._script.answers.popleft()
