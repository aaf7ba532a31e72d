"""The words every layer shares for how a game ended, and for what went wrong on the way."""

from __future__ import annotations

import enum
from collections.abc import Sequence

import msgspec


class FaultKind(enum.Enum):
    """Why a seat's bot lost its part in a game (the `kind` of a record's fault)."""

    START = "start"
    TIMEOUT = "timeout"
    CRASH = "crash"
    PROTOCOL = "protocol"
    ILLEGAL = "illegal"
    RESOURCE = "resource"


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
