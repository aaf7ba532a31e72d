"""A person's seat at a table: a player that waits for what the page sends."""

from __future__ import annotations

import queue
from collections.abc import Callable

from ..game_result import Failure
from ..match.player import InProcessPlayer, Player
from ..match.scripted import Script
from ..protocol.messages import End, Json, Start
from .messages import HandOver, Return, Send


class Closed(Exception):
    """The table is closed while a person thinks; its game is saved."""


Order = Send | Failure | HandOver | Return | Closed


class PersonSeat(InProcessPlayer):
    """A person, who may leave the seat to a bot and come back.

    `script`: the answers of the game so far, which come first in a game that is played on. `ask` is called in the
    game's thread when the person is to decide; the page's answer comes by `give`. `stand_in` makes the bot, once, for
    its first decision; `is_away`: it plays from the start.
    """

    wants_legal = wants_observation = wants_events = True  # a bot may take over

    def __init__(
        self, seat: int, ask: Callable[[int], None], stand_in: Callable[[], Player], script: Script, is_away: bool
    ) -> None:
        super().__init__()
        self.spent = script.spent
        self.is_replaced = False
        """Whether the bot took the last decision."""
        self._seat = seat
        self._ask = ask
        self._make_stand_in = stand_in
        self._stand_in: Player | None = None
        self._is_away = is_away
        self._start_message: Start
        self._orders: queue.SimpleQueue[tuple[Order, float]] = queue.SimpleQueue()
        self._at_start, self._answers = script.at_start, script.answers
        self._events: list[bytes] = []
        """What the bot has not heard of."""

    def give(self, order: Order, spent: float = 0.0) -> None:
        """Hand in what is to happen, where actions must be legal, and the seconds that it took; from any thread."""
        self._orders.put((order, spent))

    def start(self, message: Start) -> Failure | None:
        self._start_message = message
        return self._at_start

    def decide(self, observation: Json = None, legal: Json = None, events: Json = None) -> str | Failure:
        """The next action of the person, or of the bot that plays instead."""
        if events:
            self._events.append(events[1:-1])
        self.asked += 1
        while not self._answers and not (self._is_away and self._orders.empty()):
            failure = self._follow()
            if failure:
                return failure
        self.is_replaced = not self._answers
        return self._decide_for_person(observation, legal) if self.is_replaced else self._answers.popleft()

    def _follow(self) -> Failure | None:
        """Follow the next order; a person is asked for it."""
        if not self._is_away:
            self._ask(self._seat)
        order, spent = self._orders.get()
        self.spent += spent
        match order:
            case Send(_, actions):
                self._answers.extend(actions)
            case Failure():
                return order
            case Closed():
                raise order
            case Return():
                self._is_away = False
            case HandOver():
                self._is_away = True
        return None

    def _decide_for_person(self, observation: Json, legal: Json) -> str | Failure:
        """The bot's action; one that has played for the person before goes on."""
        if not self._stand_in:
            self._stand_in = self._make_stand_in()
            if failure := self._stand_in.start(self._start_message):
                return failure
        events, self._events = b"[%b]" % b",".join(filter(None, self._events)), []
        before = self._stand_in.spent
        answer = self._stand_in.decide(observation, legal, events)
        self.spent += self._stand_in.spent - before
        return answer

    def end(self, message: End) -> None:
        if self._stand_in:
            self._stand_in.end(message)

    def close(self) -> None:
        if self._stand_in:
            self._stand_in.close()
