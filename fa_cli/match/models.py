"""Exchanges with language models in a record: their totals and digest by seat."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..models.exchanges import META, SeatTotals
from ..replay.record import Record


def add_models(record: Record, totals: Iterable[SeatTotals | None]) -> None:
    """Add the totals of each seat to the record's `meta`, None for seats without a model; nothing if none has one."""
    by_seat = [each and msgspec.structs.asdict(each) for each in totals]
    if any(by_seat):
        record.meta[META] = by_seat
