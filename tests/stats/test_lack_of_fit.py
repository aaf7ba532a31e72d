"""Whether one number per bot fits: fair leagues pass at 95%, circles, specialists and changes are found and named."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

import numpy
import pytest

from fa_cli.stats.block_means import BlockMean, StratumSums
from fa_cli.stats.lack_of_fit.fit_sums import fit_sums, joined
from fa_cli.stats.lack_of_fit.judge import LackOfFit, Part, lack_of_fit
from fa_cli.stats.lack_of_fit.stars import ahead_p, holm
from fa_cli.stats.strength.pair_sums import PairRows
from tests.stats.misfit_leagues import changing, circle, in_pairs, judged, specialist
from tests.stats.pair_leagues import League


def struck(league: Callable[[int], LackOfFit], count: int) -> float:
    return fmean(league(seed).strikes for seed in range(count))


def test_sums_of_blocks_are_exact() -> None:
    """Two blocks of two games: bot 0 wins both, then one."""
    column = numpy.array
    rows = PairRows(
        column([7, 7, 7, 7]),
        column([0, 0, 1, 1]),
        column([0, 1, 0, 1]),
        column([1, 0, 1, 0]),
        column([2, 2, 2, 2]),
        column([4, 0, 2, 2]),
    )
    sums = fit_sums(rows, column([0, 0, 1, 1]))
    assert [tuple(row.tolist()) for row in numpy.array(sums).T] == [
        (7, 0, 0, 2, 4, 8, 6, 20, 12, 1, 2, 2),
        (7, 0, 1, 2, 4, 8, 6, 20, 12, 1, 2, 2),
        (7, 1, 1, 2, 4, 8, 2, 4, 4, 1, 2, 2),
    ]
    twice = joined([sums, sums])
    assert numpy.array_equal(twice.ahead, 2 * sums.ahead)


@pytest.mark.parametrize(
    "league",
    [
        League(bots=3, players=2, blocks=60, strength=0.4),
        League(bots=8, players=2, blocks=112, strength=0.4),
        League(bots=8, players=4, blocks=60),
    ],
    ids=str,
)
def test_a_fair_league_seldom_strikes(league: League) -> None:
    rate = struck(lambda seed: judged(league.bots, {("game", league.players): league.play(seed)[1]}), 120)
    assert 0.01 <= rate <= 0.09  # 5% with two standard errors of 120 leagues above and below


def test_a_circle_of_three_bots_is_found_and_named() -> None:
    found = [judged(3, {("game", 2): in_pairs(circle(3, 3, 0.65), 40, 1, seed)}) for seed in range(120)]
    assert fmean(one.strikes for one in found) >= 0.87
    assert all(one.parts[0].bots == ["bot0", "bot1", "bot2"] for one in found if one.strikes)


@pytest.mark.parametrize("members", [3, 8])
def test_a_circle_among_eight_bots_is_found(members: int) -> None:
    assert struck(lambda seed: judged(8, {("game", 2): in_pairs(circle(8, members, 0.7), 40, 1, seed)}), 40) >= 0.75


def test_a_specialist_is_named_with_its_side() -> None:
    found = specialist(1.0, seed=1)
    assert found.strikes
    assert found.sentence.startswith("One number per bot does not fit: bot0 does better in easy than elsewhere (p ")


def test_a_bot_that_changes_is_named() -> None:
    found = changing(1.0, seed=1)
    assert found.strikes
    assert "bot0 does better in the later half of the games" in found.sentence


def test_sentences_name_a_number_of_players_and_all_of_a_circle() -> None:
    table = Part("players", 0.001, ["ann"], "4", better=False)
    assert LackOfFit(0.0201, [table]).sentence == (
        "One number per bot does not fit: ann does worse at tables of 4 than at others (p = 0.020)."
    )
    around = Part("circles", 0.0001, ["rock", "scissors", "paper"])
    assert LackOfFit(0.0004, [around]).sentence == (
        "One number per bot does not fit: rock, scissors and paper go in a circle (p < 0.001)."
    )
    assert LackOfFit(0.434, [around]).sentence == "One number per bot fits these games (p = 0.43)."


def test_few_games_tell_nothing() -> None:
    found = judged(3, {("game", 2): in_pairs(circle(3, 3, 0.5), 1, 1, 0)})
    assert (found.p, found.strikes) == (None, False)
    assert found.sentence == "Too few games to tell whether one number per bot fits."


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
    with pytest.raises(ValueError, match="1 halves for 24 rows"):
        fit_sums(rows, numpy.zeros(1, dtype=int))
    with pytest.raises(ValueError, match=r"from 0 to 1, not 1\.5"):
        holm([0.5, 1.5])


def test_holm_adjusts_in_order() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []


@pytest.mark.parametrize("wins", [9, 13, 14, 15, 20, 24])
def test_a_share_is_certain_where_its_interval_excludes_one_half(wins: int) -> None:
    mean = BlockMean(StratumSums([(20, 20, 20, wins, wins, wins)] if wins <= 20 else [(30, 30, 30, wins, wins, wins)]))
    low, high = mean.share_interval()
    assert (ahead_p(mean) < 0.05) == (low > 0.5 or high < 0.5)
