"""What `meta` of a record has at fixed places, and the seed that follows from it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from ...games.seed import Seed, derived_bytes

TIMES: Final = ("asked", "time_us", "times_us")
"""The names in `meta` of what `LogEntry.times` holds."""


def in_order(meta: dict[str, Any]) -> dict[str, Any]:
    """`meta` in the order in which a log returns it."""
    first = {name: meta[name] for name in ("tournament", "number", *TIMES) if name in meta}
    return first | meta


def number_of(meta: dict[str, Any]) -> int | None:
    """The game's number in its tournament by `meta`; None if it is missing or invalid."""
    number = meta.get("number")
    return number if type(number) is int and 0 <= number < 1 << 63 else None


def tournament_of(meta: dict[str, Any]) -> dict[str, Any] | None:
    """The tournament by `meta`; None if it is missing or invalid."""
    tournament = meta.get("tournament")
    return tournament if isinstance(tournament, dict) else None


def derived_seed(tournament: dict[str, Any] | None, number: int | None) -> bytes | None:
    """The seed that follows from the tournament's seed and the game's number; None without a valid seed or number."""
    seed = tournament.get("seed") if tournament is not None else None
    if number is None or not isinstance(seed, str):
        return None
    return _game_seed(seed, number)


@lru_cache(maxsize=4)
def _tournament_seed(digits: str) -> Seed | None:
    try:
        return Seed.from_hex(digits)
    except ValueError:
        return None


@lru_cache(maxsize=4)
def _game_seed(digits: str, number: int) -> bytes | None:
    """The seed of a game; cached because games with the same deal follow each other."""
    seed = _tournament_seed(digits)
    return None if seed is None else derived_bytes(seed, number)
