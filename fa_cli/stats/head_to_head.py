"""How often each bot ranks ahead of each of its rivals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Annotated, NamedTuple

import msgspec

from ..printing.columns import (
    KEY,
    HalfOpen,
    Interval,
    caveats,
    interval,
    number,
    p_value,
    percent,
    percents,
    text,
)
from .block_means import BlockMean, caveats_of
from .outcomes import add_up, elo


class HeadToHeadRow(msgspec.Struct):
    """A bot and one of its rivals."""

    bot: Annotated[str, text("bot", "one of the two", importance=KEY)]
    rival: Annotated[str, text("rival", "the other", importance=KEY)]
    games: Annotated[int, number("games", "games with both; if one of them sits twice, pairs of their seats")]
    ahead: Annotated[float, percent("ahead", "share in which `bot` ranks ahead of `rival`, ties half")]
    ahead_interval: Annotated[Interval, percents("interval of `ahead`")]
    elo: Annotated[
        float | None,
        number("Elo", "the difference of Elo ratings at which `ahead` is the expected score of `bot`", 0, "+"),
    ]
    elo_interval: Annotated[HalfOpen, interval("interval of `elo`; an end that is unknown has no bound", 0, "+")]
    level: Annotated[float, percent("level", "share in which they tie")]
    points_difference: Annotated[
        float, number("points difference", "mean points of `bot` less those of `rival`", decimals=1)
    ]
    adjusted_p: Annotated[
        float,
        p_value(
            "adjusted p",
            "p-value of `ahead` against 50%, adjusted for the number of pairs by Holm's procedure: of all tables whose "
            "bots are equal, 5% have any below 0.05",
        ),
    ]
    caveats: Annotated[list[str], caveats()]


class PairMeetings(NamedTuple):
    """Games with both of two bots, as seen by the one whose name sorts first; each pair of seats counts as a game."""

    ahead: BlockMean
    """How often the first bot ranks ahead, ties half."""
    ties: int
    points: float
    """The sum of the differences of points."""


class HeadToHead(NamedTuple):
    """Meetings of all pairs of different bots; the names of a pair are sorted."""

    meetings: dict[tuple[str, str], PairMeetings]

    def bots(self) -> list[str]:
        """All bots that met others, the highest mean share against its rivals first."""
        shares: dict[str, list[float]] = {}
        for (name, rival), meeting in self.meetings.items():
            share = meeting.ahead.mean
            shares.setdefault(name, []).append(share)
            shares.setdefault(rival, []).append(1 - share)
        return sorted(shares, key=lambda name: (-add_up(shares[name]) / len(shares[name]), name))

    def rows(self) -> list[HeadToHeadRow]:
        """A row for each bot and each rival that it met."""
        return self.rows_in(self.bots(), both_ways=True)

    def rows_in(self, order: Sequence[str], both_ways: bool = False) -> list[HeadToHeadRow]:
        """A row for each bot and each rival behind it in this order that it met, or also for those before it."""
        p_values = dict(zip(self.meetings, holm([met.ahead.share_p() for met in self.meetings.values()]), strict=True))
        pairs = permutations(order, 2) if both_ways else combinations(order, 2)
        return [self._row(*pair, p_values[key]) for pair in pairs if (key := (min(pair), max(pair))) in p_values]

    def _row(self, name: str, rival: str, adjusted_p: float) -> HeadToHeadRow:
        """The bot's results against this rival."""
        meeting = self.meetings[min(name, rival), max(name, rival)]
        mean, points = meeting.ahead, meeting.points
        ahead, ends = mean.mean, mean.share_interval()
        if name > rival:
            ahead, ends, points = 1 - ahead, (1 - ends[1], 1 - ends[0]), -points
        games = mean.count
        return HeadToHeadRow(
            bot=name,
            rival=rival,
            games=games,
            ahead=ahead,
            ahead_interval=ends,
            elo=elo(ahead),
            elo_interval=(elo(ends[0]), elo(ends[1])),
            level=meeting.ties / games,
            points_difference=points / games,
            adjusted_p=adjusted_p,
            caveats=caveats_of(mean.blocks),
        )


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the given order: any below alpha is wrong in at most alpha of all fields.

    Raises ValueError for a figure that is no probability.
    """
    wrong = next((p for p in p_values if not 0 <= p <= 1), None)
    if wrong is not None:
        raise ValueError(f"a p-value is from 0 to 1, not {wrong}")
    adjusted, highest = [0.0] * len(p_values), 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - place)))
        adjusted[index] = highest
    return adjusted
