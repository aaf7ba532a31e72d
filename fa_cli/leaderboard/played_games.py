"""Converts records and log entries to `PlayedGame`, the form that statistics read, and to rows of the index."""

from __future__ import annotations

import functools
import zlib
from pathlib import Path
from typing import Any, Final, Protocol

from ..errors import WrongResult
from ..game_result import Fault, GameResult, PlayedGame
from ..replay.log_file import read_log
from ..replay.record import fault_details, is_suspended
from ..stats.outcomes import WIN
from .labels import bots_of, describe_side, describe_variant

_LARGEST: Final = 1 << 40
"""Numbers from logs are limited to this size; no real game comes near it."""
INSERT_RESULT: Final = f"INSERT INTO results VALUES ({', '.join('?' * 15)})"
SUSPENSION: Final = "suspended"
"""The fault of a seat without its bot, which was suspended."""
IndexRow = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, str | None, int | None]
"""The values of `INSERT_RESULT`: a row of the table `results`."""


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
    """The result of game `index`, from 0, of the log of this name. Raises WrongResult if it does not fit."""
    _check(record, index)
    bots, meta, number = bots_of(record.players), record.meta, record.meta.get("number")
    side, variant = _labels(record.game, tuple(record.options.items()), len(bots))
    return PlayedGame(
        log=log,
        index=index,
        block=number if isinstance(number, int) and 0 <= number < 1 << 62 else -1 - index,
        stratum=_stratum(record.game, tuple(record.options.items()), tuple(sorted(bots))),
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
        suspended=[fault.seat for fault in record.faults if is_suspended(meta, fault)],
    )


def _check(record: GameRecord, index: int) -> None:
    """Raises WrongResult if a seat lacks something: only a forged log has such a record."""
    seats, result = len(record.players), record.result
    problem = ""
    if not 0 < seats == len(result.ranks) == len(result.scores):
        problem = f"it has {seats} players, {len(result.ranks)} ranks and {len(result.scores)} scores"
    elif min(result.ranks) < 1 or max(result.ranks) > seats:
        problem = f"its ranks go from {min(result.ranks)} to {max(result.ranks)}, and it has {seats} players"
    for fault in record.faults:
        if not 0 <= fault.seat < seats or not 0 <= fault.ply < _LARGEST:
            problem = f"it has a fault of seat {fault.seat} at ply {fault.ply}, and {seats} players"
    if problem:
        raise WrongResult(f"record {index + 1} is not that of a game: {problem}")


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


@functools.lru_cache(maxsize=4096)
def _stratum(game: str, options: tuple[tuple[str, int | str], ...], bots: tuple[str, ...]) -> int:
    """What the schedule fixes, not chance: a checksum of the setting and of the bots at the table, in order of name."""
    return zlib.crc32(repr((game, sorted(options), list(bots))).encode())


def _counts_by_seat(meta: dict[str, Any], name: str, seats: int) -> list[int]:
    """A list of one number per seat from `meta`; zeros if it is missing or has any other form."""
    counts = meta.get(name)
    if isinstance(counts, list) and len(counts) == seats and all(isinstance(count, int) for count in counts):
        return counts
    return [0] * seats


def result_rows(log: int, game: PlayedGame, setting: int, bots: list[int]) -> list[IndexRow]:
    """The rows of a game; `log`, `setting` and `bots`, one per seat, are ids.

    Wins are in units of 1 / `WIN`; a seat with a fault has none. Seats that tie share the mean of their ranks, in
    halves: ranks `[1, 2, 2]` give `[2, 5, 5]`. Raises ValueError if results of a seat are missing.
    """
    ranks: list[int] = game.ranks
    points: list[int] = game.points
    decisions: list[int] = game.decisions
    times: list[int] = game.time_us
    if not len(bots) == len(ranks) == len(points) == len(decisions) == len(times):
        raise ValueError("a game lacks results of its seats")
    index, block, stratum = game.index, game.block, game.stratum
    share = WIN // max(1, ranks.count(1))
    faults = {fault.seat: fault for fault in reversed(game.faults)}  # of each seat the first
    rows: list[IndexRow] = []
    for seat, bot in enumerate(bots):
        rank, fault = ranks[seat], faults.get(seat)
        rows.append(
            (
                log,
                index,
                seat,
                block,
                stratum,
                setting,
                bot,
                _clamped(rank),
                _clamped(points[seat]),
                share if rank == 1 and fault is None else 0,
                _clamped(2 * rank + ranks.count(rank) - 1),
                _clamped(decisions[seat]),
                _clamped(times[seat]),
                None if fault is None else SUSPENSION if seat in game.suspended else fault.kind.value,
                None if fault is None else fault.ply,
            )
        )
    return rows


def _clamped(value: int) -> int:
    return value if -_LARGEST < value < _LARGEST else max(-_LARGEST, min(_LARGEST, value))
