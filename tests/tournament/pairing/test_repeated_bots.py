"""Tables with more seats than bots: everybody about equally often all along, and exactly so after whole cycles."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from fa_cli.tournament.pairing.pair_counts import Group
from fa_cli.tournament.pairing.repeated_bots import groups_with_repeats


def take(bots: int, seats: int, count: int) -> list[Group]:
    return list(itertools.islice(groups_with_repeats(range(bots), seats, Counter()), count))


@pytest.mark.parametrize(
    ("bots", "seats", "groups"),
    [
        (1, 2, {(0, 0)}),
        (2, 4, {(0, 0, 1, 1)}),
        (2, 3, {(0, 0, 1), (0, 1, 1)}),
        (3, 4, {(0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2)}),
    ],
)
def test_fewer_bots_than_seats_fill_the_table_evenly(bots: int, seats: int, groups: set[Group]) -> None:
    assert set(take(bots, seats, 20)) == groups


@pytest.mark.parametrize(("bots", "seats"), [(2, 3), (3, 4), (3, 5), (4, 5)])
def test_nobody_falls_behind(bots: int, seats: int) -> None:
    """After a whole cycle all have sat equally often; in between no bot has sat there twice more than another."""
    groups = take(bots, seats, 12)
    for count in range(1, 13):
        sat = [sum(group.count(bot) for group in groups[:count]) for bot in range(bots)]
        assert max(sat) - min(sat) <= (1 if count % bots else 0)


def test_settings_complement_each_other() -> None:
    """While one setting has given few games, the other one takes those who have not played."""
    overall = Counter()
    first, second = (groups_with_repeats(range(4), 5, overall) for _ in range(2))
    assert next(first) != next(second)
