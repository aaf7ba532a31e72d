"""Comparison of two bots: figures by hand, and error rates in simulated leagues."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy
import pytest
from scipy import special

from fa_cli.game_result import By
from fa_cli.leaderboard.played_games import played_game
from fa_cli.stats.comparison import Comparison, ComparisonBlocks, PairedScores
from fa_cli.stats.comparison_row import About, ComparisonRow
from fa_cli.stats.outcomes import elo
from fa_cli.stats.paired import CommonOpponents, OneSided, PairBlock
from tests.conftest import further
from tests.stats import compared_leagues
from tests.tournament.helpers import Game


def compared(*games: Game, by: By | None = None) -> Comparison:
    comparison = Comparison("a", "b", by)
    for index, game in enumerate(games):
        comparison.add(played_game(game, "log", index))
    return comparison


def test_figures_by_hand() -> None:
    """Two deals, each from both seats: a wins three of four and one is level."""
    (row,) = compared(
        Game(["a", "b"], [1, 2], scores=[20, 10], number=0),
        Game(["b", "a"], [2, 1], scores=[10, 14], number=0),
        Game(["a", "b"], [1, 2], scores=[9, 8], number=1),
        Game(["b", "a"], [1, 1], scores=[7, 7], number=1),
    ).rows()
    assert (row.first, row.second, row.blocks, row.games) == ("a", "b", 2, 4)
    assert row.difference == pytest.approx(0.75)
    assert row.ahead == pytest.approx(0.875)
    assert row.level == 0.25
    assert row.points_difference == pytest.approx(15 / 4)
    assert row.elo == pytest.approx(400 * numpy.log10(7))
    assert row.verdict == ""  # two deals are not enough
    assert row.p_value >= 0.5


def test_from_the_other_side() -> None:
    games = [Game(["a", "b", "c"], [1 + (n % 3 == 0), 2 - (n % 3 == 0), 3], number=n) for n in range(12)]
    one, other = Comparison("a", "b"), Comparison("b", "a")
    for index, game in enumerate(games):
        one.add(played_game(game, "log", index))
        other.add(played_game(game, "log", index))
    (first,), (second,) = one.rows(), other.rows()
    assert first.difference == -second.difference
    assert first.difference_interval == pytest.approx([-end for end in reversed(second.difference_interval)])
    assert first.p_value == second.p_value


def test_a_row_swapped_is_that_of_the_other_side() -> None:
    """With bounds that are missing, and without meetings."""
    for seed, strengths in enumerate([[0.4, 0.0, 0.2], [5.0, 0.0], [0.0, 0.0]]):
        over = bool(seed % 2)
        row, other = (compared_leagues.compared(strengths, 2, 6, seed, *pair, over_field=over) for pair in ("01", "10"))
        assert flat(row.swapped()) == [each if each is None else pytest.approx(each) for each in flat(other)]
        assert row.swapped().swapped().elo == row.elo


def flat(row: ComparisonRow) -> list[object]:
    """The fields of a row, intervals as two values."""
    values = (getattr(row, field) for field in row.__struct_fields__)
    return [each for value in values for each in (value if isinstance(value, tuple) else (value,))]


def test_bots_at_different_tables_of_one_deal() -> None:
    """They never meet, but played the same deals."""
    games = [
        Game([name, "x"], [1 if name == "a" else 2, 2 if name == "a" else 1], number=number)
        for number in range(10)
        for name in ("a", "b")
    ]
    (row,) = compared(*games).rows()
    assert (row.blocks, row.games, row.difference) == (10, 0, 1.0)
    assert (row.ahead, row.elo, row.verdict) == (None, None, "a")


def test_games_without_either_bot_are_ignored() -> None:
    comparison = compared(Game(["a", "x"], [1, 2], number=0), Game(["x", "y"], [1, 2], number=1))
    assert comparison.absent() == ["b"]
    assert comparison.rows()[0].blocks == 0


def test_parts_and_faults() -> None:
    comparison = compared(
        Game(["a", "b"], [1, 2], number=0, side="five"),
        Game(["a", "b"], [2, 1], number=1, side="six", faulted=[0]),
        by=By.SIDE,
    )
    assert [(row.part, row.difference) for row in comparison.rows()] == [("all", 0), ("side=five", 1), ("side=six", -1)]
    assert comparison.faults == [1, 0]


@pytest.mark.parametrize(("share", "points"), [(0.5, 0.0), (0.64, 99.95), (10 / 11, 400.0), (1.0, None), (0.0, None)])
def test_elo(share: float, points: float | None) -> None:
    assert elo(share) == (None if points is None else pytest.approx(points, abs=0.01))


def part_of(scores: Sequence[float]) -> PairedScores:
    """Blocks with these scores."""
    part = PairedScores()
    for score in scores:
        part.add(score, 2)
    return part


def more_deals(scores: Sequence[float]) -> int | None:
    """How many more deals than these decide."""
    part = ComparisonBlocks()
    part.meetings = part_of(scores)
    return part.more_deals(About.HEAD_TO_HEAD, 0.05)


@pytest.mark.parametrize("blocks", [1, 2, 3, 5])
def test_few_blocks_prove_nothing(blocks: int) -> None:
    """However clear: five coins fall alike with probability 1/16."""
    part = part_of([1.0] * blocks)
    assert part.p_value >= 2.0 ** (1 - blocks)
    low, high = part.difference_interval(0.95)
    assert low <= 0 <= high


def test_thirds_that_differ_by_rounding_are_the_same() -> None:
    """Scores at tables of four: 1 - 2/3 is not 2/3 - 1/3 in floats, and level rotations are not quite 0."""
    assert part_of([1 - 2 / 3] * 7 + [2 / 3 - 1 / 3]).p_value == 2 / 2**8
    level, rounded = part_of([0.0] * 8), part_of([-5e-17] * 8)
    assert rounded.p_value == 1
    assert rounded.difference_interval(0.95) == level.difference_interval(0.95)
    assert part_of([1.0, 1.0, 0.5, 0.0]).p_value == part_of([1.0, 1.0, 0.5, 5e-17]).p_value


def test_ten_clear_blocks_do() -> None:
    part = part_of([1.0] * 10)
    assert part.p_value < 0.05
    assert part.difference_interval(0.95)[0] > 0


@pytest.mark.parametrize(
    ("wins", "losses", "p_value"), [(20, 8, 0.0357), (6, 0, 0.03125), (5, 5, 1.0), (400, 340, 0.0300)]
)
def test_wins_and_losses_have_the_sign_test(wins: int, losses: int, p_value: float) -> None:
    """Exact, as of coins (checked with SciPy); level blocks say nothing."""
    part = part_of([1.0] * wins + [-1.0] * losses + [0.0] * 3)
    assert part.p_value == pytest.approx(min(1, 2 * special.bdtr(min(wins, losses), wins + losses, 0.5)), rel=1e-9)
    assert part.p_value == pytest.approx(p_value, abs=1e-4)
    assert (part.difference_interval(0.95)[0] > 0) == (p_value < 0.05)


def test_a_tiny_p_value_leaves_the_interval_its_width() -> None:
    part = part_of([1.0] * 900 + [-1.0] * 100)
    low, high = part.difference_interval(0.95)
    assert part.p_value < 1e-100
    assert (low, high) == (pytest.approx(0.76, abs=0.01), pytest.approx(0.835, abs=0.01))


def by_hand(scores: Sequence[float]) -> dict[str, float]:
    """What docs/explanation/statistics-details.md says of equally heavy scores that differ in size, computed anew."""
    from scipy import stats  # takes half a second

    blocks = len(scores)
    mean = numpy.mean(scores)
    variance = numpy.var(scores, ddof=1) / blocks
    trials = (1 - mean**2) / variance
    step = min(abs(score) for score in scores if score)
    statistic = (abs(sum(scores)) - step) / blocks * sqrt(trials)
    p_value = max(2 * stats.t.sf(statistic, blocks - 1), 2.0 ** (1 - sum(score != 0 for score in scores)))
    used = (stats.t.isf(p_value / 2, blocks - 1) / mean) ** 2 if 1e-9 < p_value < 0.5 else trials
    quantile = stats.t.ppf(0.975, blocks - 1)
    share = (1 + mean) / 2
    middle = share + quantile**2 / (2 * used)
    half = quantile * sqrt(share * (1 - share) / used + quantile**2 / (4 * used**2))
    low, high = (2 * (middle + sign * half) / (1 + quantile**2 / used) - 1 for sign in (-1, 1))
    named = {"d": mean, "V": variance, "N": trials, "t": statistic, "p": p_value, "trials": used, "q": quantile}
    return {**named, "low": low, "high": high}


PAGE = Path(__file__).parents[2] / "docs/explanation/statistics-details.md"
EXAMPLE = [1.0] * 10 + [-1.0] * 2 + [0.5] + [0.0] * 3


@pytest.mark.parametrize("scores", [EXAMPLE, [1.0] * 49 + [-1.0] * 4 + [0.5], [1.0] * 54 + [-1.0] * 3 + [0.5] * 3])
def test_scores_of_several_sizes_have_the_test_of_the_page(scores: Sequence[float]) -> None:
    part, expected = part_of(scores), by_hand(scores)
    assert part.p_value == pytest.approx(expected["p"], rel=1e-6)
    assert part.difference_interval(0.95) == pytest.approx((expected["low"], expected["high"]), abs=1e-6)


def test_the_example_of_the_page() -> None:
    found = by_hand(EXAMPLE)
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    _, _, example = text.partition("For example 16 deals in rotations")
    for shown in (
        "d = 8.5 / 16 = {d:.5f}, V = 16 / 15 * (12.25 - 16 d^2) / 16^2 = {V:.4f}, f = 15, N = {N:.2f}",
        "sqrt(N) = {t:.3f}, p = {p:.4f}.",
        "= {trials:.2f} trials and q = {q:.3f}, and is {low:+.3f} to {high:+.3f}.",
    ):
        assert shown.format_map(found) in example


@pytest.mark.parametrize("blocks", [6, 10, *further(14, 18)])
@pytest.mark.parametrize("shares", [(0.45, 0.1), (0.5, 0.5), (0.2, 0.6), (0.1, 0.1), (0.9, 0.1), (0.05, 0.6)])
def test_ties_do_not_make_equal_bots_different(blocks: int, shares: tuple[float, float]) -> None:
    """Exactly: all ways in which scores of 1, of 0.5 and of 0, with these chances, have either sign."""
    different = {0.05: 0.0, 0.01: 0.0}
    for whole, ties in product(range(blocks + 1), repeat=2):
        level = blocks - whole - ties
        if level < 0:
            continue
        chance = comb(blocks, whole) * comb(blocks - whole, ties) * shares[0] ** whole * shares[1] ** ties
        chance *= max(0.0, 1 - sum(shares)) ** level / 2 ** (whole + ties)
        for lost, behind in product(range(whole + 1), range(ties + 1)) if chance > 1e-9 else ():
            scores = [1.0] * (whole - lost) + [-1.0] * lost + [0.5] * (ties - behind) + [-0.5] * behind + [0.0] * level
            p_value = part_of(scores).p_value
            for alpha in different:
                different[alpha] += (p_value < alpha) * chance * comb(whole, lost) * comb(ties, behind)
    assert different[0.05] <= 0.032
    assert different[0.01] <= 0.008


# block scores of equal bots: rotations of two, single games, mostly level, four at a table
EQUAL = {
    "pairs": lambda draw, size: draw.choice([-1.0, 0.0, 0.0, 1.0], size=size),
    "single": lambda draw, size: draw.choice([-1.0, 1.0], size=size),
    "level": lambda draw, size: draw.choice([-1.0, 1.0] + [0.0] * 18, size=size),
    "four": lambda draw, size: numpy.round(draw.normal(0, 0.2, size=size) * 12).clip(-12, 12) / 12,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", EQUAL)
@pytest.mark.parametrize("blocks", [6, 20, *further(100)])
def test_equal_bots_are_rarely_called_different_or_superior(kind: str, blocks: int) -> None:
    """No more often than alpha, within the chance of 2,000 leagues; interval and p-value agree.

    Nor is one superior with 95% in more than 5% of leagues.
    """
    leagues = EQUAL[kind](numpy.random.default_rng(blocks), (2000, blocks)).tolist()
    different, superior = {0.05: 0, 0.01: 0}, 0
    for league in leagues:
        part = part_of(league)
        p_value = part.p_value
        superior += part.superiority >= 0.95
        for alpha in different:
            different[alpha] += p_value < alpha
        low, high = part.difference_interval(0.95)
        assert (p_value < 0.05) == (not low <= 1e-12 or not high >= -1e-12), league
    assert different[0.05] <= 2000 * 0.055
    assert different[0.01] <= 2000 * 0.014
    assert superior <= 2000 * 0.06


def test_common_opponents_by_hand() -> None:
    """a wins both games of its deal against x and b one of its two: half a place score, over one pair of deals."""
    games = [
        Game(["a", "x"], [1, 2], number=0, scores=[9, 4]),
        Game(["x", "a"], [2, 1], number=0, scores=[5, 8]),
        Game(["a", "y"], [2, 1], number=1),  # b never met y
        Game(["b", "x"], [1, 2], number=2, scores=[7, 5]),
        Game(["x", "b"], [1, 2], number=2, scores=[8, 5]),
        Game(["b", "x"], [1, 2], number=3),  # a did not meet x a second time
    ]
    (row,) = compared(*games).rows()
    assert (row.blocks, row.common, row.games, row.ahead) == (1, 1, 0, None)
    assert row.difference == 0.5
    assert row.points_difference == 8.5 - 6
    other = Comparison("b", "a")
    for index, game in enumerate(games):
        other.add(played_game(game, "log", index))
    assert other.rows()[0].difference == -0.5


@pytest.mark.parametrize(
    "game",
    [
        Game(["b", "x"], [1, 2], number=1, side="six"),
        Game(["b", "x", "y"], [1, 2, 3], number=1, side="five"),
        Game(["b", "y"], [1, 2], number=1, side="five"),
    ],
    ids=["another-side", "more-players", "another-rival"],
)
def test_not_the_same_opponents(game: Game) -> None:
    comparison = compared(Game(["a", "x"], [1, 2], number=0, side="five"), game)
    assert comparison.rows()[0].blocks == 0


def test_opponents_of_another_log_are_not_common() -> None:
    """They may be other versions."""
    comparison = Comparison("a", "b")
    comparison.add(played_game(Game(["a", "x"], [1, 2], number=0), "one", 0))
    comparison.add(played_game(Game(["b", "x"], [1, 2], number=0), "two", 0))
    assert comparison.rows()[0].blocks == 0


def test_blocks_that_wait_are_limited() -> None:
    opponents = CommonOpponents()
    for number in range(5000):
        assert opponents.add(0, "x", OneSided(number, 0.0, 1)) is None
    pair = opponents.add(1, "x", OneSided(0.5, 0.0, 1))
    assert pair
    assert pair[0].score == 5000 - 4096


def test_copies_are_one_bot() -> None:
    """Two copies of a in one game with b: the mean of their place scores."""
    comparison = Comparison("a,a2", "b")
    for index, ranks in enumerate(([1, 3, 2], [1, 2, 3])):
        comparison.add(played_game(Game(["a", "a2", "b"], ranks, number=index), "log", index))
    (row,) = comparison.rows()
    assert (row.first, row.games, row.blocks) == ("a,a2", 2, 2)
    assert row.difference == pytest.approx((0.5 - 0.5 + 0.75 - 0.0) / 2)
    assert row.ahead == 0.75
    assert Comparison("a,a2", "b").absent() == ["a", "a2", "b"]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, *further(4)])
def test_the_verdict_agrees_with_the_share_of_games_ahead(players: int) -> None:
    """For bots of any strengths, in leagues of any size: clear ones, close ones and contradictions.

    At tables of two both are one figure. At larger ones the place score knows more: only the leader is the same.
    """
    draw, verdicts = numpy.random.default_rng(players), 0
    for seed in range(250):
        strengths = draw.normal(0, draw.choice([0.1, 0.5, 2]), players + int(draw.integers(3))).tolist()
        row = compared_leagues.compared(strengths, players, int(draw.integers(2, 16)), seed)
        assert row.ahead is not None and row.ahead_interval
        low, high = row.ahead_interval
        assert low - 1e-9 <= row.ahead <= high + 1e-9
        assert row.verdict in ("", row.first if row.ahead > 0.5 else row.second)
        if players == 2:
            assert row.verdict == (row.first if low > 0.5 else row.second if high < 0.5 else ""), row
        verdicts += bool(row.verdict)
    assert 25 < verdicts < 225


def test_meetings_that_point_the_other_way() -> None:
    """a is ahead of x where b is behind it, but loses against b: each has a row, and a verdict, of its own."""
    games = [Game([bot, "x"], [1, 2] if bot == "a" else [2, 1], number=n) for n in range(60) for bot in "ab"]
    lost = [Game(["ab"[seat], "ba"[seat]], [2 - seat, 1 + seat], number=60 + n) for n in range(10) for seat in (0, 1)]
    met, field = compared(*games, *lost).rows()
    assert (met.about, met.verdict, met.blocks, met.common, met.difference) == ("head-to-head", "b", 10, 0, -1.0)
    assert (field.about, field.verdict, field.blocks, field.common, field.difference) == ("field", "a", 70, 0, 0.5)
    assert met.ahead_interval and met.ahead_interval[1] < 0.4
    assert field.p_value < 0.01


def test_other_games_take_nothing_from_meetings() -> None:
    """What is said of the games in which two met does not depend on games with others."""
    games = list(compared_leagues.league([0.5, 0.0, 3.0, -3.0, 0.2], 2, 12, 1))
    alone, among = Comparison("0", "1"), Comparison("0", "1")
    for game in games:
        among.add(game)
        if {*game.bots} == {"0", "1"}:
            alone.add(game)
    (row,), (met, field) = alone.rows(), among.rows()
    assert flat(row) == flat(met)
    assert field.blocks > met.blocks
    assert among.logs_of(met) == among.logs_of(field) == {"league"}


def decided(strengths: Sequence[float], players: int, rounds: int, leagues: int) -> tuple[float, float]:
    """The share of leagues with a verdict over the field, and the mean difference."""
    rows = [compared_leagues.compared(strengths, players, rounds, seed, over_field=True) for seed in range(leagues)]
    return sum(bool(row.verdict) for row in rows) / leagues, sum(row.difference for row in rows) / leagues


def test_a_round_robin_in_pairs_is_decided() -> None:
    """Four bots in pairs, 24 deals, four of them between the two: a difference of 0.45 is found in most leagues."""
    share, difference = decided([-0.8, 0.8, 0, 0], 2, 4, 200)
    assert difference == pytest.approx(-0.45, abs=0.02)
    assert share >= 0.65


def test_equal_bots_with_common_opponents_briefly() -> None:
    assert decided([0, 0, 1, -1], 2, 8, 200)[0] <= 0.06


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds", "strengths"),
    [
        *[(*size, [0, 0, 1, -1, 0.3]) for size in ((2, 4), (2, 20), (3, 4), (4, 2), (4, 8))],
        *[(*size, [0, 0, 0, 0, 0]) for size in ((2, 4), (4, 8))],
    ],
)
def test_equal_bots_with_common_opponents(players: int, rounds: int, strengths: list[float]) -> None:
    """Called different in at most 5% of 400 leagues, and one point for chance: a rate of 8% is found with 93%."""
    assert decided(strengths, players, rounds, 400)[0] <= 0.06


@pytest.mark.slow
@pytest.mark.parametrize("kind", [[-1.0, 1.0] * 3 + [1.0], [-1.0, 0.0, 0.0, 1.0], [-0.5, -0.25, 0.0, 0.1, 0.25, 0.4]])
def test_the_deals_that_are_missing(kind: list[float]) -> None:
    """With as many more deals as the row says a difference is found in 80% of leagues, if it is the true one.

    A true 70% are told from that with 97%.
    """
    shifted = [score + 0.15 * (1 - score * score) for score in kind]  # between the same ends
    more = more_deals(shifted * 3)
    assert more
    leagues = numpy.random.default_rng(3).choice(shifted, size=(500, len(shifted) * 3 + more)).tolist()
    assert sum(part_of(league).p_value < 0.05 for league in leagues) / 500 == pytest.approx(0.8, abs=0.06)


def test_no_number_of_deals_without_a_difference() -> None:
    assert more_deals([1.0, -1.0] * 5) is None
    assert more_deals([0.1, 0.2, -0.3] * 5) is None  # but for rounding
    assert more_deals([0.5]) is None
    assert 3 <= (more_deals([1.0] * 3) or 0) <= 10  # less than six could be coins


def test_an_empty_block_is_ignored() -> None:
    assert PairBlock().weight == 0


def test_the_likelihood_of_superiority_by_hand() -> None:
    """Half of the p-value is the likelihood that the bot with the lower score is the better one."""
    part = part_of([1.0, 0.0, 1.0, 0.5, 0.0, 1.0, -0.5, 1.0])
    assert part.superiority == 1 - part.p_value / 2
    assert part_of([-1.0, 0.0, -1.0, -0.5]).superiority == 1 - part_of([1.0, 0.0, 1.0, 0.5]).superiority
    assert part_of([1.0, -1.0] * 4).superiority == part_of([]).superiority == 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds", "bots"), [(2, 12, 2), *further((2, 6, 4), (4, 4, 5))])
def test_leaders_are_the_stronger_bots_as_often_as_their_likelihood_says(players: int, rounds: int, bots: int) -> None:
    """No less often, within chance; and the likelihoods are not far too cautious."""
    for each in compared_leagues.superiority(players, rounds, 600, bots):
        chance = 3 * (each.mean * (1 - each.mean) / each.leagues) ** 0.5
        assert each.leagues > 30
        assert each.mean - chance - 0.005 <= each.right <= each.mean + chance + 0.08, each


@pytest.mark.parametrize(("players", "rounds"), [(2, 12), *further((2, 40), (4, 24))])
@pytest.mark.parametrize(
    "ahead", [pytest.param(0.0, marks=pytest.mark.slow), 0.4, pytest.param(1.2, marks=pytest.mark.slow)]
)
def test_intervals_of_elo_hold_the_true_difference(players: int, rounds: int, ahead: float) -> None:
    """In 95% of leagues, less the chance of 300 of them; whoever else sits at the table."""
    luck = 0.7
    share = NormalDist().cdf(ahead / (2 * (1 + luck**2)) ** 0.5)  # each has normal luck in the deal and in the game
    true, holds = elo(share) or 0.0, 0
    for seed in range(300):
        row = compared_leagues.compared([ahead, 0.0, 0.5, -0.5][: max(2, players)], players, rounds, seed, luck=luck)
        low, high = row.elo_interval or (None, None)
        holds += (low is None or low <= true) and (high is None or true <= high)
    assert holds >= 0.92 * 300
