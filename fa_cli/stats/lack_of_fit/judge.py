"""Whether one number per bot fits its games: a test of the fit in four parts, calibrated by the spread between blocks.

The parts are pairs (circles among them), bots that do better on one side or with one number of players, and bots that
change over time. Each has its p-value; that of all is by Šidák's rule with weights, most of it for pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from ..outcomes import add_up
from ..strength.pair_sums import Floats
from .circles import named_bots, triples
from .contrasts import cleared, judge_contrasts
from .fit_sums import FitSums, renumbered
from .residuals import Field, Residuals, added, residuals
from .verdict import ALPHA, WEIGHTS, LackOfFit, Part

MOST_BOTS = 40
"""Of more bots those with the most comparisons are tested: the covariance of their pairs fills 5 MB."""
_LEAST_DEGREES = 8
"""With fewer degrees of freedom nothing is tested: no spread is known."""


class SettingSums(NamedTuple):
    """The sums of games on one side with one number of players."""

    side: str
    players: int
    early: FitSums
    """Those of the earlier half of each log."""
    late: FitSums


def lack_of_fit(names: Sequence[str], strengths: Floats, settings: Sequence[SettingSums]) -> LackOfFit:
    """Test whether `strengths`, the fit to all these games, explain the results of the bots of these names.

    Raises ValueError if sums name a bot without a strength.
    """
    if len(names) != len(strengths):
        raise ValueError(f"{len(names)} names for {len(strengths)} strengths")
    bots = 1 + max((int(half.pairs.rival.max(initial=-1)) for one in settings for half in one[2:]), default=-1)
    if bots > len(names):
        raise ValueError(f"the sums have a bot numbered {bots - 1}, but only {len(names)} have a strength")
    if len(names) > MOST_BOTS:
        names, strengths, settings = _most_compared(names, strengths, settings)
    field = Field(strengths)
    known = [each for each in settings if len(each.early.pairs.own) or len(each.late.pairs.own)]
    halves = [residuals(field, each.early, each.late, each.players) for each in known]
    if add_up(one.degrees for pair in halves for one in pair) < _LEAST_DEGREES:
        return LackOfFit(None, [])
    wholes = [added(pair) for pair in halves]
    by_half = [added(half) for half in zip(*halves, strict=True)]
    parts = [
        _pairs(field, names, added(wholes)),
        _groups(field, names, "sides", [each.side for each in known], wholes),
        _groups(field, names, "players", [str(each.players) for each in known], wholes),
        _groups(field, names, "drift", ["later", "earlier"], by_half[::-1]),
    ]
    tested = [part for part in parts if part]
    return LackOfFit(_overall(tested), tested)


def _most_compared(
    names: Sequence[str], strengths: Floats, settings: Sequence[SettingSums]
) -> tuple[list[str], Floats, list[SettingSums]]:
    """The bots with the most comparisons, and their games with each other."""
    compared = numpy.zeros(len(names))
    for pairs in (half.pairs for each in settings for half in each[2:]):
        for bots in (pairs.own, pairs.rival):
            compared += numpy.bincount(bots, pairs.met, len(names))
    chosen = numpy.sort(numpy.argsort(-compared, kind="stable")[:MOST_BOTS])
    places = numpy.full(len(names), -1)
    places[chosen] = numpy.arange(len(chosen))
    few = [each._replace(early=renumbered(each.early, places), late=renumbered(each.late, places)) for each in settings]
    return [names[bot] for bot in chosen], strengths[chosen], few


def _overall(parts: Sequence[Part]) -> float | None:
    """Šidák's p-value of the least, each p-value divided by the part's weight."""
    if not parts:
        return None
    whole = add_up(WEIGHTS[part.kind] for part in parts)
    least = min(part.p / WEIGHTS[part.kind] * whole for part in parts)
    none = numpy.prod([1 - min(1.0, least * WEIGHTS[part.kind] / whole) for part in parts])
    return float(1 - none)


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


def _pairs(field: Field, names: Sequence[str], whole: Residuals) -> Part | None:
    """The test of pairs: of the sums of residuals around all triples, less what the fit takes from them."""
    around = triples(field, whole.slopes > 0)
    if not len(around):
        return None
    taken: Floats = whole.slopes[:, None] * (field.sides @ _inverse(field, whole.slopes))
    columns = numpy.column_stack([whole.values, _root(whole.tolerant(field)), whole.met[:, None] * field.tolerated])
    columns -= taken @ (field.sides.T @ columns)
    values, root = cleared(columns[:, 0], *numpy.split(columns[:, 1:], [len(field.own)], axis=1))
    found = judge_contrasts(around.reduce(values), around.reduce(root), whole.degrees)
    if not found.standardised.any():
        return None
    if found.p >= ALPHA:
        return Part("pairs", found.p, [])
    named = named_bots(field, around, found.standardised, values, root, whole)
    return Part("pairs", found.p, [names[bot] for bot in named])


def _groups(
    field: Field, names: Sequence[str], kind: str, labels: Sequence[str], parts: Sequence[Residuals]
) -> Part | None:
    """The test whether bots do better in one group of games than in the others."""
    known = list(dict.fromkeys(labels))
    groups = [added([part for part, own in zip(parts, labels, strict=True) if own == label]) for label in known]
    if len(known) < 2:
        return None
    inverse = _inverse(field, added(groups).slopes)
    shares = numpy.stack([_information(field, group.slopes) @ inverse for group in groups])

    def left(columns: Floats) -> Floats:
        """What the fit leaves of them: it takes a share of what all groups have together."""
        of_groups = columns.reshape(len(groups), field.bots, -1)
        rest: Floats = of_groups - shares @ of_groups.sum(axis=0)
        return rest.reshape(columns.shape)

    values = left(numpy.concatenate([field.sides.T @ group.values for group in groups]))
    root = left(_diagonal([_root(field.sides.T @ group.covariance @ field.sides) for group in groups]))
    if kind != "drift":  # both halves follow the same curve
        curves = _diagonal([field.sides.T @ (group.met[:, None] * field.curves) for group in groups])
        values, root = cleared(values, root, left(curves))
    found = judge_contrasts(values, root, add_up(group.degrees for group in groups))
    if not found.standardised.any():
        return None
    worst = int(numpy.abs(found.standardised).round(6).argmax())  # what two groups say differs by rounding
    best, bot = divmod(worst, field.bots)
    return Part(kind, found.p, [names[bot]], known[best], bool(found.standardised[worst] > 0))


def _diagonal(blocks: Sequence[Floats]) -> Floats:
    """A matrix with these blocks of one shape along its diagonal."""
    rows, columns = blocks[0].shape
    found = numpy.zeros((len(blocks), rows, len(blocks), columns))
    for place, block in enumerate(blocks):
        found[place, :, place] = block
    return found.reshape(len(blocks) * rows, -1)
