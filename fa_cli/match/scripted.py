"""What the seats of a game answered, so that the game can be played again: whole, or as far as it came."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from ..games.contract import State
from ..games.game import Game
from ..protocol.messages import End, Start
from ..protocol.session import EventsJSON, LegalActions, ObservationJSON
from ..replay.record import fault_detail
from ..results import Failure, Fault, FaultKind
from .player import InProcessPlayer, Player

AnswerOrFailure = str | Failure


class Script(msgspec.Struct):
    """One seat's part in a game."""

    answers: deque[AnswerOrFailure]
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
        state.apply(game.action_numbers[action])
    return scripts


class Scripted:
    """A player that first answers by its script; what it hears meanwhile comes with its first own decision."""

    def __init__(self, player: Player, script: Script) -> None:
        self._player = player
        self._script = script
        self._missed: list[Any] = []
        self._scripted = 0

    @property
    def wants_legal(self) -> bool:
        """As the player itself."""
        return self._player.wants_legal

    @property
    def wants_observation(self) -> bool:
        """As the player itself."""
        return self._player.wants_observation

    @property
    def wants_events(self) -> bool:
        """As the player itself."""
        return self._player.wants_events

    @property
    def asked(self) -> int:
        """Decisions in this game, those of the script too."""
        return self._scripted + self._player.asked

    @property
    def spent(self) -> float:
        """Seconds that its own decisions took."""
        return self._player.spent

    @property
    def stderr_tail(self) -> str:
        """As the player itself."""
        return self._player.stderr_tail

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        return self._script.at_start or self._player.start(message)

    def decide(
        self, observation: ObservationJSON = UNSET, legal: LegalActions = UNSET, events: EventsJSON = UNSET
    ) -> AnswerOrFailure:
        """The script's answer; after its end the player's own."""
        if events is not UNSET:
            events = self._missed = [*self._missed, *events]
        if self._script.answers:
            self._scripted += 1
            answer = self._script.answers.popleft()
            return self.fail(answer) if isinstance(answer, Failure) else answer
        self._missed = []
        return self._player.decide(observation, legal, events)

    def fail(self, failure: Failure) -> Failure:
        """End its part in the game; returns the failure."""
        return self._player.fail(failure)

    def end(self, message: End) -> None:
        """Show it how the game ended."""
        self._player.end(message)

    def close(self) -> object:
        """It plays no more."""
        return self._player.close()


class ScriptedPlayer(InProcessPlayer):
    """A seat that is played by its script to the end."""

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        return self._script.at_start

    def decide(
        self, observation: ObservationJSON = UNSET, legal: LegalActions = UNSET, events: EventsJSON = UNSET
    ) -> AnswerOrFailure:
        """The script's answer."""
        self.asked += 1
        return self._script.answers.popleft()
