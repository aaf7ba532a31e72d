"""What a bot has to be able to do, as numbered checks that its author runs: `fa bot check`.

The bot plays against dice that need no process, and where its own processes could disturb each other, against itself.
Games are played on all cores at a time; of what is checked with one more game of each, only so much as tells enough.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from threading import Event
from time import monotonic, sleep
from typing import Annotated

import msgspec

from ...columns import number, text
from ...errors import UnknownGame
from ...games import GAMES, find_game
from ...games.game import Game
from ...isolation.discovery import Bot
from ...isolation.limits import Limits
from ...protocol.messages import Clock
from ...system import cores
from ...text import counted
from ..recording import RecordingSession
from .baton_threads import Baton, run_in_turns
from .check_game import TrialFailed, TrialGame, try_game

GAMES_EACH = 10
_ENOUGH = 2.0  # seconds for one more game of each: after so many a slow bot's is not played to its end
_STILL = 0.25  # seconds of silence that are waited for
_SLOW = 0.5  # of the clock: who needs more on this machine may need too much on another


class Check(msgspec.Struct, frozen=True):
    """A check and its result."""

    number: Annotated[int, number("no.", "the check's number")]
    what: Annotated[str, text("what", "the requirement")]
    passed: Annotated[
        bool, text("passed", "whether the bot meets the requirement", lambda passed: "yes" if passed else "no")
    ]
    found: Annotated[str, text("found", "what was observed, in a sentence")]
    dialogue: Annotated[
        list[str], text("dialogue", "after a failure the last lines to (`>`) and from (`<`) the bot", " ".join)
    ]
    stderr: Annotated[str, text("stderr", "the end of the bot's stderr")]
    seconds: Annotated[float, number("seconds", "the time that the check took, in seconds", 1)]


class _Test(msgspec.Struct, frozen=True):
    """A check that is still to be done: it returns what was seen or raises _Failed."""

    what: str
    run: Callable[[], str]


def check_bot(
    bot: Bot, limits: Limits, clock: Clock, each: int = GAMES_EACH, skip: Collection[int] = ()
) -> Iterator[Check]:
    """Do the checks in order, but for the numbers `skip`; without the first none of the others is tried.

    `each`: how many games of every game it claims.
    """
    subject = _Subject(bot, limits, clock, each)
    try:
        first = _check(1, _Test("starts and answers `hello` in time", subject.starts), subject.turn)
        yield first
        if first.passed:
            for number, test in enumerate(subject.tests(), 2):
                if number not in skip:
                    yield _check(number, test, subject.turn)
    finally:
        subject.close()


def _check(number: int, test: _Test, turn: Baton) -> Check:
    began = monotonic()
    try:
        with turn:
            found, passed, dialogue, stderr = test.run(), True, [], ""
    except TrialFailed as failed:
        found, passed, dialogue, stderr = str(failed), False, failed.dialogue, failed.stderr
    return Check(number, test.what, passed, found, dialogue, stderr, monotonic() - began)


class _Subject:
    """The bot that is checked, and its processes that play the games."""

    def __init__(self, bot: Bot, limits: Limits, clock: Clock, each: int) -> None:
        self._bot = bot
        self._limits = limits
        self._clock = clock
        self._each = each
        self.turn = Baton()
        """Whoever uses this has it."""
        self._games: list[Game] = []
        lanes = min(each, max(1, cores() // max(1, bot.threads)))
        self._players = [self._new() for _ in range(lanes)]  # each plays one game after another
        self._last: dict[
            str, tuple[TrialGame, bool]
        ] = {}  # of each game the last one; whether it was its process's first
        self._tried: set[str] = set()  # the games that it has played, or failed to
        self._spoke: TrialFailed | None = None  # what one of them first wrote after a game

    def close(self) -> None:
        """End the processes that play."""
        for player in self._players:
            player.close()

    def tests(self) -> Iterator[_Test]:
        """All but the first; the games that it plays are known by now."""
        yield _Test("starts again, and twice at a time", self.starts_again)
        for game in self._games:
            yield _Test(f"plays {counted(self._each, 'game')} of {game.name}", partial(self.plays, game))
        yield _Test("answers within the clock", self.keeps_the_clock)
        yield _Test("ignores fields that it does not know", self.ignores_unknown)
        yield _Test("plays the same game again when `bot_seed` is the same", self.repeats_itself)
        yield _Test("plays against itself", self.plays_itself)
        yield _Test("writes nothing to stdout that was not asked for", self.keeps_still)
        yield _Test("exits on `quit`, and at the end of its input", self.exits)

    def _new(self, adds_unknown: bool = False) -> RecordingSession:
        return RecordingSession(self._bot, self._limits, adds_unknown, self.turn)

    # -- the checks ------------------------------------------------------------------------------------------------

    def starts(self) -> str:
        player = self._players[0]
        began = monotonic()
        _greet(player)
        took = monotonic() - began
        self._games = self._claimed(player)
        names = ", ".join(game.name for game in self._games)
        return f"ready after {took:.2f} of {self._limits.start:g} seconds; plays {names}"

    def starts_again(self) -> str:
        try:
            for _ in range(2):
                second = self._new()
                try:
                    _greet(second)
                finally:
                    second.close()
        except TrialFailed:
            del self._players[1:]  # the other checks are about other things
            raise
        return "beside the first process and after another has ended"

    def plays(self, game: Game) -> str:
        decisions = [0] * self._each

        def job(number: int, lane: int, give_up: Event) -> None:
            player = self._players[lane]
            decisions[number] = len(self._play(game, number, player, give_up).actions)
            if number + len(self._players) >= self._each:  # the last one of its lane
                self._listen(player, _STILL)

        run_in_turns([partial(job, number) for number in range(self._each)], len(self._players), self.turn)
        return f"no fault in {sum(decisions)} decisions, its opponents' included"

    def keeps_the_clock(self) -> str:
        slowest_of = max(self._players, key=lambda player: player.dialogue.slowest)
        slowest, limit = slowest_of.dialogue.slowest, self._clock.move_ms / 1000
        total = sum(player.dialogue.total for player in self._players)
        mean = 1000 * total / max(1, sum(player.dialogue.decisions for player in self._players))
        told = f"slowest {1000 * slowest:.1f} ms, mean {mean:.1f} ms, allowed {self._clock.move_ms} ms"
        if slowest >= limit + self._clock.bank_ms / 1000:
            raise TrialFailed(f"it was too slow: {told}", slowest_of)
        return told + ("; a slower machine could be too slow for it" if slowest > _SLOW * limit else "")

    def ignores_unknown(self) -> str:
        def one_game(game: Game, give_up: Event) -> TrialGame:
            session = self._new(adds_unknown=True)
            try:
                return try_game(game, 0, [session], self._clock, _ENOUGH, give_up)
            finally:
                session.close()

        return self._of_each(one_game, " with more fields in every message")

    def repeats_itself(self) -> str:
        for game in self._games:
            if game.name not in self._last:
                self._play_last(game)

        def in_new(game: Game, give_up: Event) -> TrialGame:
            new = self._new()
            try:
                return self._repeat(game, "a new process", new, give_up)
            finally:
                new.close()

        found = self._of_each(in_new, ", in a new process and in one that had played before")
        for game in self._games:
            if self._last[game.name][1]:
                self._repeat(game, "one that had played before", self._players[0])
        return found

    def plays_itself(self) -> str:
        def one_game(game: Game, give_up: Event) -> TrialGame:
            sessions = [self._new() for _ in range(game.players[0])]
            try:
                return try_game(game, 0, sessions, self._clock, _ENOUGH, give_up)
            finally:
                for session in sessions:
                    session.close()

        return self._of_each(one_game, ", all its seats at once")

    def keeps_still(self) -> str:
        session = self._new()
        try:
            _greet(session)
            self._wait(_STILL)
            spoke = session.unasked()
            if spoke:
                raise TrialFailed(f"after `hello` it {spoke}", session)
        finally:
            session.close()
        for game in self._games:
            if game.name not in self._tried:
                self._play_last(game)
        if self._spoke:
            raise self._spoke
        return "after `hello` and after each `end`"

    def exits(self) -> str:
        for how in ("`quit`", "the end of its input"):
            session = self._new()
            _greet(session)
            ended = session.close() if how == "`quit`" else session.end_input()
            if ended != "exited with status 0":
                what = ended or f"did not exit within {self._limits.end:g} seconds"
                raise TrialFailed(f"after {how} it {what}", session)
        return "with status 0"

    # -- what they are made of ---------------------------------------------------------------------------------------

    def _claimed(self, player: RecordingSession) -> list[Game]:
        names = player.ready.games or self._bot.games
        try:
            return [find_game(name) for name in dict.fromkeys(names)] if names else list(GAMES)
        except UnknownGame as error:
            raise TrialFailed(f"it says that it plays a game that is not there: {error}", player) from None

    def _play(self, game: Game, number: int, player: RecordingSession, give_up: Event | None = None) -> TrialGame:
        """The whole game of this number by one of the processes that play many."""
        self._listen(player)
        self._tried.add(game.name)
        is_first = player.dialogue.decisions == 0
        trial = try_game(game, number, [player], self._clock, give_up=give_up)
        if number == self._each - 1:
            self._last[game.name] = trial, is_first
        return trial

    def _play_last(self, game: Game) -> None:
        """The last of the games, where the check that plays them is left out."""
        self._play(game, self._each - 1, self._players[0])
        self._listen(self._players[0], _STILL)

    def _listen(self, player: RecordingSession, seconds: float = 0.0) -> None:
        """Note what it writes after a game; another check is about that."""
        self._wait(seconds)
        spoke = player.unasked()
        if spoke:
            self._spoke = self._spoke or TrialFailed(f"after `end` it {spoke}", player)
            player.stop()

    def _wait(self, seconds: float) -> None:
        with self.turn.passed_on():
            sleep(seconds)

    def _repeat(self, game: Game, who: str, session: RecordingSession, give_up: Event | None = None) -> TrialGame:
        """Its last game again, which has to be the same as far as it comes."""
        before, _ = self._last[game.name]
        trial = try_game(game, self._each - 1, [session], self._clock, _ENOUGH, give_up)
        for ply, (one, other) in enumerate(zip(before.actions, trial.actions, strict=False)):
            if one != other:
                raise TrialFailed(
                    f"{game.name}: at ply {ply} {who} chose {other!r}, where it was {one!r} the first time; "
                    "is all its randomness from `bot_seed`, and nothing left from earlier games?",
                    session,
                )
        return trial

    def _of_each(self, one_game: Callable[[Game, Event], TrialGame], how: str) -> str:
        """Play a game of each, several at a time, and say how far they came."""
        trials: list[TrialGame] = []

        def job(game: Game, lane: int, give_up: Event) -> None:
            trials.append(one_game(game, give_up))

        run_in_turns([partial(job, game) for game in self._games], len(self._players), self.turn)
        decisions = counted(sum(len(trial.actions) for trial in trials), "decision")
        whole = all(trial.is_whole for trial in trials)
        return f"{decisions} of a game of each{how}{'' if whole else f'; it is slow: cut short after {_ENOUGH:g} s'}"


def _greet(session: RecordingSession) -> None:
    failure = session.greet()
    if failure:
        raise TrialFailed(f"it {failure.detail}", session)
