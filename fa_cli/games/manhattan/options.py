"""The options of Manhattan."""

from __future__ import annotations

from typing import Literal

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game; the default is the published game."""

    blocks: Literal["auto", "four", "six"] = "auto"
    """How many blocks of each colour are chosen per round; `auto` is six with four players, four with fewer."""

    def per_round(self, players: int) -> int:
        """Return how many blocks of each colour are chosen per round."""
        if self.blocks == "auto":
            return 6 if players == 4 else 4
        return 4 if self.blocks == "four" else 6
