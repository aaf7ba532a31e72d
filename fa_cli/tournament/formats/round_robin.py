"""The round robin: everybody meets everybody."""

from __future__ import annotations

from ..definition import Definition
from .block import Block, Blocks, GroupDraw, ResultFeed, draw_groups


def round_robin(definition: Definition, results: ResultFeed) -> Blocks:
    """Groups in which everybody meets everybody equally often, without end; the settings take turns."""
    draws = [GroupDraw(tuple(sorted(setting.bots)), setting.players) for setting in definition.settings]
    for place, group in draw_groups(definition, draws):
        yield Block(place, group)
