"""Who ranks ahead of whom, and how often: a row for each bot and each of its rivals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec

from ..columns import Interval, number, percent, percents, text
from .block_means import BlockMean, StratumSums

_AHEAD = 2.0
"""The unit of the sums: ranking ahead counts two, a tie one."""


class HeadToHeadRow(msgspec.Struct):
    """A bot and one of its rivals."""

    bot: Annotated[str, text("bot", "one of the two")]
    rival: Annotated[str, text("rival", "the other")]
    games: Annotated[int, number("games", "games with both; if one of them sits twice, pairs of their seats")]
    ahead: Annotated[float, percent("ahead", "share in which `bot` ranks ahead of `rival`, ties half")]
    ahead_interval: Annotated[Interval, percents("interval of `ahead`")]
    level: Annotated[float, percent("level", "share in which they tie")]
    points_difference: Annotated[
        float, number("points difference", "mean points of `bot` less those of `rival`", decimals=1)
    ]


class PairMeetings(NamedTuple):
    """Two bots at the same tables, as seen by the one whose name comes first; a pair of seats is a game."""

    strata: Sequence[Sequence[float]]
    """For each stratum the sums of `StratumSums`: two for ranking ahead, one for a tie."""
    level: int
    points: float

    @property
    def share(self) -> BlockMean:
        """How often the first one ranks ahead, ties half."""
        return BlockMean(StratumSums(self.strata, unit=_AHEAD))


class HeadToHead:
    """Meetings of all pairs of bots, by their names in order; a bot does not meet itself."""

    def __init__(self) -> None:
        self.meetings: dict[tuple[str, str], PairMeetings] = {}

    def bots(self) -> list[str]:
        """All bots that met others, the one with the highest mean share against its rivals first."""
        shares: dict[str, list[float]] = {}
        for (name, rival), meeting in self.meetings.items():
            share = meeting.share.mean
            shares.setdefault(name, []).append(share)
            shares.setdefault(rival, []).append(1 - share)
        return sorted(shares, key=lambda name: (-sum(shares[name]) / len(shares[name]), name))

    def rows(self) -> list[HeadToHeadRow]:
        """A row for each bot and each rival that it met."""
        order = self.bots()
        rows = (self.row(name, rival) for name in order for rival in order if name != rival)
        return [row for row in rows if row]

    def row(self, name: str, rival: str) -> HeadToHeadRow | None:
        """How the bot does against this rival; None if they never met."""
        meeting = self.meetings.get((min(name, rival), max(name, rival)))
        if meeting is None:
            return None
        mean, points = meeting.share, meeting.points
        ahead, interval = mean.mean, mean.share_interval()
        if name > rival:
            ahead, interval, points = 1 - ahead, (1 - interval[1], 1 - interval[0]), -points
        games = mean.count
        return HeadToHeadRow(name, rival, games, ahead, interval, meeting.level / games, points / games)
