"""The parts of the results with their own leaderboards: by game, side, variant, number of players or seat."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

from ..game_result import By

ANY = ""
SEAT = "seat"


class Kind(enum.Enum):
    """What results are grouped by before they are summed."""

    BOTS = "bots"
    BOTS_IN_SEATS = "bots in seats"
    SEATS = "seats"
    """All bots together."""


class Part(NamedTuple):
    """A subset of the results."""

    game: str = ANY
    """The game; empty for all games."""
    apart: str = ANY
    """What the results are split by: a value of `By`, or SEAT; empty for no split."""
    label: str = ""
    """The value of that split, as `side=five`."""

    def includes(self, setting: Setting) -> bool:
        """Whether games of this setting belong to it."""
        return self in setting.parts()


class Setting(NamedTuple):
    """A game with its options and number of players."""

    game: str
    side: str
    variant: str
    players: int

    def parts(self) -> list[Part]:
        """The parts that these games belong to. Sides and numbers of players also have parts across games."""
        parts = [Part(), Part(self.game), Part(self.game, By.VARIANT.value, self.variant)]
        for game in (ANY, self.game):
            parts += [Part(game, By.SIDE.value, self.side), Part(game, By.PLAYERS.value, f"{self.players} players")]
        return parts


def shown(settings: Sequence[Setting], apart: str, game: str | None) -> dict[str, Part]:
    """The parts to show with the leaderboard of these settings, of one game or of all, by label; sorted by label."""
    found: dict[str, Part] = {}
    for setting in settings:
        if apart == SEAT:
            parts = [Part(game or ANY, SEAT, f"seat {seat}") for seat in range(setting.players)]
        elif apart == By.GAME.value:
            parts = [Part(setting.game)]
        else:
            in_game = setting.game if apart == By.VARIANT.value else game or ANY
            parts = [part for part in setting.parts() if part.apart == apart and part.game == in_game]
        found.update({part.label or part.game: part for part in parts})
    return dict(sorted(found.items()))
