"""Queries for tables other than leaderboards: seats, faults, games, and all result rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ..game_result import PlayedGame
from ..printing.columns import number, text
from ..stats.faults import FaultRow, fault_row
from ..stats.luck.seat_values import SeatRow
from .index import IndexedLog
from .parts import Kind
from .played_games import SUSPENSION
from .selected_results import SelectedResults

if TYPE_CHECKING:
    from .sums.game_columns import GameColumns


class ResultRow(msgspec.Struct):
    """The result of one game for one seat."""

    log: Annotated[str, text("log", "the tournament's name: that of its log without the ending")]
    record: Annotated[int, number("record", "the game's record in the log, from 1, for `--game`")]
    block: Annotated[
        int | None, number("block", "games of a log with the same block share a deal; empty: the game has its own")
    ]
    stratum: Annotated[
        int, number("stratum", "the same number for the same variant and the same bots at the table, in any seats")
    ]
    game: Annotated[str, text("game", "the game's name")]
    variant: Annotated[str, text("variant", "the game, its options and the number of players")]
    players: Annotated[int, number("players", "seats at the table")]
    seat: Annotated[int, number("seat", "this seat, from 0")]
    bot: Annotated[str, text("bot", "the bot's name")]
    version: Annotated[
        str, text("version", "the first digits of the digest of the bot's files, `unknown` without a definition")
    ]
    rank: Annotated[int, number("rank", "1 + the number of seats ahead")]
    points: Annotated[int, number("points", "the seat's points")]
    decisions: Annotated[int, number("decisions", "how many decisions the bot was asked for")]
    time_us: Annotated[int, number("us", "time for all of them, in microseconds")]
    fault: Annotated[
        str | None,
        text(
            "fault",
            "how the bot failed in this game, as in the faults below; `suspended`: it had failed too often before and "
            "did not play; empty: it did not fail",
        ),
    ]


class BotFaults(msgspec.Struct):
    """The faults of one bot, and the details of its first one."""

    kinds: Counter[str]
    """How many of each kind."""
    log: str
    """Where the first fault was: the tournament."""
    game_index: int
    """The game in its log, from 0."""
    seat: int
    ply: int
    detail: str | None
    """What the bot did, beginning with a verb."""
    stderr: str | None
    """The end of what it wrote to stderr."""
    suspended: int = 0
    """The games that it missed because it was suspended."""

    @property
    def first(self) -> str:
        """Tournament, game, seat and ply of the first fault, in words."""
        return f"{self.log}, game {self.game_index + 1}, seat {self.seat}, ply {self.ply}"


def seat_values(results: SelectedResults) -> list[SeatRow]:
    """The results of each seat over all bots."""

    def compute() -> list[SeatRow]:
        from .sums.sum_tables import seat_rows  # late: it needs NumPy

        return seat_rows(results)

    return results.remembered("seats", list[SeatRow], compute)


def faults(results: SelectedResults) -> list[FaultRow]:
    """The faults of each bot by kind, the highest share of faults first."""
    summary, counts = results.summary(Kind.BOTS), dict[str, list[int]]()
    for tables in summary.tables:
        for bot, _, *cells in zip(*(column.tolist() for column in tables.counts), strict=True):
            known = counts.get(summary.bots[bot], [0] * len(cells))
            counts[summary.bots[bot]] = [before + more for before, more in zip(known, cells, strict=True)]
    rows = [fault_row(bot, games, suspended, *kinds) for bot, (games, *kinds, suspended) in counts.items()]
    return sorted(rows, key=lambda row: (-row.share, row.bot))


def bot_faults(results: SelectedResults) -> dict[str, BotFaults]:
    """For each bot with faults, their kinds and the details of the first one."""
    from .sums.game_columns import FAULTS

    faults: dict[str, BotFaults] = {}
    for log in results.logs:
        for part in results.columns(log):
            for game, ply, seat, bot, fault in part.faults():
                known = faults.get(bot)
                if known is None:
                    details = part.details.get(bot, {}).get(game, (None, None))
                    known = faults[bot] = BotFaults(Counter(), log.log_name, game, seat, ply, *details)
                if FAULTS[fault - 1] == SUSPENSION:
                    known.suspended += 1
                else:
                    known.kinds[FAULTS[fault - 1]] += 1
    return faults


def games(results: SelectedResults, bots: Sequence[str] = ()) -> Iterator[PlayedGame]:
    """The games, in the order of their logs; with `bots` only those of at least one of these."""
    for log, part in parts_of(results):
        yield from part.games(log.log_name, part.has(bots))


def parts_of(results: SelectedResults) -> Iterator[tuple[IndexedLog, GameColumns]]:
    """All results, in parts of some thousand games; reports progress."""
    done, total = 0, sum(log.games for log in results.logs)
    for log in results.logs:
        for part in results.columns(log):
            results.report("reading results", done + part.first, total)
            yield log, part
        done += log.games


def result_rows(results: SelectedResults, version_of: Callable[[str, str], str]) -> Iterator[tuple[Any, ...]]:
    """The fields of a `ResultRow` for each game and seat, in the order of their logs.

    `version_of(log, bot)` gives a bot's version, by the name of the log in the index.
    """
    for log, part in parts_of(results):
        versions = [version_of(log.name, bot) for bot in part.bots]
        yield from part.rows(log.log_name, versions)
