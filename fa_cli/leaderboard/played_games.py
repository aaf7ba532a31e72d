"""Converts records and log entries to `PlayedGame`, the form that statistics and leaderboards read."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from ..replay.log_file import read_log
from ..replay.record import fault_details
from ..results import Fault, GameResult, PlayedGame
from .labels import bots_of, describe_side, describe_variant


class GameRecord(Protocol):
    """A record or a log entry: the fields read here."""

    @property
    def game(self) -> str: ...
    @property
    def options(self) -> dict[str, int | str]: ...
    @property
    def players(self) -> list[str]: ...
    @property
    def faults(self) -> list[Fault]: ...
    @property
    def result(self) -> GameResult: ...
    @property
    def meta(self) -> dict[str, Any]: ...


def played_game(record: GameRecord, log: str, index: int) -> PlayedGame:
    """The result of game `index`, from 0, of the log of this name."""
    bots, meta, number = bots_of(record.players), record.meta, record.meta.get("number")
    side, variant = _labels(record.game, tuple(record.options.items()), len(bots))
    return PlayedGame(
        log=log,
        index=index,
        block=number if isinstance(number, int) and 0 <= number < 1 << 62 else -1 - index,
        stratum=_stratum(record, bots),
        game=record.game,
        side=side,
        variant=variant,
        bots=bots,
        ranks=record.result.ranks,
        points=record.result.scores,
        decisions=_counts_by_seat(meta, "asked", len(bots)),
        time_us=_counts_by_seat(meta, "time_us", len(bots)),
        faults=record.faults,
        fault_details=[fault_details(meta, fault) for fault in record.faults],
    )


def tournament_start(path: Path) -> str | None:
    """When the log's tournament started, by its first game; orders logs independently of their files.

    None if the log is not that of a tournament. Raises LogError if the file is not a log.
    """
    first = next(read_log(path), None)
    return tournament_start_of(first) if first else None


def tournament_start_of(first: GameRecord) -> str | None:
    """The same, given the first game of the log."""
    tournament = first.meta.get("tournament")
    if not isinstance(tournament, dict) or "started" not in tournament:
        return None
    return tournament["started"] if isinstance(tournament["started"], str) else ""


@functools.lru_cache(maxsize=1024)
def _labels(game: str, options: tuple[tuple[str, int | str], ...], players: int) -> tuple[str, str]:
    """The labels of side and variant."""
    return describe_side(game, dict(options)), describe_variant(game, dict(options), players)


def _stratum(record: GameRecord, bots: Sequence[str]) -> int:
    """What the schedule fixes, not chance: a checksum of the setting and of the bots at the table."""
    return zlib.crc32(repr((record.game, sorted(record.options.items()), sorted(bots))).encode())


def _counts_by_seat(meta: dict[str, Any], name: str, seats: int) -> list[int]:
    """A list of one number per seat from `meta`; zeros if it is missing or has any other form."""
    counts = meta.get(name)
    if isinstance(counts, list) and len(counts) == seats and all(isinstance(count, int) for count in counts):
        return counts
    return [0] * seats
