"""One game between bots, narrated turn by turn as it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from time import monotonic
from typing import Any

import msgspec

from ..game_result import Fault
from ..games.contract import State
from ..games.game import Game
from ..games.seed import Seed
from ..isolation.discovery import Bot
from ..isolation.limits import Limits
from ..models.exchanges import add_totals
from ..models.model import ModelRun
from ..protocol.messages import Clock
from ..replay.narrate import Boards, Narrator, stderr_lines
from ..replay.record import Record, seat_names
from .referee import play
from .transcript import PrintLine, TranscribedSession, Transcript


class GameSetup(msgspec.Struct, frozen=True):
    """A game to play, with a bot per seat; a bot may have several seats."""

    game: Game
    options: msgspec.Struct
    bots: Sequence[Bot]
    seed: Seed
    clock: Clock
    limits: Limits
    meta: dict[str, Any] = {}
    anonymous: bool = False
    models: ModelRun | None = None


def anonymity_meta(anonymous: bool) -> dict[str, Any]:
    """The `meta` of a single game whose bots do not get the names; empty if they do."""
    return {"anonymous": True} if anonymous else {}


class Commentator:
    """An observer that narrates the game line by line, with the stderr of failed bots if `with_stderr`."""

    def __init__(
        self, table: GameSetup, names: Sequence[str], boards: Boards, print_line: PrintLine, with_stderr: bool
    ) -> None:
        self._table = table
        self._names = names
        self._boards = boards
        self._print_line = print_line
        self._with_stderr = with_stderr
        self._narrator: Narrator

    def dealt(self, state: State) -> None:
        self._narrator = Narrator(self._table.game, state, self._names, self._boards)
        self._print(self._narrator.heading(msgspec.structs.asdict(self._table.options)))

    def played(self) -> None:
        self._print(self._narrator.action())

    def failed(self, fault: Fault, detail: str, stderr: str) -> None:
        self._print(self._narrator.fault(fault.seat, fault.kind.value, detail))
        if self._with_stderr:
            self._print(stderr_lines(stderr))

    def ended(self) -> None:
        """The game is over."""
        self._print(self._narrator.board())

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._print_line(line)


def play_watched(
    table: GameSetup,
    print_line: PrintLine | None,
    boards: Boards = Boards.ROUNDS,
    transcript: Callable[[str, float], Transcript] | None = None,
) -> tuple[Record, bytes]:
    """Play a game, narrated with `print_line` if given; returns its record and packed actions. Raises BadPlayers.

    `transcript` makes the transcript of a seat, given its name and the time of the start (`time.monotonic`).
    """
    names = seat_names([bot.name for bot in table.bots])
    start = monotonic()
    observer = Commentator(table, names, boards, print_line, not transcript) if print_line else None
    with ExitStack() as stack:
        sessions = []
        for bot, name in zip(table.bots, names, strict=True):
            seat_transcript = transcript(name, start) if transcript else None
            session = TranscribedSession(bot, table.limits, seat_transcript, table.models)
            stack.callback(session.close)
            sessions.append(session)
        record, packed = play(
            table.game,
            table.options,
            sessions,
            names,
            table.seed,
            table.clock,
            meta={**table.meta, **anonymity_meta(table.anonymous)},
            anonymous=table.anonymous,
            observer=observer,
        )
        add_totals(record.meta, (session.model_totals() for session in sessions))
    if observer:
        observer.ended()
    return record, packed
