"""Challengers against a field: one challenger at each table, the other seats for the field."""

from __future__ import annotations

from ..definition import Definition, Setting
from ..format_specs import Gauntlet
from .block import Block, Blocks, GroupDraw, ResultFeed, draw_groups


def gauntlet(definition: Definition, results: ResultFeed) -> Blocks:
    """Groups of the field, each against every challenger in turn, without end; the settings take turns.

    So all challengers meet the same opponents equally often, and never each other.
    """
    assert isinstance(definition.format_spec, Gauntlet)
    challengers = [challengers_of(definition.format_spec, setting) for setting in definition.settings]
    draws = [
        GroupDraw(tuple(sorted(set(setting.bots) - set(its))), setting.players - 1, len(its))
        for setting, its in zip(definition.settings, challengers, strict=True)
    ]
    for place, group in draw_groups(definition, draws):
        for challenger in challengers[place]:
            yield Block(place, (challenger, *group))


def challengers_of(plan: Gauntlet, setting: Setting) -> list[int]:
    """The challengers that play this setting's game."""
    return [bot for bot in plan.challengers if bot in setting.bots]
