"""Which bots are ranked together: those that play the same games. A bot that plays one game of three is not the best of
all three because it is good at that one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

Bot = TypeVar("Bot", int, str)
_BY_CHANCE = 3.0
"""A bot that should have had fewer deals of a game than this may have had none by chance: it counts as playing it."""


def ranked_bots(counts: Mapping[Bot, Mapping[str, int]]) -> tuple[frozenset[str], set[Bot]]:
    """The games that are compared, and the bots that play them, given the number of each bot's deals.

    They are as many games as any bot plays; of several such sets that which most bots play.
    """
    total = Counter[str]()
    for own in counts.values():
        total.update(own)
    plays = {bot: frozenset(_plays(own, total)) for bot, own in counts.items()}
    bots_of = Counter(plays.values())
    compared = max(bots_of, key=lambda games: (len(games), bots_of[games], sorted(games)), default=frozenset[str]())
    return compared, {bot for bot, games in plays.items() if games == compared}


def _plays(own: Mapping[str, int], total: Mapping[str, int]) -> Iterable[str]:
    expected = sum(own.values()) / max(1, sum(total.values()))
    return (game for game, deals in total.items() if own.get(game) or deals * expected < _BY_CHANCE)
