"""The pages that follow one table. All of it runs in the event loop; the game itself in a thread of its own."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from ..errors import ActionError
from ..play.rulebook import parts
from ..printing.text import printable
from ..viewer.drawing import Drawing, draw, legend
from .draft import Draft
from .messages import (
    Asked,
    Drafted,
    Ended,
    HandOver,
    Position,
    Present,
    Refused,
    Resign,
    Send,
    Stopped,
    ToPage,
    Try,
    Welcome,
    write,
)
from .rules_page import paragraph_html
from .saved_table import SPECTATOR, Audience
from .table import Broken, Finish, Moment, News, Question, Table
from .targets import AREAS

_HISTORY = 200
"""Sentences that a page gets that has just come."""
_BACKLOG = 100
"""Messages that may wait for a slow page; then it is cut off, and may come again."""


class Follower:
    """A page that follows a table."""

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.outgoing: asyncio.Queue[bytes | None] = asyncio.Queue(_BACKLOG)
        """Messages to send; None: close the connection."""

    def put(self, message: bytes) -> None:
        """Send a message; a page that does not read is cut off."""
        try:
            self.outgoing.put_nowait(message)
        except asyncio.QueueFull:
            while not self.outgoing.empty():
                self.outgoing.get_nowait()
            self.outgoing.put_nowait(None)


class _Shown(NamedTuple):
    """What the pages of an audience show."""

    ply: int
    drawing: Drawing


class Room:
    """A table, its latest position, and who follows it."""

    def __init__(self) -> None:
        self.table: Table
        """Set before the game begins."""
        self.finish: Finish | None = None
        self.broken = False
        self._moment: Moment | None = None
        self._question: Question | None = None
        self._followers: set[Follower] = set()
        self._shown: dict[Audience, _Shown] = {}
        self._told: dict[Audience, deque[str]] = {}

    @property
    def ply(self) -> int:
        """The number of actions so far."""
        return self._moment.ply if self._moment else 0

    @property
    def followers(self) -> int:
        """How many pages follow the table."""
        return len(self._followers)

    def join(self, audience: Audience) -> Follower:
        """Let a page follow: it gets the whole position, and what it missed."""
        follower = Follower(audience)
        self._followers.add(follower)
        if self._moment:
            self._welcome(follower, self._moment)
        self._tell_who_is_here()
        return follower

    def leave(self, follower: Follower) -> None:
        """Let a page go."""
        self._followers.discard(follower)
        self._tell_who_is_here()

    def hear(self, news: News) -> None:
        """Pass on news of the game."""
        match news:
            case Moment():
                self._show(news)
            case Question():
                self._question = news
                self._send(lambda audience: self._asked(news, audience))
            case Finish():
                self.finish = news
                self._send(lambda audience: self._ended(news))
            case Broken():
                self.broken = True
                self._send(lambda audience: _STOPPED)

    def answer(self, follower: Follower, message: Try | Send | Resign | HandOver) -> None:
        """Do what a page asks for."""
        reply = self._reply(follower.audience, message)
        if reply:
            follower.put(write.encode(reply))

    def _reply(self, seat: Audience, message: Try | Send | Resign | HandOver) -> ToPage | None:
        if seat is SPECTATOR:
            return Refused("Spectators only watch.")
        if self.finish or self.broken:
            return Refused("The game is over.")
        if seat in self.table.saved.handed_over:
            return Refused("A bot plays for you now.")
        match message:
            case Resign():
                self.table.resign(seat)
                return None
            case HandOver():
                return self._hand_over(seat)
        question = self._question
        if not question or question.seat != seat or question.ply != message.ply:
            return Refused("It is not your turn, or you have decided already.")
        try:
            draft = Draft(self.table.game, question.state, message.held)
        except ActionError as error:
            return Refused(f"That is not possible: {printable(str(error))}.")
        if isinstance(message, Try):
            return self._drafted(seat, draft, message)
        self._question = None
        self.table.choose(seat, message.held)
        return None

    def _hand_over(self, seat: int) -> Refused | None:
        if not self.table.offers_stand_in:
            return Refused("This table has no bot that could finish for you.")
        if self._question and self._question.seat == seat:
            self._question = None
        self.table.hand_over(seat)
        self._tell_who_is_here()
        return None

    def _drafted(self, seat: int, draft: Draft, message: Try) -> Drafted:
        if draft.is_ready:
            return Drafted(message.ply, message.held, draft.sentences, True, {}, None)
        parts = _changes(self._shown[seat].drawing, self._draw(draft.view))
        return Drafted(message.ply, message.held, draft.sentences, False, parts, draft.choices())

    def _show(self, moment: Moment) -> None:
        """Draw a new position for all who are here."""
        is_first = self._moment is None
        self._moment, self._question = moment, None
        for audience, told in moment.told.items():
            self._told.setdefault(audience, deque(maxlen=_HISTORY)).extend(told)
        if is_first:
            for follower in self._followers:
                self._welcome(follower, moment)
            return
        self._send(lambda audience: self._changed(moment, audience))

    def _changed(self, moment: Moment, audience: Audience) -> Position:
        drawn, before = self._draw(moment.views[audience]), self._shown[audience].drawing
        self._shown[audience] = _Shown(moment.ply, drawn)
        return _position(moment, drawn, _changes(before, drawn), moment.told[audience])

    def _welcome(self, follower: Follower, moment: Moment) -> None:
        """Send all that a page needs to begin with."""
        audience, table = follower.audience, self.table
        shown = self._shown.get(audience)
        if shown is None or shown.ply != moment.ply:
            shown = self._shown[audience] = _Shown(moment.ply, self._draw(moment.views[audience]))
        drawing, name = shown.drawing, table.game.name
        welcome = Welcome(
            table=table.number,
            game=name,
            title=table.game.title,
            seat=audience,
            players=list(map(printable, table.saved.names)),
            people=list(table.people),
            size=(drawing.width, drawing.height),
            split=drawing.board,
            keys=[part.key for part in drawing.parts],
            spots=[part.spot for part in drawing.parts],
            areas=dict(AREAS[name]),
            legend=legend(name),
            person_seconds=table.saved.person_seconds,
            offers_stand_in=table.offers_stand_in,
        )
        whole = {slot: part.svg for slot, part in enumerate(drawing.parts)}
        messages: list[ToPage] = [welcome, _position(moment, drawing, whole, list(self._told[audience]))]
        if self.finish:
            messages.append(self._ended(self.finish))
        elif self.broken:
            messages.append(_STOPPED)
        elif self._question:
            messages.append(self._asked(self._question, audience))
        for message in messages:
            follower.put(write.encode(message))

    def _draw(self, view: dict[str, object]) -> Drawing:
        return draw(self.table.game.name, view | {"names": self.table.saved.names})

    def _asked(self, question: Question, audience: Audience) -> Asked:
        thinking = monotonic() - question.asked_at
        if audience != question.seat:
            return Asked(question.ply, question.seat, thinking, None, [])
        game = self.table.game
        choices = Draft(game, question.state).choices()
        rules = parts(game, game.presentation.guide.rules.get(choices.phase, ()))
        return Asked(question.ply, question.seat, thinking, choices, [paragraph_html(game, text) for text in rules])

    def _ended(self, finish: Finish) -> Ended:
        result = finish.record.result
        return Ended(printable(finish.won), result.ranks, result.scores)

    def _tell_who_is_here(self) -> None:
        here = sorted({each.audience for each in self._followers if each.audience is not None})
        spectators = sum(each.audience is SPECTATOR for each in self._followers)
        message = Present(here, spectators, list(self.table.saved.handed_over))
        self._send(lambda audience: message)

    def _send(self, message_to: Callable[[Audience], ToPage]) -> None:
        """Send each audience its message; it is made and encoded once."""
        encoded: dict[Audience, bytes] = {}
        for follower in list(self._followers):
            audience = follower.audience
            if audience not in encoded:
                encoded[audience] = write.encode(message_to(audience))
            follower.put(encoded[audience])


_STOPPED = Stopped("The game can't go on; the terminal of the server says why.")


def _changes(before: Drawing, after: Drawing) -> dict[int, str]:
    """By slot: what differs."""
    pairs = enumerate(zip(before.parts, after.parts, strict=True))
    return {slot: new.svg for slot, (old, new) in pairs if old.svg != new.svg}


def _position(moment: Moment, drawing: Drawing, parts: dict[int, str], told: list[str]) -> Position:
    return Position(moment.ply, parts, drawing.description, told, moment.actor, moment.spent)
