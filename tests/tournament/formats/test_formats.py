"""The formats: who meets whom given the results, the same however many games are played at a time, fair in seats."""

from __future__ import annotations

import itertools
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import NormalDist
from typing import ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.errors import Impossible
from fa_cli.leaderboard.rating.ratings import Rating, Ratings
from fa_cli.tournament.amend import _with_more_games
from fa_cli.tournament.changes import Change
from fa_cli.tournament.definition import Definition
from fa_cli.tournament.fairness import measure_fairness, planned_games
from fa_cli.tournament.formats.block import Block, Blocks
from fa_cli.tournament.formats.bracket import Bracket, TableResult, all_rounds, plan_round, seat_tables
from fa_cli.tournament.formats.format import FormatInput, TournamentFormat
from fa_cli.tournament.formats.gauntlet import Gauntlet
from fa_cli.tournament.formats.knockout import Knockout
from fa_cli.tournament.formats.ladder import RESULT_DELAY, Ladder
from fa_cli.tournament.formats.round_robin import RoundRobin
from fa_cli.tournament.formats.swiss import Swiss, default_rounds, max_rounds
from fa_cli.tournament.pairing.informative_groups import information, most_informative_group
from fa_cli.tournament.pairing.seating import SeatCounts
from fa_cli.tournament.pairing.swiss_tables import pair_tables
from fa_cli.tournament.request import Duplicate, TournamentRequest
from fa_cli.tournament.schedule import Job, Schedule
from fa_cli.tournament.setup import check_options, describe_fairness
from tests.tournament.helpers import Ranks, definition, play_out, ranked_by_place, setting


def planned(
    plan: TournamentFormat, bots: int, players: int, sides: int = 1, duplicate: Duplicate = Duplicate.OFF
) -> Definition:
    settings = [setting(bots, players, turn_limit=side + 1) for side in range(sides)]
    draft = definition(settings, 0, duplicate, plan)
    return definition(settings, planned_games(draft), duplicate, plan)


def by_luck(job: Job) -> list[int]:
    """A result that follows from the game alone; sometimes a tie."""
    return [1 + (job.index * 7 + seat * 3 + job.index // 5) % len(job.seats) for seat in range(len(job.seats))]


def tables(jobs: Sequence[Job]) -> list[tuple[int, tuple[int, ...]]]:
    """Number and group of each set, in order."""
    return list(dict.fromkeys((job.number, tuple(sorted(job.seats))) for job in jobs))


PLANS = [
    (RoundRobin(), 6, 4),
    (Gauntlet([2, 0]), 6, 3),
    (Swiss(2), 9, 4),
    (Swiss(4, sets=2), 7, 2),
    (Knockout(), 7, 2),
    (Knockout(advance=2, sets=2), 11, 4),
    (Ladder(), 7, 4),
]


@pytest.mark.parametrize(("plan", "bots", "players"), PLANS, ids=lambda value: str(getattr(value, "name", value)))
@pytest.mark.parametrize("duplicate", Duplicate)
def test_what_is_played_at_a_time_changes_nothing(
    plan: TournamentFormat, bots: int, players: int, duplicate: Duplicate
) -> None:
    wanted = planned(plan, bots, players, 2, duplicate)
    one_by_one = play_out(wanted, by_luck)
    assert [job.index for job in one_by_one] == list(range(len(one_by_one)))
    for ahead in (2, 5, 40):
        assert play_out(wanted, by_luck, ahead) == one_by_one
    assert len(one_by_one) == wanted.games or isinstance(plan, Knockout)


@pytest.mark.parametrize(("plan", "bots", "players"), PLANS, ids=lambda value: str(getattr(value, "name", value)))
@pytest.mark.parametrize("duplicate", Duplicate)
def test_everybody_has_every_seat_equally_often(
    plan: TournamentFormat, bots: int, players: int, duplicate: Duplicate
) -> None:
    seats = SeatCounts()
    for job in play_out(planned(plan, bots, players, 2, duplicate), by_luck):
        seats.add(job.seats)
    assert seats.worst == 0


def test_an_uneven_seat_is_seen() -> None:
    seats = SeatCounts()
    seats.add([0, 1])
    seats.add([0, 1, 2])
    assert seats.worst == 1
    seats.add([0, 1])
    assert seats.worst == 2


def test_results_do_change_who_meets() -> None:
    for plan in (Swiss(3), Knockout(), Ladder()):
        wanted = planned(plan, 8, 2)
        assert play_out(wanted, by_luck) != play_out(wanted, ranked_by_place)


# gauntlet


@pytest.mark.parametrize(("bots", "players", "challengers"), [(6, 4, [0]), (7, 3, [2, 5]), (5, 2, [4, 1, 0])])
def test_a_gauntlet_has_one_challenger_at_each_table(bots: int, players: int, challengers: list[int]) -> None:
    wanted = planned(Gauntlet(challengers), bots, players, 2)
    jobs = play_out(wanted)
    assert all(len(set(challengers) & set(job.seats)) == 1 for job in jobs)
    counts = measure_fairness(wanted)
    assert counts
    assert all(low == high for one in counts for low, high in (one.games, one.seats))
    met = {bot: Counter(other for job in jobs if bot in job.seats for other in job.seats) for bot in challengers}
    assert (
        len({tuple(sorted(its[other] for other in range(bots) if other not in challengers)) for its in met.values()})
        == 1
    )


@pytest.mark.parametrize(
    ("bots", "players", "challengers", "blocks"),
    [(21, 4, 1, 37), (41, 4, 1, 120), (42, 4, 2, 81), (43, 4, 3, 121), (12, 2, 2, 29), (13, 3, 3, 40), (40, 3, 1, 100)],
)
def test_a_gauntlet_is_even_where_it_ends(bots: int, players: int, challengers: int, blocks: int) -> None:
    """Each challenger has met each of the field equally often within one; each two of the field, but for one group."""
    for sides in (1, 2):
        settings = [setting(bots, players, turn_limit=side + 1) for side in range(sides)]
        plan = Gauntlet(list(range(challengers)))
        jobs = play_out(definition(settings, blocks * players, format_spec=plan))
        met = Counter(pair for _, group in tables(jobs) for pair in itertools.combinations(group, 2))
        field = range(challengers, bots)
        against = [met[one, other] for one in range(challengers) for other in field]
        assert max(against) - min(against) <= 1
        within = [met[pair] for pair in itertools.combinations(field, 2)]
        assert max(within) - min(within) <= challengers
        seats = SeatCounts()
        for job in jobs:
            seats.add(job.seats)
        assert seats.worst == 0


def test_a_gauntlet_is_even_again_where_more_is_wished() -> None:
    wanted = definition([setting(23, 4)], 100, format_spec=Gauntlet([0, 1]))
    more = _with_more_games(wanted, 84)
    assert play_out(more)[:100] == play_out(wanted)
    met = Counter(pair for _, group in tables(play_out(more)) for pair in itertools.combinations(group, 2))
    against = [met[one, other] for one in (0, 1) for other in range(2, 23)]
    assert max(against) - min(against) <= 1


# swiss


@given(data=st.data(), half=st.integers(1, 12))
def test_pairs_do_not_meet_again_before_half_the_bots_were_met(data: st.DataObject, half: int) -> None:
    bots = 2 * half
    met: dict[int, dict[int, int]] = {bot: {} for bot in range(bots)}
    for _ in range(half):
        order = data.draw(st.permutations(range(bots)))
        for one, other in pair_tables(order, 2, met):
            assert other not in met[one]
            met[one][other] = met[other][one] = 1


@pytest.mark.parametrize(("bots", "players"), [(6, 2), (8, 2), (9, 2), (16, 4), (9, 3), (21, 4)])
def test_a_swiss_repeats_no_meeting_while_it_can(bots: int, players: int) -> None:
    """As many rounds as are usual; those who sit out take turns."""
    wanted = planned(Swiss(default_rounds(bots, players)), bots, players)
    met = Counter(
        pair for _, group in tables(play_out(wanted, by_luck))[::players] for pair in itertools.combinations(group, 2)
    )
    assert set(met.values()) == {1}
    played = Counter(bot for _, group in tables(play_out(wanted, by_luck)) for bot in group)
    assert max(played.values()) - min(played.values()) <= players


def test_those_meet_who_stand_alike() -> None:
    jobs = play_out(planned(Swiss(3), 8, 2))
    second = {group for _, group in tables(jobs)[8:16]}
    assert second == {(0, 2), (4, 6), (1, 3), (5, 7)}


def test_a_swiss_finds_the_best_and_orders_the_rest() -> None:
    places = places_of(played(Schedule(planned(Swiss(3), 8, 2))))
    assert places[0] == 1
    assert places[7] == 8
    assert sorted(places) == list(range(8))


def played(course: Schedule, ranks: Ranks = ranked_by_place) -> Schedule:
    while not course.is_over:
        job = course.next_job()
        assert job
        course.report_result(ranks(job), ())
    return course


def places_of(course: Schedule) -> dict[int, int]:
    placing = course.results.placing
    assert placing
    return {placed.bot: placed.place for placed in placing.places()}


# knockout


@given(bots=st.integers(2, 300), players=st.integers(2, 5), data=st.data())
def test_every_knockout_ends(bots: int, players: int, data: st.DataObject) -> None:
    advance = data.draw(st.integers(1, players - 1))
    if bots < players:
        return
    rounds = all_rounds(bots, players, advance)
    left = bots
    for count, leaving in rounds:
        assert count == left
        assert len(leaving) * players <= count
        assert all(1 <= each <= players - 1 for each in leaving)
        left -= sum(leaving)
    assert left == 1
    assert rounds[-1][0] == players


def test_pairs_are_the_usual_bracket() -> None:
    assert [count for count, _ in all_rounds(13, 2, 1)] == [13, 8, 4, 2]
    assert len(plan_round(13, 2, 1)) == 5
    assert seat_tables([0, 1, 2, 3, 4, 5, 6, 7], 4) == [[0, 7], [1, 6], [2, 5], [3, 4]]
    assert seat_tables(range(8), 2) == [[0, 3, 4, 7], [1, 2, 5, 6]]


@pytest.mark.parametrize(("bots", "players", "advance"), [(2, 2, 1), (11, 2, 1), (16, 4, 2), (15, 4, 1), (6, 3, 2)])
def test_the_best_wins_a_knockout(bots: int, players: int, advance: int) -> None:
    wanted = planned(Knockout(advance), bots, players, 2)
    course = played(Schedule(wanted))
    assert course.known_results == course.games == wanted.games  # nobody was level
    places = places_of(course)
    assert places[0] == 1
    assert [bot for bot in range(bots) if places[bot] <= players] == list(range(players))
    assert Counter(places.values())[1] == 1


def test_the_rounds_of_a_knockout() -> None:
    """Five bots, the best first: one table and three byes, two tables, the final. The last round may be unfinished."""
    course = Schedule(planned(Knockout(), 5, 2))
    assert course.peek_job()
    bracket = course.results.placing
    assert isinstance(bracket, Bracket)
    (first,) = bracket.round_results()
    assert (first.tables, first.byes, first.is_final) == (
        [TableResult({3: 0, 4: 0}, 1, by_seed=False)],
        [0, 1, 2],
        False,
    )
    played(course)
    first, second, final = bracket.round_results()
    assert first.tables == [TableResult({3: 4, 4: 0}, 1, by_seed=False)]
    assert [list(table.points) for table in second.tables] == [[0, 3], [1, 2]]
    assert (list(final.tables[0].points), final.byes, final.is_final) == ([0, 1], [], True)
    assert {placed.bot: placed.eliminated_in for placed in bracket.places()} == {0: None, 1: 3, 2: 2, 3: 2, 4: 1}


def test_a_table_with_a_bye_beside_it_is_no_final() -> None:
    course = played(Schedule(planned(Knockout(), 3, 2)))
    assert isinstance(course.results.placing, Bracket)
    assert [each.is_final for each in course.results.placing.round_results()] == [False, True]


def test_the_scores_of_a_swiss() -> None:
    """Those of rivals beaten, and the mean score of opponents: 0 beat 1 and 2, who beat 3."""
    course = played(Schedule(planned(Swiss(2), 4, 2)))
    assert course.results.placing
    places = list(course.results.placing.places())
    assert [(placed.bot, placed.score, placed.opposition) for placed in places] == [
        (0, 1.0, 0.5),
        (1, 0.5, 0.5),
        (2, 0.5, 0.5),
        (3, 0.0, 0.5),
    ]
    assert [placed.place for placed in places] == [1, 2, 2, 4]
    assert list(course.results.placing.lines()) == []


def test_the_rounds_of_a_swiss() -> None:
    """Byes have their place among the results; a round that is under way has none yet."""
    course = Schedule(planned(Swiss(2), 5, 2))
    assert course.peek_job()
    assert course.results.placing
    assert [placed.results for placed in course.results.placing.places()] == [[], [], [], [], ["bye"]]
    played(course)
    assert [placed.results for placed in course.results.placing.places()] == [
        ["2-0 bot1", "2-0 bot2"],
        ["0-2 bot0", "2-0 bot4"],
        ["2-0 bot3", "0-2 bot0"],
        ["0-2 bot2", "bye"],
        ["bye", "0-2 bot1"],
    ]


def test_level_tables_play_on_and_the_seed_decides_at_last() -> None:
    wanted = planned(Knockout(extra_sets=3), 4, 2)
    course = played(Schedule(wanted), lambda job: [1, 1])
    assert course.known_results == course.games == 4 * wanted.games
    assert isinstance(course.results.placing, Bracket)
    assert places_of(course) == {0: 1, 1: 2, 2: 3, 3: 3}
    assert all(table.by_seed for each in course.results.placing.round_results() for table in each.tables)
    assert len(play_out(planned(Knockout(extra_sets=0), 4, 2), lambda job: [1, 1])) == 6


def test_a_table_plays_on_only_while_it_is_level() -> None:
    """Bots 0 and 3 are level in their first set; then 3 wins."""

    def ranks(job: Job) -> list[int]:
        if set(job.seats) == {0, 3} and job.index >= 4:
            return [2 if bot == 0 else 1 for bot in job.seats]
        return [1, 1] if set(job.seats) == {0, 3} else ranked_by_place(job)

    jobs = play_out(planned(Knockout(extra_sets=3), 4, 2), ranks)
    assert [group for _, group in tables(jobs)[::2]] == [(0, 3), (1, 2), (0, 3), (1, 3)]


# ladder


def test_information_is_what_ratings_gain() -> None:
    """The mean loss of variance over both outcomes, as the ratings themselves have it."""
    for one, other in [(Rating(), Rating()), (Rating(30, 2), Rating(25, 4)), (Rating(22, 6), Rating(31, 1))]:
        before, after = one.sigma**2 + other.sigma**2, 0.0
        spread = (2 * (25 / 6) ** 2 + one.sigma**2 + other.sigma**2) ** 0.5
        wins = NormalDist().cdf((one.mu - other.mu) / spread)
        for chance, ranks in ((wins, [1, 2]), (1 - wins, [2, 1])):
            ratings = Ratings()
            ratings["one"], ratings["other"] = one, other
            ratings.add(["one", "other"], ranks)
            after += chance * (ratings["one"].sigma ** 2 + ratings["other"].sigma ** 2)
        assert information(one, other) == pytest.approx(before - after, rel=0.08)
    assert information(Rating(2000, 0.1), Rating(0, 0.1)) == 0.0


def test_the_next_game_is_where_it_teaches_most() -> None:
    ratings = Ratings()
    for bot, (mu, sigma) in enumerate([(25, 1), (31, 1), (40, 1), (30, 5), (20, 1)]):
        ratings[bot] = Rating(mu, sigma)
    assert most_informative_group(range(5), 2, ratings, []) == (3, 1)  # the unknown one, against its like
    assert most_informative_group(range(5), 2, ratings, [(3, 1)] * 12)[0] != 3  # enough of its games are still played


def test_a_ladder_gets_sure_of_everybody() -> None:
    jobs = play_out(planned(Ladder(), 12, 2))
    games = Counter(bot for job in jobs for bot in job.seats)
    assert set(games) == set(range(12))
    assert min(games.values()) >= len(jobs) * 2 / 12 / 3
    distance: dict[bool, list[int]] = defaultdict(list)
    for job in jobs:
        distance[job.index < len(jobs) // 2].append(abs(job.seats[0] - job.seats[1]))
    assert sum(distance[False]) / len(distance[False]) < sum(distance[True]) / len(distance[True])


def test_bots_join_are_updated_and_retire() -> None:
    plain = planned(Ladder(), 5, 2, duplicate=Duplicate.ROTATIONS)
    changes = [Change(21, joined=5), Change(33, left=1), Change(45, left=2, joined=6)]
    settings = [setting(7, 2, turn_limit=1)]
    wanted = definition(settings, plain.games, Duplicate.ROTATIONS, Ladder())
    wanted = msgspec.structs.replace(wanted, changes=changes)
    jobs = play_out(wanted)
    assert jobs[:21] == play_out(plain)[:21]  # what comes later changes nothing before
    assert jobs == play_out(wanted, ahead=30)
    seen = {bot: [job.index for job in jobs if bot in job.seats] for bot in range(7)}
    assert min(seen[5]) >= 21
    assert max(seen[1]) < 33
    assert max(seen[2]) < 45 <= min(seen[6])
    soon = [job.index for job in jobs if 5 in job.seats][:1]
    assert soon[0] <= 21 + 2 * (RESULT_DELAY + 1)


def test_a_new_version_stands_in_for_the_one_before() -> None:
    settings = [setting(4, 2, turn_limit=1)]
    before = definition(settings, 24)
    after = msgspec.structs.replace(before, changes=[Change(7, left=1, joined=4)])
    old, new = play_out(before), play_out(after)
    assert new[:7] == old[:7]
    assert [tuple(4 if bot == 1 else bot for bot in job.seats) for job in old[7:]] == [job.seats for job in new[7:]]


# what can't be, and what takes no time


@pytest.mark.parametrize(
    ("plan", "bots", "players", "text"),
    [
        (Swiss(8), 8, 2, "a swiss of 8 bots at tables of 2 has from 1 to 7 rounds .*, not 8"),
        (Swiss(3), 8, 4, "from 1 to 2 rounds .*, not 3"),
        (Swiss(0), 8, 2, "from 1 to 7 rounds"),
        (Knockout(2), 8, 2, "from a table of 2 at most 1 bot can advance, not 2"),
        (Knockout(0), 8, 2, "from a table of 2 at most 1 bot can advance, not 0"),
        (Gauntlet([]), 8, 2, "at least one challenger"),
        (Gauntlet(list(range(8))), 8, 2, "needs a field"),
    ],
)
def test_impossible_formats(plan: TournamentFormat, bots: int, players: int, text: str) -> None:
    with pytest.raises(Impossible, match=text):
        plan.check(definition([setting(bots, players)], 1, format_spec=plan).for_format())
    assert max_rounds(8, 2) == 7
    Swiss(7).check(definition([setting(8, 2)], 1).for_format())


def test_options_of_other_formats() -> None:
    def request(schedule: str, **wishes: object) -> TournamentRequest:
        return msgspec.convert({"bots": [], "schedule": schedule} | wishes, TournamentRequest)

    check_options(request("round-robin", games=3))
    with pytest.raises(
        Impossible, match="--games is for --schedule round-robin, gauntlet or ladder, not swiss"
    ) as caught:
        check_options(request("swiss", games=3))
    assert caught.value.option == "games"
    with pytest.raises(Impossible, match="--rounds is for --schedule swiss, not ladder"):
        check_options(request("ladder", rounds=3))


class Opening(TournamentFormat, frozen=True, tag="opening"):
    """Bot 0 meets each other bot once: a format without results that decides the number of games."""

    games_follow_from: ClassVar[str] = "the bots"

    def planned_games(self, tournament: FormatInput) -> int:
        return (len(tournament.settings[0].bots) - 1) * tournament.games_in_set

    def describe(self, tournament: FormatInput) -> str:
        return f", all with {tournament.names[0]}"

    def blocks(self, tournament: FormatInput) -> Blocks:
        for rival in tournament.settings[0].bots[1:]:
            yield Block(0, (0, rival))


def test_a_format_without_results_may_decide_the_number_of_games() -> None:
    wanted = planned(Opening(), 5, 2, duplicate=Duplicate.ROTATIONS)
    assert [group for _, group in tables(play_out(wanted))] == [(0, 1), (0, 2), (0, 3), (0, 4)]
    text = describe_fairness(wanted)
    assert text == "8 games, all with bot0; 2 to 8 games per bot (1 to 4 per seat), 0 to 2 per pair"
    assert measure_fairness(wanted) is not None


@pytest.mark.parametrize(
    "plan", [RoundRobin(), Gauntlet([0]), Swiss(3), Knockout(), Ladder()], ids=lambda plan: plan.name
)
def test_a_thousand_bots_and_a_million_games_begin_at_once(plan: TournamentFormat) -> None:
    """Without a list of a million: the first games come in a time in which so many could not be made."""
    began = time.process_time()
    course = Schedule(definition([setting(1000, 2)], 1_000_000, format_spec=plan))
    for _ in range(8):
        job = course.next_job()
        assert job
        course.report_result(ranked_by_place(job), ())
    assert time.process_time() - began < 3.0
