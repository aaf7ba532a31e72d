"""Who meets whom: everybody about equally often all along, and exactly so after whole cycles."""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb

import pytest

from fa_cli.tournament.pairing.groups import WHOLE, Group, Tally, balanced_groups


def take(bots: int, seats: int, count: int) -> list[Group]:
    return list(itertools.islice(balanced_groups(range(bots), seats, Tally()), count))


def spread(counts: Counter[object], things: int) -> int:
    return max(counts.values()) - (min(counts.values()) if len(counts) == things else 0)


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (5, 2), (6, 3), (8, 4), (7, 5), (4, 4), (11, 4), (46, 2), (47, 2)])
def test_a_whole_cycle_has_each_group_once(bots: int, seats: int) -> None:
    groups = take(bots, seats, comb(bots, seats))
    assert sorted(groups) == list(itertools.combinations(range(bots), seats))


@pytest.mark.parametrize(("bots", "seats"), [(6, 4), (8, 4), (9, 3), (30, 4), (100, 4), (61, 2)])
def test_nobody_falls_behind(bots: int, seats: int) -> None:
    """At any moment no bot has played two games more than another; where groups are picked out, two at most."""
    played: Counter[object] = Counter()
    for group in take(bots, seats, 3 * bots):
        played.update(group)
        assert spread(played, bots) <= (2 if comb(bots, seats) <= WHOLE else 1) + (bots % 2 and seats == 2)


@pytest.mark.parametrize("bots", [20, 30, 60])
def test_pairs_of_a_sample_meet_about_equally_often(bots: int) -> None:
    met: Counter[object] = Counter()
    for group in take(bots, 4, bots * (bots - 1) // 3):  # four meetings per pair, on the average
        met.update(itertools.combinations(group, 2))
    assert spread(met, comb(bots, 2)) <= 5
    assert sum(2 <= met[pair] <= 6 for pair in itertools.combinations(range(bots), 2)) >= 0.95 * comb(bots, 2)


def test_a_thousand_bots_begin_at_once() -> None:
    groups = take(1000, 4, 250)
    assert sorted(itertools.chain(*groups)) == list(range(1000))


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


def test_settings_complement_each_other() -> None:
    """While one setting has given few games, the other one takes those who have not played."""
    overall = Tally()
    first, second = (balanced_groups(range(8), 4, overall) for _ in range(2))
    assert sorted([*next(first), *next(second)]) == list(range(8))
