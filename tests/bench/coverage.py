"""What the statistics hold, measured in simulated leagues: `python -m tests.bench.coverage [NAME]...`.

Each measurement returns rows: what was simulated, the setting, the goal and the measured value, in brackets the 95%
interval of a share. With `--write` they replace those of the same measurements in
docs/explanation/statistics-details.md. A full run takes less than an hour on two cores.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .pages import write

if TYPE_CHECKING:
    from fa_cli.stats.comparison_row import ComparisonRow

PAGE = Path(__file__).parent.parent.parent / "docs/explanation/statistics-details.md"


class Row(NamedTuple):
    """One line of the table."""

    what: str
    setting: str
    goal: str
    measured: str


MEASUREMENTS: dict[str, Callable[[], Iterator[Row]]] = {}


def measurement(function: Callable[[], Iterator[Row]]) -> Callable[[], Iterator[Row]]:
    """Add a function to the measurements."""
    MEASUREMENTS[function.__name__] = function
    return function


@measurement
def rotation_ratios() -> Iterator[Row]:
    """Variance ratios of rotations in leagues with a planted ratio; 2,000 leagues each."""
    from tests.stats.test_variance_ratio import league, ratio_of, tables

    for truth in (1.0, 1.25, 2.0):
        for sets in (28, 60, 200):
            ratios = [found for seed in range(2000) if (found := ratio_of(league(seed, sets, 1 - 1 / truth)))]
            where = f"true ratio {truth:g}, two players, {sets} sets"
            holds = _share(found.interval[0] <= truth <= found.interval[1] for found in ratios)
            yield Row("variance ratio: interval holds", where, "95%", holds)
            middle = sorted(found.value for found in ratios)[len(ratios) // 2]
            yield Row("variance ratio: median", where, f"{truth:g}", f"{middle:.2f}")
    many = [found.value for seed in range(8) if (found := ratio_of(tables(seed, 5000, 1.0)))]
    for luck, truth in ((0.0, 1.0), (1.0, sum(many) / len(many))):
        for sets in (28, 56, 112):
            ratios = [found for seed in range(2000) if (found := ratio_of(tables(seed, sets, luck)))]
            where = f"true ratio {truth:.2f}, eight bots, four players, {sets} sets"
            holds = _share(found.interval[0] <= truth <= found.interval[1] for found in ratios)
            yield Row("variance ratio: interval holds", where, "95%", holds)


@measurement
def joint_seats() -> Iterator[Row]:
    """Leagues in which the seats are called different, eight bots at tables of four; 4,000 leagues each."""
    from tests.stats.test_seat_values import rejected

    for rotations in (True, False):
        for sets in (14, 28, 56, 112):
            where = f"{4 * sets} games, {'rotations' if rotations else 'fresh deals'}"
            found = _percent(rejected(0.0, sets, rotations, 4000), 4000)
            yield Row("seats: equal called different", where, "5%", found)
            found = _percent(rejected(0.4, sets, rotations, 500), 500)
            yield Row("seats: first seat worth 0.07 found", where, "", found)


@measurement
def sequential_test() -> Iterator[Row]:
    """Error rates and numbers of blocks at the default alpha, beta and margin; 2,000 leagues each."""
    from fa_cli.stats.sprt import ErrorRates, Verdict
    from tests.stats.block_scores import CLEAR, SKEWED, SPREADS, decisions

    for kind in ("normal 0.05", "normal 0.1", "normal 0.22", "normal 0.35", "normal 0.5", *SPREADS, *SKEWED):
        equal, blocks = decisions(kind, 0.0, ErrorRates())
        different = equal[Verdict.FIRST] + equal[Verdict.SECOND]
        yield Row("sequential test: equal called different", kind, "at most 5%", _percent(different, 2000))
        yield Row("sequential test: blocks of equal bots", kind, "", f"{blocks:.0f}")
        if kind in SKEWED and max(SKEWED[kind][0]) <= 0.1:
            continue  # scores with this mean do not exist
        better, blocks = decisions(kind, 0.1, ErrorRates())
        yield Row("sequential test: the margin missed", kind, "5%", _percent(1 - better[Verdict.FIRST], 2000))
        yield Row("sequential test: blocks at the margin", kind, "", f"{blocks:.0f}")
        for times in (4, 7) if kind in CLEAR else ():
            _, blocks = decisions(kind, times * 0.1, ErrorRates())
            yield Row(f"sequential test: blocks at {times} times the margin", kind, "", f"{blocks:.0f}")


@measurement
def no_worse() -> Iterator[Row]:
    """Error rates and numbers of blocks at the default alpha, beta and margin; 2,000 leagues each."""
    from fa_cli.stats.sprt import ErrorRates, Verdict
    from tests.stats.block_scores import CLEAR, SKEWED, SPREADS, decisions

    for kind in ("normal 0.1", "normal 0.22", "normal 0.5", *SPREADS, *SKEWED):
        equal, blocks = decisions(kind, 0.0, ErrorRates(), is_one_sided=True)
        yield Row("no worse: an equal bot is worse", kind, "at most 5%", _percent(equal[Verdict.SECOND], 2000))
        yield Row("no worse: blocks of equal bots", kind, "", f"{blocks:.0f}")
        if kind not in SKEWED or min(SKEWED[kind][0]) < -0.1:  # else scores with this mean do not exist
            worse, blocks = decisions(kind, -0.1, ErrorRates(), is_one_sided=True)
            passed = _percent(1 - worse[Verdict.SECOND], 2000)
            yield Row("no worse: a bot passes that is worse by the margin", kind, "5%", passed)
            yield Row("no worse: blocks if it is worse by the margin", kind, "", f"{blocks:.0f}")
        for times, better in ((0.5, "half the margin"), (4, "4 times the margin")) if kind in CLEAR else ():
            _, blocks = decisions(kind, times * 0.1, ErrorRates(), is_one_sided=True)
            yield Row(f"no worse: blocks if it is better by {better}", kind, "", f"{blocks:.0f}")


@measurement
def ranked() -> Iterator[Row]:
    """Tournaments with `--until ranked` and `--top 2`, at a margin of 0.3, single games; 400 leagues each."""
    from tests.stats.ranked_leagues import apart_by_the_margin, judged
    from tests.stats.ranked_leagues import ranked as league

    for bots, players in ((3, 2), (5, 2), (5, 3), (5, 4), (8, 4)):
        for kind, strengths in (
            ("equal", [0.0] * bots),
            ("a margin apart", apart_by_the_margin(bots, players)),
            ("twice as far apart", [2 * each for each in apart_by_the_margin(bots, players)]),
        ):
            where = f"{bots} bots at tables of {players}, {kind}"
            whole = [league(strengths, players, seed) for seed in range(400)]
            found = [judged(strengths, players, tracker) for tracker in whole]
            yield Row("ranked: wrong order of a pair", where, "at most 5%", _share(each.is_wrong for each in found))
            if kind != "equal":
                missed = _share(each.is_missed for each in found)
                yield Row("ranked: a pair not told apart", where, "at most 5%", missed)
            yield Row("ranked: deals", where, "", f"{sum(each.blocks for each in whole) / 400:,.0f}")
            top = [league(strengths, players, seed, 2) for seed in range(400)]
            right = [set(tracker.best()) == {bots - 1, bots - 2} for tracker in top]
            if kind != "equal":
                yield Row("ranked: the best 2 are right", where, "at least 95%", _share(right))
            yield Row("ranked: deals for the best 2", where, "", f"{sum(each.blocks for each in top) / 400:,.0f}")


@measurement
def comparison() -> Iterator[Row]:
    """Verdicts of `fa compare`, and intervals of its `ahead`; 2,000 leagues each with equal bots, else 1,000."""
    from tests.stats.compared_leagues import compared

    for others in ([0.0, 0.0], [1.0, -1.0]):
        for players, rounds in ((2, 4), (2, 20), (3, 4), (4, 4)):
            bots = [0.0, 0.0, *others, *([0.3] if players > 2 else [])]
            for over_field in (False, True):
                rows = [compared(bots, players, rounds, seed, over_field=over_field) for seed in range(2000)]
                table = f"{len(bots)} bots at tables of {players}, others {others}"
                where = f"{table}: {rows[0].about}, {rows[0].blocks} blocks"
                yield Row("compare: equal called different", where, "at most 5%", _verdicts(rows))
                if not over_field:
                    yield Row("compare: interval of ahead holds", where, "95%", _holds(0.5, rows))
    for apart, rounds in ((0.55, 4), (0.8, 4), (0.55, 8), (0.55, 20)):
        for over_field in (False, True):
            strengths = [-apart, apart, 0.0, 0.0]
            rows = [compared(strengths, 2, rounds, seed, over_field=over_field) for seed in range(1000)]
            mean = sum(row.difference for row in rows) / 1000
            where = (
                f"4 bots in pairs, {6 * rounds} deals, difference {mean:.2f}: {rows[0].about}, {rows[0].blocks} blocks"
            )
            yield Row("compare: difference found", where, "", _verdicts(rows))
            if not over_field:
                share = sum(row.ahead or 0.0 for row in rows) / 1000
                yield Row("compare: interval of ahead holds", where, "95%", _holds(share, rows))


def _verdicts(rows: list[ComparisonRow]) -> str:
    return _share(bool(row.verdict) for row in rows)


def _holds(share: float, rows: list[ComparisonRow]) -> str:
    """How often the interval of `ahead` holds this share."""
    return _share(low <= share <= high for low, high in (row.ahead_interval or (0.0, 0.0) for row in rows))


@measurement
def superiority() -> Iterator[Row]:
    """How often the bot that leads is the stronger one, by its likelihood of superiority; 2,000 leagues each."""
    from tests.stats.compared_leagues import superiority as bins_of

    for players, rounds, bots in ((2, 12, 2), (2, 40, 2), (2, 6, 4), (3, 6, 4), (4, 4, 5), (4, 24, 4)):
        for each in bins_of(players, rounds, 2000, bots):
            where = (
                f"{bots} bots at tables of {players}, {rounds} rounds, LOS {each.low:.1%} to {min(each.high, 1):.1%}"
            )
            right = _percent(each.right, each.leagues)
            yield Row("superiority: leader is stronger", where, f"at least {each.mean:.1%}", right)


@measurement
def points() -> Iterator[Row]:
    """Intervals of points in leagues of resampled real games, 20,000 each; Student's interval for comparison."""
    from tests.stats.real_points import mean_coverage, pools, worst_coverage

    for setting in sorted(pools()):
        for single in (False, True):
            for count, goal in ((28, "at least 93%"), (60, "at least 94%")):
                where = f"{setting[0]}, {setting[1]} players, {count} {'games' if single else 'rotations'}"
                holds, student = (mean_coverage(setting, count, 20_000, single, plain) for plain in (False, True))
                text = f"{_percent(holds, 20_000)}; Student's {100 * student:.1f}%"
                yield Row("interval of points holds, mean of all bots", where, goal, text)
                worst = _percent(worst_coverage(setting, count, 20_000, single), 20_000)
                yield Row("interval of points holds, worst bot", where, "", worst)


@measurement
def middle_bots() -> Iterator[Row]:
    """Intervals of wins and mean ranks at tables of two, for a bot that some rivals always beat; 2,000 leagues each."""
    from tests.stats.middle_bot import FIELDS, coverage

    for kind, rivals in FIELDS.items():
        for deal, single in ((0.0, False), (0.5, False), (0.9, False), (0.0, True)):
            luck = "single games" if single else f"{100 * deal:.0f}% of the luck from the deal"
            of_wins, of_ranks = coverage(rivals, 60, deal, 2000, single)
            where = f"{kind}, 60 blocks, {luck}"
            yield Row("middle: interval of wins holds", where, "at least 94%", _percent(of_wins, 2000))
            yield Row("middle: interval of mean rank holds", where, "at least 94%", _percent(of_ranks, 2000))


@measurement
def wild_strata() -> Iterator[Row]:
    """Intervals of a mean if one stratum has another spread than all others; 10,000 leagues each."""
    import numpy

    from tests.stats.real_points import wild_coverage

    layouts = {
        "24 blocks in 10 strata, 3 of them wild": numpy.arange(24) % 10,
        "24 blocks in 10 strata, 2 of them wild": (numpy.arange(24) + 9) % 10,
        "24 blocks in 10 strata, 6 of them wild": numpy.repeat(numpy.arange(10), [6, *[2] * 9]),
        "40 blocks in 10 strata, 4 of them wild": numpy.arange(40) % 10,
        "60 blocks in 30 strata, 2 of them wild": numpy.arange(60) % 30,
    }
    for where, strata in layouts.items():
        for spread in (1.0, 3.0, 10.0):
            holds = wild_coverage(strata, spread, 10_000)
            goal = "at least 94%" if where.startswith("24") else ""
            yield Row(
                "interval of points holds", f"{where}, {spread:g} times the spread", goal, _percent(holds, 10_000)
            )


@measurement
def early_stops() -> Iterator[Row]:
    """Intervals of the mean block score of two bots, after `--until decided`; 2,000 leagues each."""
    from fa_cli.stats.sprt import Verdict
    from tests.stats.real_points import stopped_leagues

    for spread in (0.22, 0.5):
        for difference in (0.0, 0.05, 0.1, 0.2):
            leagues = stopped_leagues(difference, spread, 2000)
            where = f"block scores of spread {spread:g}, true difference {difference:g}"
            yield Row("interval holds after an early stop", where, "marked", _share(holds for _, holds in leagues))
            better = [holds for verdict, holds in leagues if verdict is Verdict.FIRST]
            if difference and len(better) >= 40:
                where += f", {len(better)} leagues with the verdict that the first is better"
                yield Row("interval holds after an early stop", where, "marked", _share(better))


@measurement
def games_needed() -> Iterator[Row]:
    """Differences found with the numbers of games that docs/explanation/statistics.md names; 1,000 leagues each."""
    from tests.stats.needed_games import NEEDED, found, pair_scores, table_scores

    for difference, (of_two, of_four) in NEEDED.items():
        share = found(pair_scores(difference, 1000, of_two), 2)
        yield Row("difference found", f"{difference:g}, {of_two} games of two", "80%", _percent(share, 1000))
        share = found(table_scores(difference, 1000, of_four), 1)
        yield Row("difference found", f"{difference:g}, {of_four} games of four", "80%", _percent(share, 1000))


@measurement
def strengths() -> Iterator[Row]:
    """Strengths and rank ranges, by default of eight bots at tables of four in 60 blocks; 2,000 leagues each."""
    from tests.stats.pair_leagues import LEAGUES, SHORT, coverage

    for kind, league in (LEAGUES | SHORT).items():
        found = coverage(league, 2000)
        yield Row("strength: intervals of differences hold", kind, "95%", _percent(found.differences, 2000))
        yield Row("strength: intervals hold", kind, "95%", _percent(found.strengths, 2000))
        yield Row("strength: rank ranges hold", kind, "at least 95%", _percent(found.ranks, 2000))
        if not league.strength:
            yield Row("strength: all rank ranges overlap", kind, "at least 95%", _percent(found.overlap, 2000))


@measurement
def lack_of_fit() -> Iterator[Row]:
    """How often the test of the fit strikes; 400 leagues each."""
    from tests.stats.misfit_leagues import FAIR, MISFITS, OTHER_CURVES

    for name, leagues in {"fair leagues": FAIR, "other curves": OTHER_CURVES}.items():
        every: list[bool] = []
        for kind, league in leagues.items():
            strikes = [league(seed).misfit is not None for seed in range(400)]
            every += strikes
            yield Row("lack of fit: fair leagues struck", kind, "5%", _share(strikes))
        yield Row("lack of fit: fair leagues struck", f"all {name}", "5%", _share(every))
    for kind, league in MISFITS.items():
        found = [league(seed).misfit is not None for seed in range(400)]
        yield Row("lack of fit: misfits found", kind, "", _share(found))


@measurement
def circles() -> Iterator[Row]:
    """Intervals where bots beat each other in a circle, 40 games a pair, and the line `fit`; 400 leagues each."""
    from tests.stats.circle_leagues import CIRCLES

    for kind, league in CIRCLES.items():
        found = [league.found(seed) for seed in range(400)]
        held = _mean_share([each.strengths for each in found])
        yield Row("circles: intervals of strength hold", kind, "95%", held)
        over_field = sum(each.field.difference for each in found) / len(found)
        for what, truth, rows in (
            ("head to head", 2 * float(league.chances[0, 1]) - 1, [each.head_to_head for each in found]),
            ("over the field", over_field, [each.field for each in found]),
        ):
            ends = [row.difference_interval for row in rows]
            yield Row(f"circles: difference {what}", kind, "", f"{truth:+z.2f}")
            holds = _share(low <= truth <= high for low, high in ends)
            yield Row(f"circles: its interval {what} holds", kind, "95%", holds)
        yield Row("circles: the line strikes", kind, "", _share(each.strikes for each in found))


@measurement
def rank_tables() -> Iterator[Row]:
    """Tables of which all rank ranges hold, and the mean width of a range; 600 leagues each."""
    from tests.stats.pair_leagues import TABLES, table_coverage

    for kind, league in TABLES.items():
        right, width = table_coverage(league, 600)
        yield Row("tables: all rank ranges hold", kind, "at least 95%", _percent(right, 600))
        yield Row("tables: mean width of a range", kind, "", f"{width:.1f} ranks")


@measurement
def adaptive() -> Iterator[Row]:
    """Strengths where results decide who meets whom, or not all bots meet; 200 tournaments each."""
    from tests.stats.adaptive_leagues import ADAPTIVE

    for kind, league in ADAPTIVE.items():
        found = [league.judged(seed) for seed in range(200)]
        held = _mean_share([each.held for each in found])
        yield Row("adaptive: intervals of strength hold", kind, "at least 93%", held)
        apart = _mean_share([each.differences for each in found])
        yield Row("adaptive: intervals of differences hold", kind, "at least 93%", apart)
        wrong = _share(not each.ranges for each in found)
        yield Row("adaptive: some rank range is wrong", kind, "at most 5%", wrong)
        error = sum(each.error for each in found) / len(found)
        yield Row("adaptive: error of a strength", kind, "", f"{error:.2f}")


@measurement
def ends_of_the_scale() -> Iterator[Row]:
    """Intervals of strengths with one bot that nearly always loses or wins; 1,000 leagues each."""
    from tests.stats.pair_leagues import ENDS, far_coverage

    for kind, league in ENDS.items():
        first, others, ranges = far_coverage(league, 1000)
        yield Row("ends: its interval holds", kind, "at least 93%", _percent(first, 1000))
        yield Row("ends: those of the others hold", kind, "95%", _percent(others, 1000))
        yield Row("ends: rank ranges hold", kind, "at least 95%", _percent(ranges, 1000))


@measurement
def collusion() -> Iterator[Row]:
    """Flagged pairs in simulated leagues, by default of eight bots at tables of four in 480 games; 100 leagues each."""
    from tests.stats.leagues import HELPERS, HELPING, HONEST

    for kind, league in (HONEST | HELPING).items():
        flagged = [league.flagged(seed) for seed in range(100)]
        others = _share(any(pair != HELPERS for pair in pairs) for pairs in flagged)
        yield Row("collusion: honest pair flagged", kind, "at most 5%", others)
        if kind in HELPING:
            yield Row("collusion: helping pair flagged", kind, "", _share(HELPERS in pairs for pairs in flagged))


def _share(cases: Iterable[bool]) -> str:
    """The share of cases that hold, with its interval."""
    found = list(cases)
    return _percent(sum(found) / len(found), len(found))


def _mean_share(shares: Iterable[float]) -> str:
    """The mean of shares, one of each league, with its interval from the spread between leagues."""
    from fa_cli.stats.block_means import BlockMean

    mean = BlockMean()
    for share in shares:
        mean.add_block(share, 1)
    return _text(mean.mean, mean.share_interval())


def _percent(share: float, leagues: int) -> str:
    """A share over this number of leagues with its interval, as if each league were one trial."""
    from fa_cli.stats.block_means import wilson

    return _text(share, wilson(share, leagues))


def _text(share: float, ends: tuple[float, float]) -> str:
    return f"{100 * share:.1f}% ({100 * ends[0]:.1f} to {100 * ends[1]:.1f}%)"


def measure(name: str) -> tuple[list[Row], float]:
    """The rows of a measurement, and the seconds of processor time that they took."""
    start = time.process_time()
    return list(MEASUREMENTS[name]()), time.process_time() - start


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table with a line for each setting and a column for each thing that was measured.

    A goal that is the same in the whole column stands in its title, otherwise beside each value.
    """
    columns = list(dict.fromkeys(row.what for row in rows))
    goals = {what: {row.goal for row in rows if row.what == what} for what in columns}
    cells = {
        (row.setting, row.what): row.measured + (_goal(row.goal) if len(goals[row.what]) > 1 else "") for row in rows
    }
    titles = [what.rpartition(": ")[2] + (_goal(*goals[what]) if len(goals[what]) == 1 else "") for what in columns]
    lines = [["setting", *titles], ["---"] * (1 + len(columns))]
    for setting in dict.fromkeys(row.setting for row in rows):
        lines.append([setting, *(cells.get((setting, what), "") for what in columns)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _goal(goal: str) -> str:
    return f" (goal: {goal})" if goal else ""


def main() -> None:
    """Print the tables of all measurements, or of those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *MEASUREMENTS])
    parser.add_argument("--write", action="store_true", help=f"write them into {PAGE.name}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="measurements at a time")
    options = parser.parse_args()
    names = options.names or list(MEASUREMENTS)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # matrices are small: a second thread would spin most of the time
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        pending = {pool.submit(measure, name): name for name in names}
        for done in concurrent.futures.as_completed(pending):
            name = pending[done]
            caption = f"{MEASUREMENTS[name].__doc__} Measured {datetime.date.today()}.\n"
            rows, seconds = done.result()
            text = f"\n{caption}\n{table(rows)}\n"
            print(f"{text}{name}: {seconds:,.0f} s of processor time", flush=True)
            if options.write:
                write(PAGE, "coverage", name, text)


if __name__ == "__main__":
    main()
