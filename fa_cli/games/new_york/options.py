"""The options of New York."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game; the defaults are the published game without its variant."""

    actions: Literal["off", "on"] = "off"
    """Whether the twelve action cards are in the stock (NY-7, NY-8)."""
    chain: Literal["group", "line"] = "group"
    """What counts as the longest row of houses (NY-10)."""
    turn_limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 200
    """Turns per player (NY-12)."""
