"""Leaderboards and their rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated

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
from ..stats.lack_of_fit.verdict import LackOfFit
from ..stats.luck.seat_values import SeatImbalance
from .rating.ratings import Rating
from .rating.trueskill_step import MU, SIGMA

Ratings = Mapping[str, Rating]
"""By bot; those of others are those of new bots."""
_NAMED = 5
"""How many bots without a rank a sentence names."""
_TESTED_PARTS = {By.SIDE.value: "sides", By.PLAYERS.value: "players"}
"""The parts of the test of the fit that say whether a split of the results matters."""


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
            "1 + the number of ranked bots with a higher strength (in a seat: with a better mean rank there; `--rating "
            "online`: with a higher rating); none for a bot that did not play the same games as the ranked ones",
            importance=KEY,
            tone=best_if_first,
        ),
    ] = None
    rank_range: Annotated[
        Range | None,
        ranks(
            "ranks",
            "the ranks that the bot may have in truth, from first to last: "
            "95% sure for all bots of the table together; none with `--rating online` or without a rank",
            importance=6,
            legend="the true ranks of all bots are in these ranges, 95% sure",
        ),
    ] = None
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
    ] = None
    strength_interval: Annotated[
        Interval | None, interval("interval of `strength`; none for a bot with fewer than two blocks", 2, importance=7)
    ] = None
    rating: Annotated[
        float,
        number(
            "rating",
            "mu - 3 sigma, of TrueSkill; it depends on the order of games",
            2,
            legend="TrueSkill's cautious estimate, mu - 3 sigma; it depends on the order of games",
        ),
    ] = MU - 3 * SIGMA
    mu: Annotated[float, number("mu", "the TrueSkill estimate, game after game", 2, importance=3)] = MU
    sigma: Annotated[float, number("sigma", "TrueSkill's uncertainty of `mu`", 2, importance=7)] = SIGMA
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
    tokens: Annotated[
        int | None,
        number(
            "tokens",
            "tokens sent to its language model and answered, the most possible if not stated; none without one",
            if_any=True,
            legend="where a provider does not say how many, the most possible, which counts in the cost too",
        ),
    ] = None
    cost: Annotated[
        float | None,
        number("cost", "what its language model cost, in the currency of its prices; none without one", 4, if_any=True),
    ] = None
    illegal: Annotated[
        float | None,
        percent(
            "illegal",
            "share of the answers of its language model that were illegal or unreadable; none without one",
            importance=4,
            tone=bad_if_any,
            if_any=True,
        ),
    ] = None
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
    played: list[str] = []
    """The games that were played."""
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

    def mark_stopped(self, bots: Collection[str], labels: Collection[str] | None = None) -> None:
        """Add the caveat of early stops to rows of these bots, overall and in parts with these labels (None: all)."""
        caveat = Caveat.STOPPED_EARLY.value
        parts = [part.values() for label, part in self.parts.items() if labels is None or label in labels]
        for rows in (self.rows, *parts):
            for row in rows:
                if row.bot in bots and caveat not in row.caveats:
                    row.caveats.append(caveat)

    @property
    def could_stop_early(self) -> bool:
        """Whether the number of games depended on results: then no p-value and no range of ranks holds."""
        return any(Caveat.STOPPED_EARLY.value in row.caveats for row in self.rows)

    @property
    def notes(self) -> list[str]:
        """What a reader of the table has to know, a line each."""
        has_fit = self.fit and (self.fit.parts or len(self.rows) > 2) and not self.could_stop_early
        fit = self.fit if has_fit else None
        part = ""
        if fit and fit.p is not None and self.apart in _TESTED_PARTS and len(self.parts) > 1:
            has_options = self.apart == By.SIDE.value and not all(label.startswith("side=") for label in self.parts)
            found = fit.of_part(_TESTED_PARTS[self.apart], "the choice of options" if has_options else "")
            part = found or "these games can't tell whether it matters"
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
        """Why points are no comparison of bots, in a sentence; empty if they are of one game in one setting."""
        if len(self.played) > 1:
            return f"points: they mix those of {listed(self.played)}; compare bots by strength, wins or mean rank"
        return self.settings_note

    @property
    def settings_note(self) -> str:
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

    def rate(self, overall: Ratings, parts: Mapping[str, Ratings]) -> None:
        """Set the ratings of the rows, overall and in the parts."""
        _rate(self.rows, overall)
        for label, rows in self.parts.items():
            _rate(rows.values(), parts[label])


def _rate(rows: Iterable[StandingRow], ratings: Ratings) -> None:
    for row in rows:
        row.mu, row.sigma = ratings.get(row.bot, Rating())
        row.rating = row.mu - 3 * row.sigma


def in_order(rows: Sequence[StandingRow]) -> list[StandingRow]:
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
