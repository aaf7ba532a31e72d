"""Converts log entries to `PlayedGame`, the form that statistics read."""

from __future__ import annotations

import functools
import zlib
from pathlib import Path
from typing import Any, Final

from ..errors import WrongResult
from ..game_result import PlayedGame
from ..replay.log_entry import LogEntry
from ..replay.log_file import read_log
from ..replay.record import fault_details, is_suspended
from .labels import bots_of, describe_side, describe_variant

LARGEST: Final = 1 << 40
"""Numbers from logs are limited to this size; no real game comes near it."""
_WHOLE: Final = frozenset((int, bool))
SUSPENSION: Final = "suspended"
"""The fault of a seat without its bot, which was suspended."""


def played_game(entry: LogEntry, log: str, index: int) -> PlayedGame:
    """The result of game `index`, from 0, of the log of this name. Raises WrongResult if it does not fit."""
    _check(entry, index)
    bots, meta, number = bots_of(entry.players), entry.meta, entry.meta.get("number")
    side, variant = _labels(entry.game, tuple(entry.options.items()), len(bots))
    return PlayedGame(
        log=log,
        index=index,
        block=number if isinstance(number, int) and 0 <= number < 1 << 62 else -1 - index,
        stratum=_stratum(entry.game, tuple(entry.options.items()), tuple(sorted(bots))),
        game=entry.game,
        side=side,
        variant=variant,
        bots=bots,
        ranks=entry.result.ranks,
        points=entry.result.scores,
        decisions=_counts_by_seat(meta, "asked", len(bots)),
        time_us=_counts_by_seat(meta, "time_us", len(bots)),
        faults=entry.faults,
        fault_details=[fault_details(meta, fault) for fault in entry.faults],
        suspended=[fault.seat for fault in entry.faults if is_suspended(meta, fault)],
        models=_models_by_seat(meta, len(bots)) if "models" in meta else (),
    )


def _check(entry: LogEntry, index: int) -> None:
    """Raises WrongResult if a seat lacks something: only a forged log has such an entry."""
    seats, result = len(entry.players), entry.result
    problem = ""
    if not 0 < seats == len(result.ranks) == len(result.scores):
        problem = f"it has {seats} players, {len(result.ranks)} ranks and {len(result.scores)} scores"
    elif min(result.ranks) < 1 or max(result.ranks) > seats:
        problem = f"its ranks go from {min(result.ranks)} to {max(result.ranks)}, and it has {seats} players"
    for fault in entry.faults:
        if not 0 <= fault.seat < seats or not 0 <= fault.ply < LARGEST:
            problem = f"it has a fault of seat {fault.seat} at ply {fault.ply}, and {seats} players"
    if problem:
        raise WrongResult(f"record {index + 1} is not that of a game: {problem}")


def tournament_start(path: Path) -> str | None:
    """When the log's tournament started, by its first game; orders logs independently of their files.

    None if the log is not that of a tournament. Raises LogError if the file is not a log.
    """
    first = next(read_log(path), None)
    return tournament_start_of(first) if first else None


def tournament_start_of(first: LogEntry) -> str | None:
    """The same, given the first game of the log."""
    tournament = first.meta.get("tournament")
    if not isinstance(tournament, dict) or "started" not in tournament:
        return None
    return tournament["started"] if isinstance(tournament["started"], str) else ""


@functools.lru_cache(maxsize=1024)
def _labels(game: str, options: tuple[tuple[str, int | str], ...], players: int) -> tuple[str, str]:
    """The labels of side and variant."""
    return describe_side(game, dict(options)), describe_variant(game, dict(options), players)


@functools.lru_cache(maxsize=4096)
def _stratum(game: str, options: tuple[tuple[str, int | str], ...], bots: tuple[str, ...]) -> int:
    """What the schedule fixes, not chance: a checksum of the setting and of the bots at the table, in order of name."""
    return zlib.crc32(repr((game, sorted(options), list(bots))).encode())


def _models_by_seat(meta: dict[str, Any], seats: int) -> list[list[int]]:
    """`PlayedGame.models` from `meta`; empty if it has another form."""
    from ..models.exchanges import stated_totals

    totals = stated_totals(meta)
    if len(totals) != seats:
        return []
    return [
        [each.exchanges, each.illegal, each.tokens_in + each.tokens_out, round(1e6 * each.cost)]
        if each
        else [0, 0, 0, 0]
        for each in totals
    ]


def _counts_by_seat(meta: dict[str, Any], name: str, seats: int) -> list[int]:
    """A list of one number per seat from `meta`; zeros if it is missing or has any other form."""
    counts = meta.get(name)
    if isinstance(counts, list) and len(counts) == seats and _WHOLE.issuperset(map(type, counts)):
        return counts
    return [0] * seats
