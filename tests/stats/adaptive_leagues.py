"""Simulated tournaments that pair by results, scheduled by the code that schedules real ones.

`python -m tests.bench.coverage adaptive` prints the table of docs/explanation/statistics-details.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy

from fa_cli.stats.strength.pair_sums import PairRows, compare_seats
from fa_cli.tournament.definition import Definition
from fa_cli.tournament.formats.format import TournamentFormat
from fa_cli.tournament.formats.gauntlet import Gauntlet
from fa_cli.tournament.formats.knockout import Knockout
from fa_cli.tournament.formats.ladder import Ladder
from fa_cli.tournament.formats.swiss import Swiss
from fa_cli.tournament.request import Duplicate
from fa_cli.tournament.schedule import Job, Schedule
from tests.stats.pair_leagues import FAR, Judged, fitted, judged, shown
from tests.tournament.helpers import definition, setting


@dataclass(frozen=True)
class AdaptiveLeague:
    """A tournament of bots whose strengths are drawn for each league. The unit is the luck of a seat in a game."""

    format_spec: TournamentFormat
    bots: int = 8
    strength: float = 0.5
    """The spread of the bots' strengths."""
    players: int = 2
    """Two play rotations of each deal, more play fresh deals."""
    games: int = 224
    """The planned number, if the format does not decide it."""
    deal: float = 0.3
    """The part of the variance that a deal gives to a seat, whoever sits there."""
    far: float = 0.0
    """How much stronger the first bot is than the mean of the others; 0: it is one of them."""

    @cached_property
    def definition(self) -> Definition:
        seatings = Duplicate.ROTATIONS if self.players == 2 else Duplicate.OFF
        return definition([setting(self.bots, self.players)], self.games, seatings, self.format_spec)

    def play(self, seed: int) -> tuple[numpy.ndarray, PairRows]:
        """The true strengths, and the comparisons."""
        draw = numpy.random.default_rng(seed)
        strengths = draw.normal(0, self.strength, self.bots)
        if self.far:
            strengths[0] = strengths[1:].mean() + self.far
        schedule, jobs, ranks = Schedule(self.definition), list[Job](), list[list[int]]()
        while not schedule.is_over:
            job = schedule.next_job()
            assert job, "the schedule waits, though it has all results"
            if not jobs or job.number != jobs[-1].number:
                deal = draw.normal(0, self.deal**0.5, self.players)
            points = strengths[list(job.seats)] + deal + draw.normal(0, (1 - self.deal) ** 0.5, self.players)
            ranks.append([1 + int((points > own).sum()) for own in points])
            schedule.report_result(ranks[-1], ())
            jobs.append(job)
        groups = numpy.sort([job.seats for job in jobs], axis=1)
        stratum = numpy.unique(groups, axis=0, return_inverse=True)[1].reshape(-1)
        numbers, seats = (
            numpy.array(column) for column in zip(*((job.number, job.seats) for job in jobs), strict=True)
        )
        return strengths, compare_seats(stratum, numbers, seats, numpy.array(ranks))

    def judged(self, seed: int) -> Judged:
        """How well its strengths, intervals and rank ranges hold."""
        strengths, rows = self.play(seed)
        return judged(fitted(self.bots, rows), shown(strengths))


ADAPTIVE = {
    "ladder of 8, 224 games of two, equal": AdaptiveLeague(Ladder(), strength=0.0),
    "ladder of 8, 224 games of two": AdaptiveLeague(Ladder()),
    "ladder of 8, 224 games of four, equal": AdaptiveLeague(Ladder(), strength=0.0, players=4),
    "ladder of 8, 224 games of four": AdaptiveLeague(Ladder(), players=4),
    "ladder of 20, 600 games of two": AdaptiveLeague(Ladder(), bots=20, games=600),
    "swiss of 16, 8 rounds, equal": AdaptiveLeague(Swiss(8), bots=16, strength=0.0),
    "swiss of 16, 8 rounds": AdaptiveLeague(Swiss(8), bots=16),
    "swiss of 16, 8 rounds, spread 1": AdaptiveLeague(Swiss(8), bots=16, strength=1.0),
    "swiss of 16, 8 rounds of 4 sets": AdaptiveLeague(Swiss(8, 4), bots=16),
    **{
        f"swiss of 16, 8 rounds, one {word} at {often}": AdaptiveLeague(Swiss(8), bots=16, far=sign * FAR[often])
        for word, sign in (("loses", -1), ("wins", 1))
        for often in FAR
    },
    "knockout of 16, 4 sets, equal": AdaptiveLeague(Knockout(sets=4), bots=16, strength=0.0),
    "knockout of 16, 4 sets": AdaptiveLeague(Knockout(sets=4), bots=16),
    "knockout of 16, 20 sets": AdaptiveLeague(Knockout(sets=20), bots=16),
    "gauntlet of 8, 224 games of two, equal": AdaptiveLeague(Gauntlet([0]), strength=0.0),
    "gauntlet of 8, 224 games of two": AdaptiveLeague(Gauntlet([0])),
}
"""A gauntlet does not pair by results, but most of its bots never meet."""
