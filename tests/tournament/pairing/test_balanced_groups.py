"""Groups that are even where they end: each bot has played, and each pair has met, equally often within one."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Sequence
from math import ceil, comb, floor

import numpy
import pytest

from fa_cli.tournament.amend import _with_more_games
from fa_cli.tournament.pairing.balanced_groups import MAX_LISTED_GROUPS, BalancedGroups
from fa_cli.tournament.pairing.pair_counts import Group
from tests.tournament.helpers import definition, play_out, setting


def take(bots: int, size: int, ends: Sequence[int], settings: int = 1) -> list[Group]:
    return list(itertools.islice(BalancedGroups(bots, size, settings, ends), ends[-1]))


def spreads(groups: Sequence[Group], bots: int) -> tuple[int, int]:
    """The most less the fewest: games of a bot, meetings of a pair."""
    played = Counter(itertools.chain(*groups))
    met = Counter(pair for group in groups for pair in itertools.combinations(group, 2))
    games = [played[bot] for bot in range(bots)]
    meetings = [met[pair] for pair in itertools.combinations(range(bots), 2)]
    return max(games) - min(games), max(meetings) - min(meetings)


def is_possible(bots: int, size: int, groups: int) -> bool:
    """Whether counting alone allows pairs within one: each bot must have met each other at least as often as the mean
    pair rounded down, and at most as often as that rounded up, in the games that it has."""
    low, more = divmod(groups * comb(size, 2), comb(bots, 2))
    games, longer = divmod(groups * size, bots)
    fewest, most = games * (size - 1), (games + bool(longer)) * (size - 1)
    return low * (bots - 1) <= fewest and most <= (low + bool(more)) * (bots - 1)


def left_over(bots: int, size: int, groups: int) -> float:
    """How much more often than a whole number of times a pair meets in the mean, from 0 to 1."""
    return groups * comb(size, 2) / comb(bots, 2) % 1


GRID = [
    (bots, size, groups)
    for bots, size in [(14, 5), (18, 5), (16, 4), (20, 4), (30, 4), (20, 3), (23, 3), (31, 3)]
    for groups in (7, bots, 3 * bots // 2, 2 * bots + 1, 5 * bots // 2, 71, 120)
    if is_possible(bots, size, groups)
]
ROOMY = [case for case in GRID if 0.2 <= left_over(*case) <= 0.75]
NARROW = [(25, 4, 50), (18, 5, 12)]


@pytest.mark.parametrize(("bots", "size", "groups"), ROOMY)
def test_within_one(bots: int, size: int, groups: int) -> None:
    assert comb(bots, size) > MAX_LISTED_GROUPS
    assert max(spreads(take(bots, size, [groups]), bots)) <= 1


@pytest.mark.parametrize(("bots", "size", "groups"), NARROW)
def test_within_two_where_that_is_a_puzzle(bots: int, size: int, groups: int) -> None:
    """Nearly as many meetings as it takes for all pairs, or just as many: whether there are such groups is a puzzle."""
    assert is_possible(bots, size, groups)
    games, meetings = spreads(take(bots, size, [groups]), bots)
    assert games <= 1
    assert meetings <= 2


@pytest.mark.parametrize(("bots", "size", "groups"), [(20, 3, 63)])
def test_within_two_where_one_is_impossible(bots: int, size: int, groups: int) -> None:
    assert not is_possible(bots, size, groups)
    assert spreads(take(bots, size, [groups]), bots) == (int(groups * size % bots > 0), 2)


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "most"), [(687, 1), (981, 2)])
def test_of_many_bots_no_pair_stands_out(groups: int, most: int) -> None:
    """When seven tenths of the pairs have met, and when all could have."""
    assert max(spreads(take(109, 4, [groups]), 109)) <= most


@pytest.mark.parametrize(("bots", "size", "groups"), [(16, 4, 20), (21, 3, 70), (13, 3, 26), (16, 4, 40)])
def test_whole_designs(bots: int, size: int, groups: int) -> None:
    """As many groups as it takes for every pair to meet equally often, where that is known to be possible."""
    assert left_over(bots, size, groups) == 0
    assert spreads(take(bots, size, [groups]), bots) == (0, 0)


def there_are_such(bots: int, size: int, groups: int) -> bool:
    """Whether so many different groups can be even within one at all: an integer program has the answer."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # late: each worker would import it to collect

    whole = list(itertools.combinations(range(bots), size))
    pairs = list(itertools.combinations(range(bots), 2))
    rows = [([set(pair) <= set(group) for group in whole], groups * comb(size, 2) / len(pairs)) for pair in pairs] + [
        ([bot in group for group in whole], groups * size / bots) for bot in range(bots)
    ]
    limits = LinearConstraint(
        numpy.array([row for row, _ in rows], float),
        [floor(mean) for _, mean in rows],
        [ceil(mean) for _, mean in rows],
    )
    number = LinearConstraint(numpy.ones((1, len(whole))), groups, groups)
    nothing, ones = numpy.zeros(len(whole)), numpy.ones(len(whole))
    return bool(milp(nothing, integrality=ones, bounds=Bounds(0, 1), constraints=[limits, number]).success)


@pytest.mark.parametrize(
    ("bots", "size", "groups"),
    [(6, 2, 5), (6, 4, 7), (6, 4, 9), (7, 3, 5), (7, 3, 7), (8, 4, 10), (8, 4, 62), (9, 3, 12), (9, 3, 30)],
)
def test_parts_of_all_groups_are_even_wherever_that_is_possible(bots: int, size: int, groups: int) -> None:
    taken = take(bots, size, [groups])
    games, meetings = spreads(taken, bots)
    assert games <= 1
    assert (meetings <= 1) == there_are_such(bots, size, groups)
    assert max(Counter(taken).values()) == 1


@pytest.mark.parametrize("settings", [1, 2])
def test_each_group_comes_once_before_any_comes_again(settings: int) -> None:
    taken = take(8, 4, [30, 200, 280], settings)
    for first in range(settings):
        its = taken[first::settings]
        assert len(set(its[:70])) == 70
        assert len(set(its[70:140])) == min(70, len(its) - 70)


@pytest.mark.parametrize(("bots", "size", "groups"), [(8, 4, 56), (10, 3, 40), (20, 3, 40), (20, 4, 50), (30, 4, 45)])
def test_several_settings_are_even_together_and_each_about_so(bots: int, size: int, groups: int) -> None:
    taken = take(bots, size, [groups], settings=2)
    assert max(spreads(taken, bots)) <= 1
    for half in (taken[::2], taken[1::2]):
        games, meetings = spreads(half, bots)
        assert games <= 1
        assert meetings <= 2
        assert max(Counter(half).values()) == 1


def test_even_again_where_more_is_wished() -> None:
    taken = take(20, 4, [45, 110])
    assert max(spreads(taken[:45], 20)) <= 1
    assert max(spreads(taken, 20)) <= 1
    assert take(20, 4, [45]) == taken[:45]


def test_more_games_do_not_change_those_before() -> None:
    wanted = definition([setting(16, 4, side="five"), setting(16, 4, side="six")], 120)
    more = _with_more_games(wanted, 77)
    assert play_out(more)[:120] == play_out(wanted)
    assert more.games == 197


def test_nobody_falls_far_behind_on_the_way() -> None:
    taken = take(30, 4, [150])
    assert max(spreads(taken[:end], 30)[0] for end in range(5, 150, 5)) <= 3


def test_a_secret_gives_others() -> None:
    groups = [list(itertools.islice(BalancedGroups(20, 4, 1, [50], secret), 50)) for secret in ("", "x", "y")]
    assert len(set(map(tuple, groups))) == 3
    assert max(spreads(groups[1], 20)) <= 1


def test_a_thousand_bots_begin_at_once() -> None:
    begun = time.process_time()
    groups = list(itertools.islice(BalancedGroups(1000, 4, 2, [250_000]), 250))
    assert time.process_time() - begun < 15  # a second or two on a machine that does nothing else
    assert max(spreads(groups, 1000)) <= 1


@pytest.mark.slow
@pytest.mark.parametrize(("bots", "size"), [(60, 4), (100, 3), (120, 4)])
def test_many_bots(bots: int, size: int) -> None:
    """Half of the first round in which every pair meets, and half of the third: within one; at its end within two."""
    level = comb(bots, 2) / comb(size, 2)
    ends = [round(levels * level) for levels in (0.5, 2.5, 3.0)]
    taken = take(bots, size, ends)
    for end, most in zip(ends, (1, 1 if bots < 100 else 2, 2), strict=True):
        games, meetings = spreads(taken[:end], bots)
        assert games <= 1
        assert meetings <= most
