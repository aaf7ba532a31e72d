"""The difference between two bots, with interval and p-value: from deals that both played, and common opponents."""

from __future__ import annotations

from collections.abc import Hashable
from math import ceil, inf, log2, sqrt
from statistics import NormalDist

from ..game_result import By, PlayedGame
from .block_means import CONFIDENCE, BlockMean, caveats_of, wilson
from .comparison_row import About, ComparisonRow
from .distributions import student_p, student_quantile
from .luck.seat_values import SeatBalance
from .luck.variance_ratio import RotationSets
from .outcomes import elo
from .paired import CommonOpponents, PairBlock, seats_of_sides

OVERALL = "all"
"""The label of the part with all games."""
POWER = 0.8
"""How likely a verdict is after `more_deals`."""
_ROUNDING = 1e-12
"""Sums of thirds differ by this from what they should be."""
_MOST_SIGNS = 1000
"""The exact sign test takes as many steps; of more signs Student's test says the same."""


class PairedScores:
    """The scores of two bots in blocks that compare them: their mean difference, its interval and its p-value."""

    def __init__(self) -> None:
        self.differences = BlockMean()
        self.points = BlockMean()
        self.logs: set[str] = set()
        """The logs of these blocks."""
        self._signs = [0, 0]  # blocks in which the first bot has the higher score, and the second
        self._smallest_score = inf  # smallest absolute weighted score of a block, other than 0
        self._largest_score = 0.0

    def add(self, score: float, weight: int, stratum: int = 0, points: float = 0.0, log: str = "") -> None:
        """Add the score of a block with this weight, and its difference of points."""
        score = score if abs(score) > _ROUNDING else 0.0
        self.logs.add(log)
        self.points.add_block(points * weight, weight, stratum)
        self.differences.add_block(score * weight, weight, stratum)
        if score:
            self._signs[score < 0] += 1
            self._smallest_score = min(self._smallest_score, abs(score * weight))
            self._largest_score = max(self._largest_score, abs(score * weight))

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self.differences.blocks

    @property
    def mean(self) -> float:
        """The mean place score of the first bot less that of the second; 0 if it is not more than rounding."""
        return self.differences.mean if abs(self.differences.mean) > _ROUNDING else 0.0

    def blocks_to_decide(self, alpha: float) -> float | None:
        """How many blocks in all decide with a probability of `POWER` if the true difference is the measured one.

        None if there is no difference, or fewer than two blocks.
        """
        differences = self.differences
        statistic = abs(self.mean) * sqrt(differences.effective_trials(-1, 1))
        if differences.blocks < 2 or not statistic:
            return None
        normal = NormalDist()
        quantile = normal.inv_cdf(1 - alpha / 2)
        needed = differences.blocks * ((quantile + normal.inv_cdf(POWER)) / statistic) ** 2 + quantile**2 / 2
        return max(needed, 1 - log2(alpha))

    @property
    def p_value(self) -> float:
        """The two-sided p-value for equal bots, for which each block could equally have gone the other way.

        If all scores other than 0 are as large, and there are at most `_MOST_SIGNS`, the exact sign test. Otherwise
        Student's t-test of `effective_trials` with two corrections. Continuity: the smallest score is subtracted from
        the absolute sum, because scores come in steps. Lower bound: the smallest p-value that a sign test could give.
        """
        differences, signs = self.differences, sum(self._signs)
        if differences.blocks < 2 or not signs:
            return 1.0
        if self._largest_score - self._smallest_score <= _ROUNDING and signs <= _MOST_SIGNS:
            return sign_test(*self._signs)
        corrected = max(0.0, abs(differences.total) - self._smallest_score) / differences.count
        p_value = student_p(corrected * differences.effective_trials(-1, 1) ** 0.5, differences.freedom)
        return min(1.0, max(p_value, sign_test(signs, 0) if signs <= _MOST_SIGNS else 0.0))

    @property
    def superiority(self) -> float:
        """The likelihood that the first bot is the better one.

        That is one half of the p-value's test. For Student's it is the posterior probability if all differences are
        equally likely beforehand.
        """
        return 1 - self.p_value / 2 if self.differences.mean > 0 else self.p_value / 2

    def difference_interval(self, confidence: float) -> tuple[float, float]:
        """Wilson's interval, between -1 and 1. It excludes 0 exactly if the p-value is below 1 - `confidence`."""
        differences, p_value = self.differences, self.p_value
        if differences.blocks < 2 or differences.freedom < 1:
            return -1.0, 1.0
        trials = differences.effective_trials(-1, 1)
        if 1e-9 < p_value < 0.5:  # others are significant at every useful level, or at none
            trials = (student_quantile(1 - p_value / 2, differences.freedom) / differences.mean) ** 2
        low, high = wilson((1 + differences.mean) / 2, trials, differences.quantile(confidence))
        return 2 * low - 1, 2 * high - 1


def sign_test(wins: int, losses: int) -> float:
    """The two-sided p-value of so many wins and losses if either is equally likely: exact, from the binomial."""
    count = ways = 1
    for more in range(1, min(wins, losses) + 1):
        ways = ways * (wins + losses - more + 1) // more
        count += ways
    return min(1.0, count / (1 << (wins + losses - 1)))


class ComparisonBlocks:
    """The blocks of all games, or of one part of them."""

    def __init__(self) -> None:
        self.meetings = PairedScores()
        """Blocks in which the two met."""
        self.field = PairedScores()
        """These, and blocks in which they did not meet, but played the same deal or the same other bots."""
        self.ahead = BlockMean()
        self.ties = 0.0
        self.rotation_sets = RotationSets()
        self.common = 0
        """The number of pairs of blocks with common opponents."""
        self.faults = [0, 0]
        """The games with both in which the first had a fault or was suspended, and the second."""
        self._opponents = CommonOpponents()
        self._variants: dict[str, int] = {}  # strata of these pairs
        self._tables: set[tuple[str, ...]] = set()  # the other bots at the tables of the current block
        self._log = self._variant = ""
        self._key: Hashable = None
        self._stratum = 0
        self._block = PairBlock()

    def add(self, game: PlayedGame, sides: tuple[list[int], list[int]]) -> None:
        """Add a game with at least one of the two bots. The games of one block must come consecutively."""
        if game.deal != self._key:
            self.end_block()
            self._key, self._stratum = game.deal, game.stratum
            self._log, self._variant = game.log, f"{game.log} {game.variant}"
        self._block.add(sides, game.ranks, game.points)
        if game.faults and all(sides):  # few games
            for side, seats in enumerate(sides):
                self.faults[side] += not game.faulted.isdisjoint(seats)
        self.rotation_sets.add(game)
        compared = sides[0] + sides[1]
        self._tables.add(tuple(sorted([bot for seat, bot in enumerate(game.bots) if seat not in compared])))

    def end_block(self) -> None:
        """Add the current block to the sums and start a new one."""
        block, self._block = self._block, PairBlock()
        tables, self._tables = frozenset(self._tables), set()
        self._key = None
        if block.only_side is not None:
            self._add_one_sided(block.only_side, tables, block)
        if not block.weight:
            return
        for scores in (self.meetings, self.field) if block.games else (self.field,):
            scores.add(block.score, block.weight, self._stratum, block.points, self._log)
        if block.games:
            self.ahead.add_block(block.ahead, block.games, self._stratum)
        self.ties += block.ties

    def _add_one_sided(self, side: int, tables: frozenset[tuple[str, ...]], block: PairBlock) -> None:
        """Add a block with only one of the two bots, once there is one of the other bot to join it to.

        All pairs of a setting are one stratum: against any opponents the difference is about the same.
        """
        pair = self._opponents.add(side, (self._variant, tables), block.one_sided(side))
        if pair:
            first, second = pair
            self.common += 1
            stratum = self._variants.setdefault(self._variant, -1 - len(self._variants))  # others are not negative
            seats = min(first.seats, second.seats)
            self.field.add(first.score - second.score, seats, stratum, first.points - second.points, self._log)

    def scores(self, about: About) -> PairedScores:
        """The scores where the two met, or those over the field."""
        return self.meetings if about is About.HEAD_TO_HEAD else self.field

    def abouts(self) -> list[About]:
        """What is known: where the two met, over the field, or both if the field has more than their meetings."""
        more = self.field.blocks > self.meetings.blocks
        return [About.HEAD_TO_HEAD] * bool(self.meetings.blocks) + [About.FIELD] * (more or not self.meetings.blocks)

    def row(self, part: str, pair: tuple[str, str], about: About, alpha: float = 1 - CONFIDENCE) -> ComparisonRow:
        """The row of this part. Its verdict names the better bot if the p-value is below `alpha`."""
        scores, verdict = self.scores(about), self.verdict(pair, about, alpha)
        met = bool(self.ahead.count)
        ahead_interval = self.ahead_interval(1 - alpha) if met else None
        ratio = self.rotation_sets.ratio((copies(pair[0]), copies(pair[1])), 1 - alpha)
        return ComparisonRow(
            part=part,
            about=about.value,
            first=pair[0],
            second=pair[1],
            verdict=verdict,
            blocks=scores.blocks,
            common=0 if about is About.HEAD_TO_HEAD else self.common,
            games=self.ahead.count,
            first_faults=self.faults[0],
            second_faults=self.faults[1],
            difference=scores.mean,
            difference_interval=scores.difference_interval(1 - alpha),
            p_value=scores.p_value,
            los=scores.superiority,
            ahead=self.ahead.mean if met else None,
            ahead_interval=ahead_interval,
            level=self.ties / self.ahead.count if met else None,
            elo=elo(self.ahead.mean) if met else None,
            elo_interval=(elo(ahead_interval[0]), elo(ahead_interval[1])) if ahead_interval else None,
            points_difference=scores.points.mean,
            points_interval=scores.points.interval(1 - alpha),
            variance_ratio=ratio.value if ratio else None,
            variance_ratio_interval=ratio.interval if ratio else None,
            caveats=caveats_of(scores.blocks),
            more_deals=self.more_deals(about, alpha) if scores.p_value >= alpha else None,
        )

    def verdict(self, pair: tuple[str, str], about: About, alpha: float) -> str:
        """The better bot of the pair; empty if the p-value is not below `alpha`.

        Where they met it is empty too if the better place score is not that of the bot that ranks ahead more often,
        which can be at tables of three or more.
        """
        scores = self.scores(about)
        met = about is About.HEAD_TO_HEAD
        if scores.p_value >= alpha or (met and (self.ahead.mean - 0.5) * scores.mean <= 0):
            return ""
        return pair[0] if scores.mean > 0 else pair[1]

    def ahead_interval(self, confidence: float) -> tuple[float, float]:
        """Wilson's interval of the share in which the first ranks ahead.

        At tables of two this share is the place score, so the interval is that of the difference.
        """
        if abs(2 * self.ahead.mean - 1 - self.meetings.mean) < 1e-9:
            low, high = self.meetings.difference_interval(confidence)
            return (1 + low) / 2, (1 + high) / 2
        return self.ahead.share_interval(confidence)

    def more_deals(self, about: About, alpha: float) -> int | None:
        """How many more deals would decide with a probability of `POWER` if the true difference is the measured one.

        None if there is no difference, or fewer than two blocks.
        """
        scores = self.scores(about)
        blocks, needed = scores.blocks, scores.blocks_to_decide(alpha)
        if needed is None:
            return None
        deals = blocks + (self.common if about is About.FIELD else 0)  # a pair takes two
        return ceil(max(1.0, needed - blocks) * deals / blocks)


class Comparison:
    """Compares two bots over many games, and with `by` over each part of them.

    Each is a name, or several names joined by commas: copies of one bot, whose results are pooled.
    """

    def __init__(self, first: str, second: str, by: By | None = None) -> None:
        self.pair = (first, second)
        self.sides = (copies(first), copies(second))
        self.by = by
        self.faults = [0, 0]
        self.suspended = [0, 0]
        """Games that a suspended bot missed."""
        self.seats = SeatBalance()
        """The seats of the two bots."""
        self._parts: dict[str, ComparisonBlocks] = {OVERALL: ComparisonBlocks()}
        self._seen: set[str] = set()

    def add(self, game: PlayedGame) -> None:
        """Add a game. Games must come in the order of their logs."""
        names = game.bots
        sides = seats_of_sides(names, self.sides)
        if len(names) < 2 or not (sides[0] or sides[1]):
            return
        for side, seats in enumerate(sides):
            if game.faults or game.suspended:  # few games
                self.faults[side] += len(game.failed.intersection(seats))
                self.suspended[side] += len(set(game.suspended).intersection(seats))
            for seat in seats:
                self._seen.add(names[seat])
                self.seats.add(game.game, len(names), names[seat], seat)
        for part in (OVERALL, game.label(self.by)) if self.by else (OVERALL,):
            if part not in self._parts:
                self._parts[part] = ComparisonBlocks()
            self._parts[part].add(game, sides)

    def absent(self) -> list[str]:
        """Which of the bots never played."""
        return [name for side in self.sides for name in side if name not in self._seen]

    def logs_of(self, row: ComparisonRow) -> set[str]:
        """The names of the logs that the row's figures are from."""
        return self._parts[row.part].scores(About(row.about)).logs

    def blocks_to_decide(self, alpha: float = 1 - CONFIDENCE) -> float | None:
        """As in `PairedScores`, over all games and the field. Call it after `rows`."""
        return self._parts[OVERALL].field.blocks_to_decide(alpha)

    def rows(self, alpha: float = 1 - CONFIDENCE) -> list[ComparisonRow]:
        """Rows for all games, and for each part in which the bots can be compared. Call it after the last game.

        Of each the first row is about the games in which the two met; the next, about the field, if that has more.
        """
        for part in self._parts.values():
            part.end_block()
        comparable = [name for name, part in self._parts.items() if part.field.blocks and name != OVERALL]
        return [
            self._parts[name].row(name, self.pair, about, alpha)
            for name in (OVERALL, *sorted(comparable))
            for about in self._parts[name].abouts()
        ]


def copies(names: str) -> tuple[str, ...]:
    """The names in a text such as `new,new2`."""
    return tuple(names.split(","))
