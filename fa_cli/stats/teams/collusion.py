"""Tests which pairs of bots help each other more than chance allows, at tables of three or more.

A bot that is helped ranks ahead of third bots more often with its helper at the table than without
(collusion_model.py). How much this varies among honest pairs is estimated from the pool itself; only gains beyond that
are flagged.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import Annotated, NamedTuple

import msgspec
import numpy

from ...game_result import PlayedGame
from ...printing.columns import KEY, ON_REQUEST, Interval, bad_if_any, number, p_value, percent, percents, text
from ..block_means import CONFIDENCE
from ..distributions import student_p, student_quantile
from .collusion_model import Comparisons, Gain, Gains, GainSpread, gain_spread

ALPHA = 0.05
"""The default probability that any pair is flagged in a pool of honest bots."""
MIN_SEATS = 3
MIN_BOTS = 5
"""With four bots at tables of three, a pair that helps each other looks like a pair that the others harm."""
MIN_BLOCKS = 8
"""Pairs that met in fewer blocks are not tested."""
_Pair = tuple[int, int]
_GAIN = "how much more often each ranks ahead of third bots with the other at the table than without"


class CollusionRow(msgspec.Struct):
    """The test of one pair of bots."""

    first: Annotated[str, text("first", "one of the two", importance=KEY)]
    second: Annotated[str, text("second", "the other", importance=KEY)]
    flagged: Annotated[
        bool,
        text(
            "flagged",
            "whether they help each other more than chance allows: `adjusted_p` is below `--alpha`",
            lambda flagged: "yes" if flagged else "",
            tone=bad_if_any,
        ),
    ]
    adjusted_p: Annotated[float, p_value("p", "`p_value` for all pairs together, by Holm")]
    p_value: Annotated[
        float,
        p_value("p alone", "how likely so large a gain is for two honest bots of this pool", importance=ON_REQUEST),
    ]
    blocks: Annotated[int, number("deals", "deals at which both sat", importance=ON_REQUEST)]
    games: Annotated[int, number("games", "games at which both sat", importance=2)]
    together_gains: Annotated[
        float, percent("gain", "the mean of what each gains from the other", 0, "+", legend=_GAIN)
    ]
    together_interval: Annotated[Interval, percents("interval of `together_gains`", "+", importance=3)]
    first_gains: Annotated[
        float,
        percent(
            "first's",
            "how much more often `first` ranks ahead of third bots with `second` at the table than without",
            0,
            "+",
            importance=1,
        ),
    ]
    first_interval: Annotated[Interval, percents("interval of `first_gains`", "+", importance=ON_REQUEST)]
    second_gains: Annotated[float, percent("second's", "the same of `second`", 0, "+", importance=1)]
    second_interval: Annotated[Interval, percents("interval of `second_gains`", "+", importance=ON_REQUEST)]


class _Block(NamedTuple):
    setting: int
    bots: tuple[int, ...]
    """The bots at the table, in increasing order."""
    games: list[tuple[tuple[int, ...], tuple[int, ...]]]
    """For each game, the bots by seat, and their ranks."""


class _PairGains(NamedTuple):
    """What each bot of a pair gains from the other, the mean of both, and its one-sided p-value."""

    first: Gain
    second: Gain
    together: Gain
    p_value: float = 1.0


class Collusion:
    """Collects games at tables of three or more and tests all pairs of bots in them."""

    def __init__(self) -> None:
        self.games = 0
        """Games at tables of `MIN_SEATS` or more."""
        self.skipped = 0
        """Those of them that are not used, because of a fault or a bot with two seats."""
        self._numbers: dict[str, int] = {}
        self._settings: dict[Hashable, int] = {}
        self._blocks: dict[Hashable, _Block] = {}

    def add(self, game: PlayedGame) -> None:
        """Add a game."""
        if len(game.bots) < MIN_SEATS:
            return
        self.games += 1
        if game.faults or len(set(game.bots)) < len(game.bots):
            self.skipped += 1
            return
        seats = tuple(self._numbers.setdefault(name, len(self._numbers)) for name in game.bots)
        setting = self._settings.setdefault(game.variant, len(self._settings))
        bots = tuple(sorted(seats))
        block = self._blocks.setdefault((game.deal, setting, bots), _Block(setting, bots, []))
        block.games.append((seats, tuple(game.ranks)))

    def rows(self, alpha: float = ALPHA) -> list[CollusionRow]:
        """A row for each pair that can be tested, flagged pairs first, then by p-value.

        Once a pair is flagged, its games are removed and the rest is tested again, because a third bot may seem to be
        helped by any bot whose presence keeps the two apart. So p-values are adjusted step by step, as by Holm.
        """
        blocks = self._usable()
        names = list(self._numbers)
        rows: list[CollusionRow] = []
        largest = 0.0  # adjusted p-value so far
        while tests := _test_pairs(blocks, len(names)):
            suspect = min(tests, key=lambda pair: tests[pair].p_value)
            adjusted = {pair: min(1.0, max(largest, gains.p_value * len(tests))) for pair, gains in tests.items()}
            if adjusted[suspect] >= alpha:
                rows += [_row(names, pair, gains, adjusted[pair], False, blocks) for pair, gains in tests.items()]
                break
            largest = adjusted[suspect]
            rows.append(_row(names, suspect, tests[suspect], largest, True, blocks))
            blocks = _without_pair(blocks, suspect)
        return sorted(rows, key=lambda row: (not row.flagged, row.p_value, row.first, row.second))

    def _usable(self) -> list[_Block]:
        """The blocks of settings with enough bots."""
        playing: dict[int, set[int]] = {}
        for block in self._blocks.values():
            playing.setdefault(block.setting, set()).update(block.bots)
        return [block for block in self._blocks.values() if len(playing[block.setting]) >= MIN_BOTS]


def _row(
    names: Sequence[str], pair: _Pair, gains: _PairGains, adjusted: float, flagged: bool, blocks: list[_Block]
) -> CollusionRow:
    first, second = pair
    shared = [block for block in blocks if first in block.bots and second in block.bots]
    return CollusionRow(
        names[first],
        names[second],
        flagged,
        adjusted,
        gains.p_value,
        len(shared),
        sum(len(block.games) for block in shared),
        *(gains.together.mean, _interval(gains.together)),
        *(gains.first.mean, _interval(gains.first)),
        *(gains.second.mean, _interval(gains.second)),
    )


def _interval(gain: Gain) -> Interval:
    half = student_quantile((1 + CONFIDENCE) / 2, max(1, round(gain.freedom))) * gain.variance**0.5
    return gain.mean - half, gain.mean + half


def _without_pair(blocks: Sequence[_Block], pair: _Pair) -> list[_Block]:
    """The blocks without both bots of the pair at the table."""
    return [block for block in blocks if not set(pair) <= set(block.bots)]


def _test_pairs(blocks: Sequence[_Block], bots: int) -> dict[_Pair, _PairGains]:
    """The gains and p-value of each pair that met often enough.

    The spread of honest gains is estimated without the games that the most suspect pair played together.
    """
    gains = _gains(blocks, bots)
    if not gains:
        return {}
    spread, suspect = _honest_spread(gains), None
    for _ in range(2):
        most_suspect = min(gains, key=lambda pair: _p_value(gains[pair].together, spread))
        if most_suspect != suspect:
            suspect = most_suspect
            spread = _honest_spread(_gains(_without_pair(blocks, suspect), bots) or gains)
    return {pair: gain._replace(p_value=_p_value(gain.together, spread)) for pair, gain in gains.items()}


def _gains(blocks: Sequence[_Block], bots: int) -> dict[_Pair, _PairGains]:
    """The gains of all pairs that met often enough."""
    if not blocks:
        return {}
    present = numpy.zeros((len(blocks), bots), bool)
    for row, block in zip(present, blocks, strict=True):
        row[list(block.bots)] = True
    often = present.T.astype(int) @ present >= MIN_BLOCKS
    pairs = [pair for pair in itertools.combinations(range(bots), 2) if often[pair]]
    gains = Gains(_comparisons(blocks, bots), present) if pairs else None
    gains_by_pair = {}
    for one, other in pairs:
        assert gains
        first, second, together = gains.gain(one, other), gains.gain(other, one), gains.together(one, other)
        if first and second and together:
            gains_by_pair[one, other] = _PairGains(first, second, together)
    return gains_by_pair


def _honest_spread(gains: Mapping[_Pair, _PairGains]) -> GainSpread:
    """The spread of the true gains in this pool."""
    return gain_spread([pair.together for pair in gains.values()])


def _p_value(gain: Gain, spread: GainSpread) -> float:
    """The one-sided p-value of a gain no larger than is usual in this pool, whose spread is itself an estimate."""
    variance = gain.variance + spread.variance
    freedom = 1 / ((gain.variance / variance) ** 2 / gain.freedom + 1 / spread.freedom)
    two_sided = student_p(gain.mean / variance**0.5, max(1, round(freedom)))
    return two_sided / 2 if gain.mean > 0 else 1 - two_sided / 2


def _comparisons(blocks: Sequence[_Block], bots: int) -> Comparisons:
    """How often each bot ranked ahead of each other in each block."""
    settings = sorted({block.setting for block in blocks})
    parts = [_comparisons_in(setting, blocks, bots) for setting in settings]
    return Comparisons(*(numpy.concatenate(columns) for columns in zip(*parts, strict=True)))


def _comparisons_in(setting: int, blocks: Sequence[_Block], bots: int) -> Comparisons:
    """The comparisons of one setting, adjusted so that on average over all games no seat ranks ahead of another."""
    games = [(number, game) for number, block in enumerate(blocks) if block.setting == setting for game in block.games]
    block = numpy.array([number for number, _ in games])
    seats, ranks = (numpy.array([game[part] for _, game in games]) for part in range(2))
    one, two = ranks[:, :, None], ranks[:, None, :]
    ahead = (one < two) + (one == two) / 2
    ahead += 0.5 - ahead.mean(axis=0)
    here, there = numpy.nonzero(~numpy.eye(seats.shape[1], dtype=bool))
    keys = (block[:, None] * bots + seats[:, here]) * bots + seats[:, there]
    keys, rows = numpy.unique(keys.ravel(), return_inverse=True)
    share = numpy.bincount(rows, ahead[:, here, there].ravel()) / numpy.bincount(rows)
    bot, rival = keys // bots % bots, keys % bots
    return Comparisons(keys // bots**2, bot, rival, (setting * bots + bot) * bots + rival, share)
