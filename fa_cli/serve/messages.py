"""What pages and the server say to each other, as JSON. What a page sends is checked against these Structs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from ..viewer.drawing import Spot
from .draft import Choices

_Ply = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
_Held = Annotated[list[Annotated[str, msgspec.Meta(max_length=100)]], msgspec.Meta(max_length=40)]
"""Actions chosen so far; a hand has fewer cards."""


class Join(msgspec.Struct, tag="join", frozen=True, forbid_unknown_fields=True):
    """The first message of a page: the secret of its link."""

    token: Annotated[str, msgspec.Meta(max_length=100)]


class Try(msgspec.Struct, tag="try", frozen=True, forbid_unknown_fields=True):
    """Asks what can be chosen after these actions, which can still be taken back."""

    ply: _Ply
    held: _Held


class Send(msgspec.Struct, tag="send", frozen=True, forbid_unknown_fields=True):
    """Plays these actions."""

    ply: _Ply
    held: Annotated[_Held, msgspec.Meta(min_length=1)]


class Resign(msgspec.Struct, tag="resign", frozen=True, forbid_unknown_fields=True):
    """The person leaves the game."""


class HandOver(msgspec.Struct, tag="hand-over", frozen=True, forbid_unknown_fields=True):
    """The person leaves the seat to a bot."""


class Return(msgspec.Struct, tag="return", frozen=True, forbid_unknown_fields=True):
    """The person takes the seat back from the bot."""


FromPage = Join | Try | Send | Resign | HandOver | Return
read_page: msgspec.json.Decoder[FromPage] = msgspec.json.Decoder(FromPage)
"""Decodes a message of a page. Raises msgspec.MsgspecError."""


class Welcome(msgspec.Struct, tag="welcome", frozen=True):
    """The answer to `join`: all that does not change."""

    game: str
    heading: str
    seat: int | None
    """None for spectators."""
    players: list[str]
    people: list[int]
    """The seats of people."""
    size: tuple[float, float]
    """The width and height of the drawing."""
    split: tuple[int, float]
    """As in `viewer.drawing.Drawing.board`."""
    keys: list[str]
    """By slot: the key of the part that it shows."""
    spots: list[Spot]
    """By slot: where it is; how a change of it is marked."""
    areas: dict[str, Spot]
    """Targets that are no part of the drawing."""
    legend: Sequence[str]
    person_seconds: int | None
    """The time for a person's decision."""
    stand_in: str
    """The bot that can play for a person; empty if none can."""


class Position(msgspec.Struct, tag="position", frozen=True):
    """The position after an action, or to begin with the whole drawing."""

    ply: int
    parts: dict[int, str]
    """By slot: its SVG, where it has changed."""
    words: str
    """The position in words."""
    text: str
    """The position as text, as the terminal shows it; empty for spectators."""
    told: list[str]
    """What has happened, in sentences; for a page that has just come what it missed."""
    actor: int
    spent: list[float]
    """By seat: seconds for decisions so far; empty if unknown."""


class Asked(msgspec.Struct, tag="asked", frozen=True):
    """A person is to decide. Other pages than the person's have no choices."""

    ply: int
    seat: int
    seconds: float
    """How long the person has been thinking."""
    choices: Choices | None
    rules: list[str]
    """Paragraphs of the rules that apply, as HTML."""


class Drafted(msgspec.Struct, tag="drafted", frozen=True):
    """The answer to `try`."""

    ply: int
    held: list[str]
    sentences: list[str]
    is_ready: bool
    """Whether nothing more can be chosen before the actions are sent."""
    parts: dict[int, str]
    """By slot: its SVG, where it differs from the position."""
    choices: Choices | None


class Refused(msgspec.Struct, tag="refused", frozen=True):
    """What a page asked for can't be done, and why, in a sentence."""

    why: str


class Present(msgspec.Struct, tag="present", frozen=True):
    """Which people are here, and how many spectators."""

    seats: list[int]
    spectators: int
    bots: list[int]
    """The seats of people for whom a bot plays."""
    resigned: list[int]
    """Those of people who are out of the game."""
    awaited: list[int]
    """Those of people who are still to come; until then no time of a person runs."""


class Ended(msgspec.Struct, tag="ended", frozen=True):
    """The game is over."""

    won: str
    """Who won, in a sentence."""
    ranks: list[int]
    scores: list[int]


class Stopped(msgspec.Struct, tag="stopped", frozen=True):
    """The game can't go on."""

    why: str


ToPage = Welcome | Position | Asked | Drafted | Refused | Present | Ended | Stopped
write: msgspec.json.Encoder = msgspec.json.Encoder()
"""Encodes a message to a page."""
