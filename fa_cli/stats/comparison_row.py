"""A comparison of two bots as a row: its columns are declared here."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import msgspec

from ..printing.columns import (
    KEY,
    ON_REQUEST,
    HalfOpen,
    Interval,
    caveats,
    interval,
    likelihood,
    number,
    p_value,
    percent,
    percents,
    text,
)


class About(StrEnum):
    """What is compared: how two bots do against each other, or against all."""

    HEAD_TO_HEAD = "head-to-head"
    FIELD = "field"


class ComparisonRow(msgspec.Struct):
    """The comparison of two bots over all games, or over one part of them: where they met, or over the field."""

    part: Annotated[str, text("games of", "`all`, or as `side=five`", importance=KEY, folds=True)]
    about: Annotated[
        str,
        text(
            "about",
            "`head-to-head`: the deals in which the two met; `field`: these, and those in which they did not meet, but "
            "played the same deal or the same other bots. This row is there only if there are such deals",
            importance=KEY,
        ),
    ]
    first: Annotated[str, text("first", "the first bot that was named")]
    second: Annotated[str, text("second", "the other one")]
    verdict: Annotated[
        str,
        text(
            "better",
            "the name of the better one if `p_value` is below 0.05, else empty; `head-to-head` also empty if it does "
            "not rank ahead more often. If `fixed_sample` is `false`, the better one by `sequential`, if that is about "
            "all of these games and no others",
        ),
    ]
    blocks: Annotated[
        int,
        number(
            "deals",
            "deals that both played; in `field` also pairs of deals against the same other bots",
            importance=1,
        ),
    ]
    common: Annotated[
        int,
        number(
            "common", "of `blocks`, the pairs of deals in which each met the same other bots", importance=ON_REQUEST
        ),
    ]
    games: Annotated[int, number("games", "games in which both sat", importance=ON_REQUEST)]
    first_faults: Annotated[
        int,
        number(
            "first's faults",
            "of `games`, those in which `first` had a fault or was suspended",
            importance=ON_REQUEST,
        ),
    ]
    second_faults: Annotated[int, number("second's faults", "the same of `second`", importance=ON_REQUEST)]
    difference: Annotated[
        float,
        number("difference", "mean place score of `first` less that of `second`, from -1 to 1", 3, "+"),
    ]
    difference_interval: Annotated[Interval, interval("interval of `difference`", 3, "+")]
    p_value: Annotated[float, p_value("p", "how likely a difference as large is between equal bots, two-sided")]
    los: Annotated[
        float,
        likelihood(
            "LOS",
            "likelihood of superiority: how likely `first` is the better one, from the same test as `p_value`: half of "
            "it is the likelihood that the bot with the lower score is the better one",
        ),
    ]
    ahead: Annotated[
        float | None,
        percent(
            "ahead", "share in which `first` ranks ahead, ties half; unknown if they never met", importance=ON_REQUEST
        ),
    ]
    ahead_interval: Annotated[
        Interval | None,
        percents(
            "interval of `ahead`; at tables of two it excludes 50% exactly if there is a verdict", importance=ON_REQUEST
        ),
    ]
    level: Annotated[float | None, percent("level", "share in which they tie", importance=ON_REQUEST)]
    elo: Annotated[
        float | None,
        number(
            "Elo",
            "the difference of Elo ratings at which `ahead` is the expected score of `first`",
            0,
            "+",
            importance=2,
        ),
    ]
    elo_interval: Annotated[
        HalfOpen | None,
        interval("interval of `elo`; an end that is unknown has no bound", 0, "+", importance=ON_REQUEST),
    ]
    points_difference: Annotated[
        float, number("points", "mean points of `first` less those of `second`", 1, "+", importance=ON_REQUEST)
    ]
    points_interval: Annotated[
        Interval | None, interval("interval of `points_difference`", 1, "+", importance=ON_REQUEST)
    ]
    variance_ratio: Annotated[
        float | None,
        number(
            "ratio",
            "variance of the difference with a fresh deal for each game, over that with each deal in all rotations; "
            "unknown without rotations, and where all deals say the same, as if one bot always won in one seat",
            2,
            importance=ON_REQUEST,
        ),
    ]
    variance_ratio_interval: Annotated[
        Interval | None, interval("interval of `variance_ratio`", 2, importance=ON_REQUEST)
    ]
    more_deals: Annotated[
        int | None,
        number(
            "more deals",
            "how many more deals of this kind would decide in 80% of cases if `difference` is the true one; empty "
            "with a verdict, or if `difference` is 0",
            importance=ON_REQUEST,
            of_fixed_sample=True,
        ),
    ]
    fixed_sample: Annotated[
        bool,
        text(
            "fixed sample",
            "`false` if games of this row are from a tournament with `--until` that compares one of the two: "
            "then no interval here holds, and `p_value`, `los` and `more_deals` are empty",
            importance=ON_REQUEST,
        ),
    ] = True
    caveats: Annotated[list[str], caveats()] = []
    sequential: Annotated[
        str | None,
        text(
            "sequential test",
            "what `first` is by the sequential test, as above, if the games are those of one such tournament, all of "
            "them; else the result of each that compared the two, as `in spring: new is better than old`",
            if_any=True,
        ),
    ] = None

    @property
    def is_over_the_field(self) -> bool:
        """Whether the row is about the whole field, not only the games in which the two met."""
        return self.about == About.FIELD

    @property
    def is_all_of_ahead(self) -> bool:
        """Whether `difference` says the same as `ahead`, as at tables of two: then one p-value is that of both."""
        return self.ahead is not None and abs(2 * self.ahead - 1 - self.difference) < 1e-9

    @property
    def is_led_by_second(self) -> bool:
        """Whether the second bot has the higher score."""
        return self.difference < 0

    def swapped(self) -> ComparisonRow:
        """The same, as seen from the second bot. `sequential` stays that of the first."""
        return msgspec.structs.replace(
            self,
            first=self.second,
            second=self.first,
            first_faults=self.second_faults,
            second_faults=self.first_faults,
            difference=0.0 - self.difference,
            difference_interval=_negated(self.difference_interval),
            los=1 - self.los,
            ahead=None if self.ahead is None else 1 - self.ahead,
            ahead_interval=self.ahead_interval and (1 - self.ahead_interval[1], 1 - self.ahead_interval[0]),
            elo=None if self.elo is None else 0.0 - self.elo,
            elo_interval=self.elo_interval and _negated(self.elo_interval),
            points_difference=0.0 - self.points_difference,
            points_interval=self.points_interval and _negated(self.points_interval),
        )


def _negated(ends: tuple[Any, Any]) -> tuple[Any, Any]:
    """The interval of the negated figure; an end that is None has no bound."""
    low, high = (None if end is None else 0.0 - end for end in reversed(ends))
    return low, high
