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
    start: Annotated[int, number("start", "faults of a bot that did not get ready")]
    timeout: Annotated[int, number("timeout", "faults of a bot whose time was over")]
    crash: Annotated[int, number("crash", "faults of a bot whose process ended")]
    protocol: Annotated[int, number("protocol", "faults of a bot that answered with something else than the protocol")]
    illegal: Annotated[int, number("illegal", "faults of a bot whose action was not legal")]
    resource: Annotated[int, number("resource", "faults of a bot that went beyond a limit")]


KINDS = tuple(kind.value for kind in FaultKind)


def fault_row(bot: str, games: int, faults: int, *of_kinds: int) -> FaultRow:
    """The row of a bot; `of_kinds` has the number of faults of each kind, in the order of `FaultKind`."""
    return FaultRow(bot, games, faults, faults / games, **dict(zip(KINDS, of_kinds, strict=True)))
