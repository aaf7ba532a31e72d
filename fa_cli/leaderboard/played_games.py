"""Games of logs as results: what statistics and leaderboards read of them."""

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
    """What is read of a game: a record or a log's entry."""

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
    """Game `index` of the log of this name."""
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
    """When the log's tournament was begun, by its first game: logs have an order that does not depend on their files.

    None for a log that is not of a tournament. Raises LogError for a file that is not a log.
    """
    first = next(read_log(path), None)
    return tournament_start_of(first) if first else None


def tournament_start_of(first: GameRecord) -> str | None:
    """The same by the log's first game."""
    source = first.meta.get("tournament")
    if not isinstance(source, dict) or "started" not in source:
        return None
    return source["started"] if isinstance(source["started"], str) else ""


@functools.lru_cache(maxsize=1024)
def _labels(game: str, options: tuple[tuple[str, int | str], ...], players: int) -> tuple[str, str]:
    """The names of the side and of the variant."""
    return describe_side(game, dict(options)), describe_variant(game, dict(options), players)


def _stratum(record: GameRecord, bots: Sequence[str]) -> int:
    """What a schedule plans and does not leave to chance: the setting, and who sits at the table; as a short number."""
    return zlib.crc32(repr((record.game, sorted(record.options.items()), sorted(bots))).encode())


def _counts_by_seat(meta: dict[str, Any], name: str, seats: int) -> list[int]:
    """A number per seat that a record's meta may have; it is free, so it may be anything."""
    found = meta.get(name)
    if isinstance(found, list) and len(found) == seats and all(isinstance(count, int) for count in found):
        return found
    return [0] * seats
