"""Points of real games by block, resampled as leagues whose true mean is known, and other leagues for intervals.

`python -m tests.stats.real_points results.csv` writes the file of points from what `fa results` wrote. The games are
those of bots that ship, with `--duplicate rotations`: every block has one deal with each bot in each seat.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy

from fa_cli.stats.block_means import BlockMean, SummedMean
from fa_cli.stats.sprt import SequentialTest, Verdict

FILE = Path(__file__).parent.parent / "data/block_points.json"
Floats = numpy.ndarray[Any, numpy.dtype[numpy.float64]]


def pools() -> dict[tuple[str, int], list[list[list[int]]]]:
    """By game and number of players: for each side and bot the blocks, each a list of a bot's points by game."""
    pools: dict[tuple[str, int], list[list[list[int]]]] = {}
    for name, blocks in json.loads(FILE.read_text(encoding="utf-8")).items():
        variant = name.rpartition(" ")[0]
        pools.setdefault((variant.split()[0], int(variant.rpartition("players=")[2])), []).append(blocks)
    return pools


def stratum_sums(totals: Floats, sizes: Floats) -> Floats:
    """The sums of `SummedMean` with one stratum, for arrays over leagues and blocks."""
    n, t = sizes, totals
    columns = (n**0, n, n * n, t, t * t, t * n, n**3, t**3, t * t * n, t * n * n)
    return numpy.stack([column.sum(axis=1) for column in columns], axis=1)


def coverage(blocks: list[list[int]], count: int, leagues: int, seed: int, single: bool, plain: bool = False) -> float:
    """The share of leagues of `count` blocks, drawn with replacement, whose interval holds the mean of all blocks.

    With `single`, blocks are single games: the first of each block. `plain`: Student's interval instead.
    """
    points = [block[:1] for block in blocks] if single else blocks
    totals, sizes = (numpy.array([float(f(block)) for block in points]) for f in (sum, len))
    drawn = numpy.random.default_rng(seed).integers(0, len(points), (leagues, count))
    truth = totals.sum() / sizes.sum()
    rows = stratum_sums(totals[drawn], sizes[drawn]).tolist()
    means = (SummedMean([row], cubes=6) for row in rows)
    intervals = (_student(mean) if plain else mean.interval() or (0.0, 0.0) for mean in means)
    return sum(low <= truth <= high for low, high in intervals) / leagues


def _student(mean: BlockMean) -> tuple[float, float]:
    half = mean.quantile() * (mean.variance or 0.0) ** 0.5
    return mean.mean - half, mean.mean + half


def mean_coverage(setting: tuple[str, int], count: int, leagues: int, single: bool, plain: bool = False) -> float:
    """The mean coverage over the bots and sides of a game and number of players; `leagues` in total."""
    bots = pools()[setting]
    each = [coverage(blocks, count, leagues // len(bots), seed, single, plain) for seed, blocks in enumerate(bots)]
    return sum(each) / len(each)


def worst_coverage(setting: tuple[str, int], count: int, leagues: int, single: bool) -> float:
    """The least coverage of a bot on a side; `leagues` for each."""
    bots = pools()[setting]
    return min(coverage(blocks, count, leagues, seed, single) for seed, blocks in enumerate(bots))


def wild_coverage(strata: numpy.ndarray[Any, numpy.dtype[numpy.int_]], spread: float, leagues: int) -> float:
    """The coverage of a mean of normal values if stratum 0 has another spread; strata have different means."""
    generator = numpy.random.default_rng(3)
    means = generator.normal(size=strata.max() + 1)
    values = means[strata] + numpy.where(strata == 0, spread, 1.0) * generator.normal(size=(leagues, len(strata)))
    each = [values[:, strata == stratum] for stratum in numpy.unique(strata)]
    rows = numpy.stack([stratum_sums(part, numpy.ones_like(part)) for part in each], axis=1)
    intervals = (SummedMean(row, cubes=6).interval() or (0.0, 0.0) for row in rows.tolist())
    return sum(bool(low <= means[strata].mean() <= high) for low, high in intervals) / leagues


def stopped_leagues(difference: float, spread: float, leagues: int) -> list[tuple[Verdict, bool]]:
    """For each league that the sequential test ended: how, and whether the interval of the scores holds the truth."""
    generator = numpy.random.default_rng(4)
    held = []
    for _ in range(leagues):
        test, mean = SequentialTest(), BlockMean()
        for score in numpy.clip(generator.normal(difference, spread, 2000), -1, 1).tolist():
            mean.add_block(score, 1)
            if test.add(score) is not Verdict.OPEN:
                low, high = mean.bounded_interval(-1, 1)
                held.append((test.verdict, low <= difference <= high))
                break
    return held


def main(rows: Iterable[dict[str, str]]) -> None:
    """Write the file from the rows of `fa results`."""
    points: dict[str, dict[tuple[str, str], list[int]]] = {}
    for row in rows:
        blocks = points.setdefault(f"{row['variant']} {row['bot']}", {})
        blocks.setdefault((row["log"], row["block"]), []).append(int(row["points"]))
    whole = {
        name: [block for block in blocks.values() if len(block) == max(map(len, blocks.values()))]
        for name, blocks in sorted(points.items())
    }
    lines = (f"{json.dumps(name)}: {json.dumps(blocks, separators=(',', ':'))}" for name, blocks in whole.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        main(csv.DictReader(file))
