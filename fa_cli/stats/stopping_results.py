"""What sequential tests have decided, for each bot and in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from ..printing.columns import KEY, ON_REQUEST, bad_if_any, number, text
from ..printing.text import counted, listed
from .faults import notable_faults
from .sprt import Verdict
from .stopping import Pair, StoppingRule, StoppingTracker


class EvidenceRow(msgspec.Struct):
    """The evidence of a sequential test on one of its two bots."""

    bot: Annotated[str, text("bot", "one of the two", importance=KEY)]
    rival: Annotated[str, text("rival", "the other", importance=KEY)]
    found: Annotated[
        str, text("found", "`better`, `worse`, `not better` or `no worse` (by the margin); empty if not decided")
    ]
    blocks: Annotated[
        int, number("blocks", "whole blocks with both", legend="each is one group of bots, once in each seating")
    ]
    games: Annotated[int, number("games", "all games with both", importance=ON_REQUEST)]
    faults: Annotated[
        int,
        number("faults", "of `games`, those in which `bot` had a fault or was suspended", tone=bad_if_any, if_any=True),
    ]
    score: Annotated[float, number("score", "mean place score of `bot` less that of `rival` in them", 3, "+")]
    better: Annotated[
        float,
        number("better", "natural logarithm of what a capital of 1 has become, bet on `bot` being better", 2, "+"),
    ]
    better_bound: Annotated[
        float, number("better bound", "`bot` is better once `better` is as large", 2, importance=ON_REQUEST)
    ]
    not_better: Annotated[
        float, number("not better", "the same, bet on `bot` not being better than `rival` by the margin", 2, "+")
    ]
    not_better_bound: Annotated[
        float, number("not better bound", "it is not better once `not_better` is as large", 2, importance=ON_REQUEST)
    ]
    ratio: Annotated[
        float | None,
        number(
            "ratio", "natural logarithm of the likelihood ratio for the same; none while it decides nothing", 2, "+"
        ),
    ]
    ratio_bound: Annotated[float, number("ratio bound", "or once `ratio` is as large", 2, importance=ON_REQUEST)]

    def against(self) -> list[tuple[float, float]]:
        """The evidence that `bot` is not better, each with its bound."""
        ratio = [] if self.ratio is None else [(self.ratio, self.ratio_bound)]
        return [(self.not_better, self.not_better_bound), *ratio]


class SequentialResult(NamedTuple):
    """The result of a tournament's sequential test between two bots."""

    verdict: Verdict
    first: str
    second: str
    blocks: int
    """The number of blocks with both."""
    mean: float
    """The mean score of these, that of the first bot minus that of the second."""
    games: int = 0
    """The games with both, also in blocks that are not whole."""
    faults: tuple[int, int] = (0, 0)
    """The games of these with a fault of the first, and of the second."""

    @property
    def leader(self) -> str:
        """The bot with the higher mean score; the first if they are level."""
        return self.second if self.mean < 0 else self.first

    def field(self, bot: str) -> str | None:
        """The result for one of the two bots, as `better than greedy`; None for other bots."""
        if bot not in (self.first, self.second):
            return None
        rival = self.second if bot == self.first else self.first
        if self.verdict is Verdict.OPEN:
            return f"not decided against {rival}"
        if self.verdict is Verdict.NEITHER:
            return f"as good as {rival}"
        if self.verdict is Verdict.NO_WORSE:
            return f"{'no worse' if bot == self.first else 'not better'} than {rival}"
        return f"{'better' if (self.verdict is Verdict.FIRST) == (bot == self.first) else 'worse'} than {rival}"

    def told(self, bot: str) -> str:
        """The same with the names of both, as `planner is better than greedy`."""
        if self.verdict is Verdict.OPEN:
            return f"not decided between {self.first} and {self.second}"
        return f"{bot} is {self.field(bot)}"

    def describe(self, margin: float) -> str:
        """The result in a sentence; the place score is that of the bot that leads."""
        faults = notable_faults(self.games, zip((self.first, self.second), self.faults, strict=True))
        return f"{self._describe(margin)}{faults}"

    def _describe(self, margin: float) -> str:
        first, second, leader, blocks = self.first, self.second, self.leader, counted(self.blocks, "block")
        if self.verdict in (Verdict.FIRST, Verdict.SECOND):
            winner, loser = (first, second) if self.verdict is Verdict.FIRST else (second, first)
            score = self.mean if winner == first else -self.mean
            return f"decided after {blocks}: {winner} beats {loser} (place score {score:+.3f})"
        lead = f"({leader} leads by {abs(self.mean):.3f})" if self.mean else "(they are level)"
        if self.verdict is Verdict.NEITHER:
            return f"decided after {blocks}: neither {first} nor {second} is better by {margin:g} {lead}"
        if self.verdict is Verdict.NO_WORSE:
            return f"decided after {blocks}: {first} is not worse than {second} by {margin:g} {lead}"
        return f"not decided after {blocks} between {first} and {second} {lead}"


class RankedResult(NamedTuple):
    """The result of a tournament's sequential tests between every two bots."""

    blocks: int
    """The number of blocks that were compared."""
    ranks: dict[str, tuple[int, int]]
    """For each bot the first and the last rank that the tests leave to it."""
    best: list[str] | None
    """The best bots, if only these are looked for."""
    open_pairs: int
    """The number of pairs that are not told apart yet."""

    def field(self, bot: str) -> str | None:
        """The result for one of the bots, as `rank 1`, `ranks 2-3` or `best 2`; None for other bots."""
        if bot not in self.ranks:
            return None
        if self.best is None:
            first, last = self.ranks[bot]
            return f"rank {first}" if first == last else f"ranks {first}-{last}"
        if self.open_pairs:
            return "not decided"
        return f"best {len(self.best)}" if bot in self.best else f"not in the best {len(self.best)}"

    def describe(self, margin: float) -> str:
        """The result in a sentence."""
        blocks = counted(self.blocks, "block")
        if self.open_pairs:
            goal = "the order" if self.best is None else self._best()
            return f"{goal} is not decided after {blocks}: {counted(self.open_pairs, 'pair')} not told apart"
        unless = f"except for differences below {margin:g}"
        if self.best is not None:
            are = "is" if len(self.best) == 1 else "are"
            return f"decided after {blocks}: {self._best()} {are} {listed(self.best)}, {unless}"
        return f"decided after {blocks}: the order is known, {unless}: {listed(self._order())}"

    def _best(self) -> str:
        """What it looks for, if that is not the order."""
        return "the best bot" if len(self.best or ()) == 1 else f"the best {len(self.best or ())}"

    def _order(self) -> list[str]:
        """The bots with their ranks, as `greedy 2-3`."""
        ordered = sorted(self.ranks, key=lambda bot: (sum(self.ranks[bot]), bot))
        return [f"{bot} {self.field(bot)}".replace(" ranks ", " ").replace(" rank ", " ") for bot in ordered]


def pair_result(tracker: StoppingTracker, pair: Pair, names: Sequence[str]) -> SequentialResult:
    """The result so far of one of the tracker's pairs."""
    test = tracker.test(pair)
    return SequentialResult(test.verdict, names[pair[0]], names[pair[1]], test.blocks, test.mean, *tracker.games(pair))


def result_of(tracker: StoppingTracker, names: Sequence[str]) -> SequentialResult | RankedResult:
    """The result so far of the whole rule, for bots of these names."""
    if tracker.rule.first is not None and tracker.rule.second is not None:
        return pair_result(tracker, (tracker.rule.first, tracker.rule.second), names)
    best = None if tracker.rule.top is None else sorted(names[bot] for bot in tracker.best())
    ranks = {name: _ranks(tracker, bot) for bot, name in enumerate(names)}
    return RankedResult(tracker.blocks, ranks, best, len(tracker.open_pairs()))


def evidence_rows(tracker: StoppingTracker, names: Sequence[str]) -> list[EvidenceRow]:
    """The evidence so far of each test, two rows for a pair, for bots of these names."""
    rows = []
    for pair in tracker.rule.pairs(tracker.bots):
        test = tracker.test(pair)
        games, faults = tracker.games(pair)
        for bot, own in enumerate((Verdict.FIRST, Verdict.SECOND)):
            found = "not better" if test.is_not_better(bot) else ""
            if test.verdict in (Verdict.FIRST, Verdict.SECOND):
                found = "better" if test.verdict is own else "worse"
            elif test.verdict is Verdict.NO_WORSE:
                found = ("no worse", "not better")[bot]
            better, not_better, ratio = test.evidence(bot)
            rows.append(
                EvidenceRow(
                    bot=names[pair[bot]],
                    rival=names[pair[1 - bot]],
                    found=found,
                    blocks=test.blocks,
                    games=games,
                    faults=faults[bot],
                    score=0.0 - test.mean if bot else test.mean,
                    better=better,
                    better_bound=test.better_bounds[bot],
                    not_better=not_better,
                    not_better_bound=test.not_better_bound,
                    ratio=ratio,
                    ratio_bound=test.ratio_bound,
                )
            )
    return rows


def nearest_decision(rows: Sequence[EvidenceRow], rule: StoppingRule) -> str:
    """How near the test of two bots is to a decision, as `greedy is better: 2.10 of 3.69`; at the bound it decides.

    Below 0 the evidence is against what is nearest: `no evidence yet that greedy is better: -0.16 of 3.69`.
    """
    margin = f"by {rule.errors.margin:g}"
    decisions = [(row.better, row.better_bound, f"{row.bot} is better") for row in rows]
    if rule.one_sided:
        first, second = rows
        passes = max((first.better, first.better_bound), *second.against(), key=_share)
        decisions[0] = (*passes, f"{first.bot} is not worse {margin}")
    else:
        is_neither = all(row.found == "not better" for row in rows)
        equal = [max(row.against(), key=_share) for row in rows if is_neither or not row.found]
        decisions += [(*min(equal, key=_share), f"neither is better {margin}")] if equal else []
    value, bound, text = max(decisions, key=_share)
    return f"{'no evidence yet that ' if value < 0 else ''}{text}: {value:.2f} of {bound:.2f}"


def _share(evidence: Sequence[Any]) -> float:
    """How much there is of the evidence that is needed."""
    value, bound, *_ = evidence
    return float(value / bound)


def _ranks(tracker: StoppingTracker, bot: int) -> tuple[int, int]:
    verdicts = [tracker.verdict(bot, rival) for rival in range(tracker.bots) if rival != bot]
    return 1 + verdicts.count(Verdict.SECOND), tracker.bots - verdicts.count(Verdict.FIRST)
