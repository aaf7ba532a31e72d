"""The table of faults by bot and kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec

from ..game_result import FaultKind
from ..printing.columns import KEY, bad_if_any, number, percent, text
from ..printing.text import counted


class FaultRow(msgspec.Struct):
    """A bot's faults."""

    bot: Annotated[str, text("bot", "its name", importance=KEY)]
    games: Annotated[int, number("games", "games played; a bot that sits twice counts twice", importance=2)]
    faults: Annotated[int, number("faults", "games in which it failed", tone=bad_if_any)]
    share: Annotated[float, percent("share", "their share of the games that it did not miss", importance=1)]
    suspended: Annotated[
        int, number("suspended", "games that it missed because it was suspended after its faults", tone=bad_if_any)
    ]
    start: Annotated[int, number("start", "faults because the bot did not start or was not ready in time")]
    timeout: Annotated[int, number("timeout", "faults because the bot exceeded its time")]
    crash: Annotated[int, number("crash", "faults because the bot's process ended")]
    protocol: Annotated[int, number("protocol", "faults because the bot broke the protocol")]
    illegal: Annotated[int, number("illegal", "faults because the bot's action was not legal")]
    resource: Annotated[int, number("resource", "faults because the bot exceeded a limit")]


KINDS = tuple(kind.value for kind in FaultKind)


def fault_row(bot: str, games: int, suspended: int, *of_kinds: int) -> FaultRow:
    """The row of a bot; `of_kinds` has the number of faults of each kind, in the order of `FaultKind`."""
    faults, played = sum(of_kinds), games - suspended
    share = faults / played if played else 0.0
    return FaultRow(bot, games, faults, share, suspended, **dict(zip(KINDS, of_kinds, strict=True)))


def by_kind(row: FaultRow) -> str:
    """The faults of one bot by kind: `2 timeout, 1 crash`."""
    return ", ".join(f"{getattr(row, kind)} {kind}" for kind in KINDS if getattr(row, kind))


def notable_faults(games: int, faults: Iterable[tuple[str, int]]) -> str:
    """The bots with a fault in a tenth of their games or more, as `; greedy had a fault in 14 of 24 games`.

    A suspended bot counts as one with a fault.
    """
    notable = [(bot, count) for bot, count in faults if 0 < games <= 10 * count]
    return "".join(f"; {bot} had a fault in {count:,} of {counted(games, 'game')}" for bot, count in notable)


def describe_faults(rows: Sequence[FaultRow]) -> str:
    """The faults of all bots, and apart from these the games that suspended ones missed, in a sentence."""
    faults, missed = sum(row.faults for row in rows), sum(row.suspended for row in rows)
    failed = f"{counted(faults, 'fault')} of {counted(sum(row.faults > 0 for row in rows), 'bot')}" if faults else ""
    suspended = counted(sum(row.suspended > 0 for row in rows), "suspended bot")
    apart = f"{suspended} missed {counted(missed, 'game')}" if missed else ""
    return f"{'; '.join(filter(None, [failed, apart])) or 'No faults'}."
