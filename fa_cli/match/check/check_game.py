"""One game of `fa bot check`, which ends at the first fault or after enough time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from threading import Event
from time import monotonic

import msgspec

from ...game_result import Fault
from ...games.contract import State
from ...games.game import Game
from ...games.option_words import named_values
from ...games.seed import Seed
from ...protocol.messages import Clock
from ...replay.record import seat_names
from ..player import Player, RandomPlayer
from ..recording import RecordingSession
from ..referee import play

_SEED = Seed.from_text("fa bot check")
_MIN_ACTIONS = 20  # played however long they take


class TrialFailed(Exception):
    """A check failed; has the reason, the dialogue and the end of the bot's stderr."""

    def __init__(self, reason: str, session: RecordingSession) -> None:
        super().__init__(reason)
        session.stop()
        self.dialogue = list(session.dialogue.lines)
        self.stderr = session.stderr_tail


class NotRepeated(TrialFailed):
    """The bot chose another action in the same game. Allowed, so only a warning."""


class TrialGame(msgspec.Struct, frozen=True):
    """A game played for a check."""

    actions: list[str]
    is_whole: bool
    """Whether it was played to its end."""


class _Enough(Exception):
    """Ends the game before its end."""


class _TrialObserver:
    """An observer that ends the game after a fault, after some seconds, or when told to give up."""

    def __init__(self, where: str, players: Sequence[Player], seconds: float | None, give_up: Event | None) -> None:
        self._where = where
        self._players = players
        self._seconds = seconds
        self._give_up = give_up
        self._start = 0.0
        self._plies = 0

    def dealt(self, state: State) -> None:
        """Do nothing."""

    def played(self) -> None:
        """An action was applied. Raises _Enough."""
        self._plies += 1
        if self._plies == 1:
            self._start = monotonic()  # all bots have started by now
        if self._give_up and self._give_up.is_set():
            raise _Enough
        if self._seconds is not None and self._plies >= _MIN_ACTIONS and monotonic() > self._start + self._seconds:
            raise _Enough

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A bot is out of the game. Raises TrialFailed."""
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
    """Play game `number` of a check: a single subject against dice, or several subjects in all seats.

    The game ends after `seconds` (but not before its first 20 actions), or when `give_up` is set. Raises TrialFailed at
    the first fault.
    """
    options, players, seat = _settings(game, number)
    if len(subjects) > 1:
        players, seat = len(subjects), 0
    seated: list[Player] = [RandomPlayer() for _ in range(players)]
    names = ["dice"] * players
    after = seat + len(subjects)
    seated[seat:after], names[seat:after] = subjects, [subject.bot.name for subject in subjects]
    observer = _TrialObserver(f"game {number + 1} of {game.name}", seated, seconds, give_up)
    actions, is_whole, seed = list[int](), False, _SEED.of_game(number)
    with suppress(_Enough):
        play(game, options, seated, seat_names(names), seed, clock, observer=observer, actions=actions)
        is_whole = True
    return TrialGame([game.actions[action] for action in actions], is_whole)


def _settings(game: Game, number: int) -> tuple[msgspec.Struct, int, int]:
    """The options, number of players and seat of the bot in game `number`; all of them come in turn.

    Options: all combinations of those that have a fixed set of values.
    """
    names = game.options.__struct_fields__
    values_of = {name: values for name in names if (values := named_values(game.options, name))}
    combinations = [dict(zip(values_of, values, strict=True)) for values in itertools.product(*values_of.values())]
    options = combinations[(number + number // len(combinations)) % len(combinations)]
    players = game.players[number % len(game.players)]
    return game.make_options(options), players, number // 2 % players
