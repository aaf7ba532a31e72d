"""What the test of the fit found, in words; tables that are kept need no NumPy to show it."""

from __future__ import annotations

import msgspec

from ...printing.columns import p_in_words
from ..outcomes import add_up

ALPHA = 0.05
WEIGHTS = {"pairs": 0.85, "sides": 0.05, "players": 0.05, "drift": 0.05}
"""The share of `ALPHA` of each part of the test; where a part has nothing to test the others share its own."""
_OF_PARTS = {"sides": "any bot's side", "players": "any bot's number of players"}


class Part(msgspec.Struct):
    """One way in which a single number can fail to fit."""

    kind: str
    """A key of `WEIGHTS`."""
    p: float
    bots: list[str]
    """Those that show it most. Of pairs they are two, the first of which does better against the second than their
    strengths tell, or more: a circle, in which each is ahead of the next; or none if the part does not strike."""
    where: str = ""
    """Where the bot does better or worse: a side, or a number of players."""
    better: bool = True

    @property
    def reason(self) -> str:
        """What does not fit, in words."""
        bot, more = self.bots[0], "better" if self.better else "worse"
        match self.kind:
            case "pairs" if len(self.bots) > 2:
                return f"{' beats '.join([*self.bots, bot])}, a circle"
            case "pairs":
                return f"{bot} does better against {self.bots[1]} than their strengths tell"
            case "sides":
                return f"{bot} does {more} in {self.where} than elsewhere"
            case "players":
                return f"{bot} does {more} at tables of {self.where} than at others"
            case _:
                return f"{bot} does {more} in the {self.where} half of the games"


class LackOfFit(msgspec.Struct):
    """Whether one number per bot fits; `p` is None if there are too few games to tell."""

    p: float | None
    parts: list[Part]

    @property
    def misfit(self) -> Part | None:
        """What does not fit most; None if the test does not strike.

        Pairs only if no other part strikes: a bot that is better in some of the games does not fit in its pairs either.
        """
        if self.p is None or self.p >= ALPHA:
            return None
        struck = [part for part in self.parts if part.p < ALPHA * WEIGHTS[part.kind] / self._weight]
        alone = [part for part in struck if part.kind != "pairs"] or struck or self.parts
        return min(alone, key=lambda part: part.p / WEIGHTS[part.kind])

    @property
    def _weight(self) -> float:
        return add_up(WEIGHTS[part.kind] for part in self.parts)

    @property
    def misfit_pairs(self) -> list[tuple[str, str]]:
        """The pairs that do not fit: one, or those of neighbours in a circle; empty if it is not pairs that do not."""
        if not self.misfit or self.misfit.kind != "pairs":
            return []
        bots = self.misfit.bots
        return list(zip(bots, [*bots[1:], bots[0]], strict=True))[: None if len(bots) > 2 else 1]

    @property
    def sentence(self) -> str:
        """What the test says."""
        if self.p is None:
            return "too few games to tell whether one number per bot fits"
        if self.misfit is None:
            return f"one number per bot fits these games ({_p_value(self.p)})"
        return f"one number per bot does not fit: {self.misfit.reason} ({_p_value(self.p)})"

    def of_part(self, kind: str, what: str = "") -> str:
        """What one part of the test says, perhaps that `what` does not matter; empty if it had nothing to test."""
        part = next((part for part in self.parts if part.kind == kind), None)
        if part is None:
            return ""
        found = part.reason if part.p < ALPHA else f"no sign that {what or _OF_PARTS[kind]} matters"
        return f"{found} ({_p_value(part.p)})"


def _p_value(p: float) -> str:
    if not 0.001 <= p < 0.995:
        return "p < 0.001" if p < 0.001 else p_in_words(p)
    return f"p = {p:.3f}" if p < 0.095 else f"p = {p:.2f}"
