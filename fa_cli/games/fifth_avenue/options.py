"""The options of Fifth Avenue."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game; the defaults are the published game with alea's setup."""

    side: Literal["five", "six"] = "five"
    """The side of the board: five plots in each district, or six (FA-2)."""
    setup: Literal["alea", "rio-grande"] = "alea"
    """How the first seven businesses fall on plot colours (side five only)."""
    turn_limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100
    """Turns per player (FA-20)."""
