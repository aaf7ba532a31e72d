"""A tournament at this moment, by its files alone: nothing is written or locked, so a run is not disturbed."""

from __future__ import annotations

import enum
import time
from itertools import islice
from typing import NamedTuple

import msgspec

from ..games import find_game
from ..games.game import Game
from ..games.seed import Seed
from ..leaderboard.labels import describe_variant
from ..leaderboard.leaderboards import LogFollower
from ..leaderboard.standings import Leaderboard
from ..printing.text import printable
from ..replay.log_file import read_from
from ..replay.record import seat_names
from ..stats.faults import FaultRow
from .definition import Definition, Setting, TournamentPaths, load
from .pairing.seating import block_size
from .proof.audit import check_is_own
from .request import Duplicate
from .running.run import schedule_from_log
from .running.run_status import GameInProgress, RunStatus, read_status


class State(enum.Enum):
    """Whether a tournament is being played."""

    NOT_BEGUN = "not begun"
    RUNNING = "running"
    STOPPING = "stopping"
    """Only the games in progress are played to their end."""
    STOPPED = "stopped"
    LOST = "lost"
    """Its run neither ended nor gives a sign of life: it was killed or paused."""
    FINISHED = "finished"


class LiveGame(msgspec.Struct, frozen=True):
    """A game in progress."""

    game: int
    """The record that it will be, from 1."""
    seconds: float
    """The time for which it has been played, in seconds."""
    variant: str
    """The game, its options and the number of players."""
    bots: list[str]
    """The names of the bots by seat, fit for a terminal."""
    can_be_watched: bool
    """Whether the run tells its actions."""
    is_open: bool = True
    """Whether everybody may watch it: nobody else plays its deal, or nobody can help a bot."""


class WatchedGame(NamedTuple):
    """A game in progress with its actions so far."""

    game: Game
    options: msgspec.Struct
    names: list[str]
    seed: Seed
    actions: list[int]
    """The numbers of the actions."""
    is_open: bool = True
    """Whether everybody may watch it: nobody else plays its deal, or nobody can help a bot."""


class Snapshot(msgspec.Struct, frozen=True):
    """A tournament at one moment."""

    name: str
    state: State
    done: int
    """Games in the log."""
    games: int
    """Games planned, as known now."""
    rate: float | None
    """Games per second in this run; None if none is known to run or no game has ended yet."""
    silence: float
    """Seconds since the last sign of life of a lost run; else 0."""
    playing: list[LiveGame]
    standings: Leaderboard
    faults: list[FaultRow]
    waits_for_beacon: bool = False
    """Whether the public random value is not there that its deals follow from."""
    evidence: str = ""
    """How near the test of two bots is to a decision, in words; empty unless a run tells it."""

    @property
    def seconds_left(self) -> float | None:
        """The time until the last game at this rate; None if unknown."""
        return max(0, self.games - self.done) / self.rate if self.rate else None


class LiveTournament:
    """Follows a tournament; each look reads only what is new."""

    def __init__(self, paths: TournamentPaths) -> None:
        self._paths = paths
        self._follower = LogFollower(paths.log)
        self._ends: dict[int, bool] = {}
        """Whether the tournament is over, by the number of games in the log."""

    def look(self) -> Snapshot:
        """The tournament as of now.

        Raises UsageError if there is none, LogError if its files can't be read or its log is that of another one.
        """
        definition = load(self._paths.definition)
        status = read_status(self._paths.status)  # before the log, which is then at least as new
        check_is_own(definition, self._paths.log)
        standings, faults = self._follower.read()
        standings.mark_stopped(definition.bots_compared)
        now = time.time()
        state = self._state(definition, status, standings.games, now)
        alive = status if state in (State.RUNNING, State.STOPPING) else None
        return Snapshot(
            name=definition.name,
            state=state,
            done=standings.games,
            games=max(standings.games, status.games if status else definition.games),
            rate=alive.rate(standings.games, now) or None if alive else None,
            silence=max(0.0, now - status.updated) if status and state is State.LOST else 0.0,
            playing=[
                LiveGame(
                    game.index + 1,
                    max(0.0, now - game.since),
                    describe_variant(setting.game, setting.options, setting.players),
                    [printable(definition.bots[bot].name) for bot in game.seats],
                    game.actions is not None,
                    _is_open(definition, setting),
                )
                for game in (alive.playing if alive else ())
                if game.index >= standings.games and _is_of(definition, game)
                for setting in [definition.settings[game.setting]]
            ],
            standings=standings,
            faults=[row for row in faults if row.faults or row.suspended],
            waits_for_beacon=definition.beacon is not None and not definition.beacon.signature,
            evidence=alive.evidence if alive else "",
        )

    def _state(self, definition: Definition, status: RunStatus | None, done: int, now: float) -> State:
        if status and status.is_alive(now):
            return State.STOPPING if status.stopping else State.RUNNING
        if status:
            return State.LOST
        if self._is_over(definition, done):
            return State.FINISHED
        return State.STOPPED if done else State.NOT_BEGUN

    def _is_over(self, definition: Definition, done: int) -> bool:
        """Whether no game is left; the whole log is read only if that depends on results, once for each length."""
        if not (definition.stopping_rule or definition.format_spec.fixes_game_count):
            return done >= definition.games
        if done not in self._ends:
            self._ends = {done: schedule_from_log(definition, self._paths.log).is_over}
        return self._ends[done]


def _is_of(definition: Definition, game: GameInProgress) -> bool:
    """Whether it can be a game of this tournament: a new definition may have the name of an old run."""
    return game.setting < len(definition.settings) and max(game.seats, default=0) < len(definition.bots)


def watched_game(paths: TournamentPaths, number: int) -> WatchedGame | None:
    """The game that will be this record, from 1; None if it isn't being played, or can't be watched.

    Raises UsageError if there is no such tournament.
    """
    status = read_status(paths.status)
    found = [game for game in status.playing if game.index == number - 1] if status else []
    definition = load(paths.definition)
    if not found or found[0].actions is None or not _is_of(definition, found[0]):
        return None
    setting, names = definition.settings[found[0].setting], [definition.bots[bot].name for bot in found[0].seats]
    game, seed = find_game(setting.game), definition.deal_seed.of_game(found[0].number)
    is_open, options = _is_open(definition, setting), game.make_options(setting.options)
    return WatchedGame(game, options, seat_names(names), seed, found[0].actions, is_open)


def _is_open(definition: Definition, setting: Setting) -> bool:
    """Whether whoever sees a game of this setting can't help a bot with it that plays the same deal."""
    return definition.duplicate_of(setting) is Duplicate.OFF or definition.bots_are_cut_off


def others_await(paths: TournamentPaths, number: int) -> bool:
    """Whether others may have yet to play the deal of this record, from 1, if the tournament is not over.

    Only of bots that somebody could tell of it.

    Raises UsageError if there is no such tournament, LogError.
    """
    definition = load(paths.definition)
    shared = [setting for setting in definition.settings if not _is_open(definition, setting)]
    size = max((block_size(definition.duplicate_of(setting), setting.players) for setting in shared), default=1)
    around = islice(read_from(paths.log, max(0, number - size)), 2 * size - 1) if paths.log.exists() else ()
    numbers = {entry.index: entry.number for entry, _ in around}
    own = numbers.get(number - 1)
    return own is not None and list(numbers.values()).count(own) < size and numbers[max(numbers)] == own
