"""The parts of the results with their own leaderboards: by game, side, variant, number of players or seat."""

from __future__ import annotations

from typing import NamedTuple

from ..game_result import By
from .index import Index

ANY = ""
SEAT = "seat"


class Part(NamedTuple):
    """A subset of the results."""

    game: str = ANY
    """The game; empty for all games."""
    apart: str = ANY
    """What the results are split by: a value of `By`, or SEAT; empty for no split."""
    label: str = ""
    """The value of that split, as `side=five`."""


class Variant(NamedTuple):
    """A game with its options and number of players, as a row of the index."""

    id: int
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

    def seat_parts(self, seat: int) -> list[Part]:
        """The parts for a bot in this seat, where each seat of a bot is rated as a separate bot."""
        return [Part(game, SEAT, f"seat {seat}") for game in (ANY, self.game)]


def settings(index: Index) -> dict[int, Variant]:
    """All settings in the index, by id."""
    index.check("settings")
    return {row[0]: Variant(*row) for row in index.rows("SELECT * FROM settings")}


class PartIds:
    """The ids of parts in the index. Looking up a new part inserts it."""

    def __init__(self, index: Index) -> None:
        self._index = index
        index.check("parts")
        self._ids = {Part(*row[1:]): row[0] for row in index.rows("SELECT * FROM parts")}

    def __getitem__(self, part: Part) -> int:
        if part not in self._ids:
            self._ids[part] = self._index.id_of("parts", "game, apart, label", part)
        id: int = self._ids[part]
        return id


def shown(index: Index, apart: str, game: str | None) -> dict[str, int]:
    """The parts to show with the leaderboard of one game, or of all: label -> id, sorted by label."""
    index.check("parts")
    rows = [(row[0], Part(*row[1:])) for row in index.rows("SELECT * FROM parts")]
    if apart == By.GAME.value:
        labels = {part.game: id for id, part in rows if not part.apart and part.game and game in (None, part.game)}
    elif apart == By.VARIANT.value:
        labels = {part.label: id for id, part in rows if part.apart == apart and game in (None, part.game)}
    else:
        labels = {part.label: id for id, part in rows if part.apart == apart and part.game == (game or ANY)}
    return dict(sorted(labels.items()))
