"""Cycles: a planted one is reported, and a field with an order shows one at most as often as alpha."""

from __future__ import annotations

import itertools

import numpy
import pytest

from fa_cli.stats.cycles import ALPHA, cycles
from fa_cli.stats.head_to_head import HeadToHead, PairMeetings


def league(chances: numpy.ndarray, blocks: int, seed: int) -> HeadToHead:
    """Bots that meet in pairs, two games a block; `chances`: how likely the bot of the row is ahead."""
    draw = numpy.random.default_rng(seed)
    found = HeadToHead()
    for first, second in itertools.combinations(range(len(chances)), 2):
        ahead = 2.0 * draw.binomial(2, chances[first, second], blocks)
        sums = [blocks, 2 * blocks, 4 * blocks, ahead.sum(), (ahead**2).sum(), 2 * ahead.sum()]
        found.meetings[f"bot{first}", f"bot{second}"] = PairMeetings([sums], 0, 0.0)
    return found


def chances(bots: int, *upsets: tuple[int, int], chance: float = 0.75) -> numpy.ndarray:
    """All equal but for the pairs, of which the first is ahead with this chance."""
    found = numpy.full((bots, bots), 0.5)
    for first, second in upsets:
        found[first, second], found[second, first] = chance, 1 - chance
    return found


@pytest.mark.parametrize("bots", [3, 5])
def test_rock_paper_scissors_is_a_cycle(bots: int) -> None:
    trio = chances(bots, (1, 0), (2, 1), (0, 2), chance=0.8)
    found = [cycles(league(trio, 60, seed)) for seed in range(100)]
    assert sum(one == [["bot0", "bot2", "bot1"]] for one in found) >= 95


def test_a_cycle_of_four_is_found_without_a_cycle_of_three() -> None:
    four = chances(4, (0, 1), (1, 2), (2, 3), (3, 0), chance=0.9)
    assert cycles(league(four, 100, 1)) == [["bot0", "bot1", "bot2", "bot3"]]


def test_two_groups_have_a_cycle_each() -> None:
    groups = chances(6, (0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), chance=0.95)
    assert cycles(league(groups, 100, 1)) == [["bot0", "bot1", "bot2"], ["bot3", "bot4", "bot5"]]


@pytest.mark.parametrize("step", [0.0, 0.02, 0.2])
@pytest.mark.parametrize("blocks", [12, 60])
def test_a_field_with_an_order_shows_a_cycle_at_most_as_often_as_alpha(step: float, blocks: int) -> None:
    order = numpy.arange(6)
    order = numpy.clip(0.5 + step * (order[None, :] - order[:, None]), 0.02, 0.98)
    assert sum(bool(cycles(league(order, blocks, seed))) for seed in range(400)) <= ALPHA * 400


def test_pairs_are_wrong_at_most_as_often_as_alpha() -> None:
    """The worst order: two bots far apart with a near-equal one between shows a cycle only by an error of a pair."""
    order = chances(3, (0, 2), chance=1.0)
    order[0, 1] = order[1, 2] = 0.5
    order[1, 0] = order[2, 1] = 0.5
    assert sum(bool(cycles(league(order, 40, seed))) for seed in range(1000)) <= ALPHA * 1000


def test_who_has_no_rivals_is_in_no_cycle() -> None:
    assert cycles(HeadToHead()) == []
