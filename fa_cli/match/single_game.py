"""One game between bots that somebody watches: told turn by turn as it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from time import monotonic
from typing import Any

import msgspec

from ..games.contract import State
from ..games.game import Game
from ..games.seed import Seed
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..protocol.messages import Clock
from ..replay.narrate import Boards, Narrator
from ..replay.record import Record, seat_names
from ..results import Fault
from ..text import printable_lines
from .referee import play
from .transcript import PrintLine, TranscribedSession, Transcript

LAST_LINES = 10
"""Of a failed bot's stderr."""


class Table(msgspec.Struct, frozen=True):
    """A game that is to be played, and by whom: a bot for each seat, one may have several."""

    game: Game
    options: msgspec.Struct
    bots: Sequence[Bot]
    seed: Seed
    clock: Clock
    limits: Limits
    meta: dict[str, Any] = {}
    anonymous: bool = False


def anonymity_meta(anonymous: bool) -> dict[str, Any]:
    """What the record of a single game says of how its bots were told the names; nothing if as they are."""
    return {"anonymous": True} if anonymous else {}


class Commentator:
    """An observer that tells what he sees, line by line; a failed bot's last words too, if they are wanted."""

    def __init__(self, table: Table, names: Sequence[str], boards: Boards, tell: PrintLine, last_words: bool) -> None:
        self._table = table
        self._names = names
        self._boards = boards
        self._tell = tell
        self._last_words = last_words
        self._teller: Narrator

    def dealt(self, state: State) -> None:
        """The cards are dealt."""
        self._teller = Narrator(self._table.game, state, self._names, self._boards)
        self._say(self._teller.heading(msgspec.structs.asdict(self._table.options)))

    def played(self) -> None:
        """An action was applied."""
        self._say(self._teller.action())

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        """A bot is out of the game."""
        self._say(self._teller.fault(fault.seat, fault.kind.value, detail))
        if self._last_words:
            self._say(last_words(stderr))

    def ended(self) -> None:
        """The game is over."""
        self._say(self._teller.board())

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._tell(line)


def last_words(stderr: str) -> list[str]:
    """The end of what a bot wrote to stderr, fit for a terminal."""
    lines = printable_lines(stderr.strip()).splitlines()[-LAST_LINES:]
    return ["         on stderr:", *(f"         | {line}" for line in lines)] if lines else []


def play_watched(
    table: Table,
    tell: PrintLine | None,
    boards: Boards = Boards.ROUNDS,
    transcript: Callable[[str, float], Transcript] | None = None,
) -> tuple[Record, bytes]:
    """Play it and tell it, if there is somebody to tell; returns what the referee does. Raises BadPlayers.

    `transcript`, called with a seat's name and the time of the start, makes what hears all that is said with its bot.
    """
    names = seat_names([bot.name for bot in table.bots])
    since = monotonic()
    observer = Commentator(table, names, boards, tell, not transcript) if tell else None
    with ExitStack() as stack:
        sessions = []
        for bot, name in zip(table.bots, names, strict=True):
            heard = transcript(name, since) if transcript else None
            session = TranscribedSession(bot, table.limits, heard)
            stack.callback(session.close)
            sessions.append(session)
        played = play(
            table.game,
            table.options,
            sessions,
            names,
            table.seed,
            table.clock,
            meta={**table.meta, **anonymity_meta(table.anonymous)},
            anonymous=table.anonymous,
            keep_times=True,
            observer=observer,
        )
    if observer:
        observer.ended()
    return played
