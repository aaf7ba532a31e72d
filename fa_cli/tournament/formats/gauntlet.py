"""The gauntlet: challengers against a field. One challenger at each table, the other seats for the field."""

from __future__ import annotations

from ..definition import Definition, Setting
from ..format_specs import Gauntlet
from .block import Block, Blocks, GroupDraw, ResultFeed, draw_groups


def gauntlet(definition: Definition, results: ResultFeed) -> Blocks:
    """Endless blocks: for the settings in turn, a group of the field plays every challenger in turn.

    So all challengers meet the same opponents equally often, and never each other.
    """
    assert isinstance(definition.format_spec, Gauntlet)
    challengers = [challengers_of(definition.format_spec, setting) for setting in definition.settings]
    draws = [
        GroupDraw(tuple(sorted(set(setting.bots) - set(own_challengers))), setting.players - 1, len(own_challengers))
        for setting, own_challengers in zip(definition.settings, challengers, strict=True)
    ]
    for setting, group in draw_groups(definition, draws):
        for challenger in challengers[setting]:
            yield Block(setting, (challenger, *group))


def challengers_of(spec: Gauntlet, setting: Setting) -> list[int]:
    """The challengers that play in this setting."""
    return [bot for bot in spec.challengers if bot in setting.bots]
