"""The parts of the results that have leaderboards of their own: one game, one side, one variant, one seat."""

from __future__ import annotations

from typing import NamedTuple

from ..results import By
from .index import Index

ANY = ""
SEAT = "seat"


class Part(NamedTuple):
    """Which of all results."""

    game: str = ANY
    """Those of this game; empty: of any."""
    apart: str = ANY
    """What they are told apart by: a value of `By`, or SEAT."""
    label: str = ""


class Setting(NamedTuple):
    """What a game was played with, as the index has it."""

    id: int
    game: str
    side: str
    variant: str
    players: int

    def parts(self) -> list[Part]:
        """The parts that its games count in. A variant names its game, and so does a part that is a game."""
        parts = [Part(), Part(self.game), Part(self.game, By.VARIANT.value, self.variant)]
        for game in (ANY, self.game):
            parts += [Part(game, By.SIDE.value, self.side), Part(game, By.PLAYERS.value, f"{self.players} players")]
        return parts

    def seat_parts(self, seat: int) -> list[Part]:
        """Those that the bot in this seat counts in, when each seat of a bot is a bot of its own."""
        return [Part(game, SEAT, f"seat {seat}") for game in (ANY, self.game)]


def settings(index: Index) -> dict[int, Setting]:
    """All that there are, by their ids."""
    return {row[0]: Setting(*row) for row in index.rows("SELECT * FROM settings")}


class PartIds:
    """The ids of parts in the index; new ones are written."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._ids = {Part(*row[1:]): row[0] for row in index.rows("SELECT * FROM parts")}

    def __getitem__(self, part: Part) -> int:
        if part not in self._ids:
            self._index.write("INSERT INTO parts (game, apart, label) VALUES (?, ?, ?)", [part])
            self._ids[part] = self._index.value("SELECT id FROM parts WHERE (game, apart, label) = (?, ?, ?)", part)
        id: int = self._ids[part]
        return id


def shown(index: Index, apart: str, game: str | None) -> dict[str, int]:
    """The parts beside the leaderboard of a game, or of all: label -> id, by label. By game a part is a game's."""
    found = [(row[0], Part(*row[1:])) for row in index.rows("SELECT * FROM parts")]
    if apart == By.GAME.value:
        labels = {part.game: id for id, part in found if not part.apart and part.game and game in (None, part.game)}
    elif apart == By.VARIANT.value:
        labels = {part.label: id for id, part in found if part.apart == apart and game in (None, part.game)}
    else:
        labels = {part.label: id for id, part in found if part.apart == apart and part.game == (game or ANY)}
    return dict(sorted(labels.items()))
