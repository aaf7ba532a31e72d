"""Games of logs as results: what statistics and leaderboards read of them."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..replay.log_file import read_log
from ..results import Fault, GameResult, PlayedGame
from .labels import bots_of, describe_side, describe_variant


class Result(Protocol):
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


def played_game(result: Result, log: str, index: int) -> PlayedGame:
    """Game `index` of the log of this name."""
    bots, meta, number = bots_of(result.players), result.meta, result.meta.get("number")
    side, variant = _labels(result.game, tuple(result.options.items()), len(bots))
    return PlayedGame(
        log=log,
        index=index,
        block=number if isinstance(number, int) and 0 <= number < 1 << 62 else -1 - index,
        stratum=_stratum(result, bots),
        game=result.game,
        side=side,
        variant=variant,
        bots=bots,
        ranks=result.result.ranks,
        points=result.result.scores,
        decisions=_counts(meta, "asked", len(bots)),
        time_us=_counts(meta, "time_us", len(bots)),
        faults=result.faults,
        fault_details=[_details(meta, fault) for fault in result.faults],
    )


def beginning(path: Path) -> str | None:
    """When the log's tournament was begun, by its first game: logs have an order that does not depend on their files.

    None for a log that is not of a tournament. Raises LogError for a file that is not a log.
    """
    first = next(read_log(path), None)
    return beginning_of(first) if first else None


def beginning_of(first: Result) -> str | None:
    """The same by the log's first game."""
    source = first.meta.get("tournament")
    if not isinstance(source, dict) or "started" not in source:
        return None
    return source["started"] if isinstance(source["started"], str) else ""


@functools.lru_cache(maxsize=1024)
def _labels(game: str, options: tuple[tuple[str, int | str], ...], players: int) -> tuple[str, str]:
    """The names of the side and of the variant."""
    return describe_side(game, dict(options)), describe_variant(game, dict(options), players)


def _stratum(result: Result, bots: Sequence[str]) -> int:
    """What a schedule plans and does not leave to chance: the setting, and who sits at the table; as a short number."""
    return zlib.crc32(repr((result.game, sorted(result.options.items()), sorted(bots))).encode())


def _counts(meta: dict[str, Any], name: str, seats: int) -> list[int]:
    """A number per seat that a record's meta may have; it is free, so it may be anything."""
    found = meta.get(name)
    if isinstance(found, list) and len(found) == seats and all(isinstance(count, int) for count in found):
        return found
    return [0] * seats


def _details(meta: dict[str, Any], fault: Fault) -> Mapping[str, Any]:
    details = meta.get("fault_details")
    for one in details if isinstance(details, list) else ():
        if isinstance(one, dict) and (one.get("seat"), one.get("ply")) == (fault.seat, fault.ply):
            return one
    return {}
