"""The round robin: every bot meets every other bot."""

from __future__ import annotations

from ..definition import Definition
from .block import Block, Blocks, GroupDraw, ResultFeed, draw_groups


def round_robin(definition: Definition, results: ResultFeed) -> Blocks:
    """Endless blocks for the settings in turn, in which every bot meets every other bot equally often."""
    draws = [GroupDraw(tuple(sorted(setting.bots)), setting.players) for setting in definition.settings]
    for setting, group in draw_groups(definition, draws):
        yield Block(setting, group)
