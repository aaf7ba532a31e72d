"""Challengers against a field: one challenger at each table, the other seats for the field."""

from __future__ import annotations

import itertools

from .config import Definition
from .groups import Tally, balanced_groups
from .plans import Gauntlet
from .rounds import Block, Blocks, Results


def gauntlet(definition: Definition, results: Results) -> Blocks:
    """Groups of the field, each against every challenger in turn, without end; the settings take turns.

    So all challengers meet the same opponents equally often, and never each other.
    """
    plan = definition.plan
    assert isinstance(plan, Gauntlet)
    overall = Tally()
    sides = []
    for setting in definition.settings:
        field = [bot for bot in setting.bots if bot not in plan.challengers]
        challengers = [bot for bot in plan.challengers if bot in setting.bots]
        sides.append((challengers, balanced_groups(field, setting.players - 1, overall, definition.secret)))
    for place, (challengers, stream) in itertools.cycle(enumerate(sides)):
        others = next(stream)
        for challenger in challengers:
            yield Block(place, (challenger, *others))
