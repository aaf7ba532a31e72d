"""The difference between two bots, with interval and p-value: from deals that both played, and common opponents."""

from __future__ import annotations

from collections.abc import Hashable
from math import ceil, inf, log2, nextafter, sqrt
from statistics import NormalDist

from ..game_result import By, PlayedGame
from ..printing.columns import Caveat
from .block_means import CONFIDENCE, ENOUGH_BLOCKS, BlockMean, wilson
from .common_opponents import CommonOpponents
from .comparison_row import ComparisonRow
from .distributions import student_p, student_quantile
from .luck.seat_values import SeatBalance
from .luck.variance_ratio import RotationSets
from .outcomes import elo
from .paired import PairBlock, seats_of_sides

OVERALL = "all"
"""The label of the part with all games."""
POWER = 0.8
"""How likely a verdict is after `more_deals`."""


class ComparisonBlocks:
    """The blocks of all games, or of one part of them."""

    def __init__(self) -> None:
        self.differences = BlockMean()
        self.points = BlockMean()
        self.ahead = BlockMean()
        self.ties = 0.0
        self.rotation_sets = RotationSets()
        self._nonzero_blocks = 0
        self._smallest_score = inf  # smallest absolute weighted score of a block, other than 0
        self.common = 0
        """The number of pairs of blocks with common opponents."""
        self.logs: set[str] = set()
        """The logs in which the two can be compared."""
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
        self.rotation_sets.add(game)
        compared = {*sides[0], *sides[1]}
        self._tables.add(tuple(sorted(bot for seat, bot in enumerate(game.bots) if seat not in compared)))

    def end_block(self) -> None:
        """Add the current block to the sums and start a new one."""
        block, self._block = self._block, PairBlock()
        tables, self._tables = frozenset(self._tables), set()
        self._key = None
        if block.only_side is not None:
            self._add_one_sided(block.only_side, tables, block)
        if not block.weight:
            return
        self._add_scores(block.score, block.points, block.weight, self._stratum)
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
            self._add_scores(first.score - second.score, first.points - second.points, seats, stratum)

    def _add_scores(self, score: float, points: float, weight: int, stratum: int) -> None:
        self.logs.add(self._log)
        self.add_score(score, weight, stratum)
        self.points.add_block(points * weight, weight, stratum)

    def add_score(self, score: float, weight: int, stratum: int = 0) -> None:
        """Add the score of a block with this weight."""
        self.differences.add_block(score * weight, weight, stratum)
        if score:
            self._nonzero_blocks += 1
            self._smallest_score = min(self._smallest_score, abs(score * weight))

    def row(self, part: str, pair: tuple[str, str], alpha: float = 1 - CONFIDENCE) -> ComparisonRow:
        """The row of this part. Its verdict names the better bot if the p-value is below `alpha`."""
        ahead, verdict = self.ahead, self.verdict(pair, alpha)
        have_met = bool(ahead.count)
        ahead_interval = self.ahead_interval(1 - alpha) if have_met else None
        ratio = self.rotation_sets.ratio((copies(pair[0]), copies(pair[1])), 1 - alpha)
        return ComparisonRow(
            part=part,
            first=pair[0],
            second=pair[1],
            verdict=verdict,
            blocks=self.differences.blocks,
            common=self.common,
            games=ahead.count,
            difference=self.differences.mean,
            difference_interval=self.difference_interval(1 - alpha),
            p_value=self.p_value,
            los=self.superiority,
            ahead=ahead.mean if have_met else None,
            ahead_interval=ahead_interval,
            level=self.ties / ahead.count if have_met else None,
            elo=elo(ahead.mean) if have_met else None,
            elo_interval=(elo(ahead_interval[0]), elo(ahead_interval[1])) if ahead_interval else None,
            points_difference=self.points.mean,
            points_interval=self.points.interval(1 - alpha),
            variance_ratio=ratio.value if ratio else None,
            variance_ratio_interval=ratio.interval if ratio else None,
            caveats=[Caveat.FEW_BLOCKS.value] if self.differences.blocks < ENOUGH_BLOCKS else [],
            more_deals=None if verdict else self.more_deals(alpha),
        )

    def verdict(self, pair: tuple[str, str], alpha: float) -> str:
        """The better bot of the pair; empty if the p-value is not below `alpha` or their meetings point elsewhere."""
        lead = self._lead(alpha)
        return "" if not lead else pair[0] if lead > 0 else pair[1]

    def _lead(self, alpha: float) -> int:
        """1 if the first bot is better, -1 if the second is, 0 if it is not known."""
        difference = self.differences.mean
        if self.p_value >= alpha or (self.ahead.count and (self.ahead.mean - 0.5) * difference <= 0):
            return 0
        return 1 if difference > 0 else -1

    def ahead_interval(self, confidence: float) -> tuple[float, float]:
        """Wilson's interval of the share in which the first ranks ahead. It excludes 50% exactly if one is better.

        Place scores know more of two bots than their meetings: results against others. So the interval ends just
        before 50% if one bot is better, and reaches 50% if none is known to be.
        """
        low, high = self.ahead.share_interval(confidence)
        lead = self._lead(1 - confidence)
        if not lead:
            return min(low, 0.5), max(high, 0.5)
        return (max(low, nextafter(0.5, 1)), high) if lead > 0 else (low, min(high, nextafter(0.5, 0)))

    def more_deals(self, alpha: float) -> int | None:
        """How many more deals would decide with a probability of `POWER` if the true difference is the measured one.

        None if there is no difference, or fewer than two blocks.
        """
        blocks, needed = self.differences.blocks, self.blocks_to_decide(alpha)
        if needed is None:
            return None
        return ceil(max(1.0, needed - blocks) * (blocks + self.common) / blocks)

    def blocks_to_decide(self, alpha: float) -> float | None:
        """How many blocks in all decide with a probability of `POWER` if the true difference is the measured one.

        None if there is no difference, or fewer than two blocks.
        """
        differences = self.differences
        statistic = abs(differences.mean) * sqrt(differences.effective_trials(-1, 1))
        if differences.blocks < 2 or not statistic:
            return None
        normal = NormalDist()
        quantile = normal.inv_cdf(1 - alpha / 2)
        needed = differences.blocks * ((quantile + normal.inv_cdf(POWER)) / statistic) ** 2 + quantile**2 / 2
        return max(needed, 1 - log2(alpha))

    @property
    def p_value(self) -> float:
        """The two-sided p-value for equal bots, for which each block could equally have gone the other way.

        Student's t-test with two corrections. Continuity: the smallest score is subtracted from the absolute sum,
        because scores come in steps. Lower bound: the smallest p-value that a sign test could give, 2 ** (1 - n) for n
        blocks with a score other than 0.
        """
        differences = self.differences
        if differences.blocks < 2 or not self._nonzero_blocks:
            return 1.0
        corrected = max(0.0, abs(differences.total) - self._smallest_score) / differences.count
        p_value = student_p(corrected * differences.effective_trials(-1, 1) ** 0.5, differences.freedom)
        return min(1.0, max(p_value, 2.0 ** (1 - self._nonzero_blocks)))

    @property
    def superiority(self) -> float:
        """The likelihood that the first bot is the better one.

        That is Student's distribution below the t statistic, as in the p-value and with its corrections: the posterior
        probability if all differences are equally likely beforehand.
        """
        return 1 - self.p_value / 2 if self.differences.mean > 0 else self.p_value / 2

    def difference_interval(self, confidence: float) -> tuple[float, float]:
        """Wilson's interval, between -1 and 1. It excludes 0 exactly if the p-value is below 1 - `confidence`."""
        differences, p_value = self.differences, self.p_value
        if differences.blocks < 2 or differences.freedom < 1:
            return -1.0, 1.0
        trials = differences.effective_trials(-1, 1)
        if p_value < 0.5:  # a larger one is not significant at any useful level
            trials = min(trials, (student_quantile(1 - p_value / 2, differences.freedom) / differences.mean) ** 2)
        low, high = wilson((1 + differences.mean) / 2, trials, differences.quantile(confidence))
        return 2 * low - 1, 2 * high - 1


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
        self.tables: list[int] = []
        """The numbers of players that occurred."""
        self._parts: dict[str, ComparisonBlocks] = {OVERALL: ComparisonBlocks()}
        self._seen: set[str] = set()

    def add(self, game: PlayedGame) -> None:
        """Add a game. Games must come in the order of their logs."""
        names = game.bots
        sides = seats_of_sides(names, self.sides)
        if len(names) < 2 or not (sides[0] or sides[1]):
            return
        self._seen.update(names[seat] for seats in sides for seat in seats)
        for side, seats in enumerate(sides):
            self.faults[side] += len(game.failed & set(seats))
            self.suspended[side] += len(set(game.suspended) & set(seats))
            for seat in seats:
                self.seats.add(game.game, len(names), names[seat], seat)
        if len(names) not in self.tables:
            self.tables.append(len(names))
        for part in (OVERALL, game.label(self.by)) if self.by else (OVERALL,):
            self._parts.setdefault(part, ComparisonBlocks()).add(game, sides)

    def absent(self) -> list[str]:
        """Which of the bots never played."""
        return [name for side in self.sides for name in side if name not in self._seen]

    def logs_of(self, part: str) -> set[str]:
        """The names of the logs in which the two can be compared, of those with games of this part."""
        return self._parts[part].logs

    def blocks_to_decide(self, alpha: float = 1 - CONFIDENCE) -> float | None:
        """The result of `ComparisonBlocks.blocks_to_decide` over all games. Call it after `rows`."""
        return self._parts[OVERALL].blocks_to_decide(alpha)

    def rows(self, alpha: float = 1 - CONFIDENCE) -> list[ComparisonRow]:
        """A row for all games, and one for each part in which the bots can be compared. Call it after the last game."""
        for part in self._parts.values():
            part.end_block()
        comparable = [name for name, part in self._parts.items() if part.differences.count and name != OVERALL]
        return [self._parts[name].row(name, self.pair, alpha) for name in (OVERALL, *sorted(comparable))]


def copies(names: str) -> tuple[str, ...]:
    """The names in a text such as `new,new2`."""
    return tuple(names.split(","))
