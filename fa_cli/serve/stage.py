"""A game as pages follow it: each gets what its audience may see. All of it runs in the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from ..printing.text import printable
from ..viewer.drawing import Drawing, draw, legend
from .messages import Ended, FromPage, Position, Present, Refused, Stopped, ToPage, Welcome, write
from .saved_table import SPECTATOR, Audience
from .table import Cast, Finish, Moment
from .targets import AREAS

_HISTORY = 200
"""Sentences that a page gets that has just come."""
_BACKLOG = 100
"""Messages that may wait for a slow page; then it is cut off, and may come again."""
_SOON = 0.1
"""Seconds until all are told who has come or gone."""


class Follower:
    """A page that follows a game."""

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


class Stage:
    """A game, its latest position, and who follows it."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        """What does not change."""
        self.finish: Finish | None = None
        self.stopped = ""
        """Why the game can't go on, in a sentence for the pages."""
        self._moment: Moment | None = None
        self._followers: set[Follower] = set()
        self._shown: dict[Audience, Drawing] = {}
        """By audience with a page: the latest position, drawn."""
        self._told: dict[Audience, deque[str]] = {}
        self._is_telling = False
        """Whether who is here will be told."""

    @property
    def ply(self) -> int:
        """The number of actions so far."""
        return self._moment.ply if self._moment else 0

    @property
    def goes_on(self) -> bool:
        """Whether the game is neither over nor stopped."""
        return not (self.finish or self.stopped)

    @property
    def followers(self) -> int:
        """How many pages follow the game."""
        return len(self._followers)

    def join(self, audience: Audience) -> Follower:
        """Let a page follow: it gets the whole position, and what it missed."""
        follower = Follower(audience)
        self._followers.add(follower)
        if self._moment:
            self._welcome(follower, self._moment)
        elif self.stopped:
            follower.put(write.encode(Stopped(self.stopped)))
        follower.put(write.encode(self._present()))
        self._tell_soon()
        return follower

    def disconnect(self, follower: Follower) -> None:
        """Forget a page that has closed or lost its connection; a person keeps the seat."""
        self._followers.discard(follower)
        self._tell_soon()

    def show(self, moment: Moment) -> None:
        """Draw a new position for all who are here."""
        is_first = self._moment is None
        self._moment = moment
        for audience, told in moment.told.items():
            self._told.setdefault(audience, deque(maxlen=_HISTORY)).extend(told)
        if is_first:
            for follower in self._followers:
                self._welcome(follower, moment)
            return
        before, self._shown = self._shown, {}
        self._send(lambda audience: self._changed(moment, audience, before[audience]))

    def answer(self, follower: Follower, message: FromPage) -> None:
        """Do what a page asks for."""
        follower.put(write.encode(Refused("Spectators only watch.")))

    def end(self, finish: Finish) -> None:
        """The game is over."""
        self.finish = finish
        self._send(self._outcome)

    def stop(self, why: str) -> None:
        """The game can't go on; `why` is a sentence for the pages."""
        self.stopped = why
        self._send(self._outcome)

    def begin_again(self) -> None:
        """Forget all that was shown; the next moment is a new beginning."""
        self._moment = None
        self._told.clear()
        self._shown.clear()

    def _changed(self, moment: Moment, audience: Audience, before: Drawing) -> Position:
        drawn = self._shown[audience] = self._draw(moment.views[audience])
        return _position(moment, audience, drawn, changed_parts(before, drawn), moment.told[audience])

    def _welcome(self, follower: Follower, moment: Moment) -> None:
        """Send all that a page needs to begin with."""
        audience, cast = follower.audience, self.cast
        if audience not in self._shown:
            self._shown[audience] = self._draw(moment.views[audience])
        drawing, name = self._shown[audience], cast.game.name
        welcome = Welcome(
            game=name,
            heading=cast.heading,
            seat=audience,
            players=list(map(printable, cast.names)),
            people=list(cast.people),
            size=(drawing.width, drawing.height),
            split=drawing.board,
            keys=[part.key for part in drawing.parts],
            spots=[part.spot for part in drawing.parts],
            areas=dict(AREAS[name]),
            legend=legend(name),
            person_seconds=cast.person_seconds,
            stand_in=cast.stand_in,
        )
        whole = {slot: part.svg for slot, part in enumerate(drawing.parts)}
        position = _position(moment, audience, drawing, whole, list(self._told[audience]))
        for message in (welcome, position, self._outcome(audience)):
            if message:
                follower.put(write.encode(message))

    def _outcome(self, audience: Audience) -> ToPage | None:
        """What goes with the position: how the game ended."""
        if self.finish:
            result = self.finish.record.result
            return Ended(self.finish.won[audience], result.ranks, result.scores)
        return Stopped(self.stopped) if self.stopped else None

    def _draw(self, view: dict[str, object]) -> Drawing:
        return draw(self.cast.game.name, view | {"names": self.cast.names})

    def _tell_soon(self) -> None:
        """Tell who is here; of many who come or go at once, not each is told to all."""
        if not self._is_telling:
            self._is_telling = True
            asyncio.get_running_loop().call_later(_SOON, self._tell_who_is_here)

    def _tell_who_is_here(self) -> None:
        self._is_telling = False
        message = self._present()
        self._send(lambda audience: message)

    def _present(self) -> Present:
        here = sorted({each.audience for each in self._followers if each.audience is not None})
        spectators = sum(each.audience is SPECTATOR for each in self._followers)
        return Present(here, spectators, list(self.cast.handed_over), list(self.cast.resigned), self.cast.awaited)

    def _send(self, message_to: Callable[[Audience], ToPage | None]) -> None:
        """Send each audience its message; it is made and encoded once."""
        encoded: dict[Audience, bytes] = {}
        for follower in list(self._followers):
            audience = follower.audience
            if audience not in encoded:
                encoded[audience] = write.encode(message_to(audience))
            follower.put(encoded[audience])


def changed_parts(before: Drawing, after: Drawing) -> dict[int, str]:
    """By slot: what differs."""
    pairs = enumerate(zip(before.parts, after.parts, strict=True))
    return {slot: new.svg for slot, (old, new) in pairs if old.svg != new.svg}


def _position(moment: Moment, audience: Audience, drawing: Drawing, parts: dict[int, str], told: list[str]) -> Position:
    text = moment.texts.get(audience, "")
    return Position(moment.ply, parts, drawing.description, text, told, moment.actor, moment.spent)
