"""The schedule: pure, the same for ever, fair in seats, and with duplicate deals that no process sees twice."""

from __future__ import annotations

import itertools
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from fa_cli.tournament.fairness import measure_fairness, next_balanced, planned_games
from fa_cli.tournament.pairing.seating import rotations
from fa_cli.tournament.request import Duplicate
from fa_cli.tournament.schedule import NEW_PROCESS
from fa_cli.tournament.setup import describe_fairness

from .helpers import definition, play_out, setting

TWO_SIDES = [setting(8, 4, side="five"), setting(8, 4, side="six")]


def test_each_group_sits_once_in_every_order_of_the_table() -> None:
    jobs = play_out(definition(TWO_SIDES, 224))
    assert [job.index for job in jobs] == list(range(224))
    for first in range(0, 224, 4):
        block = jobs[first : first + 4]
        assert len({job.number for job in block}) == len({job.setting for job in block}) == 1
        assert len({frozenset(job.seats) for job in block}) == 1
        assert [job.process_slot for job in block] == [0, 1, 2, 3]
        for seat in range(4):
            assert len({job.seats[seat] for job in block}) == 4


def test_the_defaults_are_even_for_eight_bots() -> None:
    assert planned_games(definition(TWO_SIDES, 0)) == 224
    seats = Counter(
        (job.setting, seat, bot) for job in play_out(definition(TWO_SIDES, 224)) for seat, bot in enumerate(job.seats)
    )
    assert set(seats.values()) == {14}
    assert len(seats) == 2 * 4 * 8
    pairs = Counter(
        (job.setting, *pair)
        for job in play_out(definition(TWO_SIDES, 224))
        for pair in itertools.combinations(sorted(job.seats), 2)
    )
    assert set(pairs.values()) == {24}
    assert len(pairs) == 2 * 28


@hypothesis_settings(max_examples=30)
@given(
    bots=st.integers(1, 9),
    players=st.integers(2, 5),
    settings=st.integers(1, 3),
    games=st.integers(1, 150),
    duplicate=st.sampled_from(Duplicate),
    ahead=st.integers(1, 20),
)
def test_whatever_is_played(
    bots: int, players: int, settings: int, games: int, duplicate: Duplicate, ahead: int
) -> None:
    wanted = definition([setting(bots, players, turn_limit=n + 1) for n in range(settings)], games, duplicate)
    jobs = play_out(wanted)
    assert [job.index for job in jobs] == list(range(games))
    assert play_out(wanted, ahead=ahead) == jobs
    for job in jobs:
        assert len(job.seats) == players
        assert max(Counter(job.seats).values()) <= -(-players // bots)
    # no process is dealt a deal twice, and no deal is dealt twice to the same seats
    assert (
        max(
            Counter((job.number, job.process_slot) for job in jobs if job.process_slot != NEW_PROCESS).values(),
            default=1,
        )
        == 1
    )
    assert max(Counter((job.number, job.seats) for job in jobs).values()) == 1
    assert (len({job.number for job in jobs}) == games) or duplicate is not Duplicate.OFF


@given(group=st.lists(st.integers(0, 3), min_size=2, max_size=6).map(sorted).map(tuple))
def test_turns_of_a_table(group: tuple[int, ...]) -> None:
    copies = Counter(group)
    if max(copies.values()) - min(copies.values()) > 1:
        return  # no such group is made
    turns = rotations(7, group)
    assert len(set(turns)) == len(turns) == (1 if len(copies) == 1 else len(group))
    assert {tuple(sorted(turn)) for turn in turns} == {group}
    for seat in range(len(group)):
        here = Counter(turn[seat] for turn in turns)
        assert all(here[bot] * len(group) == count * len(turns) for bot, count in copies.items())


def test_tables_are_set_in_different_orders() -> None:
    followers = {(turns[0][0], turns[0][1]) for turns in (rotations(number, (0, 1, 2, 3)) for number in range(60))}
    assert followers == set(itertools.permutations(range(4), 2))


def test_fairness_is_what_the_schedule_has() -> None:
    settings = [setting(7, 3, side="five"), setting(6, 2, side="six")]
    for games in (1, 17, 100, 333):
        wanted = definition(settings, games)
        counts = measure_fairness(wanted)
        assert counts
        jobs = play_out(wanted)
        for place, one in enumerate(counts):
            bots = range(len(settings[place].bots))
            played = [sum(bot in job.seats for job in jobs if job.setting == place) for bot in bots]
            assert one.games == (min(played), max(played))
            seated = [
                sum(job.seats[seat] == bot for job in jobs if job.setting == place)
                for bot in bots
                for seat in range(settings[place].players)
            ]
            assert one.seats == (min(seated), max(seated))
            met = [
                sum({one, other} <= set(job.seats) for job in jobs if job.setting == place)
                for one, other in itertools.combinations(bots, 2)
            ]
            assert one.pairs == (min(met), max(met))


@pytest.mark.parametrize(("bots", "players"), [(2, 2), (3, 3), (4, 4), (5, 4), (6, 4), (7, 4), (40, 4), (9, 2)])
def test_the_default_number_is_even_and_small(bots: int, players: int) -> None:
    settings = [setting(bots, players, side="five"), setting(bots, players, side="six")]
    games = planned_games(definition(settings, 0))
    counts = measure_fairness(definition(settings, games))
    assert counts
    assert all(low == high for one in counts for low, high in (one.games, one.seats))
    assert 200 <= games <= max(300, 9 * bots)
    assert next_balanced(definition(settings, games)) == games
    assert next_balanced(definition(settings, games + 1)) != games + 1


def test_jobs_travel() -> None:
    (job,) = play_out(definition(TWO_SIDES, 1))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(job), type=type(job)) == job


def test_settings_with_and_without_duplicates_never_share_a_deal() -> None:
    """Statistics take games with one number as one block, so fresh deals and rotations need different numbers."""
    settings = [
        msgspec.structs.replace(setting(6, 4, side="five"), duplicate=Duplicate.OFF),
        msgspec.structs.replace(setting(6, 2, side="six"), duplicate=Duplicate.ROTATIONS),
    ]
    games = planned_games(definition(settings, 0))
    jobs = play_out(definition(settings, games))
    assert play_out(definition(settings, games), ahead=9) == jobs
    counts = {number: [job for job in jobs if job.number == number] for number in {job.number for job in jobs}}
    assert {(same[0].setting, len(same)) for same in counts.values()} == {(0, 1), (1, 2)}
    assert all(len({job.setting for job in same}) == 1 for same in counts.values())
    assert measure_fairness(definition(settings, games)) is not None
    seats = Counter((job.setting, seat, bot) for job in jobs for seat, bot in enumerate(job.seats))
    for index, players in ((0, 4), (1, 2)):
        assert len({seats[index, seat, bot] for seat in range(players) for bot in range(6)}) == 1


def test_large_numbers_of_games_have_separators() -> None:
    spread = describe_fairness(definition([setting(4, 2)], 1201))
    assert spread.startswith("1,201 games; ") and spread.endswith(": not a balanced number of games; 1,204 would be")
