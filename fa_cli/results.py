"""The words every layer shares for how a game ended, and for what went wrong on the way."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec


class FaultKind(enum.Enum):
    """Why a seat's bot lost its part in a game (the `kind` of a record's fault)."""

    START = "start"
    TIMEOUT = "timeout"
    CRASH = "crash"
    PROTOCOL = "protocol"
    ILLEGAL = "illegal"
    RESOURCE = "resource"


class Failure(msgspec.Struct, frozen=True):
    """What went wrong with a bot, and a sentence on it that begins with a verb."""

    kind: FaultKind
    detail: str


class Fault(msgspec.Struct, frozen=True):
    """From `ply` (0-based index into the game's actions) on, the seat's actions are substitutes."""

    seat: int
    ply: int
    kind: FaultKind


class GameResult(msgspec.Struct, frozen=True):
    """How a game ended: one score and one rank per seat, and the game's own word for why."""

    scores: list[int]
    ranks: list[int]
    reason: str


def rank_seats(standing: Sequence[tuple[int, ...]], faults: Sequence[Fault] = ()) -> list[int]:
    """One rank per seat: 1 + the number of seats ahead (1, 1, 3).

    `standing` has one key per seat, higher is better, the game's tie-breaks included. A seat with a fault comes
    after all without one; among them the later its first fault's ply the better, the same ply is a tie.
    """
    first_fault: dict[int, int] = {}
    for fault in faults:
        first_fault[fault.seat] = min(fault.ply, first_fault.get(fault.seat, fault.ply))
    keys = [(0, (first_fault[seat],)) if seat in first_fault else (1, tuple(key)) for seat, key in enumerate(standing)]
    return [1 + sum(other > key for other in keys) for key in keys]


class By(enum.Enum):
    """What results can be told apart by."""

    SIDE = "side"
    VARIANT = "variant"
    PLAYERS = "players"
    GAME = "game"


class PlayedGame(msgspec.Struct, frozen=True):
    """One game's results, as statistics and leaderboards read them; the lists have an entry per seat."""

    log: str
    """The log's name, without its ending."""
    index: int
    """The game's place in it, from 0."""
    block: int
    """Games of a log with the same block share a deal; below 0: the game is alone."""
    stratum: int
    """Which setting and which group of bots, as a number below 2 to the power of 32."""
    game: str
    side: str
    """The options that the game is rated apart by, as `side=five`."""
    variant: str
    """The game, its options and the number of players."""
    bots: list[str]
    ranks: list[int]
    points: list[int]
    decisions: list[int]
    time_us: list[int]
    """Microseconds for all decisions."""
    faults: list[Fault]
    fault_details: list[Mapping[str, Any]] = []
    """For each fault what the log says of it, maybe nothing: `detail`, a sentence; `stderr`, the bot's last words."""

    @property
    def deal(self) -> tuple[str, int]:
        """The block, told apart from those of other logs."""
        return self.log, self.block

    @property
    def faulted(self) -> set[int]:
        """The seats with a fault."""
        return {fault.seat for fault in self.faults}

    def label(self, by: By) -> str:
        """The part of the results that this game belongs to."""
        if by is By.PLAYERS:
            return f"{len(self.bots)} players"
        return {By.GAME: self.game, By.SIDE: self.side, By.VARIANT: self.variant}[by]
