"""The numbered checks of `fa bot check`, with which authors test that their bot follows the protocol.

The bot plays against dice, and against itself at the largest table to see whether its processes disturb each other.
Games are played on all cores. Checks that need one more game of each kind stop it after two seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from functools import partial
from threading import Event
from time import monotonic, sleep
from typing import Annotated

import msgspec

from ...errors import UnknownGame, UsageError
from ...games import GAMES, find_game
from ...games.game import Game
from ...isolation.discovery import Bot
from ...isolation.limits import Limits
from ...isolation.transport.remote import is_remote
from ...printing.columns import KEY, ON_REQUEST, number, text
from ...printing.text import counted, listed
from ...protocol.messages import Clock
from ...system import cores
from ..recording import RecordingSession
from .check_game import NotRepeated, TrialFailed, TrialGame, try_game
from .lanes import run_on_lanes

GAMES_EACH = 10
_ENOUGH = 2.0  # seconds after which the additional game of a slow bot is cut short
_STILL = 0.25  # seconds to wait for unsolicited output
_SLOW = 0.5  # a bot that needs more of the clock may be too slow elsewhere: waits for a core are left out here


class Check(msgspec.Struct, frozen=True):
    """A check and its result."""

    number: Annotated[int, number("no.", "the check's number", importance=KEY)]
    what: Annotated[str, text("what", "the requirement", folds=True)]
    passed: Annotated[
        bool, text("passed", "whether the bot meets the requirement", lambda passed: "yes" if passed else "no")
    ]
    warning: Annotated[
        bool,
        text("warning", "not passed, but allowed: does not affect the exit code", lambda warns: "yes" if warns else ""),
    ]
    found: Annotated[str, text("found", "what was observed, in a sentence", folds=True)]
    dialogue: Annotated[
        list[str],
        text(
            "dialogue",
            "list: after a failure the lines to (`>`) and from (`<`) the bot since its process or the game began",
            " ".join,
            folds=True,
            importance=ON_REQUEST,
        ),
    ]
    stderr: Annotated[str, text("stderr", "the end of the bot's stderr", folds=True, importance=ON_REQUEST)]
    seconds: Annotated[float, number("seconds", "the time that the check took, in seconds", 1, importance=3)]


_Test = tuple[str, Callable[[], str]]
"""A requirement, and its check: it returns what the bot did, or raises TrialFailed."""


def check_bot(
    bot: Bot,
    limits: Limits,
    clock: Clock,
    games_each: int = GAMES_EACH,
    skip: Collection[int] = (),
    game: str | None = None,
) -> Iterator[Check]:
    """Run the checks in order, except those with a number in `skip`; if the first one fails, only that.

    The bot plays `games_each` games of `game`, by default of every game that it claims to play. Raises UsageError if
    it does not claim to play `game`.
    """
    subject = _Subject(bot, limits, clock, games_each, game)
    try:
        first = _check(1, ("starts and answers `hello` in time", subject.starts))
        yield first
        if first.passed:
            for number, test in enumerate(subject.tests(), 2):
                if number not in skip:
                    yield _check(number, test)
    finally:
        subject.close()


def _check(number: int, test: _Test) -> Check:
    start = monotonic()
    warning, (what, run) = False, test
    try:
        found, passed, dialogue, stderr = run(), True, [], ""
    except TrialFailed as failed:
        found, passed, dialogue, stderr = str(failed), False, failed.dialogue, failed.stderr
        warning = isinstance(failed, NotRepeated)
    return Check(number, what, passed, warning, found, dialogue, stderr, monotonic() - start)


class _Subject:
    """The bot that is checked, with the sessions that play its games."""

    def __init__(self, bot: Bot, limits: Limits, clock: Clock, games_each: int, game: str | None) -> None:
        self._bot = bot
        self._limits = limits
        self._clock = clock
        self._games_each = games_each
        self._game = game
        self._interrupted = Event()
        self._games: list[Game] = []
        threads = min(games_each, max(1, cores() // max(1, bot.threads)))
        self._players = [self._new_session() for _ in range(threads)]  # each plays one game after another
        for player in self._players:
            player.on_restart = partial(self._note_restart, player)
        self._last: dict[str, tuple[TrialGame, bool]] = {}  # by game: its last one, and if it was its process's first
        self._tried: set[str] = set()  # the games that the bot has played, or failed to play
        self._unsolicited: TrialFailed | None = None  # the first unsolicited output after a game
        self._restart: TrialFailed | None = None  # why a process was first replaced at a later `start`

    def close(self) -> None:
        """Close the sessions that play."""
        for player in self._players:
            player.close()

    def tests(self) -> Iterator[_Test]:
        """All checks except the first, which finds the games that the bot plays."""
        yield "starts again, and twice at a time", self.starts_again
        for game in self._games:
            yield f"plays {counted(self._games_each, 'game')} of {game.name}", partial(self.plays, game)
        yield "answers within the clock", self.keeps_the_clock
        yield "ignores fields that it does not know", self.ignores_unknown
        yield "plays the same game again when `bot_seed` is the same", self.repeats_itself
        yield "plays against itself", self.plays_itself
        yield "runs on, and writes nothing to stdout that was not asked for", self.keeps_still
        if not is_remote(self._bot.path):  # whose end nobody sees here
            yield "exits on `quit`, and at the end of its input", self.exits

    def _new_session(self, adds_unknown: bool = False) -> RecordingSession:
        return RecordingSession(self._bot, self._limits, adds_unknown, self._interrupted)

    # -- the checks ------------------------------------------------------------------------------------------------

    def starts(self) -> str:
        player = self._players[0]
        _greet(player)
        self._games = self._claimed_games(player)
        names = ", ".join(game.name for game in self._games)
        ready = f"ready after {player.answer_seconds:.2f} of {counted(self._limits.start, 'second')}"
        return f"{ready}; plays {names}; digest {self._bot.digest}"

    def starts_again(self) -> str:
        try:
            for _ in range(2):
                with closing(self._new_session()) as second:
                    _greet(second)
        except TrialFailed:
            del self._players[1:]  # so that the other checks do not fail for the same reason
            raise
        return "beside the first process and after another has ended"

    def plays(self, game: Game) -> str:
        decisions = [0] * self._games_each

        def job(number: int, thread: int, give_up: Event) -> None:
            player = self._players[thread]
            decisions[number] = len(self._play(game, number, player, give_up).actions)
            if number + len(self._players) >= self._games_each:  # the last game of its thread
                self._note_unsolicited(player, _STILL)

        run_on_lanes(
            [partial(job, number) for number in range(self._games_each)], len(self._players), self._interrupted
        )
        return f"no fault in {sum(decisions):,} decisions, its opponents' included"

    def keeps_the_clock(self) -> str:
        self._play_untried()
        slowest_player = max(self._players, key=lambda player: player.dialogue.slowest)
        slowest, limit = slowest_player.dialogue.slowest, self._clock.move_ms / 1000
        total = sum(player.dialogue.total for player in self._players)
        mean = 1000 * total / max(1, sum(player.dialogue.decisions for player in self._players))
        times = f"slowest {1000 * slowest:.1f} ms, mean {mean:.1f} ms, allowed {self._clock.move_ms} ms"
        if slowest >= limit + self._clock.bank_ms / 1000:
            raise TrialFailed(f"it was too slow: {times}", slowest_player)
        return times + ("; on a slower or less busy machine it could be too slow" if slowest > _SLOW * limit else "")

    def ignores_unknown(self) -> str:
        def one_game(game: Game, give_up: Event) -> TrialGame:
            with closing(self._new_session(adds_unknown=True)) as session:
                return try_game(game, 0, [session], self._clock, _ENOUGH, give_up)

        return self._play_each(one_game, " with more fields in every message")

    def repeats_itself(self) -> str:
        for game in self._games:
            if game.name not in self._last:
                self._play_last(game)

        def in_new_process(game: Game, give_up: Event) -> TrialGame:
            with closing(self._new_session()) as session:
                return self._repeat(game, "a new process", session, give_up)

        summary = self._play_each(in_new_process, ", in a new process and in one that had played before")
        for game in self._games:
            if self._last[game.name][1]:
                self._repeat(game, "one that had played before", self._players[0])
        return summary

    def plays_itself(self) -> str:
        def one_game(game: Game, give_up: Event) -> TrialGame:
            sessions = [self._new_session() for _ in range(game.players[-1])]
            try:
                return try_game(game, 0, sessions, self._clock, _ENOUGH, give_up)
            finally:
                for session in sessions:
                    session.close()

        return self._play_each(one_game, ", all its seats at once")

    def keeps_still(self) -> str:
        with closing(self._new_session()) as session:
            _greet(session)
            sleep(_STILL)
            output = session.unsolicited_output()
            if output:
                raise TrialFailed(f"after `hello` it {output}", session)
        self._play_untried()
        if failure := self._unsolicited or self._restart:  # output may be seen only at the `start`
            raise failure
        return "after `hello` and after each `end`"

    def exits(self) -> str:
        for signal in ("`quit`", "the end of its input"):
            session = self._new_session()
            _greet(session)
            exit_text = session.close() if signal == "`quit`" else session.end_input()
            if exit_text != "exited with status 0":
                problem = exit_text or f"did not exit within {counted(self._limits.end, 'second')}"
                raise TrialFailed(f"after {signal} it {problem}", session)
        return "with status 0"

    # -- helpers -----------------------------------------------------------------------------------------------------

    def _claimed_games(self, player: RecordingSession) -> list[Game]:
        names = player.ready.games or self._bot.games
        try:
            claimed = [find_game(name) for name in dict.fromkeys(names)] if names else list(GAMES)
        except UnknownGame as error:
            raise TrialFailed(f"it claims to play an unknown game: {error}", player) from None
        games = [game for game in claimed if self._game in (None, game.name)]
        if not games:
            raise UsageError(f"{self._bot.name} plays {listed(names)}, and not {self._game}")
        return games

    def _play(self, game: Game, number: int, player: RecordingSession, give_up: Event | None = None) -> TrialGame:
        """Play a whole game with one of the sessions that play many."""
        self._note_unsolicited(player)
        self._tried.add(game.name)
        is_first = player.dialogue.decisions == 0
        trial = try_game(game, number, [player], self._clock, give_up=give_up)
        if number == self._games_each - 1:
            self._last[game.name] = trial, is_first
        return trial

    def _play_untried(self) -> None:
        """Play the last game of each kind that was not played because checks are skipped."""
        for game in self._games:
            if game.name not in self._tried:
                self._play_last(game)

    def _play_last(self, game: Game) -> None:
        """Play the last game if the check that plays all of them is skipped."""
        self._play(game, self._games_each - 1, self._players[0])
        self._note_unsolicited(self._players[0], _STILL)

    def _note_unsolicited(self, player: RecordingSession, seconds: float = 0.0) -> None:
        """Keep unsolicited output after a game for the check that is about it."""
        sleep(seconds)
        output = player.unsolicited_output()
        if output:
            self._unsolicited = self._unsolicited or TrialFailed(f"after `end` it {output}", player)
            player.stop()

    def _note_restart(self, player: RecordingSession, detail: str) -> None:
        """Keep for the same check that a process was replaced after a game, which is no fault in a tournament."""
        if player.dialogue.decisions:
            restart = f"at the `start` after a game it {detail}, so it was started again"
            self._restart = self._restart or TrialFailed(restart, player)

    def _repeat(self, game: Game, who: str, session: RecordingSession, give_up: Event | None = None) -> TrialGame:
        """Play the last game again; raises NotRepeated if its actions are not the same as far as it is played."""
        first_trial, _ = self._last[game.name]
        trial = try_game(game, self._games_each - 1, [session], self._clock, _ENOUGH, give_up)
        for ply, (first, second) in enumerate(zip(first_trial.actions, trial.actions, strict=False)):
            if first != second:
                raise NotRepeated(
                    f"{game.name}: at ply {ply} {who} chose {second!r}, where it was {first!r} the first time; "
                    "tournaments with it cannot be repeated: take all randomness from `bot_seed` "
                    "(in Python: generator(start)) and keep nothing from earlier games",
                    session,
                )
        return trial

    def _play_each(self, one_game: Callable[[Game, Event], TrialGame], how: str) -> str:
        """Play one game of each kind, several at a time; returns how many decisions they had."""
        trials: list[TrialGame] = []

        def job(game: Game, thread: int, give_up: Event) -> None:
            trials.append(one_game(game, give_up))

        run_on_lanes([partial(job, game) for game in self._games], len(self._players), self._interrupted)
        decisions = counted(sum(len(trial.actions) for trial in trials), "decision")
        is_whole = all(trial.is_whole for trial in trials)
        return f"{decisions} of a game of each{how}{'' if is_whole else f'; it is slow: cut short after {_ENOUGH:g} s'}"


def _greet(session: RecordingSession) -> None:
    failure = session.greet()
    if failure:
        raise TrialFailed(f"it {failure.detail}", session)
