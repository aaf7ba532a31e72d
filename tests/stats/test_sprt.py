"""The sequential test: error rates, decisions and the stopping rule."""

from __future__ import annotations

import copy

import msgspec
import numpy
import pytest

from fa_cli.errors import UsageError
from fa_cli.stats.sprt import MIN_BLOCKS, ErrorRates, SequentialTest, Verdict
from fa_cli.stats.stopping import (
    StoppingRule,
    StoppingTracker,
    blocks_to_decide,
    games_to_decide,
    pair_rule,
    table_rule,
)
from fa_cli.stats.stopping_results import SequentialResult, evidence_rows, nearest_decision, result_of
from fa_cli.tournament.schedule import Schedule
from tests.conftest import further
from tests.stats.block_scores import SKEWED, SPREADS, decisions, drawn
from tests.stats.ranked_leagues import judged, ranked
from tests.tournament.helpers import definition, setting

LEAGUES = 1000
MIRRORED = [(Verdict.OPEN, Verdict.OPEN), (Verdict.FIRST, Verdict.SECOND)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", SPREADS)
@pytest.mark.parametrize(
    "errors", [ErrorRates(0.01, 0.1, 0.4), *further(ErrorRates(0.05, 0.05, 0.3))], ids=["1-10", "5-5"]
)
def test_error_rates(kind: str, errors: ErrorRates) -> None:
    """Within one percentage point: false positives between equal bots, and missed differences of the margin.

    Of 1,000 leagues: 3% instead of 1% is found with 97%, 8% instead of 5% with 99%, 13% instead of 10% with 97%.
    """
    equal, _ = decisions(kind, 0.0, errors, LEAGUES)
    assert equal[Verdict.FIRST] + equal[Verdict.SECOND] <= errors.alpha + 0.01
    better, _ = decisions(kind, errors.margin, errors, LEAGUES)
    assert better[Verdict.FIRST] >= 1 - errors.beta - 0.01
    assert max(equal[Verdict.OPEN], better[Verdict.OPEN]) <= 0.02


@pytest.mark.slow
@pytest.mark.parametrize("kind", SPREADS)
def test_also_at_a_small_margin(kind: str) -> None:
    """Of 500 leagues 6% may be wrong: a rate of 8% is found with a probability of 95%."""
    errors = ErrorRates(0.05, 0.05, 0.15)
    equal, _ = decisions(kind, 0.0, errors, leagues=500)
    assert equal[Verdict.FIRST] + equal[Verdict.SECOND] <= errors.alpha + 0.01
    better, _ = decisions(kind, errors.margin, errors, leagues=500)
    assert better[Verdict.FIRST] >= 1 - errors.beta - 0.01


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.1, 0.3])
@pytest.mark.parametrize("kind", SKEWED)
def test_skewed_scores(kind: str, margin: float) -> None:
    """Equal bots are called different at most as often as alpha, however skewed; chance: half a percentage point.

    A rate of 8% is found with 99.8%.
    """
    errors = ErrorRates(margin=margin)
    equal, _ = decisions(kind, 0.0, errors, LEAGUES)
    assert equal[Verdict.FIRST] + equal[Verdict.SECOND] <= errors.alpha + 0.005


@pytest.mark.parametrize("kind", ["rare losses", "planner, random"])
def test_skewed_scores_briefly(kind: str) -> None:
    equal, _ = decisions(kind, 0.0, ErrorRates(margin=0.2), leagues=400)
    assert equal[Verdict.FIRST] + equal[Verdict.SECOND] <= 0.05 + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("kind", SPREADS)
def test_error_rates_of_no_worse(kind: str) -> None:
    """An equal bot is called worse, and one that is worse by the margin passes, as rarely as asked for; as above."""
    errors = ErrorRates(0.05, 0.05, 0.3)
    equal, _ = decisions(kind, 0.0, errors, LEAGUES, is_one_sided=True)
    assert equal[Verdict.SECOND] <= errors.alpha + 0.01
    worse, _ = decisions(kind, -errors.margin, errors, LEAGUES, is_one_sided=True)
    assert worse[Verdict.SECOND] >= 1 - errors.beta - 0.01
    assert max(equal[Verdict.OPEN], worse[Verdict.OPEN]) <= 0.02


def test_a_worse_bot_passes_as_rarely_as_beta_says_whatever_alpha_is() -> None:
    errors = ErrorRates(0.4, 0.05, 0.3)
    worse, _ = decisions("pairs", -errors.margin, errors, 500, is_one_sided=True)
    assert worse[Verdict.NO_WORSE] <= errors.beta + 0.02  # its standard error is 0.01


def test_a_bot_that_is_no_worse() -> None:
    """A little better, or much: known sooner than which of the two is better."""
    for mean, ratio in ((0.05, 0.6), (0.4, 1.0)):
        found, blocks = decisions("pairs", mean, ErrorRates(), 100, is_one_sided=True)
        assert found[Verdict.NO_WORSE] >= 0.98
        assert blocks < ratio * decisions("pairs", mean, ErrorRates(), 100)[1]


def test_the_evidence_of_no_worse() -> None:
    for score, text in ((1.0, "a is not worse by 0.1"), (0.0, "a is not worse by 0.1"), (-1.0, "b is better")):
        tracker = StoppingTracker(pair_rule("ab", [], ErrorRates(), is_one_sided=True), 2)
        test = tracker.test((0, 1))
        while test.verdict is Verdict.OPEN:
            test.add(score)
        rows = evidence_rows(tracker, "ab")
        assert [row.found for row in rows] == (["no worse", "not better"] if score >= 0 else ["worse", "better"])
        assert rows[0].better_bound == pytest.approx(numpy.log(20))
        said, _, figures = nearest_decision(rows, tracker.rule).partition(": ")
        value, bound = map(float, figures.split(" of "))
        assert (said, value >= bound) == (text, True)


def test_any_bounded_scores() -> None:
    """By theory, not by simulation: the capital of a bet on equal bots stays the same in the mean at each block."""
    test = SequentialTest()
    for score in (0.3, -1.0, 0.25, 0.25, 0.05):
        scores, chances = numpy.array([-1.0, 0.1]), numpy.array([1 / 11, 10 / 11])
        for bot in (0, 1):
            before, factors = test.evidence(bot)[0], []
            for possible in scores:
                branch = copy.deepcopy(test)
                branch.add(possible)
                factors.append(numpy.exp(branch.evidence(bot)[0] - before))
            assert chances @ numpy.array(factors) == pytest.approx(1.0)
            assert min(factors) > 0
        test.add(score)


@pytest.mark.parametrize(("spread", "most"), [(0.05, 40), (0.22, 51), (0.35, 125)])
def test_the_blocks_that_equal_bots_need(spread: float, most: float) -> None:
    """At a margin of 0.1: 50 blocks at a standard deviation of 0.22, within chance; fewer where scores vary less."""
    _, blocks = decisions(f"normal {spread}", 0.0, ErrorRates(), leagues=250)
    assert blocks <= most


@pytest.mark.parametrize(("kind", "most"), [("pairs", 38), *further(("three", 34), ("four games", 27))])
def test_a_clear_difference_needs_few_blocks(kind: str, most: float) -> None:
    """At four times the margin; a single stake needed 59, 56 and 46. At seven times 18 are enough."""
    assert decisions(kind, 0.4, ErrorRates(), leagues=500)[1] <= most
    assert decisions(kind, 0.7, ErrorRates(), leagues=500)[1] <= 14


@pytest.mark.parametrize(("margin", "blocks"), [(0.02, 9), (0.1, 8), (0.3, 7)])
def test_a_clear_case_is_decided_at_once(margin: float, blocks: int) -> None:
    test = SequentialTest(ErrorRates(margin=margin))
    verdicts = [test.add(1.0) for _ in range(blocks + 5)]
    assert verdicts == [Verdict.OPEN] * (blocks - 1) + [Verdict.FIRST] * 6
    assert test.blocks == blocks
    assert test.mean == 1.0


def capital_by_hand(scores: list[float], margin: float) -> float:
    """As docs/explanation/statistics-details.md has it: three stakes, from the blocks before each."""
    parts = [0.66, 0.18, 0.16]
    for n, score in enumerate(scores):
        best = margin * (n + 2) / (1 + sum(each * each for each in scores[:n]))
        for part, stake in enumerate((best, 3 * best, 0.98)):
            parts[part] *= 1 + min(0.98, stake) * score
    return sum(parts)


def refuted_by_hand(scores: list[float], margin: float) -> float:
    """The same for the opposite bet, with one stake."""
    capital = 1.0
    for n, score in enumerate(scores):
        best = margin * (n + 2) / (1 + sum((margin - each) ** 2 for each in scores[:n]))
        capital *= 1 + min(0.98 / (1 - margin), best) * (margin - score)
    return capital


@pytest.mark.parametrize("scores", [[1.0, 0.0, 1.0], [0.5, -1.0, 0.0, 0.25, 1.0], [-1.0, -1.0, -0.5]])
def test_the_evidence_by_hand(scores: list[float]) -> None:
    tracker = StoppingTracker(StoppingRule(0, 1), 2)
    for score in scores:
        tracker.test((0, 1)).add(score)
    rows = evidence_rows(tracker, ["a", "b"])
    for row, sign in zip(rows, (1, -1), strict=True):
        own = [sign * score for score in scores]
        assert row.better == pytest.approx(numpy.log(capital_by_hand(own, 0.1)))
        assert row.not_better == pytest.approx(numpy.log(refuted_by_hand(own, 0.1)))
        assert (row.better_bound, row.not_better_bound) == (pytest.approx(numpy.log(40)), pytest.approx(numpy.log(25)))
        assert (row.ratio, row.found) == (None, "")
    if scores == [1.0, 0.0, 1.0]:
        assert nearest_decision(rows, tracker.rule) == "a is better: 0.71 of 3.69"  # the page's example


def test_evidence_below_zero_is_none() -> None:
    tracker = StoppingTracker(StoppingRule(0, 1), 2)
    for score in (1.0, -1.0, 1.0, -1.0):
        tracker.test((0, 1)).add(score)
    said = nearest_decision(evidence_rows(tracker, ["a", "b"]), tracker.rule)
    assert said.startswith("no evidence yet that neither is better by 0.1: -0.")


def test_the_evidence_of_a_decision() -> None:
    """A test that is over keeps it; that neither is better needs both."""
    for score, found in ((1.0, ["better", "worse"]), (-1.0, ["worse", "better"]), (0.0, ["not better"] * 2)):
        tracker = StoppingTracker(StoppingRule(0, 1), 2)
        test = tracker.test((0, 1))
        while test.verdict is Verdict.OPEN:
            rows = evidence_rows(tracker, ["a", "b"])
            assert [row.found for row in rows if row.found] in ([], ["not better"])
            value, bound = map(float, nearest_decision(rows, tracker.rule).partition(": ")[2].split(" of "))
            assert value < bound
            test.add(score)
        test.add(-1.0)
        rows = evidence_rows(tracker, ["a", "b"])
        assert [row.found for row in rows] == found
        text, _, figures = nearest_decision(rows, tracker.rule).partition(": ")
        assert text == {1.0: "a is better", -1.0: "b is better", 0.0: "neither is better by 0.1"}[score]
        value, bound = map(float, figures.split(" of "))
        assert value >= bound


def test_the_other_way_round() -> None:
    (league,) = drawn("pairs", 0.3, 1, 200)
    one, other = SequentialTest(), SequentialTest()
    for score in league:
        assert (one.add(score), other.add(-score)) in MIRRORED
        assert [one.log_ratio(bot) for bot in (0, 1)] == [other.log_ratio(bot) for bot in (1, 0)]
        assert [one.evidence(bot)[0] for bot in (0, 1)] == [other.evidence(bot)[0] for bot in (1, 0)]
    assert (one.verdict, other.verdict) == (Verdict.FIRST, Verdict.SECOND)


def test_a_decision_is_final() -> None:
    test = SequentialTest()
    while test.add(-1.0) is Verdict.OPEN:
        pass
    assert [test.add(1.0) for _ in range(100)] == [Verdict.SECOND] * 100


def test_bots_that_always_tie() -> None:
    """Without any spread, as between two identical bots, neither is better after a number of blocks."""
    test = SequentialTest()
    blocks = next(count for count in range(1, 1000) if test.add(0.0) is not Verdict.OPEN)
    assert test.verdict is Verdict.NEITHER
    assert MIN_BLOCKS < blocks < 100


def test_the_ratio_is_that_of_normal_scores() -> None:
    """By the textbook: half the degrees of freedom times the log ratio of the sums of squares."""
    scores, margin = [0.5, -0.25, 1.0, 0.0], 0.2
    test = SequentialTest(ErrorRates(margin=margin))
    for score in scores:
        test.add(score)

    def squares(mean: float) -> float:
        return margin + 3 * mean * mean + sum((score - mean) ** 2 for score in scores)

    for bot, mean in enumerate((margin, -margin)):
        assert test.log_ratio(bot) == pytest.approx((len(scores) - 1) / 2 * numpy.log(squares(0) / squares(mean)))


def test_a_rare_difference_is_not_called_equal_too_soon() -> None:
    """Bots that are level but for one deal of ten, which one of them wins: that is a difference of the margin."""
    league = [0.0] * 9 + [1.0]
    test = SequentialTest()
    for score in league * 20:
        assert test.add(score) is not Verdict.NEITHER


@pytest.mark.parametrize(
    "errors", [ErrorRates(alpha=0.0), ErrorRates(beta=0.5), ErrorRates(margin=1.0), ErrorRates(margin=-0.1)]
)
def test_error_rates_out_of_range(errors: ErrorRates) -> None:
    with pytest.raises(UsageError, match="is more than 0 and less than"):
        SequentialTest(errors)


def test_the_tracker_uses_whole_blocks_with_both() -> None:
    judge = StoppingTracker(StoppingRule(0, 2), 4)
    for seats, ranks in (((0, 1, 2), (1, 2, 3)), ((1, 2, 0), (1, 1, 3)), ((2, 0, 1), (2, 1, 3))):
        judge.add(seats, ranks)
    assert judge.blocks == 0
    judge.end_block()
    test = judge.test((0, 2))
    assert (test.verdict, test.blocks, test.mean) == (Verdict.OPEN, 1, pytest.approx((1 - 0.75 + 0.5) / 3))
    judge.add((1, 3, 0), (1, 2, 3))  # only one of them
    judge.end_block()
    judge.end_block()
    assert judge.blocks == 1


def test_a_partial_block_is_ignored() -> None:
    wanted = msgspec.structs.replace(definition([setting(2, 2)], 5), stopping_rule=StoppingRule(0, 1))
    course = Schedule(wanted)
    for number in range(5):
        job = course.next_job()
        assert job
        course.report_result([1, 2], [job.seats.index(0)] if number == 4 else [])
    assert course.is_over
    assert course.stopping
    assert course.stopping.blocks == 2
    assert course.sequential_result == (Verdict.OPEN, "bot0", "bot1", 2, 0.0, 5, (1, 0))


def test_the_result_for_each_bot() -> None:
    for verdict, fields in (
        (Verdict.FIRST, ["better than y", "worse than x", None]),
        (Verdict.SECOND, ["worse than y", "better than x", None]),
        (Verdict.NEITHER, ["as good as y", "as good as x", None]),
        (Verdict.NO_WORSE, ["no worse than y", "not better than x", None]),
        (Verdict.OPEN, ["not decided against y", "not decided against x", None]),
    ):
        assert [SequentialResult(verdict, "x", "y", 16, 0.1).field(bot) for bot in "xyz"] == fields


def test_faults_are_named_where_they_are_a_tenth_of_the_games() -> None:
    def said(*faults: int) -> str:
        return SequentialResult(Verdict.FIRST, "x", "y", 10, 1.0, 20, (faults[0], faults[1])).describe(0.1)

    assert said(1, 2) == "decided after 10 blocks: x beats y (place score +1.000); y had a fault in 2 of 20 games"
    assert said(1, 1).endswith("(place score +1.000)")


def test_which_bots_are_compared() -> None:
    assert pair_rule(["x", "y"], [], ErrorRates()) == StoppingRule(0, 1)
    assert pair_rule(["x", "y", "z"], ["z", "x"], ErrorRates()) == StoppingRule(2, 0)
    for names, pair, sentence in (
        (["x", "y", "z"], [], "name them: --compare A,B"),
        (["x", "y"], ["x", "q"], "no bot named 'q' to compare; the bots are x, y"),
        (["x", "y"], ["x", "x"], "needs two bots"),
    ):
        with pytest.raises(UsageError, match=sentence):
            pair_rule(names, pair, ErrorRates())


@pytest.mark.parametrize("players", [3, *further(2, 4)])
def test_the_order_is_right(players: int) -> None:
    """Bots apart by more than the margin, and two that are level: no rank is wrong in 39 of 40 leagues or more."""
    strengths = [0.0, 1.5, 0.0, 3.0]
    assert sum(judged(strengths, players, ranked(strengths, players, seed)).is_wrong for seed in range(40)) <= 1


def test_the_order_in_words() -> None:
    tracker = ranked([0.0, 1.5, 0.0, 3.0], 2, 1)
    result = result_of(tracker, "abcd")
    assert result.describe(0.3) == (
        f"decided after {tracker.blocks:,} blocks: the order is known, except for differences below 0.3: "
        "d 1, b 2, a 3-4 and c 3-4"
    )
    assert [result.field(bot) for bot in "abcdx"] == ["ranks 3-4", "rank 2", "ranks 3-4", "rank 1", None]


def test_the_best_two() -> None:
    """They are known sooner than the whole order."""
    tracker = ranked([0.0, 1.5, 0.0, 3.0], 2, 1, top=2)
    assert tracker.blocks < ranked([0.0, 1.5, 0.0, 3.0], 2, 1).blocks / 3
    result = result_of(tracker, "abcd")
    assert result.describe(0.3).endswith("the best 2 are b and d, except for differences below 0.3")
    assert [result.field(bot) for bot in "abcdx"] == [
        "not in the best 2",
        *["best 2", "not in the best 2"] * 1,
        "best 2",
        None,
    ]


def test_an_order_not_known_yet() -> None:
    for top, goal in ((None, "the order"), (1, "the best bot")):
        tracker = StoppingTracker(table_rule(3, top, ErrorRates()), 3)
        tracker.add((0, 1), (1, 2))
        tracker.end_block()
        result = result_of(tracker, "abc")
        assert result.describe(0.1).startswith(f"{goal} is not decided after 1 block: ")
        assert result.field("a") == ("ranks 1-3" if top is None else "not decided")


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, *further(2, 4)])
def test_equal_bots_of_a_table(players: int) -> None:
    """A pair of five equal bots is called different in at most 5% of leagues; chance: 3.4%, for 40 leagues."""
    equal = [0.0] * 5
    assert sum(judged(equal, players, ranked(equal, players, seed)).is_wrong for seed in range(40)) <= 4


def test_bots_beyond_the_best() -> None:
    for top in (0, 3, -1):
        with pytest.raises(UsageError, match=f"--top is at least 1 and less than the 3 bots, not {top}"):
            table_rule(3, top, ErrorRates())
    assert StoppingRule(None, None, top=3).problem(3) == "it looks for the best 3 of 3 bots"
    assert "--margin is more than 0" in StoppingRule(None, None, ErrorRates(margin=2)).problem(3)
    assert StoppingRule(None, None, top=2).problem(3) == StoppingRule(0, 2).problem(3) == ""
    assert "names neither" in StoppingRule(None, None, one_sided=True).problem(3)
    assert StoppingRule(None, 1).problem(3) == "it compares bots None and 1, and it has 3"


def test_games_to_decide() -> None:
    assert blocks_to_decide(ErrorRates(0.05, 0.05, 0.1)) == 2 * 1300
    assert games_to_decide(ErrorRates(), 2, 2, all_orders=False) == 5200
    assert games_to_decide(ErrorRates(), 4, 2, all_orders=False) == 6 * 5200
    assert games_to_decide(ErrorRates(), 4, 4, all_orders=True) == 24 * 2600
