"""How often each bot failed, and in which way."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..results import FaultKind, PlayedGame

KINDS = tuple(kind.value for kind in FaultKind)
FIELDS = ("bot", "games", "faults", "share", *KINDS)


class FaultCounts:
    """Faults by bot and kind."""

    def __init__(self) -> None:
        self._games: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._kinds: Counter[tuple[str, str]] = Counter()

    def add(self, game: PlayedGame) -> None:
        """Count one game."""
        self._games.update(game.bots)
        self._failed.update(game.bots[seat] for seat in game.faulted)
        self._kinds.update((game.bots[fault.seat], fault.kind.value) for fault in game.faults)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each bot, those that failed most often first: see `FIELDS`."""
        rows: list[dict[str, Any]] = [
            {
                "bot": bot,
                "games": games,
                "faults": self._failed[bot],
                "share": self._failed[bot] / games,
                **{kind: self._kinds[bot, kind] for kind in KINDS},
            }
            for bot, games in self._games.items()
        ]
        return sorted(rows, key=lambda row: (-row["share"], row["bot"]))
