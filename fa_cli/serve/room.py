"""The pages of one table: what its people see and do. All of it runs in the event loop; the game in its own thread."""

from __future__ import annotations

from time import monotonic

from ..errors import ActionError
from ..play.rulebook import parts
from ..printing.text import printable
from .draft import Draft
from .messages import Asked, Drafted, FromPage, HandOver, Join, Refused, Resign, ToPage, Try, write
from .rules_page import paragraph_html
from .saved_table import SPECTATOR, Audience
from .stage import Follower, Stage, changed_parts
from .table import Broken, Finish, Moment, News, Question, Table


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
            case Question():
                self._question = news
                self._send(self._outcome)
            case Finish():
                self.end(news)
            case Broken():
                self.stop("The game can't go on; the terminal of the server says why.")

    def answer(self, follower: Follower, message: FromPage) -> None:
        if follower.audience is SPECTATOR:
            super().answer(follower, message)
        elif reply := self._reply(follower.audience, message):
            follower.put(write.encode(reply))

    def _reply(self, seat: int, message: FromPage) -> ToPage | None:
        if self.finish or self.stopped:
            return Refused("The game is over.")
        if seat in self.cast.handed_over:
            return Refused("A bot plays for you now.")
        if seat in self.cast.resigned:
            return Refused("You have resigned.")
        match message:
            case Resign() | HandOver():
                return self._leave(seat, message)
            case Join():
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
        self._question = None
        self.table.people[seat].give(message)
        return None

    def _leave(self, seat: int, message: Resign | HandOver) -> Refused | None:
        """Let a person leave the game, or the seat to a bot."""
        if isinstance(message, HandOver) and not self.cast.stand_in:
            return Refused("This table has no bot that could finish for you.")
        self.table.leave(seat, to_bot=isinstance(message, HandOver))
        if self._question and self._question.seat == seat:
            self._question = None
        self._tell_who_is_here()
        return None

    def _drafted(self, seat: int, draft: Draft, message: Try) -> Drafted:
        if draft.is_ready:
            return Drafted(message.ply, message.held, draft.sentences, True, {}, None)
        parts = changed_parts(self._shown[seat].drawing, self._draw(draft.view))
        return Drafted(message.ply, message.held, draft.sentences, False, parts, draft.choices())

    def _outcome(self, audience: Audience) -> ToPage | None:
        """As for any game; and who is to decide."""
        question = self._question
        if self.finish or self.stopped or not question:
            return super()._outcome(audience)
        thinking = monotonic() - question.asked_at
        if audience != question.seat:
            return Asked(question.ply, question.seat, thinking, None, [])
        game = self.table.game
        choices = Draft(game, question.state, self.cast.names).choices()
        rules = parts(game, game.presentation.guide.rules.get(choices.phase, ()))
        return Asked(question.ply, question.seat, thinking, choices, [paragraph_html(game, text) for text in rules])
