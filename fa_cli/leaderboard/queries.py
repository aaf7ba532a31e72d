"""Queries for tables other than leaderboards: seats, faults, games, and all result rows."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Annotated, Any

import msgspec

from ..game_result import SUSPENDED, Fault, FaultKind, PlayedGame
from ..printing.columns import number, text
from ..stats.faults import FaultRow, fault_row
from ..stats.luck.seat_values import SeatRow, SeatSums, SeatValues, seat_row
from ..stats.luck.seat_values import seat_values as values_of_strata
from .block_sums import Kind, of_bot
from .index import Index
from .parts import settings
from .played_games import SUSPENSION
from .standings import means

_COUNTED = "counted CROSS JOIN results AS x ON x.log = counted.log"
"""The results of the selected logs."""
_GAMES = """
SELECT game_index, block, stratum, game, side, variant, bots.name, rank, points, decisions, time_us,
    fault, fault_ply
FROM results AS x CROSS JOIN settings ON settings.id = setting CROSS JOIN bots ON bots.id = bot
WHERE log = ? AND game_index BETWEEN ? AND ? AND {where} ORDER BY game_index, seat
"""


_WITH_BOTS = (
    "EXISTS (SELECT 1 FROM results AS y WHERE (y.log, y.game_index) = (x.log, x.game_index) "
    "AND y.bot IN (SELECT id FROM bots WHERE name IN ({bots})))"
)
_BATCH = 2_000
"""Games that are checked and read at once: whoever needs the first ones waits for no others."""
_PLACE = 1024
"""Place scores are summed as whole numbers of half ranks / 1024, so sums do not depend on the order of logs."""
_SEATS = f"""
WITH averages AS (
    SELECT setting, bot, CAST(ROUND({_PLACE} * AVG(half_ranks)) AS INTEGER) AS average
    FROM {_COUNTED} WHERE {{where}} GROUP BY setting, bot
), blocks AS (
    SELECT x.setting AS setting, stratum, MIN((position << 40) + game_index) AS first,
        COUNT(*) / settings.players AS n, {{seats}}
    FROM {_COUNTED} JOIN settings ON settings.id = x.setting
    JOIN averages ON averages.setting = x.setting AND averages.bot = x.bot
    WHERE players = {{players}} AND {{where}} GROUP BY x.log, block, x.setting, stratum
)
SELECT setting, COUNT(*), SUM(n), SUM(n * n), {{sums}} FROM blocks GROUP BY setting, stratum ORDER BY MIN(first)
"""
"""For tables of one size: sums over blocks by stratum, of each seat's place less the average place of its bots."""


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


def seat_values(index: Index, game: str | None) -> list[SeatRow]:
    """The results of each seat over all bots, in one game or in all."""
    by_id, strata = settings(index), dict[tuple[str, int, int], list[Sequence[float]]]()
    tables: dict[tuple[str, int], SeatValues] = {}
    for setting, seat, _, _, _, _, *sums in of_bot(index, Kind.SEATS, 0):
        if game in (None, by_id[setting].game):
            strata.setdefault((by_id[setting].game, by_id[setting].players, seat), []).append(sums)
    for players in {seat[1] for seat in strata}:
        tables |= {(name, players): seats for name, seats in _values_of_seats(index, game, players).items()}
    return [seat_row(*seat, tables[seat[:2]], *means(strata[seat])) for seat in sorted(strata)]


def _values_of_seats(index: Index, game: str | None, players: int) -> dict[str, SeatValues]:
    """What the seats of tables with `players` are worth, in place scores, by game."""
    index.check_selected_results()
    where, values = _where(game)
    seats, pairs = range(players), list(itertools.combinations_with_replacement(range(players), 2))
    query = _SEATS.format(
        where=where,
        players=players,
        seats=", ".join(f"SUM((seat = {seat}) * (average - {_PLACE} * half_ranks)) AS s{seat}" for seat in seats),
        sums=", ".join(
            [f"SUM(s{seat}), SUM(s{seat} * n)" for seat in seats]
            + [f"SUM(s{left} * s{right})" for left, right in pairs]
        ),
    )
    unit = _PLACE * 2 * max(1, players - 1)
    by_id, strata = settings(index), dict[str, list[SeatSums]]()
    for setting, blocks, games, squares, *sums in index.each(query, (*values, *values)):
        products = [[0.0] * players for _ in seats]
        for (left, right), product in zip(pairs, sums[2 * players :], strict=True):
            products[left][right] = products[right][left] = product / unit**2
        totals, by_games = ([each / unit for each in sums[start : 2 * players : 2]] for start in (0, 1))
        strata.setdefault(by_id[setting].game, []).append(SeatSums(blocks, games, squares, totals, by_games, products))
    return {name: values_of_strata(rows) for name, rows in strata.items()}


def faults(index: Index, game: str | None) -> list[FaultRow]:
    """The faults of each bot by kind, the highest share of faults first."""
    where, values = _where(game)
    index.check("bots", "settings")
    index.check_selected_results()
    kinds = ", ".join(f"SUM(fault IS '{kind.value}')" for kind in FaultKind)
    counts = f"COUNT(*), SUM(fault IS '{SUSPENSION}'), {kinds}"
    query = f"SELECT name, {counts} FROM {_COUNTED} JOIN bots ON bots.id = bot"
    rows = [fault_row(*row) for row in index.rows(f"{query} WHERE {where} GROUP BY bot", values)]
    return sorted(rows, key=lambda row: (-row.share, row.bot))


def bot_faults(index: Index) -> dict[str, BotFaults]:
    """For each bot with faults, their kinds and the details of the first one."""
    index.check("bots")
    index.check_selected("fault_details")
    index.check_selected_results()
    log_names = {log.id: log.log_name for log in index.logs().values()}
    query = (
        "SELECT x.log, game_index, seat, fault_ply, fault, bot FROM counted CROSS JOIN results AS x "
        "ON x.log = counted.log WHERE fault IS NOT NULL ORDER BY position, game_index, fault_ply"
    )
    names = dict(index.rows("SELECT id, name FROM bots"))
    faults: dict[str, BotFaults] = {}
    for log, game, seat, ply, kind, bot in index.each(query):
        if names[bot] not in faults:
            details = index.rows("SELECT detail, stderr FROM fault_details WHERE log = ? AND bot = ?", (log, bot))
            faults[names[bot]] = BotFaults(
                Counter(), log_names[log], game, seat, ply, *(details[0] if details else (None, None))
            )
        if kind == SUSPENSION:
            faults[names[bot]].suspended += 1
        else:
            faults[names[bot]].kinds[kind] += 1
    return faults


def games(index: Index, game: str | None, bots: Sequence[str] = ()) -> Iterator[PlayedGame]:
    """The games, in the order of their logs; with `bots` only those of at least one of these."""
    logs = {log.id: log for log in index.logs().values()}
    index.check("bots", "settings")
    where, values = _where(game)
    if bots:
        where = f"{where} AND {_WITH_BOTS.format(bots=', '.join('?' * len(bots)))}"
        values = (*values, *bots)
    counted = [logs[id] for (id,) in index.rows("SELECT log FROM counted ORDER BY position")]
    done, total = 0, sum(log.end.index for log in counted)
    for log in counted:
        name = log.log_name
        for first in range(0, log.end.index, _BATCH):
            index.report("reading results", done + first, total)
            ends = first, first + _BATCH - 1
            index.check_results(log.id, log.end.index, *ends)
            rows = index.each(_GAMES.format(where=where), (log.id, *ends, *values))
            for _, seats in itertools.groupby(rows, itemgetter(0)):
                yield _game(name, list(seats))
        done += log.end.index


def _game(log: str, seats: list[Any]) -> PlayedGame:
    index, block, stratum, game, side, variant, *_ = seats[0]
    suspended = [seat for seat, row in enumerate(seats) if row[11] == SUSPENSION]
    faults = [
        Fault(seat, row[12], SUSPENDED.kind if seat in suspended else FaultKind(row[11]))
        for seat, row in enumerate(seats)
        if row[11] is not None
    ]
    bots, ranks, points, decisions, times = (list(column) for column in list(zip(*seats, strict=True))[6:11])
    return PlayedGame(
        log, index, block, stratum, game, side, variant, bots, ranks, points, decisions, times, faults, [], suspended
    )


def _where(game: str | None) -> tuple[str, tuple[Any, ...]]:
    """The SQL condition for results `x` of one game, or of all, and its values."""
    return ("TRUE", ()) if game is None else ("x.setting IN (SELECT id FROM settings WHERE game = ?)", (game,))


def result_rows(index: Index, game: str | None, version_of: Callable[[str, str], str]) -> Iterator[ResultRow]:
    """One row for each game and seat, in the order of their logs; `version_of(log, bot)` gives a bot's version."""
    for played in games(index, game):
        faults = {fault.seat: fault.kind.value for fault in played.faults} | dict.fromkeys(played.suspended, SUSPENSION)
        for seat, bot in enumerate(played.bots):
            yield ResultRow(
                log=played.log,
                record=played.index + 1,
                block=played.block if played.block >= 0 else None,
                stratum=played.stratum,
                game=played.game,
                variant=played.variant,
                players=len(played.bots),
                seat=seat,
                bot=bot,
                version=version_of(played.log, bot),
                rank=played.ranks[seat],
                points=played.points[seat],
                decisions=played.decisions[seat],
                time_us=played.time_us[seat],
                fault=faults.get(seat),
            )
