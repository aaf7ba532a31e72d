"""Simulated leagues: results of honest bots, and of two bots that help each other.

`python -m tests.bench.coverage collusion` prints how often pairs are flagged: the table of
docs/explanation/statistics-details.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy

from fa_cli.leaderboard.played_games import played_game
from fa_cli.stats.teams.collusion import ALPHA, Collusion
from fa_cli.tournament.request import Duplicate
from fa_cli.tournament.schedule import Job
from tests.tournament.helpers import Game, definition, play_out, setting


@dataclass(frozen=True)
class League:
    """Who plays in a league, and what its results depend on.

    The unit is the standard deviation of a bot's luck in one game. Each figure is the standard deviation of a normal
    distribution, from which the league draws its values, except `scale`, `helps` and `serves`.
    """

    bots: int = 8
    players: int = 4
    games: int = 480
    duplicate: Duplicate = Duplicate.ROTATIONS
    strength: float = 1.0
    seat: float = 0.0
    """The value of a seat."""
    deal: float = 0.0
    """The value of a deal's cards in a seat."""
    suits: float = 0.0
    """How well a deal suits a bot, in any seat."""
    styles: float = 0.0
    """How much better a bot plays against another than their strengths predict; the other loses the same."""
    level: float = 0.0
    """The logarithm of the factor by which a bot changes the luck of everybody at its table."""
    left: float = 0.0
    """The value of the seat behind a bot."""
    scale: int = 0
    """Points are rounded to 1 / scale, so that there are ties; 0 does not round."""
    helps: float = 0.0
    """What the bots 0 and 1 each gain where both play."""
    serves: float = 0.0
    """What bot 0 gains and bot 1 loses where both play."""

    def play(self, seed: int) -> Iterator[tuple[Game, str, int]]:
        """The games of the league, each with the name of its log and its index there."""
        draw = numpy.random.default_rng(seed)
        strength = draw.normal(0, self.strength, self.bots)
        seat = draw.normal(0, self.seat, self.players)
        styles = numpy.triu(draw.normal(0, self.styles, (self.bots, self.bots)), 1)
        styles -= styles.T
        level = numpy.exp(draw.normal(0, self.level, self.bots))
        left = draw.normal(0, self.left, self.bots)
        jobs = schedule(self.bots, self.players, self.games, self.duplicate)
        bots = numpy.array([job.seats for job in jobs])
        deals = [job.number for job in jobs]
        points = strength[bots] + seat + draw.normal(0, 1, bots.shape) * level[bots].prod(axis=1, keepdims=True)
        points += draw.normal(0, self.deal, (self.games, self.players))[deals]
        points += draw.normal(0, self.suits, (self.games, self.bots))[numpy.array(deals)[:, None], bots]
        points += styles[bots[:, :, None], bots[:, None, :]].sum(axis=2) + left[numpy.roll(bots, 1, axis=1)]
        both = (bots == 0).any(axis=1) & (bots == 1).any(axis=1)
        points += both[:, None] * ((self.helps + self.serves) * (bots == 0) + (self.helps - self.serves) * (bots == 1))
        if self.scale:
            points = numpy.round(points * self.scale)
        ranks = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
        for job, job_ranks in zip(jobs, ranks.tolist(), strict=True):
            yield Game([f"bot{bot}" for bot in job.seats], job_ranks, number=job.number), "league", job.index

    def flagged(self, seed: int, alpha: float = ALPHA) -> list[set[str]]:
        """The pairs that are flagged in the league."""
        collusion = Collusion()
        for game in self.play(seed):
            collusion.add(played_game(*game))
        return [{row.first, row.second} for row in collusion.rows(alpha) if row.flagged]


HELPERS = {"bot0", "bot1"}
HONEST = {
    "equal strengths": League(strength=0),
    "strong and weak": League(strength=2),
    "seats": League(seat=0.7, left=0.5, duplicate=Duplicate.OFF),
    "deals": League(deal=1, suits=1, seat=0.5),
    "ties": League(scale=1),
    "wild and calm bots": League(strength=1.5, level=0.3),
    "styles": League(styles=0.5),
    "styles before all": League(bots=7, games=420, strength=0.2, styles=1),
    "five at tables of three": League(bots=5, players=3, games=240, styles=0.4),
    "five at tables of five": League(bots=7, players=5, games=420, styles=0.3, level=0.2),
    "sixteen": League(bots=16, games=960, styles=0.3, suits=0.5),
    "all of it": League(deal=0.5, suits=0.5, seat=0.3, styles=0.3, level=0.2, left=0.3, scale=2),
}
_USUAL = {"suits": 0.5, "styles": 0.3}
HELPING = {
    "half, 480 games": League(helps=0.5, **_USUAL),
    "half, 1920 games": League(helps=0.5, games=1920, **_USUAL),
    "one, 240 games": League(helps=1, games=240, **_USUAL),
    "one, 480 games": League(helps=1, **_USUAL),
    "one, 960 games": League(helps=1, games=960, **_USUAL),
    "one, five at tables of three, 480 games": League(bots=5, players=3, helps=1, **_USUAL),
    "one, six at tables of three, 960 games": League(bots=6, players=3, games=960, helps=1, **_USUAL),
    "one for nothing, 960 games": League(games=960, helps=0.5, serves=0.5, **_USUAL),
    "one at the same cost, 960 games": League(games=960, serves=1, **_USUAL),
}


_SCHEDULES: dict[object, list[Job]] = {}


def schedule(bots: int, players: int, games: int, duplicate: Duplicate) -> list[Job]:
    """The jobs of a round robin, which do not depend on results."""
    key = (bots, players, games, duplicate)
    if key not in _SCHEDULES:
        _SCHEDULES[key] = play_out(definition([setting(bots, players)], games, duplicate))
    return _SCHEDULES[key]
