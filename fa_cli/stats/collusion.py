"""Which two bots help each other more than chance allows, at tables of three and more.

A bot that is helped ranks ahead of third bots more often when its helper is at the table (collusion_model.py). How much
pairs of honest bots differ in that is seen from the pairs of the pool itself: only what goes beyond it counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import Annotated, NamedTuple

import msgspec
import numpy

from ..columns import Interval, number, percent, percents, text
from ..results import PlayedGame
from .block_means import CONFIDENCE, student_p, student_quantile
from .collusion_model import Comparisons, Gain, Gains, TypicalScores, typical_scores

ALPHA = 0.05
"""How often a pool of honest bots may have a pair that is flagged."""
LEAST_SEATS = 3
LEAST_BOTS = 5
"""With four bots at tables of three, two who help each other can't be told from two who are harmed by the others."""
LEAST_BLOCKS = 8
"""Of a pair that has met in fewer nothing is said."""
_Pair = tuple[int, int]


class CollusionRow(msgspec.Struct):
    """Two bots of which something can be said."""

    first: Annotated[str, text("first", "one of the two")]
    second: Annotated[str, text("second", "the other")]
    flagged: Annotated[
        bool,
        text(
            "flagged",
            "whether they help each other more than chance allows: `adjusted_p` is below `--alpha`",
            lambda flagged: "yes" if flagged else "",
        ),
    ]
    adjusted_p: Annotated[float, number("p", "`p_value` for all pairs together, by Holm", 4)]
    p_value: Annotated[float, number("p alone", "how likely so large a gain is for two honest bots of this pool", 4)]
    blocks: Annotated[int, number("blocks", "deals at which both sat")]
    games: Annotated[int, number("games", "games at which both sat")]
    together_gains: Annotated[float, percent("gain", "the mean of what each gains from the other", 0, "+")]
    together_interval: Annotated[Interval, percents("interval of `together_gains`", "+")]
    first_gains: Annotated[
        float,
        percent(
            "first's",
            "how much more often `first` ranks ahead of third bots with `second` at the table than without",
            0,
            "+",
        ),
    ]
    first_interval: Annotated[Interval, percents("interval of `first_gains`", "+")]
    second_gains: Annotated[float, percent("second's", "the same of `second`", 0, "+")]
    second_interval: Annotated[Interval, percents("interval of `second_gains`", "+")]


class _Block(NamedTuple):
    setting: int
    bots: tuple[int, ...]
    """At the table, rising."""
    games: list[tuple[tuple[int, ...], tuple[int, ...]]]
    """The bots by seat, and their ranks."""


class _Found(NamedTuple):
    """What each of a pair gains from the other, the mean of both, and how likely that is by chance."""

    first: Gain
    second: Gain
    together: Gain
    p_value: float = 1.0


class Collusion:
    """Games at tables of three and more, and who helps whom in them."""

    def __init__(self) -> None:
        self.games = 0
        """At such tables."""
        self.left_out = 0
        """Those of them that are not looked at: somebody failed, or a bot sat twice."""
        self._places: dict[str, int] = {}
        self._settings: dict[Hashable, int] = {}
        self._blocks: dict[Hashable, _Block] = {}

    def add(self, game: PlayedGame) -> None:
        """Take in one game."""
        if len(game.bots) < LEAST_SEATS:
            return
        self.games += 1
        if game.faults or len(set(game.bots)) < len(game.bots):
            self.left_out += 1
            return
        seats = tuple(self._places.setdefault(name, len(self._places)) for name in game.bots)
        setting = self._settings.setdefault(game.variant, len(self._settings))
        bots = tuple(sorted(seats))
        block = self._blocks.setdefault((game.deal, setting, bots), _Block(setting, bots, []))
        block.games.append((seats, tuple(game.ranks)))

    def rows(self, alpha: float = ALPHA) -> list[CollusionRow]:
        """A row for each pair of which something can be said, the most suspect first.

        Where a pair is flagged, its games are left out and the others are looked at again: who sits with two that help
        each other may look as if it was helped by whoever keeps them apart. So p-values are adjusted as by Holm.
        """
        blocks = self._usable()
        names = list(self._places)
        rows: list[CollusionRow] = []
        worst = 0.0
        while found := _look(blocks, len(names)):
            pair = min(found, key=lambda pair: found[pair].p_value)
            adjusted = {one: min(1.0, max(worst, found[one].p_value * len(found))) for one in found}
            if adjusted[pair] >= alpha:
                rows += [_row(names, one, found[one], adjusted[one], False, blocks) for one in found]
                break
            worst = adjusted[pair]
            rows.append(_row(names, pair, found[pair], worst, True, blocks))
            blocks = _apart(blocks, pair)
        return sorted(rows, key=lambda row: (not row.flagged, row.p_value, row.first, row.second))

    def _usable(self) -> list[_Block]:
        """The blocks of settings in which enough bots play."""
        playing: dict[int, set[int]] = {}
        for block in self._blocks.values():
            playing.setdefault(block.setting, set()).update(block.bots)
        return [block for block in self._blocks.values() if len(playing[block.setting]) >= LEAST_BOTS]


def _row(
    names: Sequence[str], pair: _Pair, found: _Found, adjusted: float, flagged: bool, blocks: list[_Block]
) -> CollusionRow:
    first, second = pair
    shared = [block for block in blocks if first in block.bots and second in block.bots]
    return CollusionRow(
        names[first],
        names[second],
        flagged,
        adjusted,
        found.p_value,
        len(shared),
        sum(len(block.games) for block in shared),
        *(found.together.mean, _interval(found.together)),
        *(found.first.mean, _interval(found.first)),
        *(found.second.mean, _interval(found.second)),
    )


def _interval(gain: Gain) -> Interval:
    half = student_quantile((1 + CONFIDENCE) / 2, max(1, round(gain.freedom))) * gain.variance**0.5
    return gain.mean - half, gain.mean + half


def _apart(blocks: Sequence[_Block], pair: _Pair) -> list[_Block]:
    """Those in which the two do not sit together."""
    return [block for block in blocks if not set(pair) <= set(block.bots)]


def _look(blocks: Sequence[_Block], bots: int) -> dict[_Pair, _Found]:
    """What these blocks say of each pair that has met often enough.

    What is usual in this pool is seen from the games that the most suspect pair did not play together.
    """
    gains = _gains(blocks, bots)
    if not gains:
        return {}
    expected, suspect = _expected(gains), None
    for _ in range(2):
        most = min(gains, key=lambda pair: _p_value(gains[pair].together, expected))
        if most != suspect:
            suspect = most
            expected = _expected(_gains(_apart(blocks, most), bots) or gains)
    return {pair: found._replace(p_value=_p_value(found.together, expected)) for pair, found in gains.items()}


def _gains(blocks: Sequence[_Block], bots: int) -> dict[_Pair, _Found]:
    """The gains of all pairs that have met often enough."""
    if not blocks:
        return {}
    present = numpy.zeros((len(blocks), bots), bool)
    for row, block in zip(present, blocks, strict=True):
        row[list(block.bots)] = True
    often = present.T.astype(int) @ present >= LEAST_BLOCKS
    pairs = [pair for pair in itertools.combinations(range(bots), 2) if often[pair]]
    gains = Gains(_comparisons(blocks, bots), present) if pairs else None
    found = {}
    for one, other in pairs:
        assert gains
        first, second, together = gains.of(one, other), gains.of(other, one), gains.together(one, other)
        if first and second and together:
            found[one, other] = _Found(first, second, together)
    return found


def _expected(gains: Mapping[_Pair, _Found]) -> TypicalScores:
    """What two gain together in this pool."""
    return typical_scores([found.together for found in gains.values()])


def _p_value(gain: Gain, expected: TypicalScores) -> float:
    """One-sided, of a gain that is no larger than is usual in this pool, which is not known for sure either."""
    variance = gain.variance + expected.variance
    freedom = 1 / ((gain.variance / variance) ** 2 / gain.freedom + 1 / expected.freedom)
    two_sided = student_p(gain.mean / variance**0.5, max(1, round(freedom)))
    return two_sided / 2 if gain.mean > 0 else 1 - two_sided / 2


def _comparisons(blocks: Sequence[_Block], bots: int) -> Comparisons:
    """Who was how often ahead of whom in each block."""
    settings = sorted({block.setting for block in blocks})
    parts = [_comparisons_in(setting, blocks, bots) for setting in settings]
    return Comparisons(*(numpy.concatenate(columns) for columns in zip(*parts, strict=True)))


def _comparisons_in(setting: int, blocks: Sequence[_Block], bots: int) -> Comparisons:
    """Those of one setting, less what seats are worth: in the mean over all games none is ahead of another."""
    games = [(place, game) for place, block in enumerate(blocks) if block.setting == setting for game in block.games]
    block = numpy.array([place for place, _ in games])
    seats, ranks = (numpy.array([game[part] for _, game in games]) for part in range(2))
    one, two = ranks[:, :, None], ranks[:, None, :]
    ahead = (one < two) + (one == two) / 2
    ahead += 0.5 - ahead.mean(axis=0)
    here, there = numpy.nonzero(~numpy.eye(seats.shape[1], dtype=bool))
    keys = (block[:, None] * bots + seats[:, here]) * bots + seats[:, there]
    keys, which = numpy.unique(keys.ravel(), return_inverse=True)
    share = numpy.bincount(which, ahead[:, here, there].ravel()) / numpy.bincount(which)
    bot, rival = keys // bots % bots, keys % bots
    return Comparisons(keys // bots**2, bot, rival, (setting * bots + bot) * bots + rival, share)
