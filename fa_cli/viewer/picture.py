"""A position of a recorded game as an SVG document."""

from __future__ import annotations

from collections import deque

from ..errors import UsageError
from ..replay.record import Record
from .drawing import Theme, draw, svg
from .positions import positions

DEAL = -1
"""The ply of the position before the first decision."""


def picture(record: Record, ply: int | None, seat: int | None, theme: Theme) -> str:
    """Return the position after decision `ply`, DEAL or None for the end, as far as the record can be played.

    What the last decision changed is marked. Seat None sees everything. Raises UsageError if the game has no such ply
    or seat, and as `deal_of` does.
    """
    players, decisions = len(record.players), len(record.actions)
    if seat is not None and not 0 <= seat < players:
        raise UsageError(f"no seat {seat}: the seats are 0 to {players - 1}")
    if ply is not None and ply >= decisions:
        raise UsageError(f"no ply {ply}: the last is {decisions - 1}")
    last_two = deque(positions(record, decisions if ply is None else ply + 1, seat), 2)
    before, shown = [None, *(draw(record.game, position.view) for position in last_two)][-2:]
    assert shown
    return svg(shown, theme, before)
