"""Simulated tournaments with `--until ranked`, and whether the order that ended them is right."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy
from scipy.special import ndtr

from fa_cli.stats.sprt import ErrorRates, Verdict
from fa_cli.stats.stopping import StoppingTracker, table_rule

MARGIN = 0.3


class Judged(NamedTuple):
    """One tournament."""

    is_wrong: bool
    """Whether a bot is called better than one that is as good or better."""
    is_missed: bool
    """Whether neither of two bots is called better that differ by the margin."""


def ranked(strengths: Sequence[float], players: int, seed: int, top: int | None = None) -> StoppingTracker:
    """A round robin of single games with normal luck of standard deviation 1, until the order is known."""
    draw = numpy.random.default_rng(seed)
    tracker = StoppingTracker(table_rule(len(strengths), top, ErrorRates(margin=MARGIN)), len(strengths))
    while not tracker.is_decided:
        for table in itertools.combinations(range(len(strengths)), players):
            points = draw.normal(0, 1, players) + [strengths[bot] for bot in table]
            tracker.add(table, [1 + int((points > own).sum()) for own in points])
            tracker.end_block()
    return tracker


def differences(strengths: Sequence[float], players: int) -> numpy.ndarray:
    """The true differences of place scores at the tables where both sit, in a round robin."""
    apart = numpy.subtract.outer(strengths, strengths)
    ahead = ndtr(apart / 2**0.5)
    over_others = (ahead.sum(1)[:, None] - ahead.sum(1)) - (2 * ahead - 1)
    share = (players - 2) / (len(strengths) - 2)
    found: numpy.ndarray = (2 * ahead - 1 + share * over_others) / (players - 1)
    return found


def apart_by_the_margin(bots: int, players: int) -> list[float]:
    """Strengths at equal steps of which the two closest differ by the margin."""
    low, high = 0.0, 3.0
    for _ in range(60):
        step = (low + high) / 2
        closest = min(numpy.diag(differences([step * bot for bot in range(bots)], players), -1))
        low, high = (step, high) if closest < MARGIN else (low, step)
    return [high * bot for bot in range(bots)]


def judged(strengths: Sequence[float], players: int, tracker: StoppingTracker) -> Judged:
    """What the tests of all pairs found, against the truth."""
    true = differences(strengths, players)
    pairs = list(itertools.permutations(range(len(strengths)), 2))
    better = [pair for pair in pairs if tracker.verdict(*pair) is Verdict.FIRST]
    neither = [pair for pair in pairs if tracker.verdict(*pair) is Verdict.NEITHER]
    return Judged(any(true[pair] <= 1e-9 for pair in better), any(true[pair] >= MARGIN - 1e-9 for pair in neither))
