"""Bots that join, leave or get a new version during a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec


class Change(msgspec.Struct, frozen=True):
    """A bot that leaves or joins during a tournament, as an index in the definition's list of bots.

    With both, the bot that joins is a new version of the one that leaves, and takes its place.
    """

    at: int
    """The index of the first game to which the change applies."""
    left: int | None = None
    joined: int | None = None

    def describe(self, names: Sequence[str]) -> str:
        """The change in words; `names` are those of the definition's bots."""
        left, joined = (None if bot is None else names[bot] for bot in (self.left, self.joined))
        if left and joined:
            return f"{left} plays on as {joined}"
        return f"{joined} joins" if joined else f"{left} leaves"


def describe_changes(changes: Sequence[Change], names: Sequence[str]) -> str:
    """Who joined, left or got a new version, and from which game on; empty if nobody did."""
    return "; ".join(
        f"from game {at + 1:,}: {', '.join(change.describe(names) for change in together)}"
        for at, together in groupby(changes, lambda change: change.at)
    )


def current_versions(changes: Sequence[Change], seats: tuple[int, ...], index: int) -> tuple[int, ...] | None:
    """The bots of these seats in game `index`, updated bots replaced by their versions; None if one has retired."""
    for change in changes:
        if change.at <= index and change.left in seats:
            joined = change.joined
            if joined is None:
                return None
            seats = tuple(joined if bot == change.left else bot for bot in seats)
    return seats


def active_bots(changes: Sequence[Change], bots: Sequence[int], index: int) -> list[int]:
    """The bots of `bots` that are in the tournament when game `index` begins."""
    joined = {change.joined: change.at for change in changes if change.joined is not None}
    left = {change.left: change.at for change in changes if change.left is not None}
    return [bot for bot in bots if joined.get(bot, 0) <= index and not (bot in left and left[bot] <= index)]
