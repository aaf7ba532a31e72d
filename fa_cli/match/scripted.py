"""Scripts: the recorded answers of each seat, with which a game is played again, whole or up to where it stopped."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
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


class ResumedPlayer:
    """A player that answers from a script first, and then by itself.

    The events of the scripted part are passed on with the first decision of its own.
    """

    def __init__(self, player: Player, script: Script) -> None:
        self._player = player
        self._script = script
        self._missed_events: list[bytes] = []
        self._scripted = 0

    @property
    def wants_legal(self) -> bool:
        """The value of the player itself."""
        return self._player.wants_legal

    @property
    def wants_observation(self) -> bool:
        """The value of the player itself."""
        return self._player.wants_observation

    @property
    def wants_events(self) -> bool:
        """The value of the player itself."""
        return self._player.wants_events

    @property
    def asked(self) -> int:
        """The number of decisions in this game, including the scripted ones."""
        return self._scripted + self._player.asked

    @property
    def spent(self) -> float:
        """The seconds that its own decisions took."""
        return self._player.spent

    @property
    def stderr_tail(self) -> str:
        """The value of the player itself."""
        return self._player.stderr_tail

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        return self._script.at_start or self._player.start(message)

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> AnswerOrFailure:
        """The script's next answer; after its end the player's own."""
        if events is not None:
            self._missed_events.append(events[1:-1])
            events = b"[%b]" % b",".join(filter(None, self._missed_events))
        if self._script.answers:
            self._scripted += 1
            answer = self._script.answers.popleft()
            return self.fail(answer) if isinstance(answer, Failure) else answer
        self._missed_events = []
        return self._player.decide(observation, legal, events)

    def fail(self, failure: Failure) -> Failure:
        """End its part in the game; returns the failure."""
        return self._player.fail(failure)

    def end(self, message: End) -> None:
        """Report how the game ended."""
        self._player.end(message)

    def close(self) -> object:
        """Close the player."""
        return self._player.close()


class ScriptedPlayer(InProcessPlayer):
    """A player that answers from its script to the end."""

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script

    def start(self, message: Start) -> Failure | None:
        """Begin the game."""
        return self._script.at_start

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> AnswerOrFailure:
        """The script's next answer."""
        self.asked += 1
        return self._script.answers.popleft()
