"""What a bot has to be able to do, as numbered checks that its author runs: `fa bot check`.

The bot plays against dice that need no process, and where its own processes could disturb each other, against itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from time import monotonic, sleep
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ..errors import UnknownGame
from ..games import GAMES, find_game
from ..games.chance import game_seed, seed_from_text
from ..games.core import Game
from ..protocol.bots import Bot
from ..protocol.limits import Limits
from ..protocol.messages import Clock
from ..protocol.session import Session
from ..replay.record import Record, seat_names
from .referee import play
from .witness import Dice, Witness

GAMES_EACH = 10
_SEED = seed_from_text("fa bot check")
_STILL = 0.1  # seconds of silence that are waited for after each message
_SLOW = 0.5  # of the clock: who needs more on this machine may need too much on another


class Check(msgspec.Struct, frozen=True):
    """One check and what came of it."""

    number: int
    what: str
    passed: bool
    found: str
    """A sentence: what was seen."""
    dialogue: list[str]
    """The last lines to (`>`) and from (`<`) the bot, where it failed."""
    stderr: str
    """The end of what it wrote there."""
    seconds: float


class _Failed(Exception):
    """What was seen that should not be, and the session in which it was."""

    def __init__(self, found: str, session: Witness) -> None:
        super().__init__(found)
        self.session = session


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
        first = _check(1, _Test("starts and answers `hello` in time", subject.starts))
        yield first
        if first.passed:
            for number, test in enumerate(subject.tests(), 2):
                if number not in skip:
                    yield _check(number, test)
    finally:
        subject.close()


def _check(number: int, test: _Test) -> Check:
    began = monotonic()
    try:
        found, passed, dialogue, stderr = test.run(), True, [], ""
    except _Failed as failed:
        session = failed.session
        session.stop()
        found, passed, dialogue, stderr = str(failed), False, session.dialogue.lines(), session.stderr_tail
    return Check(number, test.what, passed, found, dialogue, stderr, monotonic() - began)


class _Subject:
    """The bot that is checked, and its process that plays the games."""

    def __init__(self, bot: Bot, limits: Limits, clock: Clock, each: int) -> None:
        self._bot = bot
        self._limits = limits
        self._clock = clock
        self._each = each
        self._games: list[Game] = []
        self._player = self._new()  # plays all games one after another
        self._late = 0

    def close(self) -> None:
        """End the process that plays."""
        self._player.close()

    def tests(self) -> Iterator[_Test]:
        """All but the first; the games that it plays are known by now."""
        yield _Test("starts again, and twice at a time", self.starts_again)
        for game in self._games:
            yield _Test(f"plays {self._each} games of {game.name}", partial(self.plays, game))
        yield _Test("answers within the clock", self.keeps_the_clock)
        yield _Test("ignores fields that it does not know", self.ignores_unknown)
        yield _Test("plays the same game again when `bot_seed` is the same", self.repeats_itself)
        yield _Test("plays against itself", self.plays_itself)
        yield _Test("writes nothing to stdout that was not asked for", self.keeps_still)
        yield _Test("exits on `quit`, and at the end of its input", self.exits)

    def _new(self, adds_unknown: bool = False) -> Witness:
        return Witness(self._bot, self._limits, adds_unknown)

    # -- the checks ------------------------------------------------------------------------------------------------

    def starts(self) -> str:
        began = monotonic()
        _greet(self._player)
        took = monotonic() - began
        self._games = self._claimed()
        names = ", ".join(game.name for game in self._games)
        return f"ready after {took:.2f} of {self._limits.start:g} seconds; plays {names}"

    def starts_again(self) -> str:
        for _ in range(2):
            second = self._new()
            try:
                _greet(second)
            finally:
                second.close()
        return "beside the first process and after another has ended"

    def plays(self, game: Game) -> str:
        decisions = 0
        for number in range(self._each):
            decisions += len(self._play(game, number, self._player).actions)
        return f"no fault in {decisions} decisions, its opponents' included"

    def keeps_the_clock(self) -> str:
        heard = self._player.dialogue
        limit = self._clock.move_ms / 1000
        mean = 1000 * heard.total / max(1, heard.decisions)
        told = f"slowest {1000 * heard.slowest:.1f} ms, mean {mean:.1f} ms, allowed {self._clock.move_ms} ms"
        if heard.slowest >= limit + self._clock.bank_ms / 1000:
            raise _Failed(f"it was too slow: {told}", self._player)
        return told + ("; a slower machine could be too slow for it" if heard.slowest > _SLOW * limit else "")

    def ignores_unknown(self) -> str:
        session = self._new(adds_unknown=True)
        try:
            for game in self._games:
                self._play(game, 0, session)
        finally:
            session.close()
        return "a game of each with more fields in every message"

    def repeats_itself(self) -> str:
        for game in self._games:
            again = self._new()
            try:
                before = self._play(game, self._each - 1, self._player)
                after = self._play(game, self._each - 1, again)
            finally:
                again.close()
            for ply, (one, other) in enumerate(zip(before.actions, after.actions, strict=False)):
                if one != other:
                    raise _Failed(
                        f"{game.name}: at ply {ply} a new process chose {other!r}, one that had played before {one!r}; "
                        "is all its randomness from `bot_seed`, and nothing left from earlier games?",
                        again,
                    )
        return "in a new process and in one that had played before"

    def plays_itself(self) -> str:
        for game in self._games:
            sessions = [self._new() for _ in range(game.players[0])]
            try:
                self._play(game, 0, *sessions)
            finally:
                for session in sessions:
                    session.close()
        return "a game of each, all its seats at once"

    def keeps_still(self) -> str:
        session = self._new()
        try:
            _greet(session)
            self._expect_silence(session, "hello")
            for game in self._games:
                self._play(game, 0, session)
                self._expect_silence(session, "end")
        finally:
            session.close()
        return "after `hello` and after each `end`"

    def exits(self) -> str:
        for how in ("`quit`", "the end of its input"):
            session = self._new()
            _greet(session)
            ended = session.close() if how == "`quit`" else session.end_input()
            if ended != "exited with status 0":
                what = ended or f"did not exit within {self._limits.end:g} seconds"
                raise _Failed(f"after {how} it {what}", session)
        return "with status 0"

    # -- what they are made of ---------------------------------------------------------------------------------------

    def _claimed(self) -> list[Game]:
        names = self._player.ready.games or self._bot.games
        try:
            return [find_game(name) for name in dict.fromkeys(names)] if names else list(GAMES)
        except UnknownGame as error:
            raise _Failed(f"it says that it plays a game that is not there: {error}", self._player) from None

    def _play(self, game: Game, number: int, *subjects: Witness) -> Record:
        """The game of this number: one session has one of its seats, else they have all."""
        options, players, seat = _settings(game, number)
        if len(subjects) > 1:
            players, seat = len(subjects), 0
        sessions: list[Session] = [Dice() for _ in range(players)]
        sessions[seat : seat + len(subjects)] = subjects
        names = seat_names([session.bot.name for session in sessions])
        for subject in subjects:
            if subject.unasked():
                subject.stop()  # another check is about what it writes unasked
        record, _ = play(game, options, sessions, names, game_seed(_SEED, number), self._clock)
        for fault in record.faults:
            detail = next(told["detail"] for told in record.meta["fault_details"] if told["seat"] == fault.seat)
            where = f"game {number + 1} of {game.name}, seat {fault.seat} of {players}, ply {fault.ply}"
            raise _Failed(f"{where}: {fault.kind.value}: it {detail}", _witness(sessions[fault.seat]))
        return record

    def _expect_silence(self, session: Witness, after: str) -> None:
        sleep(_STILL)
        seen = session.unasked()
        if seen:
            raise _Failed(f"after `{after}` it {seen}", session)


def _witness(session: Session) -> Witness:
    assert isinstance(session, Witness)
    return session


def _greet(session: Witness) -> None:
    failure = session.greet()
    if failure:
        raise _Failed(f"it {failure.detail}", session)


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
