"""An assistant's seat at a table: what has happened and the position as text, the legal actions with numbers.

All that it gets is made for the audience of the seat, as for a page of `serve`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

import msgspec

from ..errors import UsageError
from ..printing.text import printable, printable_lines
from ..serve.draft import Choice, Draft
from ..serve.messages import Refused, Send
from ..serve.room import Room
from ..serve.table import Moment, News, Table

NAME = "assistant"
"""The player's name, and the first word of the names of files."""
_LATEST = 60
"""Sentences in one answer."""


class Legal(msgspec.Struct, frozen=True):
    """A legal action."""

    number: int
    """From 1."""
    action: str
    words: str
    """What it does, as an imperative."""


class Outcome(msgspec.Struct, frozen=True):
    """How the game ended; the lists are by seat."""

    won: str
    reason: str
    ranks: list[int]
    points: list[int]
    log: str
    """The name for show_game and verify_log."""


class Look(msgspec.Struct):
    """A table as the seat sees it."""

    table: int
    game: str
    seat: int
    players: list[str]
    """By seat."""
    state: Literal["your turn", "waiting", "over", "stopped"]
    decision: int
    """The number of actions so far."""
    happened: Sequence[str]
    """What has happened since the last look, in sentences."""
    position: str = ""
    """The board and the own hand; empty unless it is the seat's turn."""
    ask: str = ""
    """What is to be decided."""
    legal: Sequence[Legal] = ()
    outcome: Outcome | None = None

    @property
    def text(self) -> str:
        """The same as text."""
        names = [f"#{seat} {name}{' (you)' * (seat == self.seat)}" for seat, name in enumerate(self.players)]
        lines = [f"Table {self.table}, {self.game}: {', '.join(names)}. Decision {self.decision}: {self.state}."]
        lines += [f"- {sentence}" for sentence in self.happened]
        if self.position:
            lines += ["", self.position, "", self.ask]
        lines += [f"{each.number}. {each.action}: {each.words}" for each in self.legal]
        if self.outcome:
            points = ", ".join(map(str, self.outcome.points))
            lines += [f"{self.outcome.won}. Points by seat: {points}. Log: {self.outcome.log}."]
        return "\n".join(lines)


class Seat(Room):
    """The room of a table whose only person is an assistant. All of it runs in the event loop."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.seat = table.saved.game.seat
        """The assistant's seat."""
        table.saved.came[:] = [self.seat]
        self._happened: list[str] = []
        self._heard = asyncio.Event()

    def hear(self, news: News) -> None:
        super().hear(news)
        if isinstance(news, Moment):
            self._happened += news.told[self.seat]
        self._heard.set()

    def act(self, action: str, decision: int | None) -> None:
        """Play an action, by its number in the list of legal ones or its text.

        Raises UsageError if it is not legal or not the seat's turn, or another decision than this one is to be made.
        """
        if action.isascii() and action.isdigit() and self._question:
            legal = self._choices()[1]
            if not 1 <= int(action[:9]) <= len(legal):
                raise UsageError(f"no action {action[:9]}: choose 1 to {len(legal)}")
            action = legal[int(action[:9]) - 1].action
        refused = self._reply(self.seat, Send(self.ply if decision is None else decision, [action]))
        if isinstance(refused, Refused):
            raise UsageError(refused.why)

    async def wait(self, until: float) -> None:
        """Wait for the seat's turn or the end, at most until this time of the event loop."""
        while self.goes_on and not self._question:
            self._heard.clear()
            try:
                async with asyncio.timeout_at(until):
                    await self._heard.wait()
            except TimeoutError:
                return

    def look(self, number: int, log: str, again: bool = False) -> Look:
        """The table of this number as of now, with what has happened since the last look; `again`: and before it."""
        happened = [*(self._told.get(self.seat, ()) if again else self._happened)][-_LATEST:]
        self._happened = []
        look = Look(
            number,
            self.cast.game.title,
            self.seat,
            list(map(printable, self.cast.names)),
            "over" if self.finish else "stopped" if self.stopped else "your turn" if self._question else "waiting",
            self.ply,
            [*happened, self.stopped] if self.stopped else happened,
        )
        if self.finish:
            result = self.finish.record.result
            look.outcome = Outcome(self.finish.won[self.seat], result.reason, result.ranks, result.scores, log)
        elif self._question and not self.stopped:
            look.ask, legal = self._choices()
            look.position = printable_lines(self.cast.game.render(self._question.state, self.seat))
            look.legal = [Legal(place, each.action, each.words) for place, each in enumerate(legal, start=1)]
        return look

    def _choices(self) -> tuple[str, list[Choice]]:
        """What is asked of the seat, and the legal actions."""
        assert self._question
        choices = Draft(self.cast.game, self._question.state, self.cast.names).choices()
        return choices.ask, choices.legal
