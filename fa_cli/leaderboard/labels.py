"""Labels of a game in tables: its bots, side and variant. Loads a game's module only when needed."""

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
    """The options that the game is rated apart by, as `side=five`; the game's name if there are none."""
    return (describe_options(name, options) if name in MODULES else "") or name


def describe_variant(name: str, options: Mapping[str, Any], players: int) -> str:
    """The game, its options, and the number of players, as `new-york actions=off players=4`.

    Names the options that the game is rated apart by and those that differ from the default; for a game that is unknown
    here, all options.
    """
    game = find_game(name) if name in MODULES else None
    defaults = msgspec.structs.asdict(game.options()) if game else {}
    rated_apart = game.variant_options if game else tuple(options)
    named = [
        f"{key}={value}" for key, value in options.items() if key in rated_apart or value != defaults.get(key, value)
    ]
    return " ".join([name, *named, f"players={players}"])
