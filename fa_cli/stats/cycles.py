"""Cycles: bots of which each ranks ahead of the next beyond doubt, and the last ahead of the first.

No order of strengths can show such bots as they are. In a field that has an order every cycle includes a pair whose
weaker bot is found ahead of the stronger one. There is one such error to make for each pair, so that pairs are tested
one-sided at alpha / pairs (Bonferroni): a field with an order shows a cycle at most as often as alpha.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from .head_to_head import HeadToHead

ALPHA = 0.05


def cycles(found: HeadToHead, alpha: float = ALPHA) -> list[list[str]]:
    """The shortest cycle of each group of bots that are in cycles with each other.

    Each bot of a cycle is ahead of the next, the last one ahead of the first; the name that sorts first comes first.
    """
    ahead = _certainly_ahead(found, alpha)
    reached = {bot: _reached(ahead, bot) for bot in sorted(ahead)}
    grouped: set[str] = set()
    shortest: list[list[str]] = []
    for bot in reached:
        if bot in reached[bot] and bot not in grouped:
            group = [other for other in reached if other in reached[bot] and bot in reached[other]]
            grouped.update(group)
            shortest.append(min((_cycle(reached[other], other) for other in group), key=lambda one: (len(one), one)))
    return shortest


def _certainly_ahead(found: HeadToHead, alpha: float) -> dict[str, list[str]]:
    """Each bot with those that it ranks ahead of beyond doubt."""
    ahead: dict[str, list[str]] = {}
    confidence = 1 - 2 * alpha / max(1, len(found.meetings))
    for (first, second), meeting in found.meetings.items():
        low, high = meeting.ahead.share_interval(confidence)
        if low > 0.5:
            ahead.setdefault(first, []).append(second)
        elif high < 0.5:
            ahead.setdefault(second, []).append(first)
    return ahead


def _cycle(came_from: Mapping[str, str], bot: str) -> list[str]:
    """The shortest way from the bot back to it, beginning with the name that sorts first."""
    way = [came_from[bot]]
    while way[-1] != bot:
        way.append(came_from[way[-1]])
    way.reverse()
    start = way.index(min(way))
    return way[start:] + way[:start]


def _reached(ahead: Mapping[str, list[str]], bot: str) -> dict[str, str]:
    """The bots that can be reached from the bot, each with the bot before it; itself only by a cycle."""
    came_from: dict[str, str] = {}
    queue = deque([bot])
    while queue:
        name = queue.popleft()
        for rival in sorted(ahead.get(name, ())):
            if rival not in came_from:
                came_from[rival] = name
                queue.append(rival)
    return came_from
