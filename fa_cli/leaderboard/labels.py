"""Which bots a game's players are, and which part of the standings it belongs to: names for tables, without loading a
game before it is needed."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..games import MODULES, find_game
from ..replay.reconstruct import describe_options
from ..replay.record import seat_names


def bots_of(players: Sequence[str]) -> list[str]:
    """The bot in each seat: `greedy` twice for `greedy#1` and `greedy#2`."""
    return list(_bots_of(tuple(players)))


@functools.lru_cache(maxsize=4096)
def _bots_of(players: tuple[str, ...]) -> list[str]:
    bots = [player.rpartition("#")[0] or player for player in players]
    return bots if seat_names(bots) == list(players) else list(players)


def describe_side(name: str, options: Mapping[str, Any]) -> str:
    """The options that the game is rated apart by (`side=five`), the game's name where it has none."""
    return (describe_options(name, options) if name in MODULES else "") or name


def describe_variant(name: str, options: Mapping[str, Any], players: int) -> str:
    """The game, the options that it is rated apart by, those that are not as usual, and the number of players.

    Of a game that is unknown here, all options.
    """
    game = find_game(name) if name in MODULES else None
    usual = msgspec.structs.asdict(game.options()) if game else {}
    apart = game.variant_options if game else tuple(options)
    told = [f"{key}={value}" for key, value in options.items() if key in apart or value != usual.get(key, value)]
    return " ".join([name, *told, f"players={players}"])
