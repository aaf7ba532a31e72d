"""Asks a bot for the decisions of one seat of a recorded game, and compares its answers with the recorded ones."""

from __future__ import annotations

from contextlib import closing, suppress
from time import monotonic
from typing import Annotated

import msgspec

from ..errors import BotError, LogError, UsageError
from ..game_result import SUSPENDED, Failure, Fault, FaultKind
from ..games import find_game
from ..games.contract import State
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..printing.columns import KEY, number, text
from ..printing.text import printable
from ..protocol.messages import Clock, Json
from ..replay.narrate import Boards, Narrator, stderr_lines
from ..replay.reconstruct import deal_of, read_seed
from ..replay.record import Record
from ..replay.verify import check
from .player import Player
from .referee import play
from .scripted import AnswerOrFailure, Script, ScriptedPlayer, scripts_of
from .transcript import PrintLine, TranscribedSession, Transcript


class Difference(msgspec.Struct, frozen=True):
    """A decision where the bot's action differs from the recorded one."""

    ply: Annotated[int, number("ply", "the decision, from 0, of all in the game", importance=KEY)]
    turn: Annotated[str, text("what was played", "the recorded action, in words", folds=True, importance=2)]
    recorded: Annotated[str, text("recorded", "the recorded action")]
    answer: Annotated[str, text("this bot", "the bot's action")]
    legal: Annotated[int, number("legal", "number of legal actions", importance=1)]
    is_legal: Annotated[
        bool, text("allowed", "whether the bot's action is legal", lambda is_legal: "yes" if is_legal else "no")
    ]


class RepeatedGame(msgspec.Struct, frozen=True):
    """A game that the bot has played again, as one of several."""

    record: Annotated[int, number("game", "the record, from 1, for `--game`", importance=KEY)]
    seat: Annotated[int, number("seat", "the bot's seat, from 0")]
    answers: Annotated[int, number("answers", "number of decisions that both bots answered")]
    different: Annotated[int, number("different", "in how many of them the actions differ")]
    failed: Annotated[str, text("failed", "a sentence on how the bot failed, if it did", folds=True, importance=1)]


class Rerun(msgspec.Struct):
    """The result of a comparison."""

    asked: int = 0
    """The number of decisions that both bots answered."""
    differences: list[Difference] = []
    at_fault: str = ""
    """A sentence on the decision at which the recorded bot failed, if it did and this one answered it."""
    failed: str = ""
    """A sentence on how this bot failed, if it did; it is not asked again after that."""
    stderr: list[str] = []
    """The end of the bot's stderr, if it failed."""


def rerun_decisions(
    record: Record,
    seat: int,
    bot: Bot,
    limits: Limits,
    clock: Clock,
    *,
    anonymous: bool = False,
    print_line: PrintLine | None = None,
    whole: bool = False,
) -> Rerun:
    """Play the recorded game again, and ask the bot at each decision of the seat what it would do.

    The bot gets the messages of the recorded one, with the same `bot_seed`; whatever it answers, the recorded action is
    played. `print_line` takes the lines of a transcript, of `whole` messages or not. Raises LogError if the record does
    not verify, UsageError if the seat has no decisions, BotError if the bot does not start.
    """
    scripts = _scripts(record, seat)
    game = find_game(record.game)
    comparison = _Comparison(record, seat, bot)
    transcript = Transcript(bot.name, print_line, monotonic(), whole) if print_line else None
    players: list[Player] = [ScriptedPlayer(script) for script in scripts]
    with closing(_ComparedBot(bot, limits, transcript, scripts[seat], comparison)) as subject, suppress(_Finished):
        players[seat] = subject
        play(
            game,
            game.make_options(record.options),
            players,
            record.players,
            read_seed(record.seed),
            clock,
            reveal_seed=False,
            anonymous=anonymous,
            observer=comparison,
        )
    return comparison.rerun


def _scripts(record: Record, seat: int) -> list[Script]:
    finding = check(record)
    if finding:
        where = "" if finding.ply is None else f"ply {finding.ply}: "
        raise LogError(f"it is bad, and can't be played again: {where}{finding.text}")
    if seat >= len(record.players):
        raise UsageError(f"it has the seats 0 to {len(record.players) - 1}, not {seat}")
    game, state = deal_of(record)
    scripts = scripts_of(game, state, record.actions, record.faults, record.meta)
    if not scripts[seat].answers:
        failure = scripts[seat].at_start
        why = "was suspended" if failure == SUSPENDED else f"failed at the start ({failure.detail})" if failure else ""
        reason = f": its bot {why}" if why else ""
        raise UsageError(f"seat {seat} had no decision to take{reason}")
    return scripts


class _Finished(Exception):
    """Ends the game: there are no more decisions to compare."""


class _Comparison:
    """An observer that compares the answers of a seat."""

    def __init__(self, record: Record, seat: int, bot: Bot) -> None:
        self.rerun = Rerun()
        self._bot = bot
        self._record = record
        self._seat = seat
        self._narrator: Narrator
        self._state: State

    def dealt(self, state: State) -> None:
        self._state = state
        self._narrator = Narrator(find_game(self._record.game), state, self._record.players, Boards.END)

    def played(self) -> None:
        for _ in self._narrator.action():
            pass

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A bot is out of the game; if it is the one compared, end the game."""
        if fault.seat != self._seat:
            return
        if fault.kind is FaultKind.START:
            tail = stderr.strip()[-200:]
            raise BotError(f"{self._bot.path} does not start: it {detail}{'; its last words: ' if tail else ''}{tail}")
        self.rerun.failed = f"at ply {fault.ply} it failed: {fault.kind.value}: it {detail}"
        self.rerun.stderr = stderr_lines(stderr)
        raise _Finished

    def compare(self, answer: str, recorded: AnswerOrFailure) -> None:
        """Compare the bot's answer with the recorded one."""
        game, legal, ply = find_game(self._record.game), self._state.legal(), self._narrator.ply
        if isinstance(recorded, Failure):
            self.rerun.at_fault = (
                f"at ply {ply} the recorded bot failed ({recorded.kind.value}: it {recorded.detail}); "
                f"this one answers {answer[:80]!r}"
            )
            raise _Finished
        self.rerun.asked += 1
        if answer != recorded:
            turn = self._narrator.describe_action(game.action_numbers[recorded])
            is_legal = game.action_numbers.get(answer, -1) in legal
            difference = Difference(ply, turn, recorded, printable(answer[:80]), len(legal), is_legal)
            self.rerun.differences.append(difference)


class _ComparedBot(TranscribedSession):
    """A session whose answers are compared with a script, and replaced by the script's."""

    def __init__(
        self, bot: Bot, limits: Limits, transcript: Transcript | None, script: Script, comparison: _Comparison
    ) -> None:
        super().__init__(bot, limits, transcript)
        self._script = script
        self._comparison = comparison

    def decide(
        self,
        observation: Json = None,
        legal: Json = None,
        events: Json = None,
    ) -> AnswerOrFailure:
        answer = super().decide(observation, legal, events)
        if isinstance(answer, Failure):
            return answer
        recorded = self._script.answers.popleft()
        self._comparison.compare(answer, recorded)
        return recorded
