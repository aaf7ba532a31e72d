"""A game that a bot plays for its author to see whether it can, ended at its first fault or when it was enough."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from threading import Event
from time import monotonic
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ...games.contract import ACTION, State
from ...games.game import Game
from ...games.seed import Seed
from ...protocol.messages import Clock
from ...replay.record import seat_names
from ...results import Fault
from ..player import Player, RandomPlayer
from ..recording import RecordingSession
from ..referee import play

_SEED = Seed.from_text("fa bot check")
_LEAST = 20  # actions that are played however long they take


class TrialFailed(Exception):
    """What was seen that should not be, and what was said before, with the end of the bot's stderr."""

    def __init__(self, found: str, session: RecordingSession) -> None:
        super().__init__(found)
        session.stop()
        self.dialogue = session.dialogue.lines()
        self.stderr = session.stderr_tail


class TrialGame(msgspec.Struct, frozen=True):
    """A game of a number, and how it went."""

    actions: list[str]
    is_whole: bool
    """Else it was ended before its end."""


class _Enough(Exception):
    """The game is not played on."""


class _TrialObserver:
    """An observer that ends the game."""

    def __init__(self, where: str, players: Sequence[Player], seconds: float | None, give_up: Event | None) -> None:
        self._where = where
        self._players = players
        self._seconds = seconds
        self._give_up = give_up
        self._began = 0.0
        self._plies = 0
        self.state: State

    def dealt(self, state: State) -> None:
        """The cards are dealt."""
        self.state = state

    def played(self) -> None:
        """An action was applied. Raises _Enough."""
        self._plies += 1
        if self._plies == 1:
            self._began = monotonic()  # when all have started
        if self._give_up and self._give_up.is_set():
            raise _Enough
        if self._seconds is not None and self._plies >= _LEAST and monotonic() > self._began + self._seconds:
            raise _Enough

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A bot is out of the game. Raises Failed."""
        session = self._players[fault.seat]
        assert isinstance(session, RecordingSession)
        where = f"{self._where}, seat {fault.seat} of {len(self._players)}, ply {fault.ply}"
        raise TrialFailed(f"{where}: {fault.kind.value}: it {detail}", session)


def try_game(
    game: Game,
    number: int,
    subjects: Sequence[RecordingSession],
    clock: Clock,
    seconds: float | None = None,
    give_up: Event | None = None,
) -> TrialGame:
    """Play the game of this number: one subject has one of its seats and dice have the others, or they have all.

    `seconds`: how long at most, but for its first actions; `give_up`: it is ended as soon as that is set. Raises Failed
    at the first fault.
    """
    options, players, seat = _settings(game, number)
    if len(subjects) > 1:
        players, seat = len(subjects), 0
    seated: list[Player] = [RandomPlayer() for _ in range(players)]
    names = ["dice"] * players
    after = seat + len(subjects)
    seated[seat:after], names[seat:after] = subjects, [subject.bot.name for subject in subjects]
    watcher = _TrialObserver(f"game {number + 1} of {game.name}", seated, seconds, give_up)
    with suppress(_Enough):
        record, _ = play(game, options, seated, seat_names(names), _SEED.of_game(number), clock, observer=watcher)
        return TrialGame(record.actions, True)
    actions = [game.actions[entry[2]] for entry in watcher.state.journal or () if entry[0] == ACTION]
    return TrialGame(actions, False)


def _settings(game: Game, number: int) -> tuple[msgspec.Struct, int, int]:
    """Options, players and the bot's seat in game `number`: all of them come in turn."""
    choices = _choices(game)
    given = choices[(number + number // len(choices)) % len(choices)]
    players = game.players[number % len(game.players)]
    return game.make_options(given), players, number // 2 % players


def _choices(game: Game) -> Sequence[dict[str, Any]]:
    """Every combination of the options that are words."""
    hints = get_type_hints(game.options)
    words = {name: get_args(kind) for name, kind in hints.items() if get_origin(kind) is Literal}
    return [dict(zip(words, values, strict=True)) for values in itertools.product(*words.values())]
