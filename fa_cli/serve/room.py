"""The pages of one table: what its people see and do. All of it runs in the event loop; the game in its own thread."""

from __future__ import annotations

import asyncio
from time import monotonic

from ..errors import ActionError, UsageError
from ..game_result import RESIGNED, Failure, FaultKind
from ..play.rulebook import parts
from ..printing.text import counted, printable
from .draft import Draft
from .messages import Asked, Drafted, FromPage, HandOver, Join, Refused, Resign, Return, ToPage, Try, write
from .rules_page import paragraph_html
from .saved_table import SPECTATOR, Audience
from .stage import Follower, Stage, changed_parts
from .table import Broken, Finish, Moment, News, Out, Question, Table


class Room(Stage):
    """A table, and who follows it."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.cast)
        self.table = table
        self._question: Question | None = None

    def hear(self, news: News) -> None:
        """Pass on news of the game."""
        match news:
            case Moment():
                self._question = None
                self.show(news)
            case Question() if news.seat not in self.cast.handed_over:
                self._question = news
                self._run_clock()
                self._send(self._outcome)
            case Finish():
                self.end(news)
            case Out():
                self.table.drop(news.seat)
                self._tell_who_is_here()
            case Broken():
                self.stop("The game can't go on; the terminal of the server says why.")

    def join(self, audience: Audience) -> Follower:
        if audience in self.cast.awaited:
            self.table.saved.came.append(audience)
            self._run_clock()
        return super().join(audience)

    def _run_clock(self) -> None:
        """Let the time of the person who is to decide begin, once all people have come."""
        if not self._question or self.cast.awaited:
            return
        self._question = self._question._replace(asked_at=monotonic())
        if self.cast.person_seconds:
            asyncio.get_running_loop().call_later(self.cast.person_seconds, self._run_out, self._question)

    def _run_out(self, question: Question) -> None:
        """The time for a decision is over."""
        if self._question is not question or self.stopped:
            return
        limit = counted(self.cast.person_seconds or 0, "second")
        if self.cast.stand_in:
            self._leave(question.seat, why=f": no decision within {limit}")
        else:
            self._leave(question.seat, Failure(FaultKind.TIMEOUT, f"did not decide within {limit}"))

    def _thinking(self) -> float:
        """The seconds that the person who is to decide has had."""
        return monotonic() - self._question.asked_at if self._question and not self.cast.awaited else 0.0

    def answer(self, follower: Follower, message: FromPage) -> None:
        if follower.audience is SPECTATOR:
            super().answer(follower, message)
        elif reply := self._reply(follower.audience, message):
            follower.put(write.encode(reply))

    def _reply(self, seat: int, message: FromPage) -> ToPage | None:
        if not self.goes_on:
            return Refused("The game is over.")
        if seat in self.cast.handed_over:
            if not isinstance(message, Return):
                return Refused("A bot plays for you now.")
            self.table.take_back(seat)
            self._tell_who_is_here()
            return None
        if seat in self.cast.resigned:
            return Refused("You are out of the game.")
        match message:
            case HandOver() if not self.cast.stand_in:
                return Refused("This table has no bot that could play for you.")
            case Resign() | HandOver():
                self._leave(seat, RESIGNED if isinstance(message, Resign) else None)
                return None
            case Join() | Return():
                return Refused("You have joined already.")
        question = self._question
        if not question or question.seat != seat or question.ply != message.ply:
            return Refused("It is not your turn, or you have decided already.")
        try:
            draft = Draft(self.table.game, question.state, self.cast.names, message.held)
        except ActionError as error:
            return Refused(f"That is not possible: {printable(str(error))}.")
        if isinstance(message, Try):
            return self._drafted(seat, draft, message)
        self.table.people[seat].give(message, self._thinking())
        self._question = None
        return None

    def hand_over(self, seat: int) -> None:
        """Let the stand-in play on for a person who is away. Raises UsageError."""
        present = self._present()
        gone = (*present.seats, *present.bots, *present.resigned)
        if not self.cast.stand_in or seat not in self.cast.people or seat in gone or not self.goes_on:
            raise UsageError("a bot plays on only for a person who is away, in a game with people and a bot that can")
        self._leave(seat, why=": the owner of this server asked for it")

    def _leave(self, seat: int, failure: Failure | None = None, why: str = "") -> None:
        """Let the stand-in play on for a person, or the person fail."""
        is_asked = self._question is not None and self._question.seat == seat
        was_awaited = seat in self.cast.awaited
        self.table.leave(seat, self._thinking() if is_asked else 0.0, failure, why)
        if is_asked:
            self._question = None
        if was_awaited:
            self._run_clock()
        self._tell_who_is_here()

    def _drafted(self, seat: int, draft: Draft, message: Try) -> Drafted:
        if draft.is_ready:
            return Drafted(message.ply, message.held, draft.sentences, True, {}, None)
        parts = changed_parts(self._shown[seat], self._draw(draft.view))
        return Drafted(message.ply, message.held, draft.sentences, False, parts, draft.choices())

    def _outcome(self, audience: Audience) -> ToPage | None:
        """As for any game; and who is to decide."""
        question = self._question
        if not (self.goes_on and question):
            return super()._outcome(audience)
        thinking = self._thinking()
        if audience != question.seat:
            return Asked(question.ply, question.seat, thinking, None, [])
        game = self.table.game
        choices = Draft(game, question.state, self.cast.names).choices()
        rules = parts(game, game.presentation.guide.rules.get(choices.phase, ()))
        return Asked(question.ply, question.seat, thinking, choices, [paragraph_html(game, text) for text in rules])
