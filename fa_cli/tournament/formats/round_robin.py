"""The round robin: everybody meets everybody."""

from __future__ import annotations

from ..definition import Definition
from .block import Block, Blocks, Draw, Results, drawn


def round_robin(definition: Definition, results: Results) -> Blocks:
    """Groups in which everybody meets everybody equally often, without end; the settings take turns."""
    draws = [Draw(tuple(sorted(setting.bots)), setting.players) for setting in definition.settings]
    for place, group in drawn(definition, draws):
        yield Block(place, group)
