"""How often each bot failed, and in which way."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..leaderboard.labels import bots_of
from ..leaderboard.standings import Result
from ..results import FaultKind

KINDS = tuple(kind.value for kind in FaultKind)
FIELDS = ("bot", "games", "faults", "share", *KINDS)


class Failures:
    """Faults by bot and kind."""

    def __init__(self) -> None:
        self._games: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._kinds: Counter[tuple[str, str]] = Counter()

    def add(self, result: Result, log: str, index: int) -> None:
        """Fold in game `index` of this log."""
        names = bots_of(result.players)
        self._games.update(names)
        self._failed.update(names[seat] for seat in {fault.seat for fault in result.faults})
        self._kinds.update((names[fault.seat], fault.kind.value) for fault in result.faults)

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
