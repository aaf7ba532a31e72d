"""Strengths: no order of games matters, intervals hold the truth, and who did better in all ways never ranks behind."""

from __future__ import annotations

import itertools

import numpy
import pytest

from fa_cli.stats.block_means import CONFIDENCE
from fa_cli.stats.distributions import normal_probability
from fa_cli.stats.strength.equations import log_likelihood, solve
from fa_cli.stats.strength.field_prior import equal_meetings, lacking_meetings
from fa_cli.stats.strength.groups import rank_ranges, ranks
from fa_cli.stats.strength.pair_sums import PairRows, compare_seats, joined, pair_sums, stratum_pairs
from fa_cli.stats.strength.scale import BETA, MEAN, PRIOR
from tests.conftest import further
from tests.stats.adaptive_leagues import ADAPTIVE
from tests.stats.pair_leagues import ENDS, LEAGUES, SHORT, League, coverage, far_coverage, fitted, table_coverage


def rows_of(*blocks: tuple[int, dict[tuple[int, int], tuple[int, int]]]) -> PairRows:
    """Rows of blocks: a stratum, and for each bot and rival how often they met and twice the comparisons won."""
    found = [
        (stratum, number, own, rival, met, ahead)
        for number, (stratum, pairs) in enumerate(blocks)
        for (own, rival), (met, ahead) in pairs.items()
    ]
    return PairRows(*(numpy.array(column, dtype=numpy.int64) for column in zip(*found, strict=True)))


def duels(*won: int, met: int = 2) -> PairRows:
    """A stratum of duels of bots 0 and 1: twice the games that 0 won of each block."""
    return rows_of(*((0, {(0, 1): (met, ahead), (1, 0): (met, 2 * met - ahead)}) for ahead in won))


@pytest.mark.parametrize("league", [League(), League(bots=6), League(bots=5, players=2, blocks=120), League(scale=1)])
def test_no_order_of_blocks_bots_or_logs_matters(league: League) -> None:
    _, rows = league.play(1)
    field = fitted(league.bots, rows)
    for seed in range(10):
        draw = numpy.random.default_rng(seed)
        order, names = draw.permutation(len(rows.own)), draw.permutation(league.bots)
        mixed = PairRows(*(column[order] for column in rows))
        mixed = mixed._replace(own=names[mixed.own], rival=names[mixed.rival], block=draw.permutation(999)[mixed.block])
        again = fitted(league.bots, mixed)
        assert again.strengths[names] == pytest.approx(field.strengths, abs=1e-9)
        assert again.covariance[names][:, names] == pytest.approx(field.covariance, abs=1e-9)
        assert [ranks(again)[name] for name in names] == ranks(field)
        assert [rank_ranges(again)[name] for name in names] == rank_ranges(field)


def test_blocks_can_be_summed_in_parts() -> None:
    _, rows = League(bots=5).play(1)
    half = rows.block % 2 == 0
    parts = [stratum_pairs(PairRows(*(column[wanted] for column in rows))) for wanted in (half, ~half)]
    whole, again = pair_sums(stratum_pairs(rows)), pair_sums(joined(parts))
    for left, right in zip((*whole.totals, *whole.loose), (*again.totals, *again.loose), strict=True):
        assert left.tolist() == right.tolist()


@pytest.mark.parametrize("seats", [1, 2, 4, 5])
def test_seats_are_compared_with_all_others(seats: int) -> None:
    """Ties count for both, and two seats of one bot are not compared."""
    draw = numpy.random.default_rng(seats)
    stratum, block = draw.integers(0, 3, 80), draw.integers(0, 9, 80)
    bots, ranks = draw.integers(0, 6, (80, seats)), draw.integers(1, 4, (80, seats))
    expected: dict[tuple[int, ...], tuple[int, int]] = {}
    for game in range(80):
        for left, right in itertools.permutations(range(seats), 2):
            (own, rival), (rank, other) = bots[game, [left, right]], ranks[game, [left, right]]
            if own != rival:
                key = tuple(map(int, (stratum[game], block[game], own, rival)))
                met, ahead = expected.get(key, (0, 0))
                expected[key] = met + 1, ahead + (2 if rank < other else rank == other)
    rows = [row.tolist() for row in compare_seats(stratum, block, bots, ranks)]
    assert list(zip(*rows, strict=True)) == [(*key, *sums) for key, sums in sorted(expected.items())]


def test_strata_with_the_same_number_and_other_bots_are_told_apart() -> None:
    """Their numbers are digests, which coincide in a league of a million tables."""
    first = {(0, 1): (2, 3), (1, 0): (2, 1)}
    second = {(2, 3): (2, 2), (3, 2): (2, 2)}
    alike = fitted(4, rows_of(*[(7, first)] * 3, *[(7, second)] * 3))
    apart = fitted(4, rows_of(*[(7, first)] * 3, *[(8, second)] * 3))
    assert alike.strengths.tolist() == apart.strengths.tolist()
    assert alike.covariance.tolist() == apart.covariance.tolist()


def test_a_block_without_all_of_its_pairs_is_refused() -> None:
    with pytest.raises(ValueError, match="lacks pairs"):
        pair_sums(stratum_pairs(rows_of((0, {(0, 1): (2, 2), (1, 0): (2, 2), (0, 2): (2, 2)}))))


@pytest.mark.parametrize("league", [League(blocks=7000), League(blocks=7000, players=2), League(blocks=7000, bots=5)])
def test_many_games_show_the_true_strengths(league: League) -> None:
    true, rows = league.play(2)
    field = fitted(league.bots, rows)
    assert field.strengths == pytest.approx(MEAN + BETA * (true - true.mean()), abs=0.4)
    assert field.strengths.mean() == pytest.approx(MEAN)


def test_two_bots_differ_as_trueskills_model_has_it() -> None:
    field = fitted(2, duels(*[3] * 5000, *[2] * 5000, *[4] * 5000))  # 75%, and so much that the prior is nothing
    assert field.strengths[0] - field.strengths[1] == pytest.approx(0.6745 * 2**0.5 * BETA, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAGUES)
def test_intervals_of_differences_cover_the_truth(name: str) -> None:
    """Within 1.8 to 4 standard errors: bots of a league share its luck, so its shares spread by 3 to 10 points.

    Those of 30 bots spread least, so half of the leagues are enough.
    """
    league = LEAGUES[name]
    found = coverage(league, 150 if league.bots == 30 else 300 if league.strength else 400)
    assert found.differences == pytest.approx(0.95, abs=0.01)
    assert found.strengths == pytest.approx(0.95, abs=0.01)
    assert found.ranks >= 0.95
    assert found.overlap >= 0.95 or league.strength


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_intervals_of_few_games_are_rather_too_wide_than_too_narrow(name: str) -> None:
    """Two bots have but one difference: where 93% of its intervals hold, 1,000 leagues show it with 99%."""
    league = SHORT[name]
    found = coverage(league, 1000 if league.bots == 2 else 800)
    assert 0.95 <= found.differences <= 0.975
    assert 0.94 <= found.strengths <= 0.98
    assert found.ranks >= 0.95
    assert found.overlap >= 0.95 or league.strength


@pytest.mark.parametrize("bots", [8, *further(30)])
def test_the_whole_table_of_equal_bots_is_right(bots: int) -> None:
    """Not only each range; chance: 3% for 200 leagues. Ranges for each bot alone held in 88% and 75%."""
    right, _ = table_coverage(League(bots=bots, strength=0.0, blocks=10 * bots), 200)
    assert right >= 0.95 - 0.03


def test_rank_ranges_are_short_where_bots_are_far_apart() -> None:
    field = fitted(8, League(strength=1.5, blocks=2000).play(5)[1])
    assert sum(low == high for low, high in rank_ranges(field)) >= 6


@pytest.mark.parametrize(
    "league", [League(blocks=70), League(bots=6, blocks=60, strength=0.2), League(scale=1, blocks=70)]
)
def test_who_is_ahead_in_mean_rank_is_never_behind_where_all_meet_equally_often(league: League) -> None:
    for seed in range(50):
        _, rows = league.play(seed)
        field = fitted(league.bots, rows)
        won = numpy.bincount(rows.own, rows.ahead)
        assert ranks(field) == [1 + int((won > one).sum()) for one in won]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "eight bots, four players, 60 blocks, one loses at 0.9999",
        "eight bots, two players, 112 blocks, one wins at 0.998",
        "three bots, two players, 60 blocks, one loses at 0.998",
        "three bots, two players, 300 blocks, one wins at 0.9999",
    ],
)
def test_one_hopeless_or_perfect_bot_does_not_bend_the_intervals_of_all(name: str) -> None:
    """Their rates differ by chance: by 3.1% for 200 leagues of two other bots."""
    first, others, ranges = far_coverage(ENDS[name], 200)
    assert first >= 0.93
    assert others >= 0.93 - 0.03
    assert ranges >= 0.95


def test_how_hopeless_a_bot_is_moves_nobody_else() -> None:
    """Overall strengths lie between those of two halves only if the field has the same middle in all of them."""
    lost = [(bot, {(bot, 2): (4, 8), (2, bot): (4, 0)}) for bot in (0, 1)]
    even = (3, {(0, 1): (4, 5), (1, 0): (4, 3)})
    few, many = (fitted(3, rows_of(*[even] * 400, *lost * count)) for count in (20, 400))
    assert few.strengths[2] - many.strengths[2] > 3
    assert few.strengths[:2] == pytest.approx(many.strengths[:2], abs=0.05)
    low, high = many.interval(2) or (25.0, 25.0)
    assert low < many.strengths[2] - 4
    assert high < many.strengths[2] + 2.5


def test_equal_results_share_a_rank() -> None:
    field = fitted(2, duels(2, 2, 3, 1))
    assert field.strengths == pytest.approx([MEAN, MEAN])
    assert ranks(field) == [1, 1]
    assert rank_ranges(field) == [(1, 2), (1, 2)]


def test_a_bot_that_always_loses_is_not_taken_to_be_known_exactly() -> None:
    field = fitted(2, duels(*[4] * 30))
    low, high = field.interval(1) or (0, 0)
    assert MEAN - 2 * PRIOR < low < field.strengths[1] - 1 < field.strengths[1] + 1 < high < MEAN
    assert rank_ranges(field) == [(1, 1), (2, 2)]


def test_bots_that_never_met_are_known_as_little_as_the_prior_says() -> None:
    pair = {(0, 1): (2, 2), (1, 0): (2, 2)}
    other = {(2, 3): (2, 2), (3, 2): (2, 2)}
    field = fitted(4, rows_of(*[(0, pair)] * 200, *[(1, other)] * 200))
    assert field.strengths == pytest.approx([MEAN] * 4)
    assert field.reach(CONFIDENCE)[0, 2] > PRIOR > 5 * field.reach(CONFIDENCE)[0, 1]


def test_a_bot_without_comparisons_has_the_mean_and_no_interval() -> None:
    field = fitted(3, duels(4, 4, 2, 3))
    assert field.strengths[2] == pytest.approx(MEAN)
    assert field.interval(2) is None
    assert rank_ranges(field)[2] == (1, 3)


def test_a_single_block_gives_no_interval() -> None:
    field = fitted(2, duels(4))
    assert field.strengths[0] > MEAN
    assert field.interval(0) is None
    assert rank_ranges(field) == [(1, 2), (1, 2)]


def test_a_bot_alone_is_the_field() -> None:
    none = numpy.zeros(0, dtype=numpy.int64)
    field = fitted(1, PairRows(*[none] * 6))
    assert field.strengths == pytest.approx([MEAN])
    assert ranks(field) == [1]
    assert rank_ranges(field) == [(1, 1)]


def test_extreme_results_are_fitted_too() -> None:
    """The expected comparisons of each bot are those that it won, but for the pull to the middle."""
    for seed in range(20):
        draw = numpy.random.default_rng(seed)
        tables = [draw.choice(12, 2, replace=False).tolist() for _ in range(40)]
        met = int(10 ** draw.uniform(0, 6))
        won = [int(2 * met * draw.choice([0, 0, 0.5, 1, 1])) for _ in tables]
        rows = rows_of(*(
            (0, {(i, j): (met, ahead), (j, i): (met, 2 * met - ahead)})
            for (i, j), ahead in zip(tables, won, strict=True)
        ))  # fmt: skip
        pairs, pull = numpy.zeros((12, 12)), (2 * numpy.pi) ** 0.5 / 8
        numpy.add.at(pairs, (rows.own, rows.rival), rows.met)
        offsets = solve(numpy.bincount(rows.own, rows.ahead / 2, 12), pairs, pull * numpy.eye(12), numpy.zeros(12))
        expected = rows.met * normal_probability(offsets[rows.own] - offsets[rows.rival])
        missing = numpy.bincount(rows.own, rows.ahead / 2 - expected, 12)
        assert missing == pytest.approx(pull * offsets, abs=1e-6 * met)
        field = fitted(12, rows)  # where many never met, the field's spread pulls, too
        assert numpy.isfinite(field.strengths).all()
        assert numpy.isfinite(field.covariance).all()


def test_cut_blocks_count_by_their_games() -> None:
    whole = fitted(2, duels(2, 4, 2, 4, met=2))
    cut = fitted(
        2,
        rows_of(
            *(
                (0, {(0, 1): (met, ahead), (1, 0): (met, 2 * met - ahead)})
                for met, ahead in [(2, 2), (2, 4), (2, 2), (1, 2), (1, 2)]
            )
        ),
    )
    assert cut.strengths == pytest.approx(whole.strengths)
    assert cut.degrees.tolist() == [[4, 4], [4, 4]]


def test_sums_do_not_grow_with_blocks() -> None:
    sums = pair_sums(stratum_pairs(League(bots=5, blocks=3000).play(1)[1]))
    assert len(sums.loose.own) == 0
    assert len(sums.totals.own) == 25


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ladder of 8, 224 games of two, equal", "swiss of 16, 8 rounds, equal"])
def test_luck_that_decides_who_meets_whom_is_allowed_for(kind: str) -> None:
    """Without a prior from the field 75 and 86% of the intervals held, and every fourth ladder had a wrong range."""
    found = [ADAPTIVE[kind].judged(seed) for seed in range(16)]
    assert numpy.mean([each.held for each in found]) >= 0.93
    assert sum(each.ranges for each in found) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in ADAPTIVE if "one loses" in kind])
def test_differences_to_a_hopeless_bot_are_not_taken_to_be_known(kind: str) -> None:
    """With intervals as far up as down 80 to 86% held."""
    assert numpy.mean([ADAPTIVE[kind].judged(seed).differences for seed in range(40)]) >= 0.93


def test_bots_that_all_met_equally_often_are_not_drawn_to_the_field() -> None:
    """Nor are bots of tournaments without a common bot: of those nothing is known."""
    _, rows = League(bots=5, players=2, blocks=100).play(1)
    first = pair_sums(stratum_pairs(rows))
    second = pair_sums(stratum_pairs(rows._replace(own=rows.own + 4, rival=rows.rival + 4)))
    third = pair_sums(stratum_pairs(rows._replace(own=rows.own + 10, rival=rows.rival + 10)))
    equal = sum((equal_meetings(part, 15) for part in (first, second, third)), numpy.zeros((15, 15)))
    met = numpy.zeros((15, 15))
    for part in (first, second, third):
        other = part.totals.own != part.totals.rival
        numpy.add.at(met, (part.totals.own[other], part.totals.rival[other]), part.totals.met[other])
    assert met.sum() == 3 * 2 * 200
    assert not lacking_meetings(met, equal).any()


def test_two_bots_lack_the_meetings_that_others_of_their_tournament_had() -> None:
    """Three bots met 20, 10 and 0 times: 10 times on average."""
    duel = {(0, 1): (10, 10), (1, 0): (10, 10)}, {(1, 2): (5, 5), (2, 1): (5, 5)}
    part = pair_sums(
        stratum_pairs(rows_of(*((number, pairs) for number, each in enumerate(duel) for pairs in [each] * 2)))
    )
    met = 2.0 * numpy.array([[0, 10, 0], [10, 0, 5], [0, 5, 0]])
    lacking = lacking_meetings(met, equal_meetings(part, 3))
    assert lacking.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    for times, lack in ((2, 0.75), (6, 0.25), (8, 0), (9, 0)):
        met[0, 2] = met[2, 0] = times
        assert lacking_meetings(met, equal_meetings(part, 3))[0, 2] == pytest.approx(lack)


def test_quasi_likelihood_has_the_equations_as_its_derivative() -> None:
    draw = numpy.random.default_rng(3)
    met = draw.integers(0, 9, (5, 5)).astype(float)
    met, offsets, step = met + met.T - 2 * numpy.diag(numpy.diag(met)), draw.normal(0, 1, 5), 1e-5
    won = met.sum(axis=1) * draw.random(5)
    expected = (met * normal_probability(offsets[:, None] - offsets)).sum(axis=1)
    for bot in range(5):
        ends = [log_likelihood(won, met, offsets + sign * step * numpy.eye(5)[bot]) for sign in (1, -1)]
        assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(won[bot] - expected[bot], abs=1e-6)
