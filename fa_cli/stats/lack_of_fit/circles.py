"""Circles of bots, each of which does better against the next than strengths expect."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..strength.pair_sums import Floats, Ints
from .residuals import Field, Residuals

_MOST_BOTS = 24
"""In larger fields pairs are tested instead of triples: there are too many of these."""


class Around(NamedTuple):
    """Ways around bots: the pairs that are added up, with their signs, and the bots."""

    pairs: Ints
    signs: Ints
    bots: Ints

    def reduce(self, values: Floats) -> Floats:
        """The sum around each, of the rows of the values."""
        found = values[self.pairs[:, 0]] * self._sign(0, values)
        for column in range(1, self.pairs.shape[1]):
            found = found + values[self.pairs[:, column]] * self._sign(column, values)
        return found

    def _sign(self, column: int, values: Floats) -> Ints:
        return self.signs[:, column].reshape(-1, *[1] * (values.ndim - 1))

    def __len__(self) -> int:
        return len(self.pairs)


def triples(field: Field, met: NDArray[numpy.bool_]) -> Around:
    """All triples of bots that met each other; in a field of many bots all pairs."""
    if field.bots > _MOST_BOTS:
        bots, signs = numpy.stack([field.own, field.rival], axis=1), [1]
        pairs = numpy.arange(len(bots))[:, None]
    else:
        bots, signs = numpy.array([*combinations(range(field.bots), 3)], dtype=numpy.int64).reshape(-1, 3), [1, 1, -1]
        first, second, third = bots.T
        places = [field.place(first, second), field.place(second, third), field.place(first, third)]
        pairs = numpy.stack(places, axis=1)
    whole = met[pairs].all(axis=1)
    return Around(pairs[whole], numpy.broadcast_to(signs, pairs.shape)[whole], bots[whole])


def named_bots(
    field: Field, around: Around, standardised: Floats, values: Floats, root: Floats, whole: Residuals
) -> list[int]:
    """The circle that stands out most, the bot with the smallest number first, if each is surely ahead of the next.

    Otherwise the two neighbours of the triple that stands out most of which the first does best against the second.
    """
    worst = int(numpy.abs(standardised).argmax())
    triple: list[int] = around.bots[worst].tolist()
    if standardised[worst] < 0:
        triple.reverse()
    for circle in (_widened(field, triple, values, root), triple):
        pairs, signs = _around(field, circle)
        if len(circle) > 2 and all(map(whole.is_ahead, pairs.tolist(), signs.tolist())):
            start = circle.index(min(circle))
            return circle[start:] + circle[:start]
    pairs, signs = _around(field, triple)
    errors = numpy.sqrt(numpy.diag(whole.tolerant(field))[pairs])
    best = int(numpy.argmax(signs * whole.values[pairs] / errors)) if len(triple) > 2 else 0
    return [triple[best], triple[(best + 1) % len(triple)]]


def _widened(field: Field, circle: list[int], values: Floats, root: Floats) -> list[int]:
    """The circle with further bots while that makes it stand out more."""
    found = _strength(field, circle, values, root)
    while len(circle) < field.bots:
        wider = [
            [*circle[:place], bot, *circle[place:]]
            for bot in range(field.bots)
            if bot not in circle
            for place in range(len(circle))
        ]
        best, widest = max((_strength(field, one, values, root), one) for one in wider)
        if best <= found:
            break
        circle, found = widest, best
    return circle


def _around(field: Field, circle: list[int]) -> tuple[Ints, Ints]:
    """The pairs of neighbours, and 1 where the first has the smaller number, else -1."""
    return field.places(numpy.array(circle), numpy.roll(circle, -1))


def _strength(field: Field, circle: list[int], values: Floats, root: Floats) -> float:
    """The sum of residuals around a circle in standard errors; minus infinity if two neighbours never met."""
    pairs, signs = _around(field, circle)
    error = float(numpy.sqrt(((signs @ root[pairs]) ** 2).sum()))
    return float(signs @ values[pairs]) / error if error > 0 and len(circle) > 2 else -numpy.inf
