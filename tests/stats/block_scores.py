"""Scores of blocks of two bots as they come: planted distributions and those of real leagues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy

from fa_cli.stats.sprt import ErrorRates, SequentialTest, Verdict
from fa_cli.stats.stopping import blocks_to_decide

# of equal bots: games of two in pairs of rotations, single games, nearly always level, single games of three and four,
# rotations of four
SPREADS: dict[str, tuple[list[float], list[float]]] = {
    "pairs": ([-1.0, 0.0, 1.0], [1.0, 2.0, 1.0]),
    "single": ([-1.0, 1.0], [1.0, 1.0]),
    "level": ([-1.0, 0.0, 1.0], [1.0, 18.0, 1.0]),
    "three": ([-1.0, -0.5, 0.5, 1.0], [1.0, 2.0, 2.0, 1.0]),
    "four games": ([number / 3 for number in (-3, -2, -1, 1, 2, 3)], [1.0, 2.0, 3.0, 3.0, 2.0, 1.0]),
    "four": ([number / 12 for number in range(-6, 7)], [2.0 ** -abs(number) for number in range(-6, 7)]),
}
CLEAR = ("normal 0.22", "normal 0.5", "pairs", "single", "level", "three", "four games")
"""Kinds of scores that may have any mean."""
# many small scores one way and few large ones the other way; `planner` and `random` met at Manhattan, tables of three,
# the other two are near-equal bots at tables of four of Manhattan
SKEWED: dict[str, tuple[list[float], list[float]]] = {
    "rare losses": ([-1.0, 0.1], [1.0, 10.0]),
    "rare small losses": ([-0.5, 0.0, 0.05], [1.0, 3.0, 6.0]),
    "rare wins": ([-0.05, 0.0, 1.0], [10.0, 10.0, 1.0]),
    "planner, random": (
        [number / 48 for number in (-12, -8, 0, 8, 16, 20, 24, 32, 36, 40, 48)],
        [1.0, 3.0, 3.0, 1.0, 6.0, 2.0, 4.0, 4.0, 2.0, 13.0, 6.0],
    ),
    "greedy, its twin": (
        [number / 48 for number in (-22, -18, -16, -14, -12, -10, -8, -6, -4, -2, 0, 6, 8, 12, 16, 20, 30)],
        [1.0, 1.0, 3.0, 1.0, 2.0, 3.0, 1.0, 5.0, 4.0, 1.0, 5.0, 2.0, 1.0, 3.0, 1.0, 1.0, 1.0],
    ),
}
LEAGUES = 2000
FIRST = 1200
"""Nearly all leagues end within so many blocks; more are drawn only for the others."""
PIECE = 64
"""So many blocks of a league become scores at a time: most leagues end soon, and need no more."""


def drawn(kind: str, mean: float, leagues: int, blocks: int, seed: int = 7) -> list[Iterator[float]]:
    """Block scores of this kind, tilted to this mean; `normal 0.22` has this standard deviation."""
    generator = numpy.random.default_rng(seed)
    if kind.startswith("normal "):
        spread = generator.normal(0, float(kind.split()[1]), (leagues, blocks))
        return [_scores(row, lambda luck: mean + luck.clip(abs(mean) - 1, 1 - abs(mean))) for row in spread]
    scores, weights = map(numpy.array, (SPREADS | SKEWED)[kind])
    low, high = -40.0, 40.0
    for _ in range(60):
        tilt = (low + high) / 2
        chances = weights * numpy.exp(tilt * scores)
        chances /= chances.sum()
        low, high = (tilt, high) if chances @ scores < mean else (low, tilt)
    below = chances.cumsum() / chances.sum()
    return [
        _scores(row, lambda luck: scores[below.searchsorted(luck, side="right")])
        for row in generator.random((leagues, blocks))
    ]


def _scores(luck: numpy.ndarray, score_of: Callable[[numpy.ndarray], numpy.ndarray]) -> Iterator[float]:
    """The scores of a league, from the luck of each block."""
    for start in range(0, len(luck), PIECE):
        yield from score_of(luck[start : start + PIECE]).tolist()


def decisions(
    kind: str, mean: float, errors: ErrorRates, leagues: int = LEAGUES, *, is_one_sided: bool = False
) -> tuple[dict[Verdict, float], float]:
    """The share of each verdict, and the mean number of blocks."""
    tests = [SequentialTest(errors, is_one_sided) for _ in range(leagues)]
    most = blocks_to_decide(errors)
    for seed, blocks in ((7, min(most, FIRST)), (8, max(most - FIRST, 0))):
        running = [test for test in tests if test.verdict is Verdict.OPEN]
        for test, league in zip(running, drawn(kind, mean, len(running), blocks, seed), strict=True):
            for score in league:
                if test.add(score) is not Verdict.OPEN:
                    break
    counts = Counter(test.verdict for test in tests)
    shares = {verdict: counts[verdict] / leagues for verdict in Verdict}
    return shares, sum(test.blocks for test in tests) / leagues
