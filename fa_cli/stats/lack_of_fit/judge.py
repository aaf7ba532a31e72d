"""Whether one number per bot fits its games: a test of the fit in four parts, calibrated by the spread between blocks.

The parts are circles, bots that do better on one side or with one number of players, and bots that change over time.
Each has its p-value; that of all is by Šidák's rule with weights, most of it for circles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy

from ..outcomes import add_up
from ..strength.pair_sums import Floats
from .circles import circle_of, triples
from .contrasts import judge_contrasts
from .fit_sums import FitSums
from .residuals import Field, Residuals, residuals

ALPHA = 0.05
WEIGHTS = {"circles": 0.85, "sides": 0.05, "players": 0.05, "drift": 0.05}
"""The share of `ALPHA` of each part; where a part has nothing to test the others share its own."""
_LEAST_DEGREES = 8
"""With fewer degrees of freedom nothing is tested: no spread is known."""


class SettingSums(NamedTuple):
    """The sums of games on one side with one number of players."""

    side: str
    players: int
    sums: FitSums


class Part(msgspec.Struct):
    """One way in which a single number can fail to fit."""

    kind: str
    """A key of `WEIGHTS`."""
    p: float
    bots: list[str]
    """Those that show it most: a circle, each of which does better against the next, or one bot."""
    where: str = ""
    """Where the bot does better or worse: a side, or a number of players."""
    better: bool = True


class LackOfFit(msgspec.Struct):
    """Whether one number per bot fits; `p` is None if there are too few games to tell."""

    p: float | None
    parts: list[Part]

    @property
    def strikes(self) -> bool:
        """Whether it does not fit."""
        return self.p is not None and self.p < ALPHA

    @property
    def sentence(self) -> str:
        """What the test says."""
        if self.p is None:
            return "Too few games to tell whether one number per bot fits."
        said = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}" if self.p < 0.095 else f"p = {self.p:.2f}"
        if not self.strikes:
            return f"One number per bot fits these games ({said})."
        return f"One number per bot does not fit: {_reason(_worst(self.parts))} ({said})."


def lack_of_fit(names: Sequence[str], strengths: Floats, settings: Sequence[SettingSums]) -> LackOfFit:
    """Test whether `strengths`, the fit to all these games, explain the results of the bots of these names.

    Raises ValueError if sums name a bot without a strength.
    """
    if len(names) != len(strengths):
        raise ValueError(f"{len(names)} names for {len(strengths)} strengths")
    bots = max((int(each.sums.rival.max(initial=-1)) for each in settings), default=-1)
    if bots >= len(names):
        raise ValueError(f"the sums have a bot numbered {bots}, but only {len(names)} have a strength")
    if len(names) < 2:
        return LackOfFit(None, [])
    field = Field(strengths)
    known = [each for each in settings if len(each.sums.own)]
    halves = [residuals(field, each.sums, each.players) for each in known]
    if add_up(one.degrees for pair in halves for one in pair) < _LEAST_DEGREES:
        return LackOfFit(None, [])
    parts = [
        _circles(field, names, _sum([one for pair in halves for one in pair])),
        _groups(field, names, "sides", [each.side for each in known], [_sum(pair) for pair in halves]),
        _groups(field, names, "players", [str(each.players) for each in known], [_sum(pair) for pair in halves]),
        _groups(
            field, names, "drift", ["later", "earlier"], [_sum(half) for half in list(zip(*halves, strict=True))[::-1]]
        ),
    ]
    tested = [part for part in parts if part]
    return LackOfFit(_overall(tested), tested)


def _overall(parts: Sequence[Part]) -> float | None:
    """Šidák's p-value of the least, each p-value divided by the part's weight."""
    if not parts:
        return None
    whole = add_up(WEIGHTS[part.kind] for part in parts)
    least = min(part.p / WEIGHTS[part.kind] * whole for part in parts)
    none = numpy.prod([1 - min(1.0, least * WEIGHTS[part.kind] / whole) for part in parts])
    return float(1 - none)


def _sum(parts: Sequence[Residuals]) -> Residuals:
    values, covariances, slopes, degrees = zip(*parts, strict=True)
    return Residuals(sum(values), sum(covariances), sum(slopes), add_up(degrees))


def _inverse(field: Field, slopes: Floats) -> Floats:
    """How far strengths follow the bots' sums of residuals, but for a shift of all."""
    found = numpy.linalg.pinv(_information(field, slopes), hermitian=True, rcond=1e-9)
    return found.astype(numpy.float64, copy=False)


def _information(field: Field, slopes: Floats) -> Floats:
    found: Floats = field.sides.T @ (slopes[:, None] * field.sides)
    return found


def _root(covariance: Floats) -> Floats:
    """A matrix whose product with its transpose is the covariance."""
    values, vectors = numpy.linalg.eigh(covariance)
    found: Floats = vectors * numpy.sqrt(numpy.maximum(0, values))
    return found


def _circles(field: Field, names: Sequence[str], whole: Residuals) -> Part | None:
    """The test for circles: of the sums of residuals around all triples, less what the fit takes from them."""
    around = triples(field, whole.slopes > 0)
    if not len(around):
        return None
    taken: Floats = whole.slopes[:, None] * (field.sides @ _inverse(field, whole.slopes))
    root: Floats = _root(whole.covariance)
    root -= taken @ (field.sides.T @ root)
    contrasts = around.reduce(root)
    found = judge_contrasts(around.reduce(whole.values), contrasts, whole.degrees)
    circle = circle_of(field, around, found.standardised, whole.values, root)
    return Part("circles", found.p, [names[bot] for bot in circle])


def _groups(
    field: Field, names: Sequence[str], kind: str, labels: Sequence[str], parts: Sequence[Residuals]
) -> Part | None:
    """The test whether bots do better in one group of games than in the others."""
    known = list(dict.fromkeys(labels))
    groups = [_sum([part for part, own in zip(parts, labels, strict=True) if own == label]) for label in known]
    if len(known) < 2:
        return None
    whole = _inverse(field, _sum(groups).slopes)
    roots = [_root(field.sides.T @ group.covariance @ field.sides) for group in groups]
    rows = []
    for here, group in enumerate(groups):
        share = _information(field, group.slopes) @ whole  # of what the fit takes from all groups
        rows.append(numpy.hstack([root * (here == there) - share @ root for there, root in enumerate(roots)]))
    values = numpy.concatenate([field.sides.T @ group.values for group in groups])
    found = judge_contrasts(values, numpy.vstack(rows), add_up(group.degrees for group in groups))
    worst = int(numpy.abs(found.standardised).argmax())
    best, bot = divmod(worst, field.bots)
    return Part(kind, found.p, [names[bot]], known[best], bool(found.standardised[worst] > 0))


def _worst(parts: Sequence[Part]) -> Part:
    return min(parts, key=lambda part: part.p / WEIGHTS[part.kind])


def _reason(part: Part) -> str:
    bot = part.bots[0]
    more = "better" if part.better else "worse"
    match part.kind:
        case "circles":
            return f"{', '.join(part.bots[:-1])} and {part.bots[-1]} go in a circle"
        case "sides":
            return f"{bot} does {more} in {part.where} than elsewhere"
        case "players":
            return f"{bot} does {more} at tables of {part.where} than at others"
        case _:
            return f"{bot} does {more} in the {part.where} half of the games"
