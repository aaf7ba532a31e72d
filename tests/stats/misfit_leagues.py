"""Simulated leagues that one number per bot fits, and leagues with a circle, a specialist or a bot that changes.

`python -m tests.bench.coverage lack_of_fit` prints the table of docs/explanation/statistics-details.md.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy
from scipy.special import ndtr, stdtr

from fa_cli.stats.lack_of_fit.fit_sums import FitSums, fit_sums
from fa_cli.stats.lack_of_fit.judge import SettingSums, lack_of_fit
from fa_cli.stats.lack_of_fit.verdict import LackOfFit
from fa_cli.stats.strength.pair_sums import PairRows
from tests.stats.pair_leagues import League, fitted

NAMES = [f"bot{number}" for number in range(60)]


def circle(bots: int, members: int, chance: float) -> numpy.ndarray:
    """Chances of equal bots, of which the first ones go in a circle: each ranks ahead of the next with this chance."""
    found = numpy.full((bots, bots), 0.5)
    for own in range(members):
        rival = (own + 1) % members
        found[own, rival], found[rival, own] = chance, 1 - chance
    return found


def in_pairs(chances: numpy.ndarray, blocks: int, games: int, seed: int) -> PairRows:
    """Every two bots meet in so many blocks of so many games, with these chances."""
    draw = numpy.random.default_rng(seed)
    own, rival = numpy.triu_indices(len(chances), 1)
    won = 2 * draw.binomial(games, chances[own, rival], (blocks, len(own)))
    pair = numpy.broadcast_to(numpy.arange(len(own)), won.shape)
    block = numpy.broadcast_to(numpy.arange(blocks)[:, None] * len(own), won.shape) + pair
    met = numpy.full(won.size, games)
    one = PairRows(pair.ravel(), block.ravel(), own[pair].ravel(), rival[pair].ravel(), met, won.ravel())
    other = one._replace(own=one.rival, rival=one.own, ahead=2 * met - one.ahead)
    return PairRows(*(numpy.concatenate(both) for both in zip(one, other, strict=True)))


def halved(rows: PairRows) -> tuple[FitSums, FitSums]:
    """The sums of the halves of a log whose blocks were played in the order of their numbers."""
    late = rows.block > numpy.median(rows.block)
    return fit_sums(PairRows(*(column[~late] for column in rows))), fit_sums(
        PairRows(*(column[late] for column in rows))
    )


def judged(bots: int, settings: dict[tuple[str, int], PairRows], strengths: numpy.ndarray | None = None) -> LackOfFit:
    """The test of games on these sides with so many players, by default of the strengths fitted to them."""
    if strengths is None:
        apart = [rows._replace(stratum=rows.stratum + 100_000 * place) for place, rows in enumerate(settings.values())]
        every = PairRows(*(numpy.concatenate(column) for column in zip(*apart, strict=True)))
        strengths = fitted(bots, every).strengths
    sums = [SettingSums(*setting, *halved(rows)) for setting, rows in settings.items()]
    return lack_of_fit(NAMES[:bots], strengths, sums)


def two_settings(first: League, second: League, seed: int, better: float = 0.0) -> LackOfFit:
    """Games on two sides or at tables of two sizes; bot0 is better in the first by so much, in the luck of a game."""
    draw = numpy.random.default_rng(seed)
    strengths = draw.normal(0, first.strength, first.bots)
    rows = first.rows(draw, strengths + better * (numpy.arange(first.bots) == 0))
    side = "hard" if first.players == second.players else "easy"
    return judged(first.bots, {("easy", first.players): rows, (side, second.players): second.rows(draw, strengths)})


def specialist(better: float, seed: int) -> LackOfFit:
    """Eight bots in 60 tables of four on each of two sides; see `two_settings`."""
    return two_settings(League(), League(), seed, better)


def changing(better: float, seed: int) -> LackOfFit:
    """Eight bots in 112 tables of four; bot0 is better in the later half by so much, in the luck of a game."""
    draw, league = numpy.random.default_rng(seed), League(blocks=56)
    strengths = draw.normal(0, league.strength, league.bots)
    early = league.rows(draw, strengths)
    late = league.rows(draw, strengths + better * (numpy.arange(league.bots) == 0))
    late = late._replace(block=late.block + 56, stratum=late.stratum + 1000)
    rows = PairRows(*(numpy.concatenate(both) for both in zip(early, late, strict=True)))
    return judged(league.bots, {("game", 4): rows})


def fair(league: League, seed: int) -> LackOfFit:
    """A league that one number per bot fits."""
    return judged(league.bots, {("game", league.players): league.play(seed)[1]})


def circling(bots: int, members: int, chance: float, seed: int) -> LackOfFit:
    """Bots that meet 40 times in pairs, on fresh deals; see `circle`."""
    return judged(bots, {("game", 2): in_pairs(circle(bots, members, chance), 40, 1, seed)})


CURVES: dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
    "logistic curve": lambda lead: 1 / (1 + numpy.exp(-1.6 * lead)),
    "heavy tails": lambda lead: stdtr(2, 1.2 * lead),
    "heaviest tails": lambda lead: stdtr(1, 1.5 * lead),
    "floor of 5%": lambda lead: 0.05 + 0.9 * ndtr(lead),
    "floor of 15%": lambda lead: 0.15 + 0.7 * ndtr(lead),
    "steep ends": lambda lead: ndtr(lead + lead**3 / 3),
}
"""Chances to rank ahead, given the lead in strength."""


def curved(curve: str, bots: int, games: int, strength: float, seed: int) -> LackOfFit:
    """Bots with strengths of this spread, who meet so many times in pairs, on fresh deals."""
    strengths = numpy.random.default_rng(seed + 10_000).normal(0, strength, bots)
    chances = CURVES[curve](strengths[:, None] - strengths)
    return judged(bots, {("game", 2): in_pairs(chances, games, 1, seed)})


OTHER_CURVES: dict[str, Callable[[int], LackOfFit]] = {
    f"{bots} bots, {curve}, {games} games a pair": partial(curved, curve, bots, games, strength)
    for curve in CURVES
    for bots, games, strength in ((6, 100, 1.0), (8, 40, 0.7))
}
FAIR: dict[str, Callable[[int], LackOfFit]] = {
    "3 equal bots, two players, 40 games a pair": partial(circling, 3, 0, 0.5),
    "3 bots, two players, 60 blocks": partial(fair, League(bots=3, players=2, blocks=60, strength=0.4)),
    "4 bots, three players, 60 blocks": partial(fair, League(bots=4, players=3, blocks=60)),
    "4 bots, four players, 30 blocks": partial(fair, League(bots=4, blocks=30)),
    "8 bots, two players, 112 blocks": partial(fair, League(players=2, blocks=112, strength=0.4)),
    "8 bots, two players, 560 blocks": partial(fair, League(players=2, blocks=560)),
    "8 bots, three players, 60 blocks": partial(fair, League(players=3)),
    "8 bots, four players, 60 blocks": partial(fair, League()),
    "8 bots, four players, 240 blocks, no luck in the deal": partial(fair, League(blocks=240, deal=0.0)),
    "20 bots, two players, 380 blocks": partial(fair, League(bots=20, players=2, blocks=380, strength=0.4)),
    "20 bots, four players, 100 blocks": partial(fair, League(bots=20, blocks=100)),
    "8 bots, two sides of four players, 60 blocks each": partial(two_settings, League(), League()),
    "8 bots, tables of two and four, 112 and 60 blocks": partial(two_settings, League(players=2, blocks=112), League()),
}
MISFITS: dict[str, Callable[[int], LackOfFit]] = {
    "3 bots, a circle of 65%, 40 games a pair": partial(circling, 3, 3, 0.65),
    "8 bots, three in a circle of 70%, 40 games a pair": partial(circling, 8, 3, 0.7),
    "8 bots, all in a circle of 70%, 40 games a pair": partial(circling, 8, 8, 0.7),
    "8 bots, one better by 0.7 on one of two sides, 60 blocks each": partial(specialist, 0.7),
    "8 bots, one better by 0.7 in the later half of 112 blocks": partial(changing, 0.7),
}
