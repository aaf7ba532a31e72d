"""The rows of leaderboards: computed from sums over blocks and from ratings, and stored to be shown quickly."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from ..game_result import By
from ..printing.columns import (
    KEY,
    ON_REQUEST,
    Caveat,
    Interval,
    Range,
    bad_if_any,
    best_if_first,
    caveats,
    html_rows,
    interval,
    number,
    p_value,
    percent,
    percents,
    ranks,
    text,
)
from ..printing.text import listed
from ..stats.block_means import BlockMean, StratumSums, caveats_of, pooled
from ..stats.lack_of_fit.verdict import LackOfFit
from ..stats.luck.seat_values import SeatBalance, SeatImbalance
from ..stats.outcomes import WIN, add_up
from . import parts, strengths
from .block_sums import Kind, of_bot
from .compared_games import counts_by_bot, deals_played, ranked_bots
from .index import Index
from .parts import Part, PartIds, Variant
from .rating.trueskill_step import MU, SIGMA

UNITS = (WIN, 1.0, 2.0)
"""One win, one point and one rank in the units of the sums."""
_CUBES = (None, 12, None)
"""The column of the sums of third powers: only points are not bounded, so only their skewness matters."""
_NAMED = 5
"""How many bots without a rank a sentence names."""
_TESTED_PARTS = {By.SIDE.value: "sides", By.PLAYERS.value: "players"}
"""The parts of the test of the fit that say whether a split of the results matters."""
_BOT_IDS = "SELECT name, id FROM bots"
_IN_SEATS = "(SELECT id FROM parts WHERE apart = 'seat')"


class StandingRow(msgspec.Struct, kw_only=True):
    """A bot on a leaderboard, or in a part of it."""

    group: Annotated[
        int | None,
        number(
            "group",
            "bots of different groups never met, directly or through others: ranks and strengths are those within the "
            "group; none if all bots are connected",
            importance=KEY,
            if_any=True,
        ),
    ] = None
    rank: Annotated[
        int | None,
        number(
            "rank",
            "1 + the number of ranked bots with a higher strength (`--rating online`: with a higher rating); none for "
            "a bot that did not play the same games as the ranked ones",
            importance=KEY,
            tone=best_if_first,
        ),
    ]
    rank_range: Annotated[
        Range | None,
        ranks(
            "ranks",
            "the ranks that the bot may have in truth, from first to last: "
            "95% sure for all bots of the table together; none with `--rating online` or without a rank",
            importance=6,
            legend="the true ranks of all bots are in these ranges, 95% sure",
        ),
    ]
    bot: Annotated[str, text("bot", "its name; `greedy#1` and `greedy#2` in a log are both `greedy`", importance=KEY)]
    games: Annotated[int, number("games", "games played; a bot that sits twice counts twice", importance=8)]
    strength: Annotated[
        float | None,
        number(
            "strength",
            "fitted to all games at once, on TrueSkill's scale: the mean of the bots is 25, and a bot 4.2 ahead of "
            "another ranks ahead of it in 76% of games; none in a seat",
            2,
            legend="fitted to all games, 25 on average; 4.2 more means ranking ahead in 76% of games",
        ),
    ]
    strength_interval: Annotated[
        Interval | None, interval("interval of `strength`; none for a bot with fewer than two blocks", 2, importance=7)
    ]
    rating: Annotated[
        float,
        number(
            "rating",
            "mu - 3 sigma, of TrueSkill; it depends on the order of games",
            2,
            legend="TrueSkill's cautious estimate, mu - 3 sigma; it depends on the order of games",
        ),
    ]
    mu: Annotated[float, number("mu", "the TrueSkill estimate, game after game", 2, importance=3)]
    sigma: Annotated[float, number("sigma", "TrueSkill's uncertainty of `mu`", 2, importance=7)]
    wins: Annotated[
        float,
        percent(
            "wins",
            "share of games won; a first place shared by n counts 1/n; a bot with a fault wins nothing",
            importance=9,
            legend="share of games won; a first place shared by n bots counts 1/n",
        ),
    ]
    wins_interval: Annotated[Interval, percents("interval of `wins`", importance=2)]
    points: Annotated[float, number("points", "mean points", 1, importance=5)]
    points_interval: Annotated[
        Interval | None, interval("interval of `points`; none with a single block", 1, importance=1)
    ]
    mean_rank: Annotated[
        float,
        number(
            "mean rank",
            "mean rank; tied bots share the mean of their ranks: 1, 2.5, 2.5",
            2,
            importance=3,
        ),
    ]
    mean_rank_interval: Annotated[Interval, interval("interval of `mean_rank`", 2, importance=1)]
    faults: Annotated[int, number("faults", "games in which the bot failed", tone=bad_if_any)]
    suspended: Annotated[
        int,
        number(
            "suspended",
            "games that it missed because it was suspended after its faults",
            tone=bad_if_any,
            if_any=True,
            legend="games that a bot missed because it was suspended after too many faults; it ranks last there",
        ),
    ]
    ms: Annotated[float | None, number("ms", "mean time for a decision, in milliseconds", 2, importance=4)]
    misfit: Annotated[
        str | None,
        text(
            "misfit",
            "how its results differ from its strength, if one number per bot does not fit the games of the table",
            importance=ON_REQUEST,
        ),
    ] = None
    fit_p_value: Annotated[
        float | None,
        p_value(
            "fit p", "p-value of the test whether one number per bot fits; the same in all rows", importance=ON_REQUEST
        ),
    ] = None
    caveats: Annotated[list[str], caveats()]


class Leaderboard(msgspec.Struct):
    """The leaderboard of a scope: the overall rows, and those of its parts if the results are split."""

    games: int
    rows: list[StandingRow]
    parts: dict[str, dict[str, StandingRow]]
    """By label, then by bot."""
    imbalances: list[SeatImbalance] = []
    """The bots whose seats were not balanced, the worst first."""
    mixed_games: list[str] = []
    """The games that were played in several settings."""
    compared_games: list[str] = []
    """The games that all bots with a rank play."""
    unranked: dict[str, list[str]] = {}
    """The games of each bot without a rank, which plays others."""
    fit: LackOfFit | None = None
    """Whether one number per bot fits; None without games."""
    apart: str = ""
    """What the results are split by."""

    def _repr_html_(self) -> str:
        """The overall rows as an HTML table: how a notebook shows the leaderboard."""
        return html_rows(StandingRow, self.rows)

    def add_caveat(self, bots: Collection[str], caveat: Caveat, labels: Collection[str] | None = None) -> None:
        """Add the caveat to the rows of these bots, overall and in the parts with these labels (None: in all parts)."""
        parts = [part.values() for label, part in self.parts.items() if labels is None or label in labels]
        for rows in (self.rows, *parts):
            for row in rows:
                if row.bot in bots and caveat.value not in row.caveats:
                    row.caveats.append(caveat.value)

    @property
    def notes(self) -> list[str]:
        """What a reader of the table has to know, a line each."""
        fit = self.fit if self.fit and (self.fit.parts or len(self.rows) > 2) else None
        part = fit.of_part(_TESTED_PARTS.get(self.apart, "")) if fit else ""
        notes = [
            self.rank_note,
            self.group_note,
            f"fit: {fit.sentence}" if fit else "",
            part and f"{self.apart}: {part}",
        ]
        return list(filter(None, notes))

    @property
    def group_note(self) -> str:
        """Which bots never met, in a sentence; empty if all are connected."""
        groups: dict[int, list[str]] = {}
        for row in self.rows:
            if row.group is not None:
                groups.setdefault(row.group, []).append(row.bot)
        if not groups:
            return ""
        named = "; ".join(f"{number}: {listed(bots, _NAMED)}" for number, bots in groups.items())
        return f"groups: no games connect them, so ranks and strengths of two groups cannot be compared ({named})"

    @property
    def rank_note(self) -> str:
        """Which bots have no rank and why, in a sentence; empty if all have one."""
        if not self.unranked:
            return ""
        bots: dict[str, list[str]] = {}
        for bot, games in self.unranked.items():
            bots.setdefault(listed(games), []).append(bot)
        without = "; ".join(f"{listed(names, _NAMED)} (only {games})" for games, names in bots.items())
        return f"ranks: among the bots that play {listed(self.compared_games)}; without a rank: {without}"

    @property
    def points_note(self) -> str:
        """Why points of several settings are no comparison of bots, in a sentence; empty if each game has one."""
        if not self.mixed_games:
            return ""
        return (
            f"points: those of {listed(self.mixed_games)} mix several settings; they depend on the setting and on how "
            "long games last, so compare bots by strength, wins or mean rank"
        )

    def ranked_online(self) -> Leaderboard:
        """The same leaderboard and its parts, ranked by TrueSkill's rating."""
        parts = {
            label: {row.bot: row for row in _ranked_online(list(part.values()))} for label, part in self.parts.items()
        }
        return msgspec.structs.replace(self, rows=_ranked_online(self.rows), parts=parts)


def is_current(index: Index, scope: int, kind: Kind) -> bool:
    """Whether all rows of the scope are up to date."""
    index.check("stale", scope=scope)
    return not index.rows("SELECT 1 FROM stale WHERE scope = ? AND kind = ? LIMIT 1", (scope, kind.value))


def update(index: Index, scope: int, kind: Kind) -> None:
    """Recompute the rows of all bots whose sums have changed. Call it in a transaction."""
    index.change("stale", "standings", scope=scope)
    bots = index.rows("SELECT bot FROM stale WHERE scope = ? AND kind = ?", (scope, kind.value))
    if kind is Kind.SEATS:
        bots = []  # these rows are few and computed when shown
    known, ids = parts.settings(index), PartIds(index)
    in_seats = kind is Kind.BOTS_IN_SEATS
    for count, (bot,) in enumerate(bots):
        index.report("computing intervals", count, len(bots))
        which = "IN" if in_seats else "NOT IN"
        index.write(f"DELETE FROM standings WHERE scope = ? AND bot = ? AND part {which} {_IN_SEATS}", [(scope, bot)])
        index.write(
            f"INSERT INTO standings VALUES ({', '.join('?' * 17)})",
            [(scope, ids[part], bot, *row) for part, row in _rows_of(of_bot(index, kind, bot), known, in_seats)],
        )
    if kind is Kind.BOTS and bots:
        index.report("fitting strengths", 0, 1)
        strengths.update(index, scope)
    index.write("DELETE FROM stale WHERE (scope, kind) = (?, ?)", [(scope, kind.value)])


def _rows_of(
    sums: Sequence[Sequence[Any]], known: Mapping[int, Variant], in_seats: bool
) -> list[tuple[Part, Sequence[Any]]]:
    """A bot's row in each part, computed once for parts with the same games. Keeps the order of the sums."""
    groups: dict[Part, list[tuple[int, int]]] = {}
    for setting, seat in dict.fromkeys((stratum[0], stratum[1]) for stratum in sums):
        for part in known[setting].seat_parts(seat) if in_seats else known[setting].parts():
            groups.setdefault(part, []).append((setting, seat))
    rows: dict[tuple[tuple[int, int], ...], Sequence[Any]] = {}
    for keys in map(tuple, groups.values()):
        if keys not in rows:
            players = max(known[setting].players for setting, _ in keys)
            rows[keys] = _row([stratum for stratum in sums if (stratum[0], stratum[1]) in keys], players)
    return [(part, rows[tuple(keys)]) for part, keys in groups.items()]


def _row(sums: Sequence[Sequence[Any]], players: int) -> tuple[Any, ...]:
    """The columns of `standings` after the bot."""
    wins, points, ranks = means([stratum[6:] for stratum in sums])
    points_interval = points.interval()
    faults, suspended, decisions, time_us = (sum(stratum[column] for stratum in sums) for column in (2, 3, 4, 5))
    return (
        wins.count,
        *(wins.mean, *wins.share_interval()),
        *(points.mean, *(points_interval or (None, None))),
        *(ranks.mean, *ranks.bounded_interval(1, players)),
        faults,
        suspended,
        time_us / decisions / 1000 if decisions else None,
        " ".join(caveats_of(points.blocks, points_interval)),
    )


def means(strata: Sequence[Sequence[float]]) -> tuple[BlockMean, BlockMean, BlockMean]:
    """The means of wins, points and ranks, from rows of `block_sums`, which may come from several settings."""
    few = pooled(strata)
    wins, points, ranks = (
        BlockMean(StratumSums(few, kind, unit, cubes))
        for kind, (unit, cubes) in enumerate(zip(UNITS, _CUBES, strict=True))
    )
    return wins, points, ranks


def show(
    index: Index, scope: int, apart: str, game: str | None, anchors: Mapping[str, float] | None = None
) -> Leaderboard:
    """The leaderboard of the scope, over all games or one, with its parts by `apart` unless that is empty.

    `anchors` gives strengths to bots, which shift those of all connected ones.
    """
    index.check("parts", "settings", "bots")
    index.check("standings", "strengths", "ratings", scope=scope)
    index.check_selected("seat_counts", "games")
    overall = index.value("SELECT id FROM parts WHERE (game, apart, label) = (?, '', '')", (game or parts.ANY,))
    overall_rows = rows_of(index, scope, overall)
    if anchors:
        overall_rows = _on_scale(index, game, overall_rows, anchors)
    compared, unranked = _unranked(index, overall_rows)
    strength_of = {row.bot: row.strength for row in overall_rows if row.strength is not None}
    rows_by_label = {
        label: {row.bot: row for row in _anchored(rows_of(index, scope, part, unranked), strength_of)}
        for label, part in (parts.shown(index, apart, game) if apart else {}).items()
    }
    fit = fit_of(index, scope, game)
    if fit:
        _note_fit(overall_rows, fit)
    return Leaderboard(
        games=games_of(index, game),
        rows=overall_rows,
        parts={label: rows for label, rows in rows_by_label.items() if rows},
        imbalances=_seat_balance(index, game).imbalances(),
        mixed_games=_mixed_games(index, game),
        compared_games=compared,
        unranked=unranked,
        apart=apart,
        fit=fit,
    )


def _on_scale(
    index: Index, game: str | None, rows: Sequence[StandingRow], anchors: Mapping[str, float]
) -> list[StandingRow]:
    """The overall rows on the scale that the anchors give."""
    ranked = {row.bot: row.rank is not None for row in rows}
    places = dict(zip(sorted(ranked), strengths.anchored(index, game, ranked, anchors), strict=True))
    has_groups = any(place.group > 1 for place in places.values())
    for row in rows:
        group, row.strength, row.strength_interval, row.rank, row.rank_range = places[row.bot]
        row.group = group if has_groups else None
    return _in_order(rows)


def _note_fit(rows: Sequence[StandingRow], fit: LackOfFit) -> None:
    """Note in the rows whether one number per bot fits, and in those of the bots that show it how it does not."""
    for row in rows:
        row.fit_p_value = fit.p
        row.misfit = fit.misfit.reason if fit.misfit and row.bot in fit.misfit.bots else None


def fit_of(index: Index, scope: int, game: str | None) -> LackOfFit | None:
    """Whether one number per bot fits all games, or those of one; None without games."""
    index.check("parts")
    index.check("fits", scope=scope)
    query = "SELECT fit FROM fits JOIN parts ON id = part WHERE (scope, game, apart) = (?, ?, '')"
    rows = index.rows(query, (scope, game or parts.ANY))
    return msgspec.json.decode(rows[0][0], type=LackOfFit) if rows else None


def _unranked(index: Index, rows: Sequence[StandingRow]) -> tuple[list[str], dict[str, list[str]]]:
    """The games that bots with a rank play, and those of each bot without one; nothing if all have a rank."""
    names = [row.bot for row in rows if row.rank is None]
    if not names:
        return [], {}
    counts, id_of = counts_by_bot(deals_played(index), parts.settings(index)), dict(index.rows(_BOT_IDS))
    compared, _ = ranked_bots(counts)
    return sorted(compared), {name: sorted(counts[id_of[name]]) for name in names}


def _seat_balance(index: Index, game: str | None) -> SeatBalance:
    """How often each bot had each seat, in one game or in all."""
    balance = SeatBalance()
    query = (
        "SELECT game, players, name, seat, SUM(games) FROM counted CROSS JOIN seat_counts USING (log) "
        "JOIN settings ON settings.id = setting JOIN bots ON bots.id = bot GROUP BY 1, 2, 3, 4"
    )
    for row in index.each(query):
        if game in (None, row[0]):
            balance.add(*row)
    return balance


def _mixed_games(index: Index, game: str | None) -> list[str]:
    """The games that the selected logs have in more than one setting."""
    query = "SELECT DISTINCT setting FROM games WHERE log IN (SELECT log FROM counted)"
    known = parts.settings(index)
    names = [known[setting].game for (setting,) in index.rows(query)]
    return sorted({name for name in names if names.count(name) > 1 and game in (None, name)})


def _anchored(rows: list[StandingRow], overall: Mapping[str, float]) -> list[StandingRow]:
    """The rows of a part, shifted to the mean strength that its bots have overall: parts share one scale."""
    shifts: dict[int | None, list[float]] = {}
    for row in rows:
        if row.strength is not None:
            shifts.setdefault(row.group, []).append(overall.get(row.bot, MU) - row.strength)
    for row in rows:
        shift = add_up(shifts.get(row.group, [])) / max(1, len(shifts.get(row.group, [])))
        if row.strength is not None:
            row.strength += shift
        if row.strength_interval is not None:
            low, high = row.strength_interval
            row.strength_interval = low + shift, high + shift
    return rows


def games_of(index: Index, game: str | None) -> int:
    """The number of games in the selected logs, of all games or of one."""
    query = "SELECT SUM(games) FROM games WHERE log IN (SELECT log FROM counted)"
    if game is None:
        return index.value(query)
    return index.value(f"{query} AND setting IN (SELECT id FROM settings WHERE game = ?)", (game,))


def rows_of(index: Index, scope: int, part: int, unranked: Collection[str] = ()) -> list[StandingRow]:
    """The rows of a part, the best bot first; in a part without strengths the `unranked` bots come last."""
    query = (
        "SELECT group_number, bots.name, standings.games, strength, low, high, rank, first_rank, last_rank, mu, sigma, "
        "wins, wins_low, wins_high, points, points_low, points_high, mean_rank, mean_rank_low, mean_rank_high, "
        "faults, suspended, ms, caveats FROM standings JOIN bots ON bots.id = standings.bot "
        "LEFT JOIN strengths AS x ON (x.scope, x.part, x.bot) = (standings.scope, standings.part, standings.bot) "
        "LEFT JOIN ratings AS y ON (y.scope, y.part, y.bot) = (standings.scope, standings.part, standings.bot) "
        "WHERE standings.scope = ? AND standings.part = ?"
    )
    rows = [_standing(*row) for row in index.rows(query, (scope, part))]
    if any(row.strength is None for row in rows):
        return _ranked_online([msgspec.structs.replace(row, rank=None if row.bot in unranked else 1) for row in rows])
    if all(row.group == 1 for row in rows):
        rows = [msgspec.structs.replace(row, group=None) for row in rows]
    return _in_order(rows)


def _in_order(rows: Sequence[StandingRow]) -> list[StandingRow]:
    """The rows by group and rank, the best bot first; those without a rank come last, by strength."""
    return sorted(rows, key=lambda row: (row.group or 0, row.rank is None, row.rank or -(row.strength or 0), row.bot))


def _ranked_online(rows: Sequence[StandingRow]) -> list[StandingRow]:
    """The rows by rating, the best first; those without a rank stay without one and come last."""
    ordered = sorted(rows, key=lambda row: (row.group or 0, row.rank is None, -row.rating, -row.mu, row.bot))
    ratings = [(row.group, row.rating) for row in ordered]
    starts = {row.group: place for place, row in reversed(list(enumerate(ordered)))}
    return [
        msgspec.structs.replace(
            row,
            rank=None if row.rank is None else 1 + ratings.index((row.group, row.rating)) - starts[row.group],
            rank_range=None,
        )
        for row in ordered
    ]


def _standing(
    group: int | None, bot: str, games: int,
    strength: float | None, low: float | None, high: float | None,
    rank: int | None, first_rank: int | None, last_rank: int | None,
    mu: float | None, sigma: float | None, wins: float, wins_low: float, wins_high: float,
    points: float, points_low: float | None, points_high: float | None,
    mean_rank: float, mean_rank_low: float, mean_rank_high: float, faults: int, suspended: int,
    ms: float | None, caveats: str,
) -> StandingRow:  # fmt: skip
    mu, sigma = (MU, SIGMA) if mu is None or sigma is None else (mu, sigma)
    row = {
        "group": group,
        "rank": rank,
        "rank_range": None if first_rank is None else (first_rank, last_rank),
        "bot": bot,
        "games": games,
        "strength": strength,
        "strength_interval": None if low is None else (low, high),
        "rating": mu - 3 * sigma,
        "mu": mu,
        "sigma": sigma,
        "wins": wins,
        "wins_interval": (wins_low, wins_high),
        "points": points,
        "points_interval": None if points_low is None else (points_low, points_high),
        "mean_rank": mean_rank,
        "mean_rank_interval": (mean_rank_low, mean_rank_high),
        "faults": faults,
        "suspended": suspended,
        "ms": ms,
        "caveats": caveats.split(),
    }
    return msgspec.convert(row, StandingRow)  # raises ValueError for damaged rows
