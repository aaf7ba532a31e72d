"""Whether one number per bot fits: fair leagues pass at 95%, circles, specialists and changes are found and named."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import fmean

import numpy
import pytest

from fa_cli.stats.block_means import BlockMean, SummedMean
from fa_cli.stats.head_to_head import holm
from fa_cli.stats.lack_of_fit.fit_sums import fit_sums, joined, renumbered
from fa_cli.stats.lack_of_fit.judge import lack_of_fit
from fa_cli.stats.lack_of_fit.residuals import Field
from fa_cli.stats.lack_of_fit.verdict import LackOfFit, Part
from fa_cli.stats.strength.pair_sums import PairRows
from fa_cli.stats.strength.scale import BETA, MEAN
from tests.conftest import further
from tests.stats.misfit_leagues import CURVES, changing, circle, curved, in_pairs, judged, specialist
from tests.stats.pair_leagues import League


def struck(league: Callable[[int], LackOfFit], count: int) -> float:
    return fmean(league(seed).misfit is not None for seed in range(count))


def test_sums_of_blocks_are_exact() -> None:
    """Two blocks of three games: bot 0 wins all against bot 1, then two, and half of those against bot 2."""
    column = numpy.array
    rows = PairRows(
        column([7] * 12),
        column([0] * 6 + [1] * 6),
        column([0, 0, 1, 1, 2, 2] * 2),
        column([1, 2, 0, 2, 0, 1] * 2),
        column([3] * 12),
        column([6, 3, 0, 4, 3, 2, 4, 3, 2, 6, 3, 0]),
    )
    sums = fit_sums(rows)
    assert numpy.array(sums.pairs).T.tolist() == [
        [0, 1, 2, 6, 18, 10, 52, 30],
        [0, 2, 2, 6, 18, 6, 18, 18],
        [1, 2, 2, 6, 18, 10, 52, 30],
    ]
    assert numpy.array(sums.shared).T.tolist() == [
        [0, 1, 2, 2, 18, 30, 30, 18],
        [1, 0, 2, 2, 18, 12, 6, 30],
        [2, 0, 1, 2, 18, 6, 18, 6],
    ]
    assert numpy.array_equal(joined([sums, sums]).pairs.ahead, 2 * sums.pairs.ahead)
    turned = rows._replace(own=2 - rows.own, rival=2 - rows.rival)
    expected, found = fit_sums(turned), renumbered(sums, column([2, 1, 0]))
    assert all(map(numpy.array_equal, (*expected.pairs, *expected.shared), (*found.pairs, *found.shared)))
    without = renumbered(sums, column([0, -1, 1]))
    assert (without.pairs.ahead.tolist(), len(without.shared.own)) == ([6], 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "league",
    [
        League(bots=3, players=2, blocks=60, strength=0.4),
        *further(League(bots=8, players=2, blocks=112, strength=0.4), League(bots=8, players=4, blocks=60)),
    ],
    ids=str,
)
def test_a_fair_league_seldom_strikes(league: League) -> None:
    rate = struck(lambda seed: judged(league.bots, {("game", league.players): league.play(seed)[1]}), 120)
    assert 0.01 <= rate <= 0.09  # 5% with two standard errors of 120 leagues above and below


def test_comparisons_of_one_bot_go_together_as_normal_luck_makes_them() -> None:
    """Whether bot 0 is ahead of 1 and of 2, with luck of their own; strengths up to 1.7 times the luck apart."""
    strengths = MEAN + BETA * numpy.array([0, -1, 0.67])
    field = Field(strengths)
    luck = numpy.random.default_rng(1).normal(strengths, BETA, (200_000, 3))
    for own, first, second in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        drawn = numpy.corrcoef(luck[:, own] > luck[:, first], luck[:, own] > luck[:, second])[0, 1]
        bots = [numpy.array([bot]) for bot in (own, first, second)]
        assert field.likeness(*bots)[0] == pytest.approx(drawn, abs=0.02)
    far = Field(MEAN + BETA * numpy.array([0, 20, 20]))
    assert far.likeness(numpy.array([0]), numpy.array([1]), numpy.array([2]))[0] == pytest.approx(0)


@pytest.mark.slow
def test_another_curve_of_chances_is_no_misfit() -> None:
    """Without what is cleared such leagues strike in 8 to 60%."""
    assert fmean(struck(partial(curved, curve, 6, 100, 1.0), 20) for curve in CURVES) <= 0.1


def test_a_circle_of_three_bots_is_found_and_named() -> None:
    found = [judged(3, {("game", 2): in_pairs(circle(3, 3, 0.65), 40, 1, seed)}) for seed in range(120)]
    assert fmean(one.misfit is not None for one in found) >= 0.87
    clear = [judged(3, {("game", 2): in_pairs(circle(3, 3, 0.8), 40, 1, seed)}) for seed in range(20)]
    around = ["bot0", "bot1", "bot2"]
    assert all(one.misfit and one.misfit.bots == around for one in clear)
    assert clear[0].sentence == (
        "one number per bot does not fit: bot0 beats bot1 beats bot2 beats bot0, a circle (p < 0.001)"
    )
    assert clear[0].misfit_pairs == [("bot0", "bot1"), ("bot1", "bot2"), ("bot2", "bot0")]


def test_bots_in_order_are_no_circle() -> None:
    """One bot beats another one and no one else: the pair is named."""
    chances = circle(6, 0, 0.5)
    chances[0, 1], chances[1, 0] = 0.8, 0.2
    found = judged(6, {("game", 2): in_pairs(chances, 200, 1, 1)})
    assert found.misfit
    assert found.misfit.reason == "bot0 does better against bot1 than their strengths tell"
    assert found.misfit_pairs == [("bot0", "bot1")]


def test_of_many_bots_those_with_the_most_games_are_tested() -> None:
    """A circle among the last three of 43 bots, who play ten times as often."""
    bots, rows = 43, in_pairs(circle(43, 0, 0.5), 2, 1, 0)
    few = in_pairs(circle(3, 3, 0.8), 200, 1, 1)
    few = few._replace(own=few.own + 40, rival=few.rival + 40, block=few.block + 10_000, stratum=few.stratum + 5_000)
    both = PairRows(*(numpy.concatenate(column) for column in zip(rows, few, strict=True)))
    found = judged(bots, {("game", 2): both})
    assert found.misfit
    assert found.misfit.bots == ["bot40", "bot41", "bot42"]


@pytest.mark.slow
@pytest.mark.parametrize("members", [3, 8])
def test_a_circle_among_eight_bots_is_found(members: int) -> None:
    assert struck(lambda seed: judged(8, {("game", 2): in_pairs(circle(8, members, 0.7), 40, 1, seed)}), 40) >= 0.75


def test_a_specialist_is_named_with_its_side() -> None:
    found = specialist(1.0, seed=1)
    assert found.misfit
    assert found.sentence.startswith("one number per bot does not fit: bot0 does better in easy than elsewhere (p ")
    assert found.of_part("sides").startswith("bot0 does better in easy than elsewhere (p ")
    assert specialist(0.0, seed=1).of_part("sides").startswith("no sign that any bot's side matters (p ")
    assert not found.of_part("players")


def test_two_bots_at_tables_of_two_cannot_tell_whether_players_matter() -> None:
    """Another curve of chances there would explain any result, so there is no p-value."""
    both = in_pairs(circle(3, 0, 0.5), 60, 1, 1)
    chances = numpy.full((3, 3), 0.5)
    chances[0, 1], chances[1, 0] = 1.0, 0.0
    first = in_pairs(chances, 60, 1, 2)
    alone = PairRows(*(column[(first.own < 2) & (first.rival < 2)] for column in first))
    found = judged(3, {("game", 2): alone, ("game", 3): both})
    assert found.p is not None
    assert not found.of_part("players")


def test_a_bot_that_changes_is_named() -> None:
    found = changing(1.0, seed=1)
    assert found.misfit
    assert "bot0 does better in the later half of the games" in found.sentence


def test_sentences_name_a_number_of_players() -> None:
    table = Part("players", 0.001, ["ann"], "4", better=False)
    assert LackOfFit(0.0201, [table]).sentence == (
        "one number per bot does not fit: ann does worse at tables of 4 than at others (p = 0.020)"
    )
    assert LackOfFit(0.434, [table]).sentence == "one number per bot fits these games (p = 0.43)"


def test_three_bots_far_apart_may_follow_any_curve() -> None:
    chances = numpy.array([[0.5, 0.9, 0.7], [0.1, 0.5, 0.7], [0.3, 0.3, 0.5]])
    found = judged(3, {("game", 2): in_pairs(chances, 200, 1, 1)})
    assert [part.kind for part in found.parts] == ["drift"]


def test_few_games_tell_nothing() -> None:
    found = judged(3, {("game", 2): in_pairs(circle(3, 3, 0.5), 1, 1, 0)})
    assert (found.p, found.misfit, found.misfit_pairs) == (None, None, [])
    assert found.sentence == "too few games to tell whether one number per bot fits"


def test_results_do_not_depend_on_the_numbers_of_the_bots() -> None:
    rows = in_pairs(circle(4, 3, 0.6), 30, 1, 3)
    turned = rows._replace(own=3 - rows.own, rival=3 - rows.rival)
    first, second = judged(4, {("game", 2): rows}), judged(4, {("game", 2): turned})
    assert first.p == pytest.approx(second.p, abs=0.02)  # the draws differ


def test_wrong_input_is_named() -> None:
    rows = in_pairs(circle(3, 3, 0.5), 4, 1, 0)
    with pytest.raises(ValueError, match="2 names for 3 strengths"):
        lack_of_fit(["a", "b"], numpy.zeros(3), [])
    with pytest.raises(ValueError, match="a bot numbered 2, but only 2 have a strength"):
        judged(2, {("game", 2): rows}, numpy.full(2, 25.0))
    with pytest.raises(ValueError, match=r"from 0 to 1, not 1\.5"):
        holm([0.5, 1.5])


def test_holm_adjusts_in_order() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []


@pytest.mark.parametrize("wins", [9, 13, 14, 15, 20, 24])
def test_a_share_is_certain_where_its_interval_excludes_one_half(wins: int) -> None:
    mean = SummedMean([(20, 20, 20, wins, wins, wins)] if wins <= 20 else [(30, 30, 30, wins, wins, wins)])
    low, high = mean.share_interval()
    assert (mean.share_p() < 0.05) == (low > 0.5 or high < 0.5)


def test_so_it_is_with_few_blocks() -> None:
    """Of two games each: of all results of 2 to 12 of them, some were certain by one and not by the other."""
    for won in range(13):
        for level in range(13 - won):
            for lost in range(max(0, 2 - won - level), 13 - won - level):
                mean = BlockMean()
                for total, blocks in ((2.0, won), (1.0, level), (0.0, lost)):
                    for _ in range(blocks):
                        mean.add_block(total, 2)
                low, high = mean.share_interval()
                assert (mean.share_p() < 0.05) == (low > 0.5 or high < 0.5), (won, level, lost)
