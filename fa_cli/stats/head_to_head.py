"""Who ranks ahead of whom, and how often: a row for each bot and each of its rivals."""

from __future__ import annotations

from typing import Any

from ..results import PlayedGame
from .block_means import BlockMean, BlockSums

FIELDS = ("bot", "rival", "games", "ahead", "ahead_interval", "level", "points_difference")


class _Meeting:
    """Two bots at the same tables, as seen by the first."""

    __slots__ = ("ahead", "level", "points")

    def __init__(self) -> None:
        self.ahead = BlockSums()
        self.level = 0
        self.points = 0


class HeadToHead:
    """Meetings of all pairs of bots; a pair of seats is a meeting, a bot with itself is none."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], _Meeting] = {}

    def add(self, game: PlayedGame) -> None:
        """Count one game; games in their logs' order."""
        ranks, scores, block = game.ranks, game.points, game.deal
        for seat, name in enumerate(game.bots):
            for other, rival in enumerate(game.bots):
                if name >= rival:
                    continue  # the other way round it is the same turned over
                meeting = self._of.get((name, rival)) or self._of.setdefault((name, rival), _Meeting())
                level = ranks[seat] == ranks[other]
                meeting.ahead.add((0.5 if level else float(ranks[seat] < ranks[other]),), block, game.stratum)
                meeting.level += level
                meeting.points += scores[seat] - scores[other]

    def bots(self) -> list[str]:
        """All bots that met others, the one with the highest mean share against its rivals first."""
        shares: dict[str, list[float]] = {}
        for (name, rival), meeting in self._of.items():
            share = BlockMean(meeting.ahead).mean
            shares.setdefault(name, []).append(share)
            shares.setdefault(rival, []).append(1 - share)
        return sorted(shares, key=lambda name: (-sum(shares[name]) / len(shares[name]), name))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each bot and each rival that it met: see `FIELDS`."""
        order = self.bots()
        rows = (self.row(name, rival) for name in order for rival in order if name != rival)
        return [row for row in rows if row]

    def row(self, name: str, rival: str) -> dict[str, Any] | None:
        """How the bot does against this rival; None if they never met."""
        meeting = self._of.get((min(name, rival), max(name, rival)))
        if meeting is None or name == rival:
            return None
        mean, points = BlockMean(meeting.ahead), meeting.points
        ahead, interval = mean.mean, mean.share_interval()
        if name > rival:
            ahead, interval, points = 1 - ahead, (1 - interval[1], 1 - interval[0]), -points
        games = meeting.ahead.count
        return {
            "bot": name,
            "rival": rival,
            "games": games,
            "ahead": ahead,
            "ahead_interval": list(interval),
            "level": meeting.level / games,
            "points_difference": points / games,
        }
