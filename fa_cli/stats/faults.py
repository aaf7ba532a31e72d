"""The table of faults by bot and kind."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ..columns import KEY, bad_if_any, number, percent, text
from ..results import FaultKind


class FaultRow(msgspec.Struct):
    """A bot's faults."""

    bot: Annotated[str, text("bot", "its name", importance=KEY)]
    games: Annotated[int, number("games", "games played; a bot that sits twice counts twice", importance=2)]
    faults: Annotated[int, number("faults", "games in which it failed", tone=bad_if_any)]
    share: Annotated[float, percent("share", "their share", importance=1)]
    start: Annotated[int, number("start", "faults because the bot did not start or was not ready in time")]
    timeout: Annotated[int, number("timeout", "faults because the bot exceeded its time")]
    crash: Annotated[int, number("crash", "faults because the bot's process ended")]
    protocol: Annotated[int, number("protocol", "faults because the bot broke the protocol")]
    illegal: Annotated[int, number("illegal", "faults because the bot's action was not legal")]
    resource: Annotated[int, number("resource", "faults because the bot exceeded a limit")]


KINDS = tuple(kind.value for kind in FaultKind)


def fault_row(bot: str, games: int, faults: int, *of_kinds: int) -> FaultRow:
    """The row of a bot; `of_kinds` has the number of faults of each kind, in the order of `FaultKind`."""
    return FaultRow(bot, games, faults, faults / games, **dict(zip(KINDS, of_kinds, strict=True)))
