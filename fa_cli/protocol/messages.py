"""The lines of the bot protocol `fa/1` as Structs. Each line is one JSON object in UTF-8, ended by a newline.

The referee sends `Hello`, `Start`, `Decide`, `End` and `Quit`; a bot sends `Ready` and `Answer`. Both sides ignore
unknown fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..option import WEEK, Option, OptionGroup, Unit

Json = bytes | None
"""A field of `Decide` as JSON; None if the bot does not want it."""
Want = Literal["legal", "observation", "events"]
Hex16 = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]

MoveTime = Annotated[int, Meta(ge=1, le=int(WEEK * 1000))]
Bank = Annotated[int, Meta(ge=0, le=int(WEEK * 1000))]

MOVE_TIME = Option(
    "Allow TIME per decision, such as 200ms, 1s or 2m.",
    name="move-time",
    unit=Unit.MILLISECONDS,
    group=OptionGroup.TIME,
)
BANK = Option(
    "Allow extra TIME per game, on top of --move-time.",
    name="bank",
    unit=Unit.MILLISECONDS,
    group=OptionGroup.TIME,
    example="30s",
)


class Clock(msgspec.Struct, frozen=True):
    """Thinking time in milliseconds: for each decision, and extra time for the whole game."""

    move_ms: Annotated[MoveTime, MOVE_TIME] = 1000
    bank_ms: Annotated[Bank, BANK] = 0
    """In `start` for the whole game, in `decide` what is left of it."""


class Hello(msgspec.Struct, tag="hello", tag_field="type"):
    """The first line that a process reads."""

    protocol: Literal["fa/1"] = "fa/1"


class Start(msgspec.Struct, tag="start", tag_field="type"):
    """Before each game."""

    game: str
    options: dict[str, Any]
    players: list[str]
    """The names of all seats, in order; `seat-0`, `seat-1` ... if bots must not know each other."""
    seat: int
    """This bot's index in `players`."""
    commitment: Hex64
    """SHA-256 of the 32 bytes of the game's seed."""
    bot_seed: Hex16
    """For the bot's own randomness; the same if the same game is played again."""
    clock: Clock
    board: Any = UNSET
    """The constant part of the board, for games that have one: see the game's page."""


class Decide(msgspec.Struct, tag="decide", tag_field="type"):
    """The bot's turn. Fields that the bot does not want are omitted."""

    id: int
    """Unique for each process."""
    clock: Clock
    legal: Sequence[str] | UnsetType = UNSET
    """All legal actions, in the order of the game's table; at least two."""
    events: Sequence[Any] | UnsetType = UNSET
    """The events since this seat's last decision, as far as it can see them, in order."""
    observation: Any = UNSET
    """All that this seat may know: see the game's page. The last field, because it is long."""


class End(msgspec.Struct, tag="end", tag_field="type"):
    """After each game; the bot does not answer."""

    scores: list[int]
    ranks: list[int]
    reason: str
    seed: Hex64 | UnsetType = UNSET
    """The seed of `commitment`; omitted if others have yet to play the same deal."""
    events: Sequence[Any] | UnsetType = UNSET


class Quit(msgspec.Struct, tag="quit", tag_field="type"):
    """The last line; the bot exits."""


class Ready(msgspec.Struct):
    """The answer to `hello`, with fields that describe the bot, and to `start`."""

    type: Literal["ready"]
    name: Annotated[str, Meta(max_length=64)] | None = None
    version: Annotated[str, Meta(max_length=64)] | None = None
    author: Annotated[str, Meta(max_length=128)] | None = None
    games: list[str] | None = None
    """The games that it plays; all if null or empty."""
    wants: list[Want] | None = None
    """The fields of `decide` that it wants; all if null or empty."""


class Answer(msgspec.Struct):
    """The answer to `decide`."""

    action: str
    """One of the legal actions."""
    id: int | UnsetType = UNSET
    """Optional; the decision's `id`."""


REFEREE_MESSAGES = (Hello, Start, Decide, End, Quit)
BOT_MESSAGES = (Ready, Answer)
