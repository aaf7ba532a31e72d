"""Sums over the blocks of results, by bot and stratum. Means, shares and their intervals are computed from them.

The index stores them for each log. All are sums of whole numbers, so totals do not depend on the order of logs.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from .index import ALL, Index
from .played_games import SUSPENSION


class Kind(enum.Enum):
    """What results are grouped by before they are summed."""

    BOTS = "bots"
    BOTS_IN_SEATS = "bots in seats"
    SEATS = "seats"
    """All bots together."""


_GROUPS = {Kind.BOTS: ("bot", "-1"), Kind.BOTS_IN_SEATS: ("bot", "seat"), Kind.SEATS: ("0", "seat")}
"""SQL for a row's bot and seat; bot 0 and seat -1 mean any."""
_SUM = """
INSERT INTO block_sums
SELECT ?, ?, bot, seat, setting, stratum, MIN(first), COUNT(*), SUM(n), SUM(n * n),
    TOTAL(w), TOTAL(w * w), TOTAL(w * n), TOTAL(p), TOTAL(p * p), TOTAL(p * n), TOTAL(r), TOTAL(r * r), TOTAL(r * n),
    TOTAL(n * n * n), TOTAL(p * p * p), TOTAL(p * p * n), TOTAL(p * n * n), SUM(f), SUM(s), TOTAL(d), TOTAL(t)
FROM (
    SELECT {bot} AS bot, {seat} AS seat, setting, stratum, MIN(game_index) AS first, COUNT(*) AS n, TOTAL(win) AS w,
        TOTAL(points) AS p, TOTAL(half_ranks) AS r,
        COUNT(NULLIF(fault, '{suspension}')) AS f, SUM(fault IS '{suspension}') AS s,
        TOTAL(decisions) AS d, TOTAL(time_us) AS t
    FROM results WHERE log = ? GROUP BY 1, 2, setting, stratum, block
)
GROUP BY bot, seat, setting, stratum
"""
_OF_BOT = """
SELECT setting, seat, SUM(faults), SUM(suspended), TOTAL(decisions), TOTAL(time_us),
    SUM(blocks), SUM(size), SUM(size_size),
    TOTAL(win), TOTAL(win_win), TOTAL(win_size), TOTAL(points), TOTAL(points_points), TOTAL(points_size),
    TOTAL(ranks), TOTAL(ranks_ranks), TOTAL(ranks_size),
    TOTAL(size_3), TOTAL(points_3), TOTAL(points_2_size), TOTAL(points_size_2)
FROM counted CROSS JOIN block_sums ON scope = counted.log AND kind = ? AND bot = ?
GROUP BY setting, seat, stratum ORDER BY MIN((position << 40) + first)
"""


def outdated(index: Index, kind: Kind) -> list[int]:
    """The ids of selected logs with sums that are missing or stale, and of removed logs that still have sums."""
    index.check("summed")
    summed = dict(index.rows("SELECT log, games FROM summed WHERE kind = ?", (kind.value,)))
    logs = {log.id: log.end.index for log in index.logs().values()}
    selected = [log for (log,) in index.rows("SELECT log FROM counted")]
    return [log for log in selected if summed.get(log) != logs[log]] + [log for log in summed if log not in logs]


def update(index: Index, kind: Kind) -> None:
    """Bring the sums of the selected logs up to date. Call it in a transaction."""
    logs = {log.id: log.end.index for log in index.logs().values()}
    changed = outdated(index, kind)
    for number, log in enumerate(changed):
        index.report("summing results", number, len(changed))
        index.check_results(log, logs.get(log, 0))
        _mark_stale(index, log, kind)
        index.change("summed", "block_sums", scope=log)
        for table, column in (("summed", "log"), ("block_sums", "scope")):
            index.write(f"DELETE FROM {table} WHERE {column} = ? AND kind = ?", [(log, kind.value)])
        if kind is Kind.BOTS:
            index.change("comparisons", "meetings", "fit_sums", "seat_counts", "games", scope=log)
            for table in ("comparisons", "meetings", "fit_sums", "seat_counts"):
                index.write(f"DELETE FROM {table} WHERE log = ?", [(log,)])
        if log in logs:
            _sum(index, log, kind)
            index.write("INSERT INTO summed VALUES (?, ?, ?)", [(log, kind.value, logs[log])])


def _sum(index: Index, log: int, kind: Kind) -> None:
    """Sum the results of a log."""
    bot, seat = _GROUPS[kind]
    index.write(_SUM.format(bot=bot, seat=seat, suspension=SUSPENSION), [(log, kind.value, log)])
    _mark_stale(index, log, kind)
    if kind is Kind.BOTS:
        from .comparisons import sum_log  # late: a leaderboard that is up to date needs no NumPy

        sum_log(index, log)
        index.write("DELETE FROM games WHERE log = ?", [(log,)])
        count = "SELECT log, setting, COUNT(*) FROM results WHERE log = ? AND seat = 0 GROUP BY setting"
        index.write(f"INSERT INTO games {count}", [(log,)])
        count = "SELECT log, setting, bot, seat, COUNT(*) FROM results WHERE log = ? GROUP BY setting, bot, seat"
        index.write(f"INSERT INTO seat_counts {count}", [(log,)])


def _mark_stale(index: Index, log: int, kind: Kind) -> None:
    """Mark the standings of the log's bots for recomputation, in the scopes of the log and of all tournaments."""
    index.check("block_sums", scope=log)
    for scope in (log, ALL):
        index.change("stale", scope=scope)
        bots = "SELECT DISTINCT ?, kind, bot FROM block_sums WHERE scope = ? AND kind = ?"
        index.write(f"INSERT OR IGNORE INTO stale {bots}", [(scope, log, kind.value)])


def of_bot(index: Index, kind: Kind, bot: int) -> list[Sequence[Any]]:
    """A bot's sums over the selected logs, one row per stratum, in the order of each stratum's first game.

    Columns: setting, seat, faults, games missed by suspended bots, decisions, microseconds, then the sums over blocks
    that `StratumSums` takes.
    """
    index.check_selected("block_sums")
    return index.rows(_OF_BOT, (kind.value, bot))
